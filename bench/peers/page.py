# SPDX-License-Identifier: Apache-2.0
"""The page of a run of scripts/bench-peers: the targets and what was measured, then all figures, then the machine."""
import os
import platform
import re
import statistics
import subprocess
from pathlib import Path

from cases import Amount

# Each side of a compressed call deflates one message and inflates one; here they do nothing else. Two processes, as a
# call has two sides; the calls a second are the mean of both.
ZLIB_LOOP = """
import json, os, sys, time, zlib
size, seconds = int(sys.argv[1]), float(sys.argv[2])
message = bytes(size)
def loop():
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        deflater = zlib.compressobj(wbits=31)
        packed = deflater.compress(message) + deflater.flush()
        assert len(zlib.decompress(packed, wbits=31, bufsize=size)) == size
        count += 1
    return count / seconds
ours, theirs = os.pipe()
if os.fork() == 0:
    os.write(theirs, str(loop()).encode())
    os._exit(0)
mine = loop()
print(json.dumps({"qps": (mine + float(os.read(ours, 64))) / 2}))
"""

NAMES = {"oyez": "oyez", "oyez-bytes": "oyez, bytes codec", "oyez-blocking": "oyez, blocking", "floor": "bare sockets",
         "go": "gRPC-Go", "callback": "gRPC C++", "tonic": "tonic", "zlib": "deflate and inflate alone"}


def number(value):
    if value is None:
        return ""
    if value >= 100:
        return "{:,.0f}".format(value)
    return "%.3g" % value if value >= 0.01 or value == 0 else "%.4f" % value


def three(values):
    return " / ".join(number(f(values)) for f in (min, statistics.median, max)) if values else ""


# --- targets --------------------------------------------------------------------------------------

def amounts(target, rounds):
    """The sum of a target's fields in each round."""
    values = []
    for figure in rounds.get(target.who, []):
        parts = [figure[field] for field in target.fields if field in figure] if figure else []
        if len(parts) == len(target.fields):
            values.append(sum(parts))
    return values


def ratios(target, rounds):
    """To the best of the others: the most calls, the least of all else."""
    best = max if target.field == "qps" else min
    values = []
    for turn, figure in enumerate(rounds.get(target.who, [])):
        others = [rounds[who][turn] for who in target.others if who in rounds]
        beside = [other[target.field] for other in others if other and other.get(target.field)]
        if figure and target.field in figure and beside:
            values.append(figure[target.field] / best(beside))
    return values


def judge(target, values):
    if not values:
        return "**not measured**"
    middle = statistics.median(values)
    met = {">=": middle >= target.limit, "<=": middle <= target.limit, "<": middle < target.limit}[target.sign]
    return "met" if met else "**MISSED**"


def target_rows(cases, figures):
    for case in cases:
        for target in case.targets:
            values = (amounts if isinstance(target, Amount) else ratios)(target, figures[case.key])
            yield case, target, values, judge(target, values)


# --- figures --------------------------------------------------------------------------------------

def median_of(rounds, field):
    values = [figure[field] for figure in rounds if figure and figure.get(field) is not None]
    return statistics.median(values) if values else None


def sides(rounds, field, scale=1.0):
    values = [median_of(rounds, "%s_%s" % (role, field)) for role in ("client", "server")]
    return " + ".join(number(value / scale) for value in values) if None not in values else \
        " + ".join(number(value / scale) if value is not None else "–" for value in values) if any(
            value is not None for value in values) else ""


