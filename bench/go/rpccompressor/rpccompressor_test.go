// SPDX-License-Identifier: Apache-2.0

// Package rpccompressor measures whole unary calls of gRPC-Go whose messages are compressed, one at a time over
// loopback: what bench-compress does with oyez, under the same names. The payload is zeros both ways.
//
//	go test -bench . -benchmem ./rpccompressor
package rpccompressor

import (
	"context"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/benchmark"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/gzip"
	testpb "google.golang.org/grpc/interop/grpc_testing"
)

// noop is a compressor that leaves bytes as they are: what is left is the way that they take.
type noop struct{}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error                       { return nil }
func (noop) Name() string                                 { return "noop" }
func (noop) Compress(w io.Writer) (io.WriteCloser, error) { return nopWriteCloser{w}, nil }
func (noop) Decompress(r io.Reader) (io.Reader, error)    { return r, nil }

func init() { encoding.RegisterCompressor(noop{}) }

// cpu is the processor time of this process so far, in nanoseconds.
func cpu(b *testing.B) int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func BenchmarkRPCCompressor(b *testing.B) {
	for _, comp := range []string{"gzip", "noop"} {
		for _, size := range []int{1024, 10240, 512000} {
			b.Run(fmt.Sprintf("comp=%s,payloadSize=%d", comp, size), func(b *testing.B) {
				listener, err := net.Listen("tcp", "localhost:0")
				if err != nil {
					b.Fatal(err)
				}
				stop := benchmark.StartServer(benchmark.ServerInfo{Type: "protobuf", Listener: listener})
				defer stop()
				conn, err := grpc.NewClient(listener.Addr().String(),
					grpc.WithTransportCredentials(insecure.NewCredentials()),
					grpc.WithDefaultCallOptions(grpc.UseCompressor(comp)))
				if err != nil {
					b.Fatal(err)
				}
				defer conn.Close()
				client := testpb.NewBenchmarkServiceClient(conn)
				request := &testpb.SimpleRequest{
					ResponseSize: int32(size),
					Payload:      benchmark.NewPayload(testpb.PayloadType_COMPRESSABLE, size),
				}
				before := cpu(b)
				for b.Loop() {
					reply, err := client.UnaryCall(context.Background(), request)
					if err != nil || len(reply.Payload.Body) != size {
						b.Fatalf("%v, %d bytes", err, len(reply.GetPayload().GetBody()))
					}
				}
				b.ReportMetric(float64(cpu(b)-before)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
