# SPDX-License-Identifier: MIT OR Apache-2.0
"""The MAC of crates/toolchain/src/liteeth from its pins to its streams and back, in Icarus: the PHY is that of cocotbext-eth, the streams
are those of cocotbext-axi, the frames are from scapy.

Run with a folder that holds the MAC and primitives.v, the name of the module, and how many frames go each way.
"""

import logging
import os
import random
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge, Timer, with_timeout
from cocotb.utils import get_sim_time
from cocotb_tools.runner import get_results, get_runner
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from cocotbext.eth import GmiiFrame, RgmiiPhy
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether

from frames import PREAMBLE, with_fcs

OCTET_NS = 8
LONGEST = 1522
# Against the 8 ns of the PHY: 0, +100 and -100 ppm, and 100 MHz.
PERIODS = [8.0, 7.9992, 8.0008, 10.0]


def frame(number, length):
    """A frame of some octets without its FCS; its number is in its source address, half of them have a tag."""
    packet = Ether(src=f"02:00:00:00:{number >> 8:02x}:{number & 255:02x}", dst="06:01:02:03:04:05")
    if length >= 64 and number % 2:
        packet = packet / Dot1Q(vlan=number & 0xFFF)
    octets = bytes(packet / IP() / UDP()) + random.randbytes(max(length, 64))
    return octets[:length]


def lengths(count):
    """Of good frames, without their FCS."""
    ends = [60, 61, 63, 64, 65, 67, 68, 1513, 1514, 1517, 1518]
    return [random.choice([random.choice(ends), random.randint(60, 1518), random.randint(60, 200)]) for _ in range(count)]


def on_line(octets, preamble=PREAMBLE, marked=()):
    """What the PHY shall send. `marked`: the octets that it marks as an error."""
    line = preamble + octets
    return GmiiFrame(bytearray(line), [int(at in marked) for at in range(len(line))])


class Bench:
    """A MAC after reset, its PHY, and the core's side."""

    def __init__(self, device, period):
        self.device, self.period = device, period
        self.phy = RgmiiPhy(device.rgmii_txd, device.rgmii_tx_ctl, device.rgmii_txc,
                            device.rgmii_rxd, device.rgmii_rx_ctl, device.rgmii_rxc)
        # They say a line for each frame.
        for part in ("rgmii_txd", "rgmii_rxd", "s_axis", "m_axis"):
            logging.getLogger(f"cocotb.{device._name}.{part}").setLevel(logging.ERROR)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(device, "s_axis"), device.clock, device.reset)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(device, "m_axis"), device.clock, device.reset)
        self.events = {"rx_bad": 0, "rx_overflow": 0}
        for name in self.events:
            cocotb.start_soon(self.count(name))

    @staticmethod
    async def of(device, period=8.0):
        device.reset.value = 1
        cocotb.start_soon(Clock(device.clock, period, unit="ns").start())
        bench = Bench(device, period)
        await ClockCycles(device.clock, 10)
        device.reset.value = 0
        await ClockCycles(device.clock, 10)
        return bench

    async def count(self, name):
        signal = getattr(self.device, name)
        while True:
            await RisingEdge(signal)
            start = get_sim_time("fs")
            self.events[name] += 1
            await FallingEdge(signal)
            cycles = (get_sim_time("fs") - start) / (self.period * 1e6)
            assert abs(cycles - 1) < 1e-6, f"{name} is 1 for {cycles} cycles, expected one"

    async def received(self):
        """The next frame that the core sees, and whether it is marked as bad."""
        got = await with_timeout(self.sink.recv(), 50, "us")
        user = got.tuser if isinstance(got.tuser, list) else [got.tuser]
        return bytes(got.tdata), bool(user[-1])

    async def all_received(self):
        """After the line is idle: good frames, and the number of frames that are marked."""
        await self.phy.rx.wait()
        await Timer(3, "us")
        got = [await self.received() for _ in range(self.sink.count())]
        assert self.sink.idle(), "the last frame has no end"
        return [octets for octets, bad in got if not bad], sum(bad for _, bad in got)

    async def on_wire(self, sent):
        """What a frame of the core is on the wire: with preamble, padding and FCS, without a gap in it."""
        got = await with_timeout(self.phy.tx.recv(), 50, "us")
        assert bytes(got.data) == PREAMBLE + with_fcs(sent.ljust(60, b"\0")), f"{len(sent)} octets: {bytes(got.data).hex()}"
        assert got.check_fcs() and not got.error, f"{len(sent)} octets: {got.error}"
        return got

    async def works(self):
        """A frame each way still comes through."""
        octets = frame(4095, 100)
        await self.phy.rx.send(on_line(with_fcs(octets)))
        await self.source.send(AxiStreamFrame(octets))
        await self.on_wire(octets)
        assert await self.received() == (octets, False)
        await self.phy.rx.wait()


