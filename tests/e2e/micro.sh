#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The small benchmarks: every case runs, and says what it should; instructions counted twice are the same; a count that
# rises is told. Not how fast they are. Ends with "N passed, N failed".
set -u
bin=${OYEZ_BUILD:?the build directory}/bin
source=${OYEZ_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
if [ ! -x "$bin/bench-micro" ]; then
    echo "there is no bench-micro in this build"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0 failed=0
check() {
    local what=$1
    shift
    if "$@" >said 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        head -n 40 said
    fi
}

all_cases() {
    timeout 200 "$bin/bench-micro" >cases && timeout 200 "$bin/bench-count" >>cases || return 1
    python3 - <<'PY'
import json
cases = [json.loads(line) for line in open("cases")]
names = {c["name"] for c in cases}
assert len(names) == len(cases) >= 28, names
for part in ("hpack-encode", "hpack-decode", "h2-", "deframe", "pool-", "slice-", "recv-queue-by-value", "recv-queue-boxed",
             "protobuf-c-encode", "protobuf-c-decode", "timer-", "percent", "timeout", "unary-in-memory", "unary-tcp"):
    assert any(n.startswith(part) for n in names), part
for c in cases:
    assert 0 < c["ns_least"] <= c["ns"] <= c["ns_most"], c
PY
}
check "every case" all_cases
one_case() {
    "$bin/bench-micro" timer-set >one && [ "$(wc -l <one)" = 1 ] && ! "$bin/bench-micro" nothing-of-the-kind
}
check "a case by its name" one_case

# count <file>: instructions of a whole call in memory, beneath callgrind.
count() {
    valgrind -q --tool=callgrind --callgrind-out-file="$1" "$bin/bench-count" unary-in-memory-1 >/dev/null 2>&1 || return 1
    sed -n 's/^totals: //p' "$1.1"
}
same_twice() {
    local first second
    first=$(count first) && second=$(count second) || return 1
    echo "$first and $second for 2,000 calls"
    # Well below the 5 % that are told.
    python3 -c "import sys; a, b = $first, $second; sys.exit(not (a > 2e6 and abs(a - b) < 0.01 * a))"
}
if [ -n "${OYEZ_SANITIZE:-}" ] || ! command -v valgrind >/dev/null || [ ! -e /usr/include/valgrind/callgrind.h ]; then
    echo "no callgrind, or a sanitized build: nothing is counted"
else
    check "counted twice" same_twice
fi
check "what is told of a rise" python3 "$source/scripts/bench" --self-test

echo "$passed passed, $failed failed"
[ $failed = 0 ]
