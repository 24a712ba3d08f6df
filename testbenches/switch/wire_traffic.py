# SPDX-License-Identifier: MIT OR Apache-2.0
"""Frames between the three stations of a switch in Verilator (`wire.cpp`): good ones of all lengths, the shortest ones at the rate of the
line, damaged ones, and ports whose clock stops.

Run in a folder with registers.json, with the model, how many frames each station sends, how many frames bring one of feedback (0: there
is none without congestion), and which of the functions below run.
"""

import math
import random
import sys
import time
from collections import deque

from frames import PORTS, PREAMBLE, STATIONS, packet, with_fcs
from wire import POINTS, Switch, addresses, is_feedback

# Against their nominal rates: the clock of the board, and those of the three transceivers (IEEE 802.3, 40.6.1.2.6: 100 ppm).
PPM = (-100, 100, -100, 0)
FEWEST = 150
MOST = 600
FILLER = random.Random(7).randbytes(4096)


class Traffic:
    """What was sent and has not come."""

    def __init__(self, switch):
        self.switch = switch
        self.expected = {(source, to): deque() for source in range(PORTS) for to in range(PORTS)}
        self.heads = {}
        self.number = self.came = self.feedback = 0
        self.damaged = self.dropped = 0
        # The port that may lose frames, because it gets more than it can take.
        self.lossy = None
        self.started = time.monotonic()

    def frame(self, source, to, length, tag=None):
        """With a number of its own, and octets that depend on it."""
        if (source, to, tag) not in self.heads:
            # Its headers have no length of the payload, so they are the same for all.
            self.heads[source, to, tag] = packet(STATIONS[source], STATIONS[to], 46 if tag is not None else 42, tag)
        self.number += 1
        at = self.number * 37 % 2048
        return (self.heads[source, to, tag] + self.number.to_bytes(8, "big") + FILLER[at:at + length])[:length]

    def good(self, source, to, length, gap, tag=None, **line):
        octets = self.frame(source, to, length, tag)
        self.expected[source, to].append(octets)
        self.switch.send(source, octets, gap, **line)

    def check(self):
        """Each frame that came is the next one that was sent on its way, and not changed; or it is feedback for this station."""
        for to in range(PORTS):
            for _, _, octets in self.switch.take(to):
                if octets[6:12] in POINTS:
                    assert is_feedback(octets) and octets[:6].hex(":") == STATIONS[to], f"port {to}: {octets.hex()}"
                    self.feedback += 1
                    continue
                source = next((port for port in range(PORTS) if octets[6:12].hex(":") == STATIONS[port]), None)
                assert source is not None, f"port {to}: a frame of nobody: {octets.hex()}"
                waits = self.expected[source, to]
                assert waits, f"from {source} to {to}: a frame that was not sent, or came twice: {octets.hex()}"
                sent = waits.popleft()
                while to == self.lossy and octets != sent and waits:
                    self.dropped += 1
                    sent = waits.popleft()
                if octets != sent:
                    place = waits.index(octets) + 1 if octets in waits else None
                    what = f"{place} were lost before it" if place else "changed, or in another order"
                    raise AssertionError(f"from {source} to {to}: {what}: {octets.hex()}, expected {sent.hex()}")
                self.came += 1

    def end(self):
        """All has come; what has not come to the lossy port was dropped."""
        # MOST frames of 1,518 octets, and as long a pause behind each, take 15 ms.
        self.switch.drain(20_000)
        self.check()
        for (_, to), waits in self.expected.items():
            if to == self.lossy:
                self.dropped += len(waits)
                waits.clear()
        rest = {way: len(waits) for way, waits in self.expected.items() if waits}
        assert not rest, f"lost: {rest}"

    def counters(self):
        """Against the registers: what the stations have seen."""
        known = addresses()
        count = lambda file, name: self.switch.read(known[file, name])
        of_points = lambda name: sum(count(str(2 + port), name) for port in range(PORTS))
        expected = {
            "mac_bad_frames": self.damaged,
            "mac_lost_frames": 0,
            "input_dropped_frames": 0,
            "filtered_frames": 0,
            "reserved_frames": 0,
            "short_frames": 0,
            "moved_stations": 0,
            "replaced_stations": 0,
            "learned_stations": PORTS,
            "flooded_frames": PORTS,
            "forwarded_frames": self.came + self.feedback + self.dropped,
        }
        found = {name: count("0", name) for name in expected}
        expected |= {"dropped_frames": self.dropped, "cpTransmittedCnms": self.feedback}
        found |= {name: of_points(name) for name in ("dropped_frames", "cpTransmittedCnms")}
        assert found == expected, f"registers: {found}, expected {expected}"
        bad = count("0", "input_bad_frames")
        assert bad <= self.damaged, f"{bad} bad frames came to the bridge, {self.damaged} to the pins"

    def said(self, name):
        seconds = time.monotonic() - self.started
        print(f"{name}: {self.came} frames have come as they were sent, {self.damaged} damaged ones went nowhere, {self.dropped} found no "
              f"room, {self.feedback} feedback frames, shortest gap {self.switch.shortest_gap} octets, {self.switch.now / 1e12:.1f} ms in "
              f"{seconds:.0f} s", flush=True)


