# SPDX-License-Identifier: Apache-2.0
"""What is measured by scripts/bench-peers, who takes part, and what is wanted of it.

Who: oyez (async client, handlers on the loop, protobuf-c), oyez-bytes (the same bytes without a protobuf library),
oyez-blocking (a thread for each call, handlers on workers), floor (bench-floor: bare sockets), go (gRPC-Go), callback (gRPC
C++), tonic (Rust), zlib (a loop that only deflates and inflates).
"""

PEERS = ["go", "callback", "tonic"]


class Case:
    def __init__(self, key, title, who, load, rpc="unary", req=1, resp=None, inflight=100, client="pair",
                 compression="off", targets=()):
        self.key, self.title, self.who, self.load, self.rpc = key, title, list(who), load, rpc
        self.req, self.resp, self.inflight = req, req if resp is None else resp, inflight
        self.client, self.compression, self.targets = client, compression, targets

    def batches(self):
        """Of the bare sockets: a quarter, a half and all of the calls in flight; of large messages fewer."""
        if self.inflight < 4:
            return [1]
        quarter = self.inflight // 4
        return [quarter, 2 * quarter, self.inflight] if self.req < 16384 else [1, quarter]


class Ratio:
    """figures[who][field] to the best of the others' in the same round."""

    def __init__(self, words, sign, limit, who, others, field="qps"):
        self.words, self.sign, self.limit, self.who, self.field = words, sign, limit, who, field
        self.others = others if isinstance(others, list) else [others]


class Amount:
    """The sum of these fields of one of them, which must be less; 0.005 is what is still shown as 0.00."""

    def __init__(self, words, limit, who, fields):
        self.words, self.sign, self.limit, self.who, self.fields = words, "<", limit, who, fields


def no_allocations(who="oyez"):
    return Amount("allocations a call, both sides: 0.00", 0.005, who, ["client_allocs", "server_allocs"])


