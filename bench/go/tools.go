// SPDX-License-Identifier: Apache-2.0
//go:build tools

// Package tools makes the module file list what gRPC-Go's benchmain needs, which a test runs. It is never
// compiled.
package tools

import _ "google.golang.org/grpc/benchmark/benchmain"
