# SPDX-License-Identifier: MIT OR Apache-2.0
"""A whole switch of three ports from pin to pin, in Icarus: at each port the PHY of cocotbext-eth with a station behind it, whose frames
are from scapy.

Run with a folder that holds the Verilog of the design and primitives.v, the name of the top module, how many frames each station
sends, and which tests run: a regular expression.
"""

import logging
import os
import random
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Timer, with_timeout
from cocotb_tools.runner import get_results, get_runner
from cocotbext.eth import GmiiFrame, RgmiiPhy

from frames import BROADCAST, CNM, PORTS, PREAMBLE, READY_US, STATIONS, packet, with_fcs

INTERNAL = "02:00:00:00:10:00"
# Of the congestion point at output 0.
POINT = bytes([2, 0, 0, 0, 1, 0])


def random_packet(source, destination, length, tag=None):
    """A frame of some octets without its FCS."""
    return packet(source, destination, length, tag, random.randbytes(length))


class Station:
    """What is behind a port."""

    def __init__(self, device, port):
        pin = lambda name: getattr(device, f"rgmii_{port}_{name}")
        self.phy = RgmiiPhy(pin("txd"), pin("tx_ctl"), pin("txc"), pin("rxd"), pin("rx_ctl"), pin("rxc"))
        for part in ("txd", "rxd"):
            logging.getLogger(f"cocotb.{device._name}.rgmii_{port}_{part}").setLevel(logging.ERROR)
        self.address = STATIONS[port]

    def send(self, octets, line=None):
        """The frame goes out behind those that wait; `line` is what is on the wire instead of it."""
        self.phy.rx.send_nowait(GmiiFrame(bytearray(PREAMBLE + (with_fcs(octets) if line is None else line))))

    async def quiet(self):
        """Waits until all has been sent, and the switch has passed it on."""
        await self.phy.rx.wait()
        await Timer(20, "us")

    def received(self):
        """All frames that have come, each with its FCS, which must be right, and without it here."""
        frames = []
        while not self.phy.tx.empty():
            frame = self.phy.tx.recv_nowait()
            octets = bytes(frame.data)
            assert octets.startswith(PREAMBLE) and frame.check_fcs() and not frame.error, octets.hex()
            frames.append(octets[len(PREAMBLE):-4])
        return frames


async def switch(device):
    device.serial_rx.value = 1
    cocotb.start_soon(Clock(device.clk25, 40, unit="ns").start())
    stations = [Station(device, port) for port in range(PORTS)]
    await Timer(READY_US, "us")
    for station in stations:
        station.send(random_packet(station.address, BROADCAST, 60))
        await station.quiet()
    for port, station in enumerate(stations):
        # Feedback: a frame may be a sample, after those that went through the switch before.
        sources = [frame[6:12].hex(":") for frame in station.received() if frame[6:11] != POINT[:5]]
        assert sources == [other for other in STATIONS if other != STATIONS[port]], f"port {port}: {sources}"
    return stations


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def frames_go_to_their_stations(device):
    """Each station sends to the next one and to the one after it, below the line rate of each output."""
    stations = await switch(device)
    expected = {(source, to): [] for source in range(PORTS) for to in range(PORTS)}
    for number in range(int(os.environ["FRAMES"])):
        for port, station in enumerate(stations):
            to = (port + random.choice([1, 2])) % PORTS
            tag = random.choice([None, None, 5])
            octets = random_packet(station.address, STATIONS[to], random.choice([60, 61, 64, random.randint(68, 400), 1514]), tag)
            station.send(octets)
            # A pause as long as the frame: no output is overloaded for long.
            station.phy.rx.ifg = 12 + len(octets)
            expected[port, to].append(octets)
            await station.phy.rx.wait() if number % 4 == 3 else None
    for station in stations:
        await station.quiet()
    await Timer(60, "us")
    for to, station in enumerate(stations):
        came = station.received()
        for port in range(PORTS):
            of_port = [frame for frame in came if frame[6:12].hex(":") == STATIONS[port]]
            assert of_port == expected[port, to], f"from {port} to {to}: {len(of_port)} of {len(expected[port, to])}"
        others = [frame for frame in came if frame[6:12].hex(":") not in STATIONS]
        # A queue may have been long for a moment.
        assert all(frame[6:11] == POINT[:5] for frame in others), f"port {to}: frames of nobody: {others}"


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def damaged_frames_go_nowhere(device):
    stations = await switch(device)
    good = []
    for number in range(int(os.environ["FRAMES"])):
        octets = random_packet(STATIONS[0], STATIONS[1], random.randint(60, 300))
        line = with_fcs(octets)
        kind = random.choice(["good", "fcs", "runt", "giant", "cut"])
        if kind == "good":
            good.append(octets)
        elif kind == "fcs":
            at = random.randrange(len(line))
            line = line[:at] + bytes([line[at] ^ 1]) + line[at + 1:]
        elif kind == "runt":
            line = with_fcs(octets[: random.randint(0, 59)])
        elif kind == "giant":
            line = with_fcs(octets + random.randbytes(1600))
        else:
            line = line[: random.randint(1, len(line) - 1)]
        stations[0].send(octets, line)
    await stations[0].quiet()
    assert stations[1].received() == good
    assert stations[2].received() == []


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def an_overloaded_output_asks_its_sources_to_slow_down(device):
    """Stations 1 and 2 send to station 0, each at the line rate: feedback frames come to both, and to nobody else."""
    stations = await switch(device)
    for _ in range(40):
        for station in stations[1:]:
            station.phy.rx.ifg = 12
            station.send(random_packet(station.address, STATIONS[0], 1514, tag=7))
    for station in stations:
        await station.quiet()
    await Timer(200, "us")
    came = stations[0].received()
    assert len(came) > 30 and all(len(frame) == 1514 for frame in came)
    for port in (1, 2):
        frames = stations[port].received()
        assert frames, f"no feedback to station {port}"
        for frame in frames:
            assert frame[:6].hex(":") == STATIONS[port] and frame[6:12] == POINT, frame.hex()
            # Behind the tag of the frame that was sampled.
            assert frame[12:14] == b"\x81\x00" and int.from_bytes(frame[16:18], "big") == CNM, frame.hex()

def main(folder, top, frames, which):
    runner = get_runner("icarus")
    sources = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".v")]
    runner.build(sources=sources, hdl_toplevel=top, build_dir=folder, timescale=("1ns", "1ps"), always=True)
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {"FRAMES": frames, "PYTHONPATH": here, "COCOTB_LOG_LEVEL": "WARNING"}
    results = runner.test(test_module="pin_to_pin", hdl_toplevel=top, build_dir=folder, test_dir=folder, seed=1,
                          extra_env=environment, test_filter=which)
    tests, failures = get_results(results)
    assert tests > 0 and failures == 0, f"{failures} of {tests} tests failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
