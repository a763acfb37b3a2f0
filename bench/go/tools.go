// SPDX-License-Identifier: Apache-2.0
//go:build tools

// Package tools makes the module file list what gRPC-Go's benchmain and its QPS worker need, which tests
// run. It is never compiled.
package tools

import (
	_ "google.golang.org/grpc/benchmark/benchmain"
	_ "google.golang.org/grpc/benchmark/worker"
)
