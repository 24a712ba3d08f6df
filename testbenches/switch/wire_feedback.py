# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two stations send to a third one through a switch in Verilator (`wire.cpp`), each as fast as its reaction point lets it. The reaction
points are written after the papers, in floating point, and know nothing of this project but the place of the fields in a feedback frame
(IEEE 802.1Q, 33.4.3).

Run in a folder with registers.json, with the model, the scheme, the parameters as JSON and for how many ms. The last line of the output is
what came out, as JSON; feedback.txt has each feedback frame and what was read in it.
"""

import json
import statistics
import sys

from frames import STATIONS, packet
from wire import FS_PER_NS, FS_PER_US, POINTS, Switch, addresses, is_feedback

RECEIVER, SENDERS = 0, (1, 2)
OCTETS = 1514
# On the wire also preamble, FCS and gap; at 1 Gb/s an octet takes 8 ns.
WIRE_OCTETS = OCTETS + 8 + 4 + 12
LINE = 1000.0
# A reaction point sees its feedback, and the next rate is in effect, after this time or earlier.
STEP_FS = 4 * FS_PER_US


class Feedback:
    """What a feedback frame without a tag says."""

    def __init__(self, octets):
        assert octets[12:14] == b"\x22\xe7" and octets[14] >> 4 == 0, octets.hex()
        number = lambda first, length, signed=False: int.from_bytes(octets[first:first + length], "big", signed=signed)
        self.quantized = number(14, 2) & 0x3F
        self.cpid = number(16, 8)
        self.offset, self.delta = number(24, 2, signed=True), number(26, 2, signed=True)
        self.destination = octets[30:36].hex(":")


class Smcc:
    """Jiang 2015b, section 4: two adjustments, by the signs of the queue offset and its change."""

    def __init__(self, set_):
        self.rate, self.least = LINE, set_["min_rate_mbps"]
        # The largest changes are those of a full set point.
        self.a, self.b = set_["ra_mbps"] / set_["q0_bytes"], set_["rb_mbps"] / set_["q0_bytes"]
        self.cpid = None

    def take(self, feedback):
        offset, delta = 64 * feedback.offset, 64 * feedback.delta
        step = -self.a * offset if (offset < 0) == (delta < 0) else -self.b * delta
        if step > 0 and feedback.cpid != self.cpid:
            return
        # The first decrease has the identifier of its congestion point stored, and each one of a queue above its set point.
        if step < 0 and (self.cpid is None or offset > 0):
            self.cpid = feedback.cpid
        self.rate = min(LINE, max(self.least, self.rate + step))

    def sent(self, octets):
        pass


class Qcn:
    """Alizadeh et al. 2008, as the SMCC paper has it: decrease, fast recovery by octets, active increase."""

    CYCLES = 5

    def __init__(self, set_):
        self.rate = self.target = LINE
        self.least, self.step = set_["min_rate_mbps"], set_["ai_rate_mbps"]
        self.cycle, self.gain = set_["byte_cycle_bytes"], 2 ** -set_["gd_shift"]
        self.stage, self.left, self.active = 0, self.cycle, False

    def take(self, feedback):
        self.active = True
        self.target, self.stage, self.left = self.rate, 0, self.cycle
        self.rate = max(self.least, self.rate / 2, self.rate * (1 - self.gain * feedback.quantized))

    def sent(self, octets):
        if not self.active:
            return
        self.left -= octets
        if self.left > 0:
            return
        self.stage += 1
        # A cycle of active increase is half as long.
        self.left += self.cycle / 2 if self.stage >= self.CYCLES else self.cycle
        if self.stage > self.CYCLES:
            self.target = min(LINE, self.target + self.step)
        self.rate = min(LINE, (self.rate + self.target) / 2)


class Deaf(Smcc):
    """It does not obey."""

    def take(self, feedback):
        pass


class Station:
    """It always has a frame to send, and sends it when a frame is in its bucket, which is filled at the rate and holds one."""

    def __init__(self, port, reaction_point):
        self.port, self.reaction_point = port, reaction_point
        self.bucket, self.filled, self.free = 0.0, 0, 0
        self.number = 0

    def step(self, switch, until):
        """Sends all that may go before a time."""
        while True:
            # Octets on the wire in a femtosecond; a rate counts what a frame takes on the wire.
            speed = self.reaction_point.rate / LINE / (8 * FS_PER_NS)
            due = max(self.filled + max(0, WIRE_OCTETS - self.bucket) / speed, self.free)
            if due >= until:
                break
            self.bucket = min(WIRE_OCTETS, self.bucket + (due - self.filled) * speed) - WIRE_OCTETS
            self.filled, self.free = due, due + WIRE_OCTETS * 8 * FS_PER_NS
            self.number += 1
            octets = self.head + self.number.to_bytes(8, "big")
            switch.send(self.port, octets.ljust(OCTETS, b"\0"), not_before=round(due))
            self.reaction_point.sent(OCTETS)
        self.bucket = min(WIRE_OCTETS, self.bucket + (until - self.filled) * speed)
        self.filled = until


def of_point(switch, station):
    """The frames that came to a sender: all from the congestion point of the receiver's output, and for this sender."""
    frames = [octets for _, _, octets in switch.take(station.port)]
    for octets in frames:
        assert is_feedback(octets) and octets[:6].hex(":") == STATIONS[station.port] and octets[6:12] == POINTS[RECEIVER], octets.hex()
    return frames


