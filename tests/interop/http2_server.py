#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that misbehaves: the other end of the negative HTTP/2 interop cases.

usage: http2_server.py --port=PORT --test_case=CASE

It speaks HTTP/2 by hand, on 127.0.0.1, and answers every request with what UnaryCall answers to the large_unary
request; how, CASE says. It prints the port it listens on (0: any). On SIGTERM it says what the client did wrong, and
exits with 1 if that was anything.
"""
import argparse
import signal
import socket
import struct
import sys
import threading
import time

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM = ACK = 1
END_HEADERS, PADDED = 4, 8
MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE = 3, 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
FRAME_BYTES = 16384
WINDOW = 65535
BODY_BYTES = 314159


class Closed(Exception):
    """The client has closed the connection."""


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def large_response():
    """SimpleResponse.payload = { body: zeros }, behind gRPC's five bytes."""
    payload = b"\x12" + varint(BODY_BYTES) + bytes(BODY_BYTES)
    message = b"\x0a" + varint(len(payload)) + payload
    return b"\0" + struct.pack(">I", len(message)) + message


def header_block(*fields):
    """Literals without indexing, without Huffman; all are shorter than 127 bytes."""
    out = b""
    for name, value in fields:
        out += b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
    return out


class Connection:
    """Frames, windows and requests; requests that are complete wait in `ready`."""

    def __init__(self, sock, number):
        self.sock, self.number = sock, number
        self.input = b""
        self.window, self.initial_window = WINDOW, WINDOW
        self.windows = {}          # of streams that are open
        self.ready = []
        self.calls = 0
        self.settings_acked = self.closed = False
        self.pings_sent = self.ping_acks = 0
        if self.read(len(PREFACE)) != PREFACE:
            fault("connection %d does not begin with the preface" % number)
            raise Closed

    # --- frames

    def read(self, count):
        while len(self.input) < count:
            try:
                more = self.sock.recv(1 << 16)
            except OSError:
                more = b""
            if not more:
                raise Closed
            self.input += more
        data, self.input = self.input[:count], self.input[count:]
        return data

    def send(self, *frames):
        """frames: (type, flags, stream, payload)"""
        data = b"".join(struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) +
                        struct.pack(">I", stream) + payload for kind, flags, stream, payload in frames)
        try:
            self.sock.sendall(data)
        except OSError:
            raise Closed from None

    def turn(self):
        """Takes one frame."""
        head = self.read(9)
        kind, flags, stream = head[3], head[4], struct.unpack(">I", head[5:])[0]
        payload = self.read(int.from_bytes(head[:3], "big"))
        if kind == SETTINGS and flags & ACK:
            self.settings_acked = True
        elif kind == SETTINGS:
            self.take_settings(payload)
        elif kind == PING and flags & ACK:
            self.ping_acks += 1
        elif kind == PING:
            self.send((PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE:
            self.take_credit(stream, struct.unpack(">I", payload)[0])
        elif kind == HEADERS:
            self.begin(stream)
        elif kind == DATA and payload:
            self.send((WINDOW_UPDATE, 0, 0, struct.pack(">I", len(payload))),
                      (WINDOW_UPDATE, 0, stream, struct.pack(">I", len(payload))))
        elif kind == RST_STREAM:
            self.windows.pop(stream, None)
        if kind in (HEADERS, DATA) and flags & END_STREAM:
            self.ready.append(stream)

    def take_settings(self, payload):
        for at in range(0, len(payload), 6):
            name, value = struct.unpack(">HI", payload[at:at + 6])
            if name == INITIAL_WINDOW_SIZE:
                for stream in self.windows:
                    self.windows[stream] += value - self.initial_window
                self.initial_window = value
        self.send((SETTINGS, ACK, 0, b""))

    def take_credit(self, stream, count):
        if stream == 0:
            self.window += count
        elif stream in self.windows:
            self.windows[stream] += count

    # --- calls

    def begin(self, stream):
        self.calls += 1
        CASE.on_request(self)
        self.windows[stream] = self.initial_window

    def headers(self, stream):
        self.send((HEADERS, END_HEADERS, stream,
                   header_block((":status", "200"), ("content-type", "application/grpc+proto"))))

    def data(self, stream, data, part=FRAME_BYTES, padding=None):
        """In frames of `part` bytes, as the windows allow; false: the client has reset the stream."""
        batch = []
        for at in range(0, len(data), part):
            payload, flags = data[at:at + part], 0
            if padding is not None:
                payload, flags = bytes([padding]) + payload + bytes(padding), PADDED
            while stream in self.windows and min(self.window, self.windows[stream]) < len(payload):
                self.send(*batch)
                batch = []
                self.turn()
            if stream not in self.windows:
                return False
            self.window -= len(payload)
            self.windows[stream] -= len(payload)
            batch.append((DATA, flags, stream, payload))
        self.send(*batch)
        return True

    def trailers(self, stream):
        self.windows.pop(stream, None)
        self.send((HEADERS, END_HEADERS | END_STREAM, stream, header_block(("grpc-status", "0"))))

    def reset(self, stream):
        """With NO_ERROR."""
        self.windows.pop(stream, None)
        self.send((RST_STREAM, 0, stream, bytes(4)))

    def ping(self):
        self.pings_sent += 1
        self.send((PING, 0, 0, b"\0" * 7 + bytes([self.pings_sent])))


class Case:
    """Answers as it should."""
    expected_calls = (1,)          # on the connections, in their order
    settings = b""

    def on_connection(self, connection):
        pass

    def on_request(self, connection):
        pass

    def answer(self, connection, stream):
        connection.headers(stream)
        if connection.data(stream, RESPONSE):
            connection.trailers(stream)


class GoAway(Case):
    expected_calls = (1, 1)

    def answer(self, connection, stream):
        super().answer(connection, stream)
        connection.send((GOAWAY, 0, 0, struct.pack(">II", stream, 0)))


class ResetAfterHeader(Case):
    def answer(self, connection, stream):
        connection.headers(stream)
        connection.reset(stream)


class ResetDuringData(Case):
    def answer(self, connection, stream):
        connection.headers(stream)
        if connection.data(stream, RESPONSE[:len(RESPONSE) // 2]):
            connection.reset(stream)


class ResetAfterData(Case):
    def answer(self, connection, stream):
        connection.headers(stream)
        if connection.data(stream, RESPONSE):
            connection.reset(stream)


class Ping(Case):
    def on_connection(self, connection):
        connection.ping()

    def on_request(self, connection):
        connection.ping()

    def answer(self, connection, stream):
        connection.headers(stream)
        connection.ping()
        if connection.data(stream, RESPONSE):
            connection.ping()
            connection.trailers(stream)


class MaxStreams(Case):
    expected_calls = (16,)
    settings = struct.pack(">HI", MAX_CONCURRENT_STREAMS, 1)

    def on_request(self, connection):
        if connection.settings_acked and connection.windows:
            fault("a second stream is open")


class Padding(Case):
    padding = 255

    def answer(self, connection, stream):
        connection.headers(stream)
        if connection.data(stream, RESPONSE, 5, self.padding):
            connection.trailers(stream)


class NoPadding(Padding):
    padding = None


CASES = {
    "goaway": GoAway, "rst_after_header": ResetAfterHeader, "rst_during_data": ResetDuringData,
    "rst_after_data": ResetAfterData, "ping": Ping, "max_streams": MaxStreams,
    "data_frame_padding": Padding, "no_df_padding_sanity_test": NoPadding,
}
RESPONSE = large_response()
CASE = None
connections, faults, lock = [], [], threading.Lock()


def fault(words):
    with lock:
        faults.append(words)


def serve(sock, number):
    connection = None
    try:
        connection = Connection(sock, number)
        with lock:
            connections.append(connection)
        connection.send((SETTINGS, 0, 0, CASE.settings))
        CASE.on_connection(connection)
        while True:
            while connection.ready:
                CASE.answer(connection, connection.ready.pop(0))
            connection.turn()
    except Closed:
        sock.close()
        if connection:
            connection.closed = True


def verdict(*_):
    # The client has ended; what it has said last may not have been looked at.
    limit = time.monotonic() + 10
    while not all(connection.closed for connection in connections) and time.monotonic() < limit:
        time.sleep(0.01)
    calls = tuple(connection.calls for connection in sorted(connections, key=lambda c: c.number)
                  if connection.calls > 0)
    if calls != CASE.expected_calls:
        faults.append("calls on the connections: %s, expected %s" % (calls, CASE.expected_calls))
    for connection in connections:
        if connection.calls and connection.pings_sent != connection.ping_acks:
            faults.append("%d PINGs are unanswered" % (connection.pings_sent - connection.ping_acks))
    for words in faults:
        print("the client: " + words)
    sys.stdout.flush()
    sys.exit(1 if faults else 0)


def main():
    global CASE
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--test_case", choices=CASES, default="goaway")
    flags = parser.parse_args()
    CASE = CASES[flags.test_case]()
    signal.signal(signal.SIGTERM, verdict)
    with socket.create_server(("127.0.0.1", flags.port)) as listener:
        print(listener.getsockname()[1], flush=True)
        number = 0
        while True:
            sock, _ = listener.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            number += 1
            threading.Thread(target=serve, args=(sock, number), daemon=True).start()


main()
