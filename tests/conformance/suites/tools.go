// SPDX-License-Identifier: Apache-2.0
//go:build tools

// Package tools pins the suites that oyez is tested by. Nothing here is ever compiled: the imports only make the module
// file list what the programs need.
package tools

import (
	_ "connectrpc.com/conformance/cmd/connectconformance"
	_ "github.com/summerwind/h2spec/cmd/h2spec"
)