def main(model, scheme, parameters, ms):
    set_ = json.loads(parameters)
    switch = Switch(model, (0, 40, -40, 80))
    switch.learn()
    known = addresses()
    stations = [Station(port, {"smcc": Smcc, "qcn": Qcn, "deaf": Deaf}[scheme](set_)) for port in SENDERS]
    for number, station in enumerate(stations):
        station.head = packet(STATIONS[station.port], STATIONS[RECEIVER], 42)
        # Not in the same moment.
        station.filled = switch.now + number * 5000 * FS_PER_NS
    begin = switch.now
    end = begin + float(ms) * 1000 * FS_PER_US
    half = begin + (end - begin) / 2
    queue, frames, octets, rates, last = [], [], 0, [], {}
    came = 0
    queue_bytes = known["2", "queue_bytes"]
    switch.ask(queue_bytes)
    while switch.now < end:
        for station in stations:
            station.step(switch, switch.now + STEP_FS)
        switch.run_until(switch.now + STEP_FS)
        for station in stations:
            for frame in of_point(switch, station):
                frames.append((frame, Feedback(frame)))
                station.reaction_point.take(frames[-1][1])
        for _, _, frame in switch.take(RECEIVER):
            source, number = frame[6:12], int.from_bytes(frame[42:50], "big")
            assert len(frame) == OCTETS and number > last.get(source, 0), "a frame came twice, or in another order"
            last[source] = number
            came += 1
            octets += WIRE_OCTETS if switch.now > half else 0
        if switch.answer() is not None:
            if switch.now > half:
                queue.append(switch.answer())
                rates.append([station.reaction_point.rate for station in stations])
            switch.ask(queue_bytes)
        switch.progress(f"{(switch.now - begin) / 1e12:.0f} of {ms} ms")
    # The last answer comes too.
    switch.run(1000)
    switch.drain(5000)
    frames += [(frame, Feedback(frame)) for station in stations for frame in of_point(switch, station)]
    came += len(switch.take(RECEIVER))
    sent = sum(station.number for station in stations)
    # What the registers say, and what is seen from outside.
    of = lambda file, name: switch.read(known[file, name])
    seen = {"cpTransmittedCnms": len(frames), "dropped_frames": sent - came, "forwarded_frames": sent + len(frames), "mac_bad_frames": 0,
            "mac_lost_frames": 0, "input_dropped_frames": 0}
    registers = {name: of("2" if name in ("cpTransmittedCnms", "dropped_frames") else "0", name) for name in seen}
    assert registers == seen, f"registers: {registers}, seen: {seen}"
    with open("feedback.txt", "w") as file:
        for frame, it in frames:
            fields = [frame[:6].hex(":"), it.quantized, f"{it.cpid:#018x}", it.offset, it.delta, it.destination]
            file.write(f"{frame.hex()} {';'.join(map(str, fields))}\n")
    result = {
        "queue": sum(queue) / len(queue),
        "looks": len(queue),
        "deviation": statistics.pstdev(queue),
        "used": octets * 8 * FS_PER_NS / (end - half),
        "rates": [sum(column) / len(rates) for column in zip(*rates)],
        "sent": sent,
        "dropped": sent - came,
        "feedback": len(frames),
    }
    switch.close()
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
