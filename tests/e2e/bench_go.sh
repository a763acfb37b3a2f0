#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gRPC-Go's benchmain and ours in one table: runs both with the same flags, converts the gob of theirs, and has benchresult
# compare the two. What their program prints must be what the converted file says. Ends with "N passed, N failed"; 77 when
# there is no Go, or its modules cannot be had.
set -u
bin=${OYEZ_BUILD:?the build directory}/bin
source=${OYEZ_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
if [ ! -x "$bin/benchmain" ] || ! command -v go >/dev/null; then
    echo "there is no benchmain in this build, or no go"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
if ! (cd "$source/bench/go" && GOFLAGS='-buildvcs=false -mod=readonly' go build -o "$dir/go-benchmain" \
    google.golang.org/grpc/benchmark/benchmain) >build.log 2>&1; then
    tail -n 3 build.log
    echo "gRPC-Go's benchmain cannot be built"
    exit 77
fi
passed=0 failed=0
check() {
    local what=$1
    shift
    if "$@" >said 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        head -n 60 said
    fi
}

flags="-benchtime=300ms -workloads=all -compression=off -maxConcurrentCalls=1,8 -trace=off -reqSizeBytes=1 -respSizeBytes=1024
    -networkMode=Local"
run_both() {
    # shellcheck disable=SC2086
    timeout 100 ./go-benchmain $flags -resultFile=go.gob >go.out || return 1
    "$source/scripts/convert-go-results" go.gob -o go.json || return 1
    # shellcheck disable=SC2086
    timeout 100 "$bin/benchmain" $flags -resultFile=ours >ours.out
}
check "both programs run, and the gob is converted" run_both

check "the converted file says what was printed" python3 - <<'PY'
import json, re
units = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
results = json.load(open("go.json"))
printed = open("go.out").read()
names = re.findall(r"^(unary|streaming|unconstrained)-(networkMode_\S+):\s*$", printed, re.M)
assert len(results) == len(names) == 6, (len(results), names)
medians = re.findall(r"50_Latency: ([\d.]+)(ns|µs|ms|s)\s.*?99_Latency: ([\d.]+)(?:ns|µs|ms|s)", printed)
timed = [r for r in results if r["RunMode"] != "unconstrained"]
assert len(medians) == len(timed) == 4
for r, (p50, unit, p99) in zip(timed, medians):
    assert abs(r["Data"]["Fiftieth"] - float(p50) * units[unit]) <= 1e-4 * units[unit] + 1, (r, p50, unit)
    assert abs(r["Data"]["NinetyNinth"] - float(p99) * units[unit]) <= 1e-4 * units[unit] + 1, (r, p99, unit)
counts = [int(n) for n in re.findall(r"Number of requests:\s+(\d+)", printed)]
assert counts == [r["Data"]["TotalOps"] or r["Data"]["SendOps"] for r in results], (counts, results)
# Ours has the same names, but for the two words of our own at the end.
ours = re.findall(r"^(unary|streaming|unconstrained)-(networkMode_\S+)-handler_loop-client_async:$", open("ours.out").read(), re.M)
assert ours == names, (ours, names)
PY

compare() {
    "$bin/benchresult" go.json ours >table || return 1
    cat table
    [ "$(grep -c '^ *Title ' table)" = 6 ] && [ "$(grep -c 'GrpcVersion .*1\.85\.0.*-oyez' table)" = 6 ] || return 1
    "$bin/benchresult" go.json >table && grep -q '^streaming-MaxConcurrentCalls_8 ' table
}
check "both in one table" compare

not_a_gob() {
    ! "$source/scripts/convert-go-results" ours -o none && [ ! -e none ] && grep -q "not a result file of gRPC-Go's benchmain" said
}
check "what is no gob" not_a_gob

echo "$passed passed, $failed failed"
[ $failed = 0 ]
