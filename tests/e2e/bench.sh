#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# benchmain and benchresult: short runs of every workload, with callbacks and with threads; the form of what is printed, the
# JSON, the two tables of benchresult, and what is refused. Then the programs of two processes, bench-server with
# bench-client, and bench-floor. Not what the figures are. Ends with "N passed, N failed".
set -u
bin=${OYEZ_BUILD:?the build directory}/bin
if [ ! -x "$bin/benchmain" ]; then
    echo "there is no benchmain in this build"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0 failed=0

# check <what> <command...>: the command must succeed.
check() {
    local what=$1
    shift
    if "$@" >"$dir/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        head -n 60 "$dir/said"
    fi
}

# refused_by <program> <words> <flags...>: it must say these words and end with 2.
refused_by() {
    local program=$1 words=$2
    shift 2
    timeout 20 "$bin/$program" "$@" >"$dir/said" 2>&1
    local code=$?
    if [ $code = 2 ] && grep -qF -- "$words" "$dir/said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$program $*: ended with $code, without the words \"$words\""
        cat "$dir/said"
    fi
}

refused() {
    refused_by benchmain "$@"
}

small="-compression=off -maxConcurrentCalls=8 -trace=off -reqSizeBytes=1 -respSizeBytes=1 -networkMode=Local"

# The command of gRPC-Go's pull requests, shorter; twice.
run_pair() {
    for side in before after; do
        # shellcheck disable=SC2086
        timeout 60 "$bin/benchmain" -benchtime=1s -workloads=unary $small -resultFile=$side >$side.out || return 1
    done
}
check "unary, twice" run_pair
check "the form of what is printed" python3 - before.out <<'PY'
import re, sys
text = open(sys.argv[1]).read()
form = r"""\A(gcc|clang)[\d.]+/grpc[\d.]+-oyez
unary-networkMode_Local-bufConn_false-keepalive_false-benchTime_1s-trace_false-latency_0s-kbps_0-MTU_0-\
maxConcurrentCalls_8-reqSize_1B-respSize_1B-compressor_off-channelz_false-preloader_false-\
clientReadBufferSize_-1-clientWriteBufferSize_-1-serverReadBufferSize_-1-serverWriteBufferSize_-1-\
sleepBetweenRPCs_0s-connections_1-recvBufferPool_simple-sharedWriteBuffer_true-handler_loop-client_async:
50_Latency: [\d.]+(ns|µs|ms|s)\t90_Latency: [\d.]+\2\t99_Latency: [\d.]+\2\tAvg_Latency: [\d.]+\2\tBytes/op: [\d.]+\tAllocs/op: [\d.]+\t
Histogram \(unit: \2\)
Count: (\d+)  Min: +[\d.]+  Max: +[\d.]+  Avg: [\d.]+
-{60}
((?:\[ *[\d.]+, +(?:[\d.]+|inf)\)  +\d+  +[\d.]+%  +[\d.]+%(?:  #+)?\n){11})\
Number of requests:  \3\tRequest throughput:  [\d.]+ bit/s
Number of responses: \3\tResponse throughput: [\d.]+ bit/s

\Z""".replace("\\\n", "")
found = re.match(form, text)
assert found, text
count = int(found.group(3))
assert count > 100, count
rows = re.findall(r"\)  +(\d+)  ", found.group(4))
assert sum(map(int, rows)) == count, (rows, count)
assert found.group(4).rstrip().endswith("%") and "100.0%" in found.group(4).splitlines()[-1]
PY
check "the JSON" python3 - before <<'PY'
import json, sys
(result,) = json.load(open(sys.argv[1]))
assert sorted(result) == ["Data", "Features", "GoVersion", "GrpcVersion", "RunMode", "SharedFeatures"], result
data, features = result["Data"], result["Features"]
assert result["RunMode"] == "unary"
assert len(result["SharedFeatures"]) == 19 and sum(result["SharedFeatures"]) == 17  # all but the two curves
assert features["NetworkMode"] == "Local" and features["BenchTime"] == 10**9
assert features["MaxConcurrentCalls"] == 8 and features["ReqPayloadCurve"] is None
assert features["Handler"] == "loop" and features["Client"] == "async"
assert data["TotalOps"] > 100 and data["SendOps"] == data["RecvOps"] == 0
assert data["ReqT"] == data["RespT"] == data["TotalOps"] * 8
assert 0 < data["Fiftieth"] <= data["Ninetieth"] <= data["NinetyNinth"] and data["Average"] > 0
assert isinstance(data["Allocs"], float) and 0 <= data["Allocs"]
PY

