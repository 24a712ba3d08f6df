# SPDX-License-Identifier: MIT OR Apache-2.0
"""A congestion point (SMCC) between AXI4-Streams, driven by cocotbext-axi in Icarus with frames from scapy.

Run with the folder of the emitted files, the name of the top module, and that of its registers: their addresses are those of
the emitted Python file.
"""

import importlib
import itertools
import os
import random
import struct
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotb_tools.runner import get_results, get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

Q0 = 4000
BUFFER = 16384
SAMPLE_EVERY = 5


def pauses(chance):
    return (random.random() < chance for _ in itertools.count())


def address(number):
    return "02:00:" + ":".join(f"{octet:02x}" for octet in struct.pack(">I", number))


def frame(number, length, vlan=None, flow=None):
    """A frame of some octets; its number is in the source address."""
    packet = Ether(src=address(number), dst="06:01:02:03:04:05")
    if vlan is not None:
        packet = packet / Dot1Q(prio=vlan >> 13, vlan=vlan & 0xFFF, dei=vlan >> 12 & 1)
    if flow is not None:
        packet.lastlayer().fields["type"] = 0x22E9
        packet = packet / Raw(struct.pack(">HH", flow, 0x0800) + bytes(IP() / UDP()))
    else:
        packet = packet / IP() / UDP()
    octets = bytes(packet)
    return octets + random.randbytes(length - len(octets))