def length():
    ends = [60, 61, 63, 64, 65, 67, 68, 1513, 1514, 1517, 1518]
    return random.choice([random.choice(ends), random.randint(60, 1518), random.randint(60, 200)])


def streams(traffic, frames, send):
    """Each station sends so many frames without a break: `send(source, number)` gives the next one."""
    sent = [0] * PORTS
    switch = traffic.switch
    while True:
        for source in range(PORTS):
            while switch.waiting[source] < MOST and sent[source] < frames:
                send(source, sent[source])
                sent[source] += 1
        if min(sent) == frames:
            break
        came = traffic.came
        switch.run(20_000, FEWEST, [port for port in range(PORTS) if sent[port] < frames])
        traffic.check()
        assert traffic.came > came, "nothing comes any more"
        switch.progress(f"{sum(sent)} of {frames * PORTS} frames, {traffic.came} came")
    traffic.end()


def all_lengths(traffic, frames):
    """To both other stations by chance. A pause as long as the frame: no output is overloaded, but for a moment."""
    def send(source, number):
        octets = length()
        to = (source + random.choice([1, 2])) % PORTS
        traffic.good(source, to, octets, 12 + 8 + 4 + 12 + octets, random.choice([None, None, 5]) if octets >= 68 else None)

    streams(traffic, frames, send)


