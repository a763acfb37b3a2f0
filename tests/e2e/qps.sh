#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The worker of the QPS benchmark: two of ours, driven by our own driver through every kind of load and payload; what a worker
# refuses; and gRPC-Go's worker on either side, when there is Go. Ends with "N passed, N failed".
set -u
bin=${OYEZ_BUILD:?the build directory}/bin
source=${OYEZ_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
if [ ! -x "$bin/qps-worker" ]; then
    echo "there is no qps-worker in this build"
    exit 77
fi
dir=$(mktemp -d)
workers=
stop_workers() {
    local pid
    for pid in $workers; do
        kill "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    workers=
}
trap 'stop_workers; rm -rf "$dir"' EXIT
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

# start <name>: a worker of ours on a free port, which is left in $port.
start() {
    "$bin/qps-worker" -driver_port=0 >"$1.out" 2>&1 &
    workers="$workers $!"
    port=
    for _ in $(seq 100); do
        port=$(sed -n 's/^listening for a driver on port //p' "$1.out")
        [ -n "$port" ] && return 0
        sleep 0.05
    done
    cat "$1.out"
    return 1
}
start serve || exit 1
serve=127.0.0.1:$port
start call || exit 1
call=127.0.0.1:$port

# drive <python condition on the line r> <flags of the driver...>
drive() {
    local condition=$1
    shift
    timeout 60 "$bin/qps-driver" -server=$serve -client=$call -warm=0.2 -seconds=0.5 "$@" >line || return 1
    cat line
    python3 -c '
import json, sys
r = json.load(open("line"))
assert r["failed"] == 0 and r["calls"] > 20 and r["qps"] > 40, r
assert 0 < r["min_us"] <= r["p50_us"] * 1.02 and r["p50_us"] <= r["p90_us"] <= r["p99_us"] <= r["p999_us"] <= r["max_us"] * 1.02, r
assert r["min_us"] <= r["mean_us"] <= r["max_us"] and r["server_user"] + r["client_user"] + r["server_system"] > 0, r
assert eval(sys.argv[1]), r' "$condition"
}
for kind in async sync; do
    for rpc in unary streaming; do
        for payload in simple bytebuf; do
            check "$kind $rpc $payload" drive True -kind=$kind -rpc=$rpc -payload=$payload -req=10 -resp=5000 -outstanding=8 \
                -channels=2
        done
    done
done
check "no payload" drive True -payload=bytebuf
# Of 400 calls a second about 200 come in half a second: within five times the root.
check "Poisson, unary" drive "130 < r['calls'] < 270" -load=400
check "Poisson, streaming" drive "130 < r['calls'] < 270" -load=400 -rpc=streaming -kind=sync
check "Poisson, more than can be had" drive "r['qps'] < 10000000" -load=10000000 -outstanding=4

# Configurations that cannot be had.
refused() {
    local words=$1
    shift
    timeout 20 "$bin/qps-driver" -server=$serve -client=$call -warm=0 -seconds=0.1 "$@" >line 2>err && return 1
    cat err
    grep -qF "$words" err
}
check "a malformed target" refused "INVALID_ARGUMENT: server_targets: 127.0.0.1:1:" -host=127.0.0.1:1
check "a server out of reach" refused "UNAVAILABLE: server_targets: cannot connect to nowhere.invalid:" -host=nowhere.invalid
check "another kind" refused "INVALID_ARGUMENT: server_type: 99 is not known" -kind=other
check "streams one way" refused "INVALID_ARGUMENT: rpc_type: there are UNARY and STREAMING" -rpc=from_client
check "complex payloads" refused "UNIMPLEMENTED: payload_config: there are simple_params and bytebuf_params" -payload=complex

quit() {
    timeout 20 "$bin/qps-driver" -server=$serve -client=$call -warm=0 -seconds=0.2 -quit || return 1
    local pid code=0
    for pid in $workers; do
        wait "$pid" || code=1
    done
    workers=
    return $code
}
check "QuitWorker ends both" quit

# Another implementation on either side.
go_worker() {
    ./go-worker -driver_port="$1" >"go$1.out" 2>&1 &
    workers="$workers $!"
    for _ in $(seq 100); do
        (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0
        sleep 0.1
    done
    return 1
}
if command -v go >/dev/null && (cd "$source/bench/go" && GOFLAGS='-buildvcs=false -mod=readonly' go build -o "$dir/go-worker" \
    google.golang.org/grpc/benchmark/worker) >build.log 2>&1; then
    free=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    start ours || exit 1
    ours=127.0.0.1:$port go=127.0.0.1:$free
    check "gRPC-Go's worker starts" go_worker "$free"
    serve=$go call=$ours
    check "gRPC-Go serves, we call" drive True -outstanding=8
    check "gRPC-Go serves, we stream bytes" drive True -outstanding=8 -rpc=streaming -payload=bytebuf -req=10 -resp=100
    serve=$ours call=$go
    check "we serve, gRPC-Go calls" drive True -outstanding=8
    check "we serve, gRPC-Go streams" drive True -outstanding=8 -rpc=streaming -req=100 -resp=100
else
    echo "gRPC-Go's worker is n/a: there is no go, or it cannot be built"
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