class Bench:
    """A device after reset, with a source, sinks and a master."""

    def __init__(self, device):
        self.device = device
        self.registers = importlib.import_module(os.environ["REGISTERS"])
        side = dict(reset_active_level=False)
        clock, reset = device.aclk, device.aresetn
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(device, "s_axis"), clock, reset, **side)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(device, "m_axis"), clock, reset, **side)
        self.feedback = AxiStreamSink(AxiStreamBus.from_prefix(device, "m_axis_cnm"), clock, reset, **side)
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(device, "s_axi"), clock, reset, **side)

    @staticmethod
    async def of(device):
        cocotb.start_soon(Clock(device.aclk, 8, unit="ns").start())
        device.aresetn.value = 0
        bench = Bench(device)
        await ClockCycles(device.aclk, 3)
        device.aresetn.value = 1
        await RisingEdge(device.aclk)
        return bench

    async def read(self, name):
        answer = await self.master.read(getattr(self.registers, name), 4)
        return int.from_bytes(answer.data, "little")

    async def write(self, name, value):
        await self.master.write(getattr(self.registers, name), value.to_bytes(4, "little"))

    async def counter(self, name):
        low = await self.read(name + "_LOW")
        return low | await self.read(name + "_HIGH") << 32

    async def received(self, sink, count):
        frames = []
        for _ in range(count):
            got = await with_timeout(sink.recv(), 200, "us")
            frames.append(bytes(got.tdata))
        return frames


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def frames_go_through_and_bad_ones_do_not(device):
    bench = await Bench.of(device)
    assert await bench.read("ID") == 0x54444754
    number, bad_frames = 0, 0
    for chances in ([0, 0], [0.5, 0.5], [0.8, 0], [0.6, 0.5]):
        bench.source.set_pause_generator(pauses(chances[0]))
        bench.sink.set_pause_generator(pauses(chances[1]))
        for _ in range(3):
            good = []
            total = 0
            while total < BUFFER - 3000:
                vlan = random.choice([None, random.getrandbits(16)])
                flow = random.choice([None, random.getrandbits(16)])
                octets = frame(number, random.choice([60, 64, 65, 127, 128, 129, random.randint(60, 1514)]), vlan, flow)
                bad = random.random() < 0.1
                await bench.source.send(AxiStreamFrame(octets, tuser=int(bad)))
                if bad:
                    bad_frames += 1
                else:
                    good.append(octets)
                number, total = number + 1, total + len(octets)
            assert await bench.received(bench.sink, len(good)) == good
    await ClockCycles(device.aclk, 1000)
    assert bench.sink.empty() and bad_frames > 3
    assert await bench.counter("BAD_FRAMES") == bad_frames
    assert await bench.counter("DROPPED_FRAMES") == 0
    assert await bench.counter("CLAMPS") == 0
    assert await bench.read("QUEUE_BYTES") == 0


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def feedback_says_how_long_the_queue_was(device):
    bench = await Bench.of(device)
    await bench.write("CP_MAC_ADDRESS_LOW", 0xCAFE0001)
    await bench.write("CP_MAC_ADDRESS_HIGH", 0x0200)
    for queue in range(2):
        # Nothing leaves, so the length is the sum of all frames that came.
        bench.sink.pause = True
        sent, total, before = [], 0, 0
        for number in range(35):
            vlan = [None, 0xA123][number // SAMPLE_EVERY % 2]
            flow = [None, 0x4567][number // SAMPLE_EVERY // 2 % 2]
            octets = frame(number, random.randint(60, 600), vlan, flow)
            if total + len(octets) + 300 > BUFFER:
                break
            await bench.source.send(AxiStreamFrame(octets))
            total += len(octets)
            sent.append((octets, vlan, flow, total))
        await bench.source.wait()
        samples = sent[SAMPLE_EVERY - 1::SAMPLE_EVERY] if queue == 0 else []
        for octets, vlan, flow, length in samples:
            (got,) = await bench.received(bench.feedback, 1)
            cnm = Ether(got)
            assert len(got) == 60
            assert cnm.src == "02:00:ca:fe:00:01" and got[:6] == octets[6:12], cnm.show(dump=True)
            at = 12
            if vlan is not None:
                assert cnm[Dot1Q].prio == vlan >> 13 and cnm[Dot1Q].vlan == vlan & 0xFFF
                at += 4
            if flow is not None:
                assert got[at:at + 4] == struct.pack(">HH", 0x22E9, flow)
                at += 4
            assert got[at:at + 2] == b"\x22\xe7"
            offset, delta = struct.unpack(">hh", got[at + 12:at + 16])
            # The set point is in octets, and the frame has units of 64 octets, rounded down.
            assert offset == (length - Q0) // 64, (offset, length)
            assert delta == (length - before) // 64, (delta, length, before)
            before = length
            assert got[at + 18:at + 24] == octets[:6]
        assert await bench.read("QUEUE_BYTES") == total
        bench.sink.pause = False
        assert await bench.received(bench.sink, len(sent)) == [octets for octets, *_ in sent]
        await ClockCycles(device.aclk, 100)
        assert await bench.read("QUEUE_BYTES") == 0
        while not bench.feedback.empty():
            bench.feedback.recv_nowait()


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def what_finds_no_room_is_dropped_and_counted(device):
    bench = await Bench.of(device)
    bench.sink.pause = True
    bench.feedback.set_pause_generator(pauses(0.5))
    sent = [frame(number, random.randint(60, 1514)) for number in range(60)]
    for octets in sent:
        await bench.source.send(AxiStreamFrame(octets))
    await bench.source.wait()
    await ClockCycles(device.aclk, 100)
    dropped = await bench.counter("DROPPED_FRAMES")
    stored = await bench.read("QUEUE_BYTES")
    assert 0 < dropped < len(sent) and BUFFER - 3 * 1514 < stored <= BUFFER + 64
    bench.sink.pause = False
    got = await bench.received(bench.sink, len(sent) - dropped)
    rest = iter(sent)
    assert all(octets in rest for octets in got), "frames that were not sent, or in another order"
    assert sum(map(len, got)) == stored
    await ClockCycles(device.aclk, 500)
    assert bench.sink.empty()
    assert await bench.counter("SAMPLES") == (len(sent) - dropped) // SAMPLE_EVERY


def main(folder, top, registers):
    runner = get_runner("icarus")
    sources = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".v")]
    runner.build(sources=sources, hdl_toplevel=top, build_dir=folder, timescale=("1ns", "1ps"), always=True)
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {"REGISTERS": registers, "PYTHONPATH": os.pathsep.join([folder, here]), "COCOTB_LOG_LEVEL": "WARNING"}
    results = runner.test(test_module="axis_streams", hdl_toplevel=top, build_dir=folder, test_dir=folder, seed=1,
                          extra_env=environment)
    tests, failures = get_results(results)
    assert tests == 3 and failures == 0, f"{failures} of {tests} tests failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
