#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every public header stands alone and may be included twice, as C99 and as C++11, without a warning;
# and all of them go into one file together.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -I$root/include"
# libuv's own header wants POSIX names; ours want nothing.
posix="-D_POSIX_C_SOURCE=200809L"
passed=0
failed=0

# try <name> <file> [flags]
try() {
    # shellcheck disable=SC2086
    if gcc -std=c99 $strict ${3:-} -Wstrict-prototypes -x c "$2" &&
        g++ -std=c++11 $strict ${3:-} -x c++ "$2"; then
        passed=$((passed + 1))
    else
        echo "$1 does not stand alone"
        failed=$((failed + 1))
    fi
}

: >"$work/all.h"
for header in "$root"/include/oyez/*.h; do
    name=oyez/$(basename "$header")
    printf '#include <%s>\n#include <%s>\nint nothing;\n' "$name" "$name" >"$work/one.c"
    case $name in
    oyez/uv.h) try "$name" "$work/one.c" "$posix" ;;
    *) try "$name" "$work/one.c" ;;
    esac
    echo "#include <$name>" >>"$work/all.h"
done
{ cat "$work/all.h" && echo 'int nothing;'; } >"$work/all.c"
try "everything together" "$work/all.c" "$posix"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
