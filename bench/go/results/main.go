// SPDX-License-Identifier: Apache-2.0

// Command results turns a result file of gRPC-Go's benchmain, which is a gob, into one of ours, which is
// JSON with the same field names.
//
//	results GOB >JSON
package main

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"

	"google.golang.org/grpc/benchmark/stats"
)

// A curve is named by the hash of its file; more of it there is not in a gob.
type features struct {
	stats.Features
	ReqPayloadCurve  *string
	RespPayloadCurve *string
}

type result struct {
	stats.BenchResults
	Features features
}

func name(curve *stats.PayloadCurve) *string {
	if curve == nil {
		return nil
	}
	hash := curve.Hash()
	return &hash
}

func convert(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var results []stats.BenchResults
	if err := gob.NewDecoder(file).Decode(&results); err != nil {
		return fmt.Errorf("%s: not a result file of gRPC-Go's benchmain: %v", path, err)
	}
	converted := make([]result, len(results))
	for i, r := range results {
		converted[i] = result{r, features{r.Features, name(r.Features.ReqPayloadCurve),
			name(r.Features.RespPayloadCurve)}}
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	return out.Encode(converted)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: results GOB >JSON")
		os.Exit(2)
	}
	if err := convert(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
