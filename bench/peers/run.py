# SPDX-License-Identifier: Apache-2.0
"""Runs one program, or one server with one client, and says what it took: for scripts/bench-peers.

A figure is a dict; what was not measured is not in it:
  qps p50_us p90_us p99_us         as the client counts
  client_us server_us cpu_us       processor time of a call, from the process table, in the middle of the run
  client_kib server_kib peak_kib   most resident memory since the start of the process
  out_bytes in_bytes               of a call, on the client's connection, by the kernel's TCP_INFO: our client counts them while
                                   it measures; of others in the middle of the run, which is less exact
  client_allocs server_allocs      of a call, in the middle of the run: our programs count them
  allocs alloc_bytes               of a call, both sides: of benchmain
"""
import ctypes
import json
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import tempfile
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
UNITS = {"ns": 1e-3, "us": 1, "µs": 1, "ms": 1e3, "s": 1e6}
UNARY_PATH = "/grpc.testing.BenchmarkService/UnaryCall"


class Failed(Exception):
    """A run without a figure; says why."""


def cpu_sets():
    """The processors in two halves: for the server and for the client. None when there is only one."""
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        return None
    half = len(cpus) // 2
    return set(cpus[:half]), set(cpus[half:])


class Placement:
    """Where the two processes run, and on how many threads tonic runs."""

    def __init__(self, apart=False, threads=None):
        self.apart, self.threads = apart, threads or len(os.sched_getaffinity(0))

    def cpus(self, role):
        if not self.apart:
            return os.sched_getaffinity(0)
        return cpu_sets()[0 if role == "server" else 1]

    def cpu_list(self, role):
        return ",".join(str(cpu) for cpu in sorted(self.cpus(role)))

    def words(self, who):
        words = "a half of the processors each" if self.apart else "all processors for both"
        if self.apart and len(os.sched_getaffinity(0)) == 2:
            words = "a processor each"
        if who == "tonic":
            words += ", %d thread%s" % (self.threads, "s" if self.threads > 1 else "")
        return words


def start(command, placement, role, folder, **more):
    environment = dict(os.environ)
    if placement.apart:
        environment["GOMAXPROCS"] = str(len(placement.cpus(role)))
    cpus = placement.cpus(role)
    return subprocess.Popen([str(word) for word in command], cwd=folder, env=environment,
                            stdin=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cpus), **more)


def stop(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(server, port):
    limit = time.monotonic() + 10
    while time.monotonic() < limit and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 0.5).close()
            return
        except OSError:
            time.sleep(0.02)
    raise Failed("the server does not start")


# --- what the kernel knows ------------------------------------------------------------------------

def cpu_seconds(pid):
    try:
        stat = Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(stat[11]) + int(stat[12])) / TICKS


def peak_kib(pid):
    try:
        found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/%d/status" % pid).read_text())
    except OSError:
        return None
    return int(found.group(1)) if found else None


def connection_bytes(pid, port):
    """(sent and acknowledged, received) so far on that process's connection to the port, or None."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        process = os.pidfd_open(pid)
    except (OSError, AttributeError):
        return None
    try:
        for name in os.listdir("/proc/%d/fd" % pid):
            try:
                if not os.readlink("/proc/%d/fd/%s" % (pid, name)).startswith("socket:"):
                    continue
            except OSError:
                continue
            descriptor = libc.syscall(438, process, int(name), 0)  # pidfd_getfd
            if descriptor < 0:
                return None
            with socket.socket(fileno=descriptor) as theirs:
                try:
                    if theirs.getpeername()[1] == port:
                        info = theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                        return struct.unpack_from("=QQ", info, 120)  # tcpi_bytes_acked, tcpi_bytes_received
                except (OSError, IndexError, TypeError):
                    continue
    except OSError:
        pass
    finally:
        os.close(process)
    return None


# --- what the programs say ------------------------------------------------------------------------

def microseconds(text):
    found = re.match(r"([\d.]+)(ns|us|µs|ms|s)$", text)
    return float(found.group(1)) * UNITS[found.group(2)] if found else None


def read_client(output):
    """From a last line of JSON, or as gRPC-Go's client and h2load print."""
    found = re.findall(r"^\{.*\}$", output, re.M)
    if found:
        said = json.loads(found[-1])
        figure = {key: said[key] for key in ("qps", "p50_us", "p90_us", "p99_us") if key in said}
        if "allocs_per_call" in said:
            figure["client_allocs"] = said["allocs_per_call"]
        if said.get("out_bytes_per_call"):
            figure["out_bytes"], figure["in_bytes"] = said["out_bytes_per_call"], said["in_bytes_per_call"]
        for key in ("client_us", "server_us", "batch"):
            if key in said:
                figure[key] = said[key]
        return figure
    rate = re.search(r"^qps: ([\d.]+)", output, re.M)
    if rate:
        figure = {"qps": float(rate.group(1))}
        found = re.search(r"ile\): (\S+?)/(\S+?)/(\S+)", output)
        for key, text in zip(("p50_us", "p90_us", "p99_us"), found.groups() if found else ()):
            figure[key] = microseconds(text)
        return figure
    rate = re.search(r"^finished in [\d.]+m?s, ([\d.]+) req/s", output, re.M)
    counts = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored", output)
    if rate and counts:
        if int(counts.group(2)) or int(counts.group(3)):
            raise Failed("%s failed, %s errored" % counts.group(2, 3))
        return {"qps": float(rate.group(1))}
    raise Failed("no figure in what it printed:\n" + output[-800:])