def shortest(traffic, frames):
    """The shortest frames, each station to the next one, at line rate. Clocks that are 200 ppm apart bring 67 frames in 333,334 more than
    they carry, which the queue of an output holds; frames that are damaged, one in 1,000, make up for it. Where feedback comes for one
    frame in `feedback_each`, the frames leave room for it: it is as long as they are."""
    kinds = list(DAMAGES)
    feedback_each = int(sys.argv[3])
    # Octets from the begin of a frame to that of the next one; one in 100 is free.
    mean = math.ceil(84 * (1 + 1 / feedback_each) / 0.99) - 72 if feedback_each else 12
    each = min(1000, frames // 4)

    def send(source, number):
        gap = random.choice([12, mean, mean, 2 * mean - 12])
        if number % each == each // 2 + source:
            damaged(traffic, source, (source + 1) % PORTS, random.choice(kinds), gap)
        else:
            traffic.good(source, (source + 1) % PORTS, 60, gap)

    streams(traffic, frames, send)


def of_fcs(octets):
    line = bytearray(with_fcs(octets))
    at = random.randrange(8 * len(line))
    line[at // 8] ^= 1 << at % 8
    return {"line": bytes(line)}


def of_drop(octets, stops_us):
    """The link goes in the middle of a frame."""
    return {"line": with_fcs(octets), "stops_at": random.randint(1, len(PREAMBLE) + len(octets)), "stops_us": stops_us, "cut": True}


# What becomes of a good frame on the line, none of which may pass.
DAMAGES = {
    "fcs": of_fcs,
    "runt": lambda octets: {"line": with_fcs(octets[:random.randint(0, 59)])},
    "few octets": lambda octets: {"line": octets[:random.randint(0, 9)]},
    "no start": lambda octets: {"line": with_fcs(octets.replace(b"\xd5", b"\xd4")), "preamble": bytes([0x55] * 8)},
    "giant": lambda octets: {"line": with_fcs((octets + 5 * FILLER)[:random.choice([1519, 1520, 3000, 20_000])])},
    "cut": lambda octets: {"line": with_fcs(octets)[:random.randint(1, len(octets) + 3)]},
    "marked": lambda octets: {"line": with_fcs(octets), "marked": random.randrange(len(PREAMBLE) + len(octets) + 4)},
    "link that drops": lambda octets: of_drop(octets, 0),
    "link and clock that drop": lambda octets: of_drop(octets, random.choice([0.1, 1, 20])),
}


def damaged(traffic, source, to, kind, gap):
    octets = traffic.frame(source, to, random.choice([60, random.randint(60, 300)]))
    traffic.switch.send(source, octets, gap, **DAMAGES[kind](octets))
    traffic.damaged += 1


def damages(traffic, frames):
    """Good and damaged frames by chance at the same time at each port; each good one passes."""
    kinds = list(DAMAGES)

    def send(source, number):
        to = (source + 1 + number % 2) % PORTS
        octets = random.randint(60, 300)
        if random.random() < 0.5:
            damaged(traffic, source, to, kinds[number] if number < len(kinds) else random.choice(kinds), random.choice([8, 12, 12 + octets]))
        else:
            # A frame whose clock stops in its middle, and goes on, is a good one.
            stops = {"stops_at": random.randint(0, octets), "stops_us": 1} if random.random() < 0.1 else {}
            # A receiver may meet 8 octets between two frames.
            traffic.good(source, to, octets, random.choice([8, 60 + 2 * octets]), **stops)

    streams(traffic, frames, send)


def stopped(traffic, frames):
    """The clock of a port stops in the middle of a frame, and its output gets more than it holds until it runs again: these frames are lost
    as a whole, others not, and after it all pass."""
    switch, port = traffic.switch, 2
    traffic.lossy = port
    # Half of the frames go to the port, half of these while it stands still: 30,000 octets or more, and its output holds 16 KB.
    frames = max(200, min(frames, 1000))
    octets = 300
    frame_us = (36 + 2 * octets) * 0.008
    switch.send(port, b"", line=with_fcs(traffic.frame(port, 0, octets)), stops_at=100, stops_us=frames / 2 * frame_us, cut=True)
    traffic.damaged += 1
    for number in range(frames):
        for source in (0, 1):
            traffic.good(source, port if number % 2 else 1 - source, octets, 36 + octets)
    traffic.end()
    assert 0 < traffic.dropped < frames, f"{traffic.dropped} of {frames} frames to the stopped port were lost"
    traffic.lossy = None
    for number in range(20):
        traffic.good(number % 2, port, octets, 1000)
        traffic.good(port, number % 2, octets, 1000)
    traffic.end()


def overload(traffic, frames):
    """Two stations at line rate, with four of five frames to the third one, which gets more than it can take: some are lost as a whole, all
    others come in order. One in five is damaged. The third station is silent, so no feedback needs the output that is overloaded."""
    traffic.lossy = 2
    frames = min(frames, 1000)
    for _ in range(frames):
        for source in (0, 1):
            to = 2 if random.random() < 0.8 else 1 - source
            if random.random() < 0.2:
                damaged(traffic, source, to, random.choice(list(DAMAGES)), random.choice([8, 12]))
            else:
                traffic.good(source, to, length(), 12)
    dropped = traffic.dropped
    traffic.end()
    assert traffic.dropped > dropped, "nothing was lost, so the output was not overloaded"
    traffic.lossy = None


def main():
    switch = Switch(sys.argv[1], PPM)
    switch.learn()
    traffic = Traffic(switch)
    for name in sys.argv[4:]:
        random.seed(name)
        globals()[name](traffic, int(sys.argv[2]))
        traffic.said(name)
    traffic.counters()
    # Who sends leaves 12 octets (IEEE 802.3, 4.4.2).
    assert switch.shortest_gap >= 12, f"a gap of {switch.shortest_gap} octets"
    traffic.said("all, as the registers say too")
    switch.close()


if __name__ == "__main__":
    main()
