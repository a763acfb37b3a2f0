#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the shared library costs its host: size, libraries, symbols. Only for a build as shipped.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${OYEZ_BUILD:-$root/build}
[ -z "${OYEZ_SANITIZE:-}" ] || exit 77
library=$build/lib/liboyez.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
passed=0

# check <words> <command...>
check() {
    words=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "failed: $words"
        failed=$((failed + 1))
    fi
}

strip -o "$work/stripped.so" "$library"
size=$(stat -c %s "$work/stripped.so")
echo "stripped: $size bytes"
check "under 600 KiB" [ "$size" -lt 614400 ]

ldd "$library" >"$work/ldd"
sed 's/ (0x.*//' "$work/ldd"
check "no C++ runtime" sh -c "! grep -q -e 'stdc++' -e 'libc++' '$work/ldd'"
check "nothing is missing" sh -c "! grep -q 'not found' '$work/ldd'"

readelf -d "$library" >"$work/dynamic"
check "the soname is liboyez.so.0" grep -q 'SONAME.*\[liboyez\.so\.0\]' "$work/dynamic"
check "no text relocations" sh -c "! grep -q TEXTREL '$work/dynamic'"
# One entry may be the compiler's own frame_dummy; more would be a constructor of ours.
entries=$(sed -n 's/.*(INIT_ARRAYSZ) *\([0-9]*\).*/\1/p' "$work/dynamic")
check "no global constructor" [ "${entries:-0}" -le 8 ]
check "no executable stack" sh -c "! readelf -lW '$library' | grep 'GNU_STACK' | grep -q 'RWE'"
check "the symbols are those that are declared" "$root/scripts/check-symbols" "$build"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
