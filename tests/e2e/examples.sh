#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the examples against each other, as their first comments say. They use port 50051; if somebody has
# it there is nothing to test.
set -u
bin=${OYEZ_BUILD:?the build directory}/bin
passed=0
failed=0
server=

listens() {
    (exec 3<>/dev/tcp/127.0.0.1/50051) 2>/dev/null
}

stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        server=
    fi
}
trap stop EXIT

# start <program>: runs a server until it listens.
start() {
    "$bin/$1" &
    server=$!
    for _ in $(seq 200); do
        listens && return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    echo "$1 does not listen"
    failed=$((failed + 1))
    return 1
}

# expect <code> <words> <program> [arguments]: how it must end, and what it must say.
expect() {
    local want=$1 words=$2 said code
    shift 2
    said=$(PATH=$bin:$PATH timeout 60 "$@" 2>&1)
    code=$?
    if [ "$code" -eq "$want" ] && grep -qF -- "$words" <<<"$said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$*: ended with $code, and said:"
        echo "$said"
        echo "expected: $want, \"$words\""
    fi
}

if listens; then
    echo "port 50051 is in use"
    exit 77
fi

expect 0 "Greeting: Hello loop" greeter_embedded loop
expect 1 "UNAVAILABLE" greeter_client
if start greeter_server; then
    expect 0 "Greeting: Hello world" greeter_client
    expect 0 "Greeting: Hello Ada" greeter_client Ada
    expect 1 "INVALID_ARGUMENT: name is empty" greeter_client ""
    expect 0 "Greeting: Hello bytes" greeter_bytes bytes
    expect 0 "Hello Grace" greeter_async_client Ada Grace Barbara
    expect 1 "in use" greeter_async_server
    stop
fi
if start greeter_async_server; then
    expect 0 "Greeting: Hello Ada, at last" greeter_client Ada
    expect 0 "Hello Grace, at last" greeter_async_client Ada Grace Barbara
    stop
fi
if start greeter_signals; then
    # SIGTERM while a call is under way: it ends well, and so does the server.
    answer=$(mktemp)
    timeout 20 "$bin/greeter_client" patience >"$answer" 2>&1 &
    client=$!
    sleep 0.15
    kill -TERM "$server"
    wait "$server"
    code=$?
    server=
    wait "$client"
    expect 0 "Greeting: Hello patience" cat "$answer"
    expect 0 "ended with 0" echo "ended with $code"
    rm -f "$answer"
fi
# Without a server those that wait say what for.
for waiting in chat_client "etcd localhost:50051"; do
    # shellcheck disable=SC2086
    said=$(timeout 3 "$bin/"$waiting </dev/null 2>&1)
    expect 0 "Connection refused: is the server running, and is the port right?" echo "$said"
done
if start route_guide_server; then
    expect 0 "At 407838351, -746143763: Lighthouse" route_guide_client
    expect 0 "Feature: Old mill" route_guide_client
    expect 0 "A walk of 4 points, past 3 features" route_guide_client
    expect 0 "A note at 0, 1: second" route_guide_client
    stop
fi
if start chat_server; then
    # Ada is in the room when Grace says something, and stays for a while.
    heard=$(mktemp)
    timeout 60 "$bin/chat_client" Ada < <(sleep 3) >"$heard" 2>&1 &
    listener=$!
    expect 0 "" chat_client Grace < <(sleep 1; echo "good evening"; sleep 0.2)
    wait "$listener"
    expect 0 "Grace: good evening" cat "$heard"
    rm -f "$heard"
    stop
fi
expect 0 "The client got DEADLINE_EXCEEDED" deadline
expect 0 "The first server waits no longer: " deadline
expect 0 "The second server has less than half a second" deadline
expect 0 "The second server stops working" deadline
expect 0 "The handler stops: its client is gone" cancellation
expect 0 "Behind it: checksum-bin of 4 bytes: 00 c0 ff ee" metadata
expect 0 "Note: after the greeting" multiplex
expect 0 "client: Hello Grace, says Ada" interceptor
expect 0 "server: /helloworld.Greeter/SayHello from 127.0.0.1:" interceptor
expect 0 "client: UNAUTHENTICATED: a token is missing" interceptor
expect 0 "name: it begins with a small letter" error_details
expect 0 "reason BAD_NAME, as greeter.example.com means it" error_details
expect 0 "Waiting for ready: OK" wait_for_ready
expect 0 "The server has ended: all calls were answered" graceful_stop
# One run, for it takes its time.
said=$(timeout 60 "$bin/keepalive" 2>&1; echo "ended with $?")
expect 0 "After three idle seconds: the same connection" echo "$said"
expect 0 "seconds: UNAVAILABLE: 127.0.0.1:" echo "$said"
expect 0 "keepalive ping failed to receive ACK within timeout (1 s)" echo "$said"
expect 0 "ended with 0" echo "$said"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