def share(count):
    """Frames of one of the clocks."""
    return -(-int(os.environ["FRAMES"]) // count)


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(period=PERIODS)
async def good_frames_go_both_ways(device, period):
    bench = await Bench.of(device, period)
    count = share(len(PERIODS))
    bench.phy.rx.ifg = 12
    arriving = [frame(number, length) for number, length in enumerate(lengths(count))]
    leaving = [frame(number, length) for number, length in enumerate([1, 14, 59] + lengths(count - 3))]
    for octets in arriving:
        bench.phy.rx.send_nowait(on_line(with_fcs(octets)))
    for octets in leaving:
        bench.source.send_nowait(AxiStreamFrame(octets))
    end, gaps = None, []
    for octets in leaving:
        got = await bench.on_wire(octets)
        if end is not None:
            gaps.append(round((got.sim_time_start - end) / 1e6 / OCTET_NS))
        end = got.sim_time_end
    # The core always has the next frame, so the gap is the shortest that there is, as a switch needs it.
    assert set(gaps) <= {12, 13}, f"gaps of {sorted(set(gaps))} octets"
    got, marked = await bench.all_received()
    assert got == arriving and marked == 0
    assert bench.events == {"rx_bad": 0, "rx_overflow": 0}


def damaged(number, kind):
    """A frame with a fault, as it is on the line."""
    octets = with_fcs(frame(number, random.randint(60, 300)))
    if kind == "fcs":
        at = random.randrange(len(octets) * 8)
        changed = bytearray(octets)
        changed[at // 8] ^= 1 << at % 8
        return on_line(bytes(changed))
    if kind == "runt":
        return on_line(with_fcs(frame(number, random.randint(0, 59))))
    if kind == "few octets":
        return on_line(octets[:random.randint(0, 9)])
    if kind == "giant":
        return on_line(with_fcs(frame(number, random.choice([LONGEST - 3, LONGEST - 2, LONGEST + 100, 3000]))))
    if kind == "cut":
        return on_line(octets[:random.randint(1, len(octets) - 1)])
    if kind == "marked":
        return on_line(octets, marked=[random.randrange(len(PREAMBLE) + len(octets))])
    if kind == "no start":
        return on_line(octets.replace(b"\xd5", b"\xd4"), preamble=bytes([0x55] * 8))
    if kind == "no frame":
        return on_line(b"", preamble=PREAMBLE[:random.randint(1, 7)])
    raise ValueError(kind)


KINDS = ["fcs", "runt", "few octets", "giant", "cut", "marked", "no start", "no frame"]


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(period=[7.9992, 10.0])
async def bad_frames_are_marked_or_gone_and_all_are_counted(device, period):
    bench = await Bench.of(device, period)
    good, bad = [], 0
    for number in range(2 * share(2)):
        bench.phy.rx.ifg = random.choice([12, 12, 8, 6])
        if number < len(KINDS) or random.random() < 0.6:
            kind = KINDS[number] if number < len(KINDS) else random.choice(KINDS)
            await bench.phy.rx.send(damaged(number, kind))
            bad += 1
        else:
            good.append(frame(number, random.randint(60, 200)))
            # A receiver may find a shorter preamble.
            await bench.phy.rx.send(on_line(with_fcs(good[-1]), preamble=PREAMBLE[random.choice([0, 0, 2, 5]):]))
        await bench.phy.rx.wait()
    got, marked = await bench.all_received()
    assert got == good and 0 < marked <= bad
    assert bench.events == {"rx_bad": bad, "rx_overflow": 0}
    await bench.works()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def one_bad_frame_of_each_length_does_not_harm_the_next(device):
    bench = await Bench.of(device)
    good = []
    for length in list(range(0, 12)) + [59, 60, 61, 62, 63]:
        # Without an FCS, for those of 4 octets with one that is right.
        await bench.phy.rx.send(on_line(with_fcs(b"") if length == 4 else bytes(range(1, length + 1))))
        good.append(frame(length, 60))
        await bench.phy.rx.send(on_line(with_fcs(good[-1])))
    got, _ = await bench.all_received()
    assert got == good
    assert bench.events == {"rx_bad": len(good), "rx_overflow": 0}


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_core_that_is_not_ready_loses_whole_frames(device):
    bench = await Bench.of(device)

    async def stop_and_go(longest):
        while True:
            bench.sink.pause = not bench.sink.pause
            await ClockCycles(device.clock, random.randint(1, longest))

    # Short breaks find room between the clocks.
    breaks = cocotb.start_soon(stop_and_go(40))
    short = [frame(number, random.randint(60, 400)) for number in range(20)]
    for octets in short:
        await bench.phy.rx.send(on_line(with_fcs(octets)))
    await bench.phy.rx.wait()
    breaks.cancel()
    bench.sink.pause = False
    assert await bench.all_received() == (short, 0)
    assert bench.events == {"rx_bad": 0, "rx_overflow": 0}

    breaks = cocotb.start_soon(stop_and_go(1200))
    sent = []
    for number in range(20 + share(3)):
        bench.phy.rx.ifg = random.choice([12, 8])
        octets = frame(number, random.choice([60, random.randint(60, 400)]))
        await bench.phy.rx.send(on_line(with_fcs(octets)))
        sent.append(octets)
    await bench.phy.rx.wait()
    breaks.cancel()
    bench.sink.pause = False
    got, marked = await bench.all_received()
    rest = iter(sent)
    assert all(octets in rest for octets in got), "frames that were not sent, or in another order"
    lost = len(sent) - len(got)
    assert lost > 3 and marked <= lost
    assert bench.events == {"rx_bad": 0, "rx_overflow": lost}
    await bench.works()


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_reset_leaves_no_old_frame(device):
    bench = await Bench.of(device)
    for stopped in (False, True):
        bench.sink.pause = True
        bench.phy.tx.clear()
        for number in range(3):
            bench.phy.rx.send_nowait(on_line(with_fcs(frame(number, 300))))
            bench.source.send_nowait(AxiStreamFrame(frame(number, 300)))
        await Timer(4, "us")
        if stopped:
            # A PHY without a link may stop its clock.
            bench.phy._clock_cr.cancel()
        device.reset.value = 1
        bench.source.clear()
        await ClockCycles(device.clock, 10)
        device.reset.value = 0
        await ClockCycles(device.clock, 20)
        assert int(device.m_axis_tvalid.value) == 0
        assert int(device.s_axis_tready.value) == (not stopped)
        bench.sink.clear()
        bench.phy.rx.clear()
        if stopped:
            bench.phy.set_speed(1000e6)
        bench.sink.pause = False
        await bench.phy.rx.wait()
        await Timer(6, "us")
        # What the line was in the middle of is not a good frame.
        while not bench.sink.empty():
            assert (await bench.received())[1]
        bench.phy.tx.clear()
        await bench.works()


def main(folder, top, frames):
    runner = get_runner("icarus")
    sources = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".v")]
    runner.build(sources=sources, hdl_toplevel=top, build_dir=folder, timescale=("1ns", "1fs"), always=True)
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {"FRAMES": frames, "PYTHONPATH": here, "COCOTB_LOG_LEVEL": "WARNING"}
    results = runner.test(test_module="mac_streams", hdl_toplevel=top, build_dir=folder, test_dir=folder, seed=1,
                          extra_env=environment)
    tests, failures = get_results(results)
    assert tests == 9 and failures == 0, f"{failures} of {tests} tests failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
