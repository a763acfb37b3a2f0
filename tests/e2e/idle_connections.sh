#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Memory of idle connections, and that they still work. Sanitizers have another idea of memory.
if [ -n "${OYEZ_SANITIZE:-}" ]; then
    exit 77
fi
exec "${OYEZ_BUILD:?the build directory}/tests/e2e_idle_connections"
