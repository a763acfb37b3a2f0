// SPDX-License-Identifier: Apache-2.0
//go:build tools

// Package tools pins the gRPC-Go programs that oyez is tested and measured against. Nothing here is
// ever compiled: the imports only make the module file list what the programs need.
package tools

import (
	_ "google.golang.org/grpc/benchmark/client"
	_ "google.golang.org/grpc/benchmark/server"
	_ "google.golang.org/grpc/interop/client"
	_ "google.golang.org/grpc/interop/http2"
	_ "google.golang.org/grpc/interop/server"
)
