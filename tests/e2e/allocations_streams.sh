#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How often streams that run ask the process's allocator for memory.
exec "${OYEZ_BUILD:?the build directory}/tests/e2e_allocations_streams"
