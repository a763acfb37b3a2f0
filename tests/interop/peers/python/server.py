# SPDX-License-Identifier: Apache-2.0
"""grpc.testing.TestService on grpcio. usage: server.py --port=N (0: any; the port is printed)."""
import argparse
import signal
import sys
import threading
import time
from concurrent import futures

import grpc
import stubs  # noqa: F401 (before grpc.testing)
from grpc.testing import messages_pb2 as pb
from grpc.testing import empty_pb2
from grpc.testing import test_pb2_grpc as service

INITIAL = "x-grpc-test-echo-initial"
TRAILING = "x-grpc-test-echo-trailing-bin"


def echo_metadata(context):
    """The two echo headers of custom_metadata: the first value of each goes back."""
    found = {}
    for key, value in context.invocation_metadata():
        found.setdefault(key, value)
    if INITIAL in found:
        context.send_initial_metadata(((INITIAL, found[INITIAL]),))
    if TRAILING in found:
        context.set_trailing_metadata(((TRAILING, found[TRAILING]),))


def echo_status(context, wanted):
    """Ends the call with the status that the request asks for."""
    if wanted.code != 0:
        codes = {code.value[0]: code for code in grpc.StatusCode}
        context.abort(codes.get(wanted.code, grpc.StatusCode.UNKNOWN), wanted.message)


def payload_of(context, kind, size):
    if kind != pb.COMPRESSABLE:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "unsupported payload type")
    if size < 0:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "negative payload size")
    return pb.Payload(type=kind, body=b"\0" * size)


class TestService(service.TestServiceServicer):
    def EmptyCall(self, request, context):
        return empty_pb2.Empty()

    def UnaryCall(self, request, context):
        echo_metadata(context)
        echo_status(context, request.response_status)
        return pb.SimpleResponse(
            payload=payload_of(context, request.response_type, request.response_size))

    def CacheableUnaryCall(self, request, context):
        context.send_initial_metadata((("cache-control", "max-age=60, public"),))
        return pb.SimpleResponse(payload=pb.Payload(body=str(time.time_ns()).encode()))

    def outputs(self, request, context):
        for parameter in request.response_parameters:
            if parameter.interval_us > 0:
                time.sleep(parameter.interval_us / 1e6)
            yield pb.StreamingOutputCallResponse(
                payload=payload_of(context, request.response_type, parameter.size))

    def StreamingOutputCall(self, request, context):
        echo_status(context, request.response_status)
        yield from self.outputs(request, context)

    def StreamingInputCall(self, requests, context):
        total = sum(len(request.payload.body) for request in requests)
        return pb.StreamingInputCallResponse(aggregated_payload_size=total)

    def FullDuplexCall(self, requests, context):
        echo_metadata(context)
        for request in requests:
            echo_status(context, request.response_status)
            yield from self.outputs(request, context)

    def HalfDuplexCall(self, requests, context):
        for request in list(requests):
            yield from self.outputs(request, context)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=10000)
    parser.add_argument("--use_tls", default="false")
    args = parser.parse_args()
    if args.use_tls.lower() not in ("false", "0"):
        sys.exit("this server speaks cleartext only")
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=16),
        options=(("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", 64 << 20)))
    service.add_TestServiceServicer_to_server(TestService(), server)
    port = server.add_insecure_port("127.0.0.1:%d" % args.port)
    server.start()
    print("listening on 127.0.0.1:%d" % port, flush=True)
    done = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: done.set())
    done.wait()
    server.stop(0.5).wait()


main()
