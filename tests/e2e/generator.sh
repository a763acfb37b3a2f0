#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The generator: golden files, refusals, and what is compiled of its output. Once is enough: it brings
# sanitizers of its own.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ -n "${OYEZ_SANITIZE:-}" ]; then
    exit 77
fi
exec python3 "$root/plugin/test-golden"