def read_benchmain(output, seconds):
    def number(pattern):
        found = re.search(pattern, output, re.M)
        return float(found.group(1)) if found else 0.0
    calls = number(r"^Count: (\d+)")
    messages = number(r"^Number of requests:\s+(\d+)") + number(r"^Number of responses:\s+(\d+)")
    if not messages:
        raise Failed("no figure in what it printed:\n" + output[-800:])
    figure = {"qps": (calls or messages) / seconds, "allocs": number(r"Allocs/op: ([\d.e+-]+)"),
              "alloc_bytes": number(r"Bytes/op: ([\d.e+-]+)")}
    for share in ("50", "90", "99"):
        found = re.search(share + r"_Latency: (\S+)", output)
        if found:
            figure["p%s_us" % share] = microseconds(found.group(1))
    return figure


# --- runs -----------------------------------------------------------------------------------------

def snapshot(client, server, port, counts_allocs):
    if counts_allocs:
        server.send_signal(signal.SIGUSR1)
    return {"at": time.monotonic(), "client": cpu_seconds(client.pid), "server": cpu_seconds(server.pid),
            "bytes": connection_bytes(client.pid, port)}


def run_pair(server_command, client_command, placement, warm, seconds, counts_allocs=False):
    """A server and a client on a port of their own. Commands are functions of the port."""
    margin = min(0.3, seconds / 5)
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        said = open(Path(folder) / "server.out", "w+")
        server = start(server_command(port), placement, "server", folder, stdout=said, stderr=subprocess.STDOUT)
        client = None
        try:
            wait_for_port(server, port)
            client = start(client_command(port), placement, "client", folder, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
            time.sleep(warm + margin)
            before = snapshot(client, server, port, counts_allocs)
            time.sleep(max(0.2, seconds - 2 * margin))
            after = snapshot(client, server, port, counts_allocs)
            memory = {"client_kib": peak_kib(client.pid), "server_kib": peak_kib(server.pid)}
            try:
                output = client.communicate(timeout=60)[0]
            except subprocess.TimeoutExpired:
                raise Failed("the client does not end")
            if client.returncode != 0:
                raise Failed("the client ended with %d:\n%s" % (client.returncode, output[-800:]))
            said.seek(0)
            asked = [json.loads(line)["allocs"] for line in said if line.startswith('{"cpu')]
        finally:
            if client is not None:
                stop(client)
            stop(server)
            said.close()
    figure = read_client(output)
    calls = figure["qps"] * (after["at"] - before["at"])
    for role in ("client", "server"):
        if None in (before[role], after[role]):
            raise Failed("the %s ended before its time was over" % role)
        if calls:
            figure[role + "_us"] = (after[role] - before[role]) / calls * 1e6
    if calls and before["bytes"] and after["bytes"] and "out_bytes" not in figure:
        figure["out_bytes"] = (after["bytes"][0] - before["bytes"][0]) / calls
        figure["in_bytes"] = (after["bytes"][1] - before["bytes"][1]) / calls
    if calls and len(asked) >= 2:
        figure["server_allocs"] = (asked[1] - asked[0]) / calls
    figure.update((key, value) for key, value in memory.items() if value)
    if len(memory) == 2 and all(memory.values()):
        figure["peak_kib"] = sum(memory.values())
    figure["cpu_us"] = figure.get("client_us", 0) + figure.get("server_us", 0)
    return figure


def run_alone(command, read):
    """A program that is both sides."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode != 0:
        raise Failed("it ended with %d:\n%s" % (process.returncode, process.stdout[-800:]))
    figure = read(process.stdout)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    figure["spent_s"] = spent
    return figure


def h2load_request(folder):
    """A file with the 1-byte request as it is in a DATA frame: prefix, response_size, payload."""
    message = b"\x10\x01" + b"\x1a\x03\x12\x01\x00"
    path = Path(folder) / "request"
    path.write_bytes(b"\0" + struct.pack(">I", len(message)) + message)
    return path


def h2load_command(request, port, inflight, warm, seconds):
    return ["h2load", "-c1", "-t1", "-m%d" % inflight, "--warm-up-time=%d" % warm, "-D%d" % seconds, "-d", request,
            "-Hte: trailers", "-Hcontent-type: application/grpc", "http://127.0.0.1:%d%s" % (port, UNARY_PATH)]


def check_h2load_reply(server_command, placement, request):
    """h2load looks at no grpc-status: one call must bring the 10 bytes of a reply of 1 byte."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = start(server_command(port), placement, "server", folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        try:
            wait_for_port(server, port)
            command = [word for word in h2load_command(request, port, 1, 0, 1) if not str(word).startswith(("-D", "--warm"))]
            output = subprocess.run([str(word) for word in command] + ["-n1"], stdout=subprocess.PIPE, text=True,
                                    stderr=subprocess.STDOUT, timeout=20, cwd=folder).stdout
        finally:
            stop(server)
    found = re.search(r"^traffic: .*\) headers.*?([\d.]+)B \((\d+)\) data", output, re.M)
    if not found or int(found.group(2)) != 10:
        raise Failed("one call by h2load did not bring a reply of 10 bytes:\n" + output[-600:])
