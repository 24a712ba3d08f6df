# SPDX-License-Identifier: MIT OR Apache-2.0
"""A congestion point (SMCC) in the data path of a NetFPGA-SUME, driven by cocotbext-axi in Icarus with frames from scapy.

Run with the folder of the emitted files, the name of the top module, and that of its registers.
"""

import os
import random
import struct
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotb_tools.runner import get_results, get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from scapy.layers.l2 import Dot1Q, Ether

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "axis_cp"))
import axis_streams
from axis_streams import SAMPLE_EVERY, frame, pauses

Q0 = 4000
QUEUES = 5


class Bench(axis_streams.Bench):
    """A device after reset, with a source, a sink and a master. No queue gives a frame."""

    def __init__(self, device):
        self.device = device
        self.registers = axis_streams.importlib.import_module(os.environ["REGISTERS"])
        side = dict(reset_active_level=False)
        clock, reset = device.aclk, device.aresetn
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(device, "s_axis"), clock, reset, **side)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(device, "m_axis"), clock, reset, **side)
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(device, "s_axi"), clock, reset, **side)
        for queue in range(QUEUES):
            getattr(device, f"pkt_removed_{queue}").value = 0
            getattr(device, f"bytes_removed_{queue}").value = 0
        device.pkt_dropped.value = 0
        device.bytes_dropped.value = 0

    @staticmethod
    async def of(device):
        cocotb.start_soon(Clock(device.aclk, 5, unit="ns").start())
        device.aresetn.value = 0
        bench = Bench(device)
        await ClockCycles(device.aclk, 3)
        device.aresetn.value = 1
        await ClockCycles(device.aclk, 60)
        return bench

    async def length(self, queue):
        await self.write("QUEUE_INDEX", queue)
        return await self.read("QUEUE_LENGTH")

    async def next(self):
        """The next frame: its octets and its TUSER."""
        got = await with_timeout(self.sink.recv(), 200, "us")
        return bytes(got.tdata), int(got.tuser)


def user(octets, source, destinations):
    """A TUSER; what the pipeline does not define is random."""
    return len(octets) | source << 16 | destinations << 24 | random.getrandbits(96) << 32


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def frames_go_through_with_their_tuser(device):
    bench = await Bench.of(device)
    assert await bench.read("ID") == 0x54444754
    lengths = [0] * QUEUES
    for chances in ([0, 0], [0.5, 0.5], [0.8, 0], [0.6, 0.5]):
        bench.source.set_pause_generator(pauses(chances[0]))
        bench.sink.set_pause_generator(pauses(chances[1]))
        sent = []
        for number in range(12):
            octets = frame(number, random.choice([60, 64, 65, 127, 128, 129, random.randint(60, 900)]), flow=number)
            mac = random.randrange(4)
            sent.append((octets, user(octets, 1 << random.randrange(8), 1 << 2 * mac | random.choice([0, 0x80]))))
            lengths[mac] += len(octets)
            await bench.source.send(AxiStreamFrame(octets, tuser=sent[-1][1]))
        for expected in sent:
            while (got := await bench.next())[1] >> 32 == 0:
                # Feedback enters the queue of its port, if that is one of a MAC.
                port = (got[1] >> 24).bit_length() - 1
                if port % 2 == 0:
                    lengths[port // 2] += 60
            assert got == expected
    await ClockCycles(device.aclk, 600)
    while not bench.sink.empty():
        port = (int(bench.sink.recv_nowait().tuser) >> 24).bit_length() - 1
        if port % 2 == 0:
            lengths[port // 2] += 60
    await ClockCycles(device.aclk, 100)
    assert [await bench.length(queue) for queue in range(4)] == lengths[:4]
    assert await bench.length(4) == 0
    assert await bench.counter("REJECTED_FRAMES") == 0 and await bench.counter("CLAMPS") == 0


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def feedback_goes_back_to_the_port_of_the_sample(device):
    bench = await Bench.of(device)
    await bench.write("CP_MAC_ADDRESS_LOW", 0xCAFE0001)
    await bench.write("CP_MAC_ADDRESS_HIGH", 0x0200)
    total, before = 0, 0
    for number in range(35):
        vlan = [None, 0xA123][number // SAMPLE_EVERY % 2]
        octets = frame(number, random.randint(60, 600), vlan)
        # From a port of the processor, whose queue is not controlled, to MAC port 2.
        source = 2 << 2 * random.randrange(4)
        await bench.source.send(AxiStreamFrame(octets, tuser=user(octets, source, 0x10)))
        total += len(octets)
        assert (await bench.next())[0] == octets
        if number % SAMPLE_EVERY != SAMPLE_EVERY - 1:
            continue
        got, its_user = await bench.next()
        assert len(got) == 60 and its_user == 60 | source << 24, hex(its_user)
        cnm = Ether(got)
        assert cnm.src == "02:00:ca:fe:00:01" and got[:6] == octets[6:12], cnm.show(dump=True)
        at = 12 if vlan is None else 16
        assert vlan is None or cnm[Dot1Q].vlan == vlan & 0xFFF
        assert got[at:at + 2] == b"\x22\xe7"
        offset, delta = struct.unpack(">hh", got[at + 12:at + 16])
        assert (offset, delta) == ((total - Q0) // 64, (total - before) // 64), (offset, delta, total, before)
        assert got[at + 18:at + 24] == octets[:6]
        before = total
    assert await bench.length(2) == total
    # All leaves: from one queue as removed and dropped at once, and from others that have nothing.
    device.pkt_removed_2.value = 1
    device.bytes_removed_2.value = total - 100
    device.pkt_dropped.value = 1 << 2
    device.bytes_dropped.value = 100
    await RisingEdge(device.aclk)
    device.pkt_removed_2.value = 0
    device.pkt_dropped.value = 0
    await ClockCycles(device.aclk, 60)
    assert await bench.length(2) == 0
    assert await bench.counter("CLAMPS") == 0


def main(folder, top, registers):
    runner = get_runner("icarus")
    sources = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".v")]
    runner.build(sources=sources, hdl_toplevel=top, build_dir=folder, timescale=("1ns", "1ps"), always=True)
    here = os.path.dirname(os.path.abspath(__file__))
    paths = os.pathsep.join([folder, here])
    environment = {"REGISTERS": registers, "PYTHONPATH": paths, "COCOTB_LOG_LEVEL": "WARNING"}
    results = runner.test(test_module="tap_streams", hdl_toplevel=top, build_dir=folder, test_dir=folder, seed=1,
                          extra_env=environment)
    tests, failures = get_results(results)
    assert tests == 2 and failures == 0, f"{failures} of {tests} tests failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
