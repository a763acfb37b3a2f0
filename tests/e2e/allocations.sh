#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How often calls in their steady state ask the process's allocator for memory.
exec "${OYEZ_BUILD:?the build directory}/tests/e2e_allocations"