def case_table(case, rounds, placements):
    rows = ["### %s" % case.title, "",
            "| who | calls a second, least / median / most | of oyez | CPU µs a call, client + server | p50 µs | p90 µs | p99 µs | "
            "peak MiB, client + server | allocations a call, client + server | bytes a call, out + in |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    first = case.who[0]
    for who in case.who:
        mine = rounds[who]
        rates = [figure["qps"] for figure in mine if figure]
        to_first = [a["qps"] / b["qps"] for a, b in zip(mine, rounds[first]) if a and b and b["qps"]]
        allocs = sides(mine, "allocs") if median_of(mine, "allocs") is None else number(median_of(mine, "allocs"))
        wire = [median_of(mine, key) for key in ("out_bytes", "in_bytes")]
        rows.append("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |" % (
            NAMES[who], three(rates) or "**no figure**", number(statistics.median(to_first)) if to_first else "",
            sides(mine, "us"), *(number(median_of(mine, "p%d_us" % share)) for share in (50, 90, 99)),
            sides(mine, "kib", 1024), allocs, " + ".join(map(number, wire)) if None not in wire else ""))
    if case.client == "pair":
        ways = {}
        for who in case.who:
            if (who, case.load) in placements:
                ways.setdefault(placements[(who, case.load)].words(who), []).append(NAMES[who])
        if ways:
            rows += ["", "; ".join("%s: %s" % (", ".join(names), words) for words, names in ways.items()) + "."]
    return rows + [""]


# --- the machine ----------------------------------------------------------------------------------

def output_of(*command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
    except OSError:
        return ""


def first_match(pattern, text, otherwise="?"):
    found = re.search(pattern, text, re.M)
    return found.group(1).strip() if found else otherwise


def read(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def machine(about):
    root = about["root"]
    cargo = read(root / "bench/peers/rust/Cargo.lock")
    memory = int(first_match(r"MemTotal:\s+(\d+)", read("/proc/meminfo"), "0")) / (1 << 20)
    cache = read(about["build"] / "CMakeCache.txt")
    crate = lambda name: first_match(r'name = "%s"\nversion = "([^"]+)"' % name, cargo)  # noqa: E731
    return [
        ("processor", "%s, %d at hand" % (first_match(r"model name\s*: (.*)", read("/proc/cpuinfo")),
                                         len(os.sched_getaffinity(0)))),
        ("memory", "%.0f GiB" % memory),
        ("system", "Linux %s, TCP congestion control %s" % (
            platform.release(), read("/proc/sys/net/ipv4/tcp_congestion_control").strip() or "?")),
        ("load average", "%.2f before, %.2f after" % about["load"]),
        ("oyez", "%s, %s, %s build" % (
            output_of("git", "-C", str(root), "describe", "--always", "--dirty", "--tags") or "?",
            first_match(r"(.*)", output_of(first_match(r"^CMAKE_C_COMPILER:[A-Z]+=(.*)", cache, "cc"), "--version")),
            first_match(r"^CMAKE_BUILD_TYPE:[A-Z]+=(.*)", cache))),
        ("gRPC-Go", "%s, %s" % (first_match(r"google.golang.org/grpc (\S+)", read(root / "tests/interop/peers/go/go.mod")),
                                output_of("go", "env", "GOVERSION"))),
        ("gRPC C++", "%s, callback API, protobuf %s" % (output_of("pkg-config", "--modversion", "grpc++"),
                                                        output_of("pkg-config", "--modversion", "protobuf"))),
        ("tonic", "%s, tokio %s, h2 %s, %s" % (crate("tonic"), crate("tokio"), crate("h2"), output_of("rustc", "--version"))),
        ("h2load", output_of("h2load", "--version")),
    ]


# --- the page -------------------------------------------------------------------------------------

def write(cases, figures, trouble, placements, about):
    """(the page, targets missed or not measured, targets met)"""
    rows = list(target_rows(cases, figures))
    met = sum(verdict == "met" for *_, verdict in rows)
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->",
             "# Beside the peers, %s" % about["started"].strftime("%Y-%m-%d %H:%M"), "",
             "Written by `make bench-peers`: %d round%s of %d s for each program in each case (%d s of warm-up before), back to back "
             "within a round. Ratios are taken within a round, and to the best of several peers in that round; least / median / most of "
             "all rounds. A target is met when the median meets it. [benchmarks.md](../../docs/benchmarks.md) says how it is measured."
             % (about["repeats"], "" if about["repeats"] == 1 else "s", about["seconds"], about["warm"]), ""]
    if about["quick"]:
        lines += ["**A quick run: it shows that every case runs, not how fast.**", ""]
    if about["load"][0] > 0.5:
        lines += ["**The machine was not quiet: its load average was %.2f at the start.**" % about["load"][0], ""]
    lines += ["## Targets: %d met, %d missed" % (met, len(rows) - met), "",
              "| case | target | measured: least / median / most | |", "| --- | --- | ---: | --- |"]
    last = None
    for case, target, values, verdict in rows:
        lines.append("| %s | %s | %s | %s |" % (case.title if case is not last else "", target.words, three(values), verdict))
        last = case
    lines += ["", "## Figures", ""]
    for case in cases:
        lines += case_table(case, figures[case.key], placements)
    if trouble:
        lines += ["## What gave no figure", ""]
        seen = set()
        for key, who, words in trouble:
            if (key, who) not in seen:
                lines.append("- %s, %s: %s" % (key, NAMES[who], " ".join(words.split())[:300]))
            seen.add((key, who))
        lines.append("")
    lines += ["## The machine", "", "| what | |", "| --- | --- |"]
    lines += ["| %s | %s |" % row for row in machine(about)]
    return "\n".join(lines) + "\n", len(rows) - met, met
