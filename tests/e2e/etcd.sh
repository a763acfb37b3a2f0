#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# examples/etcd against Debian's etcd, on loopback, in a directory that is gone afterwards. Without etcd there is
# nothing to test, which scripts/test takes for a failure when OYEZ_REQUIRE_PEERS=1.
set -u
client=${OYEZ_BUILD:?the build directory}/bin/etcd
passed=0
failed=0
server=

if ! command -v etcd >/dev/null; then
    echo "etcd is not installed (Debian: etcd-server)"
    exit 77
fi

home=$(mktemp -d)
stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        server=
    fi
}
trap 'stop; rm -rf "$home"' EXIT

# Two ports that were free a moment ago.
free_ports() {
    python3 - <<'PORTS'
import socket
probes = [socket.socket() for _ in range(2)]
for probe in probes:
    probe.bind(("127.0.0.1", 0))
print(*(probe.getsockname()[1] for probe in probes))
PORTS
}

# start: etcd, on ports of its own; when somebody else took one of them first, on others.
start() {
    local peer_port
    for attempt in 1 2 3; do
        read -r port peer_port < <(free_ports)
        etcd --name test --data-dir "$home/data$attempt" \
            --listen-client-urls "http://127.0.0.1:$port" \
            --advertise-client-urls "http://127.0.0.1:$port" \
            --listen-peer-urls "http://127.0.0.1:$peer_port" \
            --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
            --initial-cluster "test=http://127.0.0.1:$peer_port" >"$home/log" 2>&1 &
        server=$!
        for _ in $(seq 400); do
            (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
            kill -0 "$server" 2>/dev/null || break
            sleep 0.05
        done
        stop
    done
    echo "etcd does not start:"
    tail -n 20 "$home/log"
    return 1
}

# check <words> <command ...>: the command succeeds.
check() {
    local words=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $words"
    fi
}

cat >"$home/expected" <<'WORDS'
oyez/greeting is "hello", version 1
oyez/greeting from "hello" to "good evening": done
oyez/greeting from "hello" to "good night": it is something else
oyez/greeting is "good evening", version 2
The lease has 60 s
The lease has 60 s
The lease has 60 s
oyez/guest is not there
Seen: oyez/greeting is "hello"
Seen: oyez/greeting is "good evening"
Seen: oyez/guest is "here"
Seen: oyez/guest is deleted
The watch is over
WORDS

if start; then
    for round in 1 2; do # the second finds what the first has left
        timeout 60 "$client" "127.0.0.1:$port" >"$home/said" 2>"$home/errors"
        check "round $round: it ends well (it ended with $?)" [ "$?" -eq 0 ]
        check "round $round: it says nothing of errors" [ ! -s "$home/errors" ]
        check "round $round: it says what it has done" diff -u "$home/expected" "$home/said"
        cat "$home/errors"
    done
    stop
    timeout 60 "$client" "127.0.0.1:none" >"$home/said" 2>&1
    check "a target that is none is refused" [ "$?" -eq 1 ]
else
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
