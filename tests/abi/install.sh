#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs into an empty directory and builds users' programs against it: by pkg-config (shared and
# static) and by the CMake package with oyez_generate().
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${OYEZ_BUILD:-$root/build}
[ -z "${OYEZ_SANITIZE:-}" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/install.log"
libdir=$(dirname "$(find "$prefix" -name liboyez.a)")
passed=0

# The prefix in the pkg-config file is the configured one: say where it went, as DESTDIR installs do.
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
pc() {
    pkg-config --define-variable=prefix="$prefix" "$@" liboyez
}

# shellcheck disable=SC2046
gcc -Wall -Werror "$root/tests/abi/consumer/plain.c" $(pc --cflags --libs) -o "$work/plain"
LD_LIBRARY_PATH=$libdir "$work/plain"
passed=$((passed + 1))

mkdir "$work/static"
cp "$libdir/liboyez.a" "$work/static/"
# shellcheck disable=SC2046
gcc -Wall -Werror "$root/tests/abi/consumer/plain.c" $(pc --cflags) -L"$work/static" \
    $(pc --static --libs) -o "$work/plain-static"
"$work/plain-static" >/dev/null
passed=$((passed + 1))

PATH=$prefix/bin:$PATH
unset PKG_CONFIG_PATH
cmake -G Ninja -S "$root/tests/abi/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/consumer" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
for program in plain plain_static generated; do
    if [ -x "$work/consumer/$program" ]; then
        "$work/consumer/$program" >/dev/null
        passed=$((passed + 1))
    fi
done
if grep -rlF "$root" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h'; then
    echo "installed files name the source tree"
    exit 1
fi
passed=$((passed + 1))
echo "$passed passed, 0 failed"
