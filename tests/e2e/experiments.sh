#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The experiments of docs/benchmarks.md, in short: both ways run, and the one that was chosen holds less memory. Not how fast
# they are. Ends with "N passed, N failed".
set -u
bin=${OYEZ_BUILD:?the build directory}/bin
if [ ! -x "$bin/bench-held" ]; then
    echo "there is no bench-held in this build"
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

held() {
    timeout 100 "$bin/bench-held" -requests=200 -seconds=0.3 >freed && timeout 100 "$bin/bench-held" -requests=200 -seconds=0.3 -hold >held || return 1
    cat freed held
    python3 - <<'PY'
import json, os
freed, held = json.load(open("freed")), json.load(open("held"))
assert held["hold"] and not freed["hold"] and freed["qps"] > 100 and held["qps"] > 100
# 200 MiB decoded; and as much once more if their bytes are kept. A sanitizer keeps what was freed.
assert os.environ.get("OYEZ_SANITIZE") or 190 < freed["memory_mib"] < held["memory_mib"] - 30 and held["memory_mib"] > 390
PY
}
check "bytes of requests on which handlers sleep" held

# Both programs of the RPCCompressor cases say the same names in the form of Go's benchmarks.
compress() {
    timeout 100 "$bin/bench-compress" -seconds=0.05 >straight && timeout 100 "$bin/bench-compress" -seconds=0.05 -copy >copied || return 1
    cat straight copied
    python3 - <<'PY'
import os, re
form = r"BenchmarkRPCCompressor/comp=(\w+),payloadSize=(\d+)\t +(\d+)\t +(\d+) ns/op\t +\d+ cpu-ns/op\t *(\d+) B/op\t *([\d.]+) allocs/op\n"
sides = [re.findall(form, open(name).read()) for name in ("straight", "copied")]
for rows in sides:
    gzip = any(r[0] == "gzip" for r in rows)
    assert [r[:2] for r in rows] == [(c, s) for c in (["gzip"] if gzip else []) + ["noop"] for s in ("1024", "10240", "512000")], rows
for straight, copied in zip(*sides):
    assert os.environ.get("OYEZ_SANITIZE") or float(straight[5]) < float(copied[5]) and int(straight[4]) < int(copied[4]), (straight, copied)
PY
}
check "compressed calls, straight and by a copy" compress

echo "$passed passed, $failed failed"
[ $failed = 0 ]