table() {
    "$bin/benchresult" before >table || return 1
    cat table
    grep -q '^  MaxConcurrentCalls: 8$' table || return 1
    grep -Eq '^Name +TotalOps +SendOps +RecvOps +Bytes/op +Allocs/op +RequestT +ResponseT +L-50 +L-90 +L-99 +L-Avg' table || return 1
    grep -Eq '^unary +[0-9]+ +0 +0 +[0-9.]+ ' table
}
check "the table of one file" table

# With figures that are known: percentages are of the floats.
cat >edit.py <<'PY'
import json
for name, allocs, p50 in (("before", 3.2, 1000), ("after", 4.0, 1500)):
    (result,) = json.load(open(name))
    result["Data"].update(Allocs=allocs, Fiftieth=p50, TotalOps=200, AllocedBytes=0.0)
    json.dump([result], open(name + ".known", "w"))
result["RunMode"] = "streaming"
json.dump([result], open("other", "w"))
PY
compare() {
    python3 edit.py || return 1
    "$bin/benchresult" before after >/dev/null || return 1
    "$bin/benchresult" before.known after.known >table || return 1
    cat table
    grep -Eq '^unary-networkMode_Local-.*-handler_loop-client_async$' table || return 1
    grep -Eq '^ +Title +Before +After Percentage$' table || return 1
    grep -Eq '^ +TotalOps +200 +200 +0\.00%$' table || return 1
    grep -Eq '^ +Bytes/op +0\.00 +0\.00 +0\.00%$' table || return 1
    grep -Eq '^ +Allocs/op +3\.20 +4\.00 +25\.00%$' table || return 1
    grep -Eq '^ +50th-Lat +1µs +1\.5µs +50\.00%$' table || return 1
    for row in SendOps RecvOps ReqT/op RespT/op 90th-Lat 99th-Lat Avg-Lat GoVersion GrpcVersion; do
        grep -Eq "^ +$row " table || return 1
    done
}
check "before and after" compare
nothing_in_common() {
    ! "$bin/benchresult" before other
}
check "files without a common run" nothing_in_common
# Several runs a side, in a file and in several: medians, spreads, and the U test against a plain count of all ways.
several() {
    timeout 60 "$bin/benchmain" -benchtime=50ms -workloads=unary -runs=3 $small -maxConcurrentCalls=2,4 -resultFile=three >/dev/null || return 1
    python3 - <<'PY' || return 1
import json, itertools, random
runs = json.load(open("three"))
assert [r["Features"]["MaxConcurrentCalls"] for r in runs] == [2, 4] * 3, runs
(base,) = json.load(open("before.known"))
def write(name, values):
    for v in values:
        base["Data"].update(Fiftieth=v, TotalOps=v, Allocs=v / 10)
    out = []
    for v in values:
        r = json.loads(json.dumps(base))
        r["Data"].update(Fiftieth=v, TotalOps=v, Allocs=v / 10)
        out.append(r)
    json.dump(out, open(name, "w"))
random.seed(7)
cases = []
for number, (n, m) in enumerate([(5, 5), (4, 4), (3, 3), (1, 6), (7, 4), (8, 8)]):
    for spread in (1000, 6):  # with many ties
        a = [random.randrange(1000, 1000 + spread) for _ in range(n)]
        b = [random.randrange(1000 + spread // 2, 1000 + 2 * spread) for _ in range(m)]
        write("a%d.%d" % (number, spread), a)
        write("b%d.%d" % (number, spread), b)
        every = sorted(a + b)
        rank = {v: sum(i + 1 for i, w in enumerate(every) if w == v) / every.count(v) for v in every}
        ranks, mine = [rank[v] for v in a + b], sum(rank[v] for v in a)
        sums = [sum(c) for c in itertools.combinations(ranks, n)]
        p = min(1, 2 * min(sum(s <= mine for s in sums), sum(s >= mine for s in sums)) / len(sums))
        middle = lambda v: (sorted(v)[(len(v) - 1) // 2] + sorted(v)[len(v) // 2]) / 2
        x, y = middle(a), middle(b)
        off = lambda v, at: max(at - min(v), max(v) - at) / at * 100
        word = "%.2f%%" % ((y - x) * 100 / x) if p < 0.05 else "~"
        cases.append(("a%d.%d" % (number, spread), "b%d.%d" % (number, spread),
                      "Allocs/op +%.2f ± *%.0f%% +%.2f ± *%.0f%% +%s \\(p=%.3f n=%d\\+%d\\)" %
                      (x / 10, off(a, x), y / 10, off(b, y), word, p, n, m)))
json.dump(cases, open("cases", "w"))
PY
    "$bin/benchresult" three >table && grep -Eq '^unary-MaxConcurrentCalls_2 \(n=3\) ' table && grep -Eq '^unary-MaxConcurrentCalls_4 \(n=3\) ' table || return 1
    BENCHRESULT=$bin/benchresult python3 - <<'PY'
import json, os, re, subprocess
for a, b, want in json.load(open("cases")):
    said = subprocess.run([os.environ["BENCHRESULT"], a, b], capture_output=True, text=True, check=True).stdout
    assert re.search(want.replace("~", r"\~"), said), (want, said)
    assert ("are too few" in said) == ("n=3+3" in said or "n=1+6" in said), said
PY
}
check "several runs a side" several
several_files() {
    "$bin/benchresult" a0.1000 a1.1000 -- b0.1000 >table && grep -q '(p=.* n=9+5)' table || return 1
    ! "$bin/benchresult" a0.1000 a1.1000 b0.1000 && grep -q '^usage:' said && ! "$bin/benchresult" -- a0.1000
}
check "several files a side" several_files

picture() {
    if command -v gnuplot >/dev/null; then
        "$bin/benchresult" --svg one.svg three >/dev/null || return 1
        "$bin/benchresult" --svg=two.svg before after >/dev/null || return 1
        python3 - <<'PY' || return 1
import xml.etree.ElementTree as tree
for name, curves in ("one.svg", ("unary-MaxConcurrentCalls_2", "unary-MaxConcurrentCalls_4")), ("two.svg", ("before: unary", "after: unary")):
    text = [e.text for e in tree.parse(name).iter() if e.tag.endswith("text") or e.tag.endswith("tspan")]
    for curve in curves:
        assert curve in text, (curve, text)
    assert "99.9%" in text, text
PY
    else
        echo "gnuplot is not installed: no picture"
    fi
    mkdir -p empty && ln -sf "$(command -v sh)" empty/sh
    ! PATH=$dir/empty "$bin/benchresult" --svg none.svg before >none 2>&1 && grep -q 'gnuplot is not installed' none
}
check "a picture by gnuplot" picture

no_file() {
    ! "$bin/benchresult" nowhere && ! "$bin/benchresult" edit.py && ! "$bin/benchresult"
}
check "files that are none" no_file

# Every workload, both kinds of client and handler, preloaded or not; in the order of the matrix.
order() {
    timeout 200 "$bin/benchmain" -benchtime=500ms -networkMode=Local -maxConcurrentCalls=1,4 -reqSizeBytes=10 \
        -respSizeBytes=20000 -connections=2 -preloader=both -recvBufferPool=all "$@" -resultFile=all >all.out || return 1
    python3 - <<'PY'
import json, os
results = json.load(open("all"))
seen = [(r["Features"]["MaxConcurrentCalls"], r["Features"]["EnablePreloader"], r["Features"]["RecvBufferPool"],
         r["RunMode"]) for r in results]
want = [(calls, preload, pool, mode) for calls in (1, 4) for preload in (False, True) for pool in ("nil", "simple")
        for mode in ("unary", "streaming", "unconstrained")]
assert seen == want, seen
for r in results:
    data, free = r["Data"], r["RunMode"] == "unconstrained"
    assert (data["TotalOps"] == 0) == free and (data["Fiftieth"] == 0) == free, r
    # In so short a time, and as slow as under a sanitizer, one direction may keep the other from its turn.
    both = min if not os.environ.get("OYEZ_SANITIZE") else max
    assert (both(data["SendOps"], data["RecvOps"]) > 0) == free, r
PY
}
check "callbacks, handlers on the loop" order -client=async -handler=loop
check "threads, handlers on workers" order -client=blocking -handler=workers

# In memory.
in_memory() {
    timeout 60 "$bin/benchmain" -bufconn -benchtime=200ms -maxConcurrentCalls=8 -reqSizeBytes=100 -respSizeBytes=70000 \
        -connections=2 "$@" -resultFile=memory >memory.out || return 1
    python3 - <<'PY'
import json
results = json.load(open("memory"))
assert [r["RunMode"] for r in results] == ["unary", "streaming", "unconstrained"], results
for r in results:
    assert r["Features"]["UseBufConn"] and r["Features"]["Latency"] == 0, r
    assert r["Data"]["TotalOps"] > 10 or r["Data"]["SendOps"] + r["Data"]["RecvOps"] > 10, r
PY
}
check "in memory" in_memory
check "in memory, threads" in_memory -client=blocking -handler=workers

# The simulated network: no call is faster than twice the latency, nothing faster than the line; its three modes; and the
# default lists.
slow() {
    timeout 60 "$bin/benchmain" -benchtime=500ms -workloads=all -maxConcurrentCalls=4 -reqSizeBytes=1 -respSizeBytes=1 \
        -networkMode=LAN -resultFile=lan >/dev/null || return 1
    timeout 60 "$bin/benchmain" -benchtime=500ms -workloads=streaming -maxConcurrentCalls=2 -reqSizeBytes=1 \
        -respSizeBytes=1 -networkMode=WAN -client=blocking -resultFile=wan >/dev/null || return 1
    timeout 100 "$bin/benchmain" -benchtime=1s -workloads=unary -maxConcurrentCalls=2 -reqSizeBytes=30000 \
        -respSizeBytes=1 -latency=5ms -kbps=0,2048 -mtu=0,1500 -resultFile=line >/dev/null || return 1
    timeout 100 "$bin/benchmain" -benchtime=500ms -workloads=unary -maxConcurrentCalls=1 -reqSizeBytes=1 -respSizeBytes=1 \
        -resultFile=lists >/dev/null || return 1
    python3 - <<'PY'
import json
def shape(r):
    return r["Features"]["Latency"], r["Features"]["Kbps"], r["Features"]["MTU"]
lan, wan, line, lists = (json.load(open(name)) for name in ("lan", "wan", "line", "lists"))
ms = 10**6
for r in lan:
    assert shape(r) == (2 * ms, 100 * 1024, 1500), r
    assert r["RunMode"] == "unconstrained" or r["Data"]["Fiftieth"] >= 3.8 * ms, r
    assert r["RunMode"] != "unconstrained" or r["Data"]["SendOps"] + r["Data"]["RecvOps"] > 100, r
(r,) = wan
assert shape(r) == (30 * ms, 20 * 1024, 1500) and r["Data"]["Fiftieth"] >= 59 * ms, r
assert [shape(r) for r in line] == [(5 * ms, k, m) for k in (0, 2048) for m in (0, 1500)], line
for r in line:
    assert r["Data"]["Fiftieth"] >= 9.5 * ms, r
    # What was on its way at the end of the time is counted in full.
    assert not r["Features"]["Kbps"] or r["Data"]["ReqT"] <= 2048 * 1024 + 2 * 30000 * 8, r
assert line[0]["Data"]["ReqT"] > 2 * line[2]["Data"]["ReqT"], line
assert [shape(r) for r in lists] == [(l, k, 0) for l in (0, 40 * ms) for k in (0, 10240)], lists
PY
}
check "a simulated network" slow

# Payloads by curves; the name of a curve is the SHA-256 of its file.
curves() {
    printf '1,10,1\n1000,2000,3.5\n' >a.csv
    printf '7000,7000,1\n' >'b,c.csv'
    timeout 100 "$bin/benchmain" -benchtime=1s -networkMode=Local -maxConcurrentCalls=4 -reqPayloadCurveFiles='a.csv,"b,c.csv"' \
        "$@" -resultFile=curves >curves.out || return 1
    python3 - <<'PY'
import hashlib, json, os
names = [hashlib.sha256(open(f, "rb").read()).hexdigest() for f in ("a.csv", "b,c.csv")]
results = json.load(open("curves"))
assert [r["Features"]["ReqPayloadCurve"] for r in results] == [names[0]] * 3 + [names[1]] * 3, results
means = (1 * 5.5 + 3.5 * 1500) / 4.5, 7000
for i, r in enumerate(results):
    assert r["Features"]["ReqSizeBytes"] is None, r
    calls = r["Data"]["SendOps"] or r["Data"]["TotalOps"]
    # Of free streams one direction may have kept the other from its turn, as above.
    if os.environ.get("OYEZ_SANITIZE") and r["RunMode"] == "unconstrained" and calls == 0 and r["Data"]["RecvOps"] > 0:
        continue
    mean = r["Data"]["ReqT"] / 8 / calls
    # The spread of a draw is about 640: five times its error.
    assert abs(mean - means[i // 3]) <= (5 * 640 / calls**0.5 if i < 3 else 0.01), (mean, r)
text = open("curves.out").read()
assert "_4-reqPayloadCurve_%s-respSize_3B-compressor_" % names[0][:8] in text or "-respPayloadCurve_%s-" % names[0][:8] in text
PY
}
check "payload curves" curves -respSizeBytes=3
check "payload curves, threads" curves -respPayloadCurveFiles=a.csv -client=blocking -handler=workers

printf '5,1,1\n' >wrong.csv
printf '1,5,1\n5,6,1\n' >overlap.csv
refused 'wrong.csv:1: "5,1,1" is not from,to,weight' -reqPayloadCurveFiles=wrong.csv
refused "ranges that do not overlap" -reqPayloadCurveFiles=overlap.csv
refused "only one of them can be had" -reqPayloadCurveFiles=a.csv -reqSizeBytes=1
refused "have one size: -preloader=off" -respPayloadCurveFiles=a.csv -preloader=both
refused "nowhere.csv: No such file" -reqPayloadCurveFiles=nowhere.csv
refused "lies between sockets" -networkMode=WAN -bufconn
refused "lies between sockets" -latency=0,40ms -bufconn
refused "want one of: none, Local, LAN, WAN, Longhaul" -networkMode=Mars
refused "want one of: unary, streaming, unconstrained, all" -workloads=bulk
refused "wanted is one of off|gzip|nop|all" -compression=zip
compression() {
    timeout 100 "$bin/benchmain" -benchtime=150ms -networkMode=Local -maxConcurrentCalls=4 -reqSizeBytes=10000 -respSizeBytes=3 \
        -compression=all "$@" -resultFile=compressed >compressed.out || return 1
    python3 - <<'PY'
import json, os
results = json.load(open("compressed"))
assert [(r["Features"]["ModeCompressor"], r["RunMode"]) for r in results] == [
    (c, m) for c in ("nop", "gzip", "off") for m in ("unary", "streaming", "unconstrained")], results
for r in results:
    # As slow as under a sanitizer, on a busy machine, free streams may not have had their turn yet.
    free = r["RunMode"] == "unconstrained" and os.environ.get("OYEZ_SANITIZE")
    assert free or r["Data"]["TotalOps"] > 10 or r["Data"]["SendOps"] + r["Data"]["RecvOps"] > 10, r
PY
}
if "$bin/benchmain" -compression=gzip -benchtime=1ms -networkMode=Local -maxConcurrentCalls=1 -reqSizeBytes=1 -respSizeBytes=1 2>&1 |
    grep -q 'has no gzip'; then
    echo "this build has no gzip: no compression"
else
    check "compressed messages" compression
    check "compressed messages, threads, preloaded" compression -client=blocking -handler=workers -preloader=on
fi
refused "only off can be had" -trace=on
refused "only off can be had" -memProfile=out
refused "-client=blocking" -sleepBetweenRPCs=1ms
refused "a time such as 40ms" -benchtime=10
refused "not a flag" unary

# --- two processes ----------------------------------------------------------------------------------

# A server for each kind of handler and codec; its port is in $port, its process in $server.
start_server() {
    "$bin/bench-server" --port=0 "$@" >served 2>&1 &
    server=$!
    for _ in $(seq 100); do
        port=$(sed -n 's/.*port \([0-9]*\)$/\1/p' served)
        [ -n "$port" ] && return 0
        sleep 0.1
    done
    return 1
}
stop_server() {
    kill "$server" 2>/dev/null
    wait "$server"
}
# calls <flags...>: the last line of the client is JSON, and says the flags again.
calls() {
    timeout 60 "$bin/bench-client" --port="$port" --w=0.1 --d=0.3 --r=7 "$@" >called || return 1
    cat called
    tail -n 1 called | python3 -c '
import json, sys
said = json.loads(sys.stdin.read())
for word in sys.argv[1:]:
    name, value = word[2:].split("=")
    assert str(said["connections" if name == "c" else name]) == value, (word, said)
assert said["calls"] > 10 and abs(said["calls"] / said["seconds"] - said["qps"]) < 1, said
assert 0 < said["p50_us"] <= said["p90_us"] <= said["p99_us"] <= said["max_us"] * 1.01, said
# In flight at both ends of a short run: the bytes are not exact.
for way, payload in (("out", said["req"]), ("in", said["resp"])):
    assert 0.7 * payload <= said[way + "_bytes_per_call"] <= 1.5 * payload + 200, said
small = said["client"] == "async" and said["req"] + said["resp"] < 1000
assert not small or said.get("allocs_per_call", 0) < 0.1, said
' "$@"
}
for handler in loop workers; do
    check "a server, handlers on $handler" start_server --handler=$handler --workers=40
    check "unary, async client" calls --rpc_type=unary --client=async
    check "unary, blocking client" calls --rpc_type=unary --client=blocking --req=0 --resp=3000
    check "streaming, async client" calls --rpc_type=streaming --client=async --req=20000 --resp=0
    check "streaming, blocking client" calls --rpc_type=streaming --client=blocking
    check "two connections" calls --c=2 --rpc_type=streaming
    # Zeros, so that next to nothing is on the connection.
    compressed() {
        timeout 60 "$bin/bench-client" --port="$port" --w=0.1 --d=0.3 --r=7 --req=30000 --resp=30000 "$@" >called 2>&1
        cat called
        grep -q "qps: [1-9]" called && grep -q '"out_bytes_per_call": [0-9][0-9]\{1,2\}\.[0-9]*, "in_bytes_per_call": [0-9][0-9]\{1,2\}\.' called
    }
    check "gzip" compressed --compression=gzip
    check "deflate, on streams" compressed --compression=deflate --rpc_type=streaming
    says_so_far() {
        kill -USR1 "$server" || return 1
        for _ in $(seq 50); do
            tail -n 1 served | grep -q '^{"cpu_user_s": [0-9.]*, "cpu_system_s": [0-9.]*, "allocs": [0-9]*, "alloc_bytes": [0-9]*}$' && return 0
            sleep 0.1
        done
        cat served
        return 1
    }
    check "the server says how far it is" says_so_far
    too_large() {
        ! timeout 20 "$bin/bench-client" --port="$port" --w=0 --d=0.2 --resp=67108864 "$@" >called 2>&1 &&
            grep -q RESOURCE_EXHAUSTED called
    }
    check "a call that fails" too_large
    check "a stream that fails" too_large --rpc_type=streaming
    check "it stops" stop_server
done
check "a server of plain bytes" start_server --codec=bytes
check "plain bytes" calls --codec=bytes --req=1 --resp=70000
nobody_streams() {
    ! timeout 20 "$bin/bench-client" --port="$port" --w=0 --d=0.2 --rpc_type=streaming >called 2>&1 && grep -q UNIMPLEMENTED called
}
check "streams with a server of plain bytes" nobody_streams
check "it stops" stop_server
refused_by bench-client "--codec=bytes: needs" --codec=bytes --rpc_type=streaming
refused_by bench-client "--codec=bytes: needs" --codec=bytes --client=blocking
refused_by bench-client "--d: more than 0" --d=0

# The last line is that of the best batch size.
sockets() {
    timeout 60 "$bin/bench-floor" --w=0.1 --d=0.2 "$@" >floored || return 1
    cat floored
    python3 - "$@" <<'PY'
import json, sys
rows = [json.loads(line) for line in open("floored")]
asked = dict(word[2:].split("=") for word in sys.argv[1:])
assert [str(r["batch"]) for r in rows[:-1]] == asked["batches"].split(","), rows
assert rows[-1] == max(rows[:-1], key=lambda r: r["qps"]), rows
for r in rows:
    assert r["calls"] % r["batch"] == 0 and r["calls"] > 0 and r["inflight"] == int(asked["r"]), r
    assert 0 < r["p50_us"] <= r["p99_us"] and r["client_us"] >= 0 and r["server_us"] >= 0, r
PY
}
check "bare sockets, small" sockets --r=100 --batches=25,50,100 --req=37 --resp=40
check "bare sockets, one at a time" sockets --r=1 --batches=1
check "bare sockets, large" sockets --r=8 --batches=1,8 --req=1048600 --resp=1048590
refused_by bench-floor "each a divisor of the 100 in flight" --batches=25,30
refused_by bench-floor "each a divisor of the 1 in flight" --r=1
refused_by bench-floor "not a list of processors" --client_cpus=none

echo "$passed passed, $failed failed"
[ $failed = 0 ]