CASES = [
    Case("unary-1", "unary, 1 B each way, 100 in flight", ["oyez", "oyez-bytes", "floor"] + PEERS, "small", targets=[
        Ratio("calls ≥ 20 × gRPC-Go", ">=", 20, "oyez", "go"),
        Ratio("calls ≥ 20 × tonic", ">=", 20, "oyez", "tonic"),
        Ratio("calls ≥ 25 × gRPC C++", ">=", 25, "oyez", "callback"),
        Ratio("CPU a call, both sides, ≤ 1/25 of gRPC-Go's", "<=", 0.04, "oyez", "go", "cpu_us"),
        Ratio("bytes codec: calls ≥ 0.45 of bare sockets", ">=", 0.45, "oyez-bytes", "floor"),
        no_allocations(),
        no_allocations("oyez-bytes"),
    ]),
    Case("benchmain-1", "the same in one process (benchmain)", ["oyez", "go"], "one", client="benchmain", targets=[
        Ratio("TotalOps ≥ 15 × gRPC-Go's benchmain", ">=", 15, "oyez", "go"),
        Amount("Allocs/op 0.00", 0.005, "oyez", ["allocs"]),
        Amount("Bytes/op < 1", 1, "oyez", ["alloc_bytes"]),
    ]),
    Case("blocking-1", "the same, 100 blocking client threads and handlers on workers", ["oyez-blocking", "go"], "small",
         targets=[Ratio("calls ≥ 3 × gRPC-Go", ">=", 3, "oyez-blocking", "go")]),
    Case("one-in-flight", "unary, 1 B, 1 in flight", ["oyez", "floor"] + PEERS, "one", inflight=1, targets=[
        Ratio("p50 ≤ 1.15 × bare sockets", "<=", 1.15, "oyez", "floor", "p50_us"),
        Ratio("p50 ≤ 0.5 × best peer's", "<=", 0.5, "oyez", PEERS, "p50_us"),
        no_allocations(),
    ]),
    Case("unary-1k", "unary, 1 KiB, 100 in flight", ["oyez"] + PEERS, "small", req=1024, targets=[
        Ratio("calls ≥ 15 × gRPC-Go", ">=", 15, "oyez", "go"),
        Ratio("calls ≥ 10 × best peer", ">=", 10, "oyez", PEERS),
        no_allocations(),
    ]),
    Case("unary-64k", "unary, 64 KiB, 100 in flight", ["oyez", "floor"] + PEERS, "large", req=65536, targets=[
        Ratio("calls ≥ 2 × best peer", ">=", 2, "oyez", PEERS),
        no_allocations(),
    ]),
    Case("unary-1m-8", "unary, 1 MiB, 8 in flight", ["oyez", "floor"] + PEERS, "large", req=1 << 20, inflight=8, targets=[
        Ratio("calls ≥ 1.5 × best peer", ">=", 1.5, "oyez", PEERS),
        Ratio("peak memory, both sides, ≤ the best peer's", "<=", 1, "oyez", PEERS, "peak_kib"),
        no_allocations(),
    ]),
    Case("unary-1m-100", "unary, 1 MiB, 100 in flight", ["oyez", "floor"] + PEERS, "large", req=1 << 20, targets=[
        Ratio("calls ≥ 2 × best peer", ">=", 2, "oyez", PEERS),
        Ratio("peak memory, both sides, ≤ the best peer's", "<=", 1, "oyez", PEERS, "peak_kib"),
        no_allocations(),
    ]),
    Case("streaming-1", "a message each way in turns, 1 B, on 100 streams", ["oyez"] + PEERS, "streaming", rpc="streaming",
         targets=[
             Ratio("messages ≥ 8 × gRPC-Go", ">=", 8, "oyez", "go"),
             Ratio("messages ≥ 5 × best peer", ">=", 5, "oyez", PEERS),
             no_allocations(),
         ]),
    Case("unconstrained-1", "both sides send freely, 1 B, 1 stream, one process (benchmain)", ["oyez", "go"], "one",
         rpc="unconstrained", inflight=1, client="benchmain", targets=[
             Ratio("messages, both ways, ≥ 10 × gRPC-Go", ">=", 10, "oyez", "go"),
             Amount("Allocs/op 0.00", 0.005, "oyez", ["allocs"]),
         ]),
    Case("unconstrained-100", "the same on 100 streams", ["oyez", "go"], "one", rpc="unconstrained", client="benchmain", targets=[
        Ratio("messages, both ways, ≥ 10 × gRPC-Go", ">=", 10, "oyez", "go"),
        Amount("Allocs/op 0.00", 0.005, "oyez", ["allocs"]),
    ]),
    Case("unary-1-1000", "unary, 1 B, 1,000 in flight", ["oyez", "floor"] + PEERS, "small", inflight=1000, targets=[
        Ratio("calls ≥ 0.25 of bare sockets", ">=", 0.25, "oyez", "floor"),
        no_allocations(),
    ]),
    Case("gzip-1k", "gzip, unary, 1 KiB, 100 in flight, one process (benchmain)", ["oyez", "go"], "one", req=1024,
         client="benchmain", compression="gzip",
         targets=[Ratio("calls ≥ 4 × gRPC-Go", ">=", 4, "oyez", "go")]),
    Case("gzip-500k", "gzip, unary, 500 KiB, 8 in flight, one process (benchmain)", ["oyez", "zlib", "go"], "one", req=512000,
         inflight=8, client="benchmain", compression="gzip",
         targets=[Ratio("calls ≥ 0.9 of a loop that only deflates and inflates", ">=", 0.9, "oyez", "zlib")]),
    Case("h2load-1", "servers under h2load: unary, 1 B, 100 in flight", ["oyez"] + PEERS, "small", client="h2load", targets=[
        Ratio("server CPU a request ≤ 1/8 of the best peer's", "<=", 0.125, "oyez", PEERS, "server_us"),
        Amount("server's allocations a request: 0.00", 0.005, "oyez", ["server_allocs"]),
    ]),
]
