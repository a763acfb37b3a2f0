#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The proxy of the examples between our interop client and server: all kinds of call go through raw streams of an unknown-service
# handler. Ends with "N passed, N failed".
set -u
bin=$OYEZ_BUILD/bin
logs=$(mktemp -d)
pids=
cleanup() {
    # shellcheck disable=SC2086
    kill $pids 2>/dev/null
    # shellcheck disable=SC2086
    wait $pids 2>/dev/null
    rm -rf "$logs"
}
trap cleanup EXIT

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

wait_for() {
    for _ in $(seq 100); do
        (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
        sleep 0.1
    done
    echo "nobody listens on port $1"
    cat "$logs"/*
    echo "0 passed, 1 failed"
    exit 1
}

backend=$(free_port)
"$bin/oyez-interop-server" --port="$backend" >"$logs/server" 2>&1 &
pids="$pids $!"
front=$(free_port)
"$bin/proxy" "127.0.0.1:$front" "127.0.0.1:$backend" >"$logs/proxy" 2>&1 &
proxy=$!
pids="$pids $proxy"
wait_for "$backend"
wait_for "$front"

passed=0 failed=0
for case in empty_unary large_unary client_streaming server_streaming ping_pong empty_stream status_code_and_message \
    special_status_message custom_metadata unimplemented_method unimplemented_service cancel_after_begin \
    cancel_after_first_response timeout_on_sleeping_server client_compressed_unary server_compressed_unary \
    client_compressed_streaming server_compressed_streaming; do
    if timeout 60 "$bin/oyez-interop-client" --server_host=127.0.0.1 --server_port="$front" --test_case=$case \
        >"$logs/client" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$case through the proxy:"
        cat "$logs/client"
    fi
done
if ! kill -0 $proxy 2>/dev/null; then
    echo "the proxy has ended:"
    cat "$logs/proxy"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
