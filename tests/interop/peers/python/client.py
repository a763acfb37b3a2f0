# SPDX-License-Identifier: Apache-2.0
"""Interop cases on grpcio, with the flags of the other interop clients.

usage: client.py --server_host=H --server_port=N --test_case=NAME [--unary_only]
--unary_only leaves out the half of a case that needs a stream.
"""
import argparse
import queue
import sys

import grpc
import stubs  # noqa: F401 (before grpc.testing)
from grpc.testing import messages_pb2 as pb
from grpc.testing import empty_pb2
from grpc.testing import test_pb2_grpc as service

REQUEST_SIZES = (27182, 8, 1828, 45904)
RESPONSE_SIZES = (31415, 9, 2653, 58979)
INITIAL = ("x-grpc-test-echo-initial", "test_initial_metadata_value")
TRAILING = ("x-grpc-test-echo-trailing-bin", b"\xab\xab\xab")
SPECIAL = "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n"
TIMEOUT = 20


def check(condition, words):
    if not condition:
        sys.exit("failed: " + words)


def body(size):
    return pb.Payload(body=b"\0" * size)


def large_request():
    return pb.SimpleRequest(response_size=314159, payload=body(271828))


def output_request(size, request_size):
    return pb.StreamingOutputCallRequest(
        response_parameters=[pb.ResponseParameters(size=size)], payload=body(request_size))


def check_large(reply):
    check(reply.payload.body == b"\0" * 314159, "the reply is not 314159 zeros")


def expect_status(call, code, words=None):
    """Runs `call`, which must raise an error with that code and message."""
    try:
        call()
    except grpc.RpcError as error:
        check(error.code() == code, "status is %s, not %s" % (error.code(), code))
        if words is not None:
            check(error.details() == words, "message is %r, not %r" % (error.details(), words))
    else:
        check(False, "status is OK, not %s" % code)


def check_metadata(initial, trailing):
    for wanted, given in ((INITIAL, initial), (TRAILING, trailing)):
        values = [value for key, value in given if key == wanted[0]]
        check(values == [wanted[1]], "%s is %r" % (wanted[0], values))


class Sender:
    """An iterator of requests that is fed by put() and ends with None."""

    def __init__(self):
        self.queue = queue.Queue()

    def put(self, request):
        self.queue.put(request)

    def __iter__(self):
        return iter(self.queue.get, None)


def empty_unary(stub, args):
    check(stub.EmptyCall(empty_pb2.Empty(), timeout=TIMEOUT) == empty_pb2.Empty(), "not empty")


def large_unary(stub, args):
    check_large(stub.UnaryCall(large_request(), timeout=TIMEOUT))


def client_streaming(stub, args):
    requests = (pb.StreamingInputCallRequest(payload=body(size)) for size in REQUEST_SIZES)
    reply = stub.StreamingInputCall(requests, timeout=TIMEOUT)
    check(reply.aggregated_payload_size == sum(REQUEST_SIZES), "the sum is wrong")


def server_streaming(stub, args):
    request = pb.StreamingOutputCallRequest(
        response_parameters=[pb.ResponseParameters(size=size) for size in RESPONSE_SIZES])
    sizes = [len(r.payload.body) for r in stub.StreamingOutputCall(request, timeout=TIMEOUT)]
    check(tuple(sizes) == RESPONSE_SIZES, "sizes are %r" % sizes)


def ping_pong(stub, args):
    sender = Sender()
    replies = stub.FullDuplexCall(iter(sender), timeout=TIMEOUT)
    for request_size, size in zip(REQUEST_SIZES, RESPONSE_SIZES):
        sender.put(output_request(size, request_size))
        check(len(next(replies).payload.body) == size, "a reply has the wrong size")
    sender.put(None)
    check(list(replies) == [], "more replies than requests")


def empty_stream(stub, args):
    check(list(stub.FullDuplexCall(iter(()), timeout=TIMEOUT)) == [], "a reply to nothing")


