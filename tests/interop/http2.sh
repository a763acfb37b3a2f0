#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The negative HTTP/2 interop cases: our client, and a server that misbehaves (http2_server.py). The client's exit code
# says how it took it; the server's, what it saw of the client.
set -u
here=$(cd "$(dirname "$0")" && pwd)
client=${OYEZ_INTEROP_CLIENT:-${OYEZ_BUILD:?the build directory}/bin/oyez-interop-client}
home=$(mktemp -d)
server=
passed=0
failed=0

stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null
        wait "$server"
        local code=$?
        server=
        return $code
    fi
}
trap 'stop; rm -rf "$home"' EXIT

for case in goaway rst_after_header rst_during_data rst_after_data ping max_streams \
    data_frame_padding no_df_padding_sanity_test; do
    : >"$home/server" # no port of the case before
    python3 "$here/http2_server.py" --port=0 --test_case=$case >"$home/server" 2>&1 &
    server=$!
    for _ in $(seq 200); do
        port=$(head -n 1 "$home/server")
        [ -n "$port" ] && break
        sleep 0.05
    done
    timeout 60 "$client" --server_host=127.0.0.1 --server_port="$port" --test_case=$case \
        >"$home/client" 2>&1
    ended=$?
    stop
    seen=$?
    if [ $ended -eq 0 ] && [ $seen -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $case: the client ended with $ended, the server with $seen"
        cat "$home/client"
        tail -n +2 "$home/server"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
