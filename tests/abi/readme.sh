#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README's programs are compiled as they stand there, linked, and run: the server, then the client.
# And what the documentation links to is there.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${OYEZ_BUILD:-$root/build}
[ -z "${OYEZ_SANITIZE:-}" ] || exit 77
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
passed=0
failed=0
generated=$build/generated/examples

# ok <words> <command...>
ok() {
    words=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "failed: $words"
        failed=$((failed + 1))
    fi
}

# Each block of C becomes a file: 1.c, 2.c, ...
awk -v dir="$work" '/^```c$/ { n++; open = 1; next } /^```/ { open = 0 } open { print > (dir "/" n ".c") }' \
    "$root/README.md"
ok "two programs in the README" [ -f "$work/2.c" -a ! -f "$work/3.c" ]
for block in 1 2; do
    # shellcheck disable=SC2046
    ok "program $block of the README" gcc -std=c11 -Wall -Wextra -Wpedantic -Werror \
        -I"$root/include" -I"$generated" $(pkg-config --cflags libprotobuf-c) \
        "$work/$block.c" "$generated/helloworld.oyez.c" "$generated/helloworld.pb-c.c" \
        -L"$build/lib" -loyez $(pkg-config --libs libprotobuf-c) -Wl,-rpath,"$build/lib" \
        -o "$work/program$block"
done

listens() {
    python3 -c 'import socket; socket.create_connection(("127.0.0.1", 50051), 1).close()' 2>/dev/null
}
if [ "$failed" -eq 0 ] && ! listens; then
    "$work/program1" &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        listens && break
        sleep 0.1
    done
    timeout 20 "$work/program2" README >"$work/said" 2>&1 || true
    cat "$work/said"
    ok "the client gets its greeting" grep -qx "Greeting: Hello README" "$work/said"
fi

# Links between the pages: each file that is linked to exists, by way of the page's own directory.
for page in README.md CONTRIBUTING.md CHANGELOG.md $(cd "$root" && find docs -name '*.md'); do
    dir=$root/$(dirname "$page")
    for link in $(grep -o '](\([^)#: ]*\))' "$root/$page" | sed 's/^](//; s/)$//' | sort -u); do
        ok "$page links to $link" [ -e "$dir/$link" ]
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