def custom_metadata(stub, args):
    metadata = (INITIAL, TRAILING)
    reply, call = stub.UnaryCall.with_call(large_request(), timeout=TIMEOUT, metadata=metadata)
    check_large(reply)
    check_metadata(call.initial_metadata(), call.trailing_metadata())
    if args.unary_only:
        return
    requests = iter((output_request(314159, 271828),))
    call = stub.FullDuplexCall(requests, timeout=TIMEOUT, metadata=metadata)
    check_large(next(call))
    check(list(call) == [], "more replies than requests")
    check_metadata(call.initial_metadata(), call.trailing_metadata())


def status_code_and_message(stub, args):
    status = pb.EchoStatus(code=2, message="test status message")
    expect_status(
        lambda: stub.UnaryCall(pb.SimpleRequest(response_status=status), timeout=TIMEOUT),
        grpc.StatusCode.UNKNOWN, status.message)
    if args.unary_only:
        return
    requests = iter((pb.StreamingOutputCallRequest(response_status=status),))
    expect_status(
        lambda: list(stub.FullDuplexCall(requests, timeout=TIMEOUT)),
        grpc.StatusCode.UNKNOWN, status.message)


def special_status_message(stub, args):
    status = pb.EchoStatus(code=2, message=SPECIAL)
    expect_status(
        lambda: stub.UnaryCall(pb.SimpleRequest(response_status=status), timeout=TIMEOUT),
        grpc.StatusCode.UNKNOWN, SPECIAL)


def unimplemented_method(stub, args):
    expect_status(lambda: stub.UnimplementedCall(empty_pb2.Empty(), timeout=TIMEOUT),
                  grpc.StatusCode.UNIMPLEMENTED)


def unimplemented_service(stub, args):
    other = service.UnimplementedServiceStub(args.channel)
    expect_status(lambda: other.UnimplementedCall(empty_pb2.Empty(), timeout=TIMEOUT),
                  grpc.StatusCode.UNIMPLEMENTED)


def cancel_after_begin(stub, args):
    sender = Sender()
    call = stub.StreamingInputCall.future(iter(sender), timeout=TIMEOUT)
    call.cancel()
    sender.put(None)
    check(call.cancelled() and call.code() == grpc.StatusCode.CANCELLED, "not cancelled")


def cancel_after_first_response(stub, args):
    sender = Sender()
    call = stub.FullDuplexCall(iter(sender), timeout=TIMEOUT)
    sender.put(output_request(RESPONSE_SIZES[0], REQUEST_SIZES[0]))
    check(len(next(call).payload.body) == RESPONSE_SIZES[0], "the reply has the wrong size")
    call.cancel()
    sender.put(None)
    expect_status(lambda: next(call), grpc.StatusCode.CANCELLED)


def timeout_on_sleeping_server(stub, args):
    sender = Sender()
    call = stub.FullDuplexCall(iter(sender), timeout=0.001)
    sender.put(pb.StreamingOutputCallRequest(payload=body(27182)))
    expect_status(lambda: next(call), grpc.StatusCode.DEADLINE_EXCEEDED)
    sender.put(None)


CASES = {f.__name__: f for f in (
    empty_unary, large_unary, client_streaming, server_streaming, ping_pong, empty_stream,
    custom_metadata, status_code_and_message, special_status_message, unimplemented_method,
    unimplemented_service, cancel_after_begin, cancel_after_first_response,
    timeout_on_sleeping_server)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server_host", default="localhost")
    parser.add_argument("--server_port", type=int, default=10000)
    parser.add_argument("--test_case", default="large_unary")
    parser.add_argument("--use_tls", default="false")
    parser.add_argument("--unary_only", action="store_true")
    args = parser.parse_args()
    if args.test_case not in CASES:
        sys.exit("unknown test case: " + args.test_case)
    target = args.server_host
    if args.server_port:
        target += ":%d" % args.server_port
    options = (("grpc.max_receive_message_length", 64 << 20), ("grpc.enable_http_proxy", 0))
    with grpc.insecure_channel(target, options=options) as channel:
        args.channel = channel
        try:
            CASES[args.test_case](service.TestServiceStub(channel), args)
        except grpc.RpcError as error:
            sys.exit("failed: %s: %s" % (error.code(), error.details()))
    print("%s: ok" % args.test_case)


main()
