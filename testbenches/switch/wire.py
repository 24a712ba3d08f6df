# SPDX-License-Identifier: MIT OR Apache-2.0
"""The wires of a whole switch in Verilator: stations behind the transceivers of `wire.cpp`, and the serial line to the registers."""

import json
import struct
import subprocess
import sys
import time
import traceback
import zlib

from frames import BROADCAST, CNM, PORTS, PREAMBLE, READY_US, STATIONS, packet, with_fcs

FS_PER_NS = 10**6
FS_PER_US = 10**9
OCTET_FS = 8 * FS_PER_NS
CORE_FS = 10 * FS_PER_NS
NEVER = 2**32 - 1
# Addresses of the congestion points.
POINTS = [bytes([2, 0, 0, 0, 1, port]) for port in range(PORTS)]
# What a frame meets in the switch: an empty switch passes the longest one in this time.
PASSES_US = 60
# An octet and its answer on the serial line take 87 µs each; the client of examples/registers.py gives up later.
ANSWER_US = 2000


# The standard error is for progress.
sys.excepthook = lambda *error: traceback.print_exception(*error, file=sys.stdout)


class Switch:
    """A switch after its reset. `ppm`: how much faster than they should the clocks are, that of the board and those of the ports."""

    def __init__(self, model, ppm=(0, 0, 0, 0)):
        self.process = subprocess.Popen([model], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 16)
        self.input, self.output = self.process.stdin, self.process.stdout
        self.now, self.waiting = 0, [0] * PORTS
        # Frames that have come to each station: begin, end, octets without preamble and FCS.
        self.received = [[] for _ in range(PORTS)]
        self.ended, self.serial = [None] * PORTS, bytearray()
        self.shortest_gap, self.told = float("inf"), time.monotonic()
        self.octet_fs = [round(OCTET_FS * (1 - part / 1e6)) for part in ppm[1:]]
        core = round(CORE_FS * (1 - ppm[0] / 1e6))
        self.input.write(struct.pack("<cQ3Q", b"C", core // 2, *(octet // 2 for octet in self.octet_fs)))
        self.run(READY_US)

    def send(self, port, octets, gap=12, line=None, not_before=0, marked=NEVER, stops_at=NEVER, stops_us=0, cut=False,
             preamble=PREAMBLE):
        """A frame goes out behind those that wait; `line` is what is on the wire behind the preamble instead of it."""
        row = preamble + (with_fcs(octets) if line is None else line)
        head = struct.pack("<cBIQIIQBI", b"F", port, gap, not_before, marked, stops_at, round(stops_us * FS_PER_US), cut, len(row))
        self.input.write(head + row)
        self.waiting[port] += 1

    def run(self, us, few=0, some=()):
        """So long, or until one of some stations has `few` frames or fewer that wait."""
        self.run_until(self.now + round(us * FS_PER_US), few, some)

    def run_until(self, until, few=0, some=()):
        self.input.write(struct.pack("<cQIB", b"R", until, few, sum(1 << port for port in some)))
        self.input.flush()
        while True:
            kind = self.output.read(1)
            if kind == b"t":
                self.now, *self.waiting = struct.unpack("<Q3I", self.output.read(20))
                return
            if kind == b"s":
                stop, octet = self.output.read(2)
                assert stop == 1, "no stop bit on the serial line"
                self.serial.append(octet)
            elif kind == b"f":
                self.frame(*struct.unpack("<BBQQI", self.output.read(22)))
            else:
                raise AssertionError(f"the model has ended: {self.process.wait()}")

    def frame(self, port, error, begin, end, length):
        line = self.output.read(length)
        octets = line[len(PREAMBLE):-4]
        assert line.startswith(PREAMBLE), f"port {port}: no preamble: {line[:100].hex()}"
        assert not error and zlib.crc32(octets) == int.from_bytes(line[-4:], "little"), f"port {port}: bad FCS: {line[:100].hex()}"
        assert 60 <= len(octets) <= 1518, f"port {port}: {len(octets)} octets"
        if self.ended[port] is not None:
            self.shortest_gap = min(self.shortest_gap, round((begin - self.ended[port]) / self.octet_fs[port]))
        # It is seen with the first octet of the gap.
        self.ended[port] = end
        self.received[port].append((begin, end, octets))

    def drain(self, longest_us):
        """Until all frames have gone out and come through; it fails where that takes too long."""
        until = self.now + round(longest_us * FS_PER_US)
        while any(self.waiting):
            assert self.now < until, f"after {longest_us} µs, {self.waiting} frames still wait"
            self.run(20)
        count = -1
        while count != sum(map(len, self.received)):
            count = sum(map(len, self.received))
            self.run(PASSES_US)

    def take(self, port):
        frames, self.received[port] = self.received[port], []
        return frames

    def ask(self, address):
        """For a register, as examples/registers.py does; the answer will be in `serial`."""
        self.serial.clear()
        command = bytes([2, 1]) + (address // 4).to_bytes(4, "big")
        self.input.write(b"".join(b"S" + bytes([octet]) for octet in command))

    def answer(self):
        """What has been asked for, or None if it has not come."""
        return int.from_bytes(self.serial, "big") if len(self.serial) == 4 else None

    def read(self, address):
        self.ask(address)
        until = self.now + ANSWER_US * FS_PER_US
        while self.answer() is None:
            assert self.now < until, f"register {address:#x}: {len(self.serial)} octets of an answer, expected 4"
            self.run(20)
        return self.answer()

    def learn(self):
        """Each station says where it is."""
        for port, station in enumerate(STATIONS):
            self.send(port, packet(station, BROADCAST, 60))
            self.drain(100)
        for port in range(PORTS):
            sources = [octets[6:12].hex(":") for _, _, octets in self.take(port)]
            assert sources == [other for other in STATIONS if other != STATIONS[port]], f"port {port}: {sources}"

    def progress(self, text):
        """At most a line a minute."""
        if time.monotonic() - self.told > 60:
            self.told = time.monotonic()
            print(text, file=sys.stderr, flush=True)

    def close(self):
        self.input.close()
        assert self.process.wait() == 0, "the model has failed"


def is_feedback(octets):
    """Of one of the congestion points, which puts a tag of the sampled frame in front of its EtherType."""
    at = 16 if octets[12:14] == b"\x81\x00" else 12
    return octets[6:12] in POINTS and int.from_bytes(octets[at:at + 2], "big") == CNM


def addresses():
    """Of the registers, by the place of their file and their name; the test has written them."""
    with open("registers.json") as file:
        return {tuple(name.split(".", 1)): address for name, address in json.load(file).items()}
