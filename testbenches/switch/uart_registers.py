# SPDX-License-Identifier: MIT OR Apache-2.0
"""The serial line of crates/toolchain/src/liteeth and the client of examples/registers.py, in Icarus: the slave is a memory of
cocotbext-axi that can stop to answer.

Run with a folder that holds the module, and its name. The line has 1 Mb/s, the clock 125 MHz.
"""

import os
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.handle import Force, Release
from cocotb.task import bridge, resume
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from cocotb_tools.runner import get_results, get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteRam

BIT_NS = 1000


class Line:
    """As serial.Serial, for a thread beside the simulator."""

    def __init__(self, device):
        self.device = device
        self.received = bytearray()
        device.uart_rx.value = 1
        cocotb.start_soon(self.listen())

    async def listen(self):
        while True:
            await FallingEdge(self.device.uart_tx)
            octet = 0
            await Timer(BIT_NS // 2, "ns")
            for bit in range(8):
                await Timer(BIT_NS, "ns")
                octet |= int(self.device.uart_tx.value) << bit
            await Timer(BIT_NS, "ns")
            assert int(self.device.uart_tx.value) == 1, "no stop bit"
            self.received.append(octet)

    @resume
    async def write(self, octets):
        for octet in octets:
            for bit in [0, *(octet >> at & 1 for at in range(8)), 1]:
                self.device.uart_rx.value = bit
                await Timer(BIT_NS, "ns")

    @resume
    async def read(self, count):
        for _ in range(20 * (count + 2)):
            if len(self.received) >= count:
                break
            await Timer(BIT_NS, "ns")
        octets, self.received = bytes(self.received[:count]), self.received[count:]
        return octets

    def reset_input_buffer(self):
        self.received.clear()


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def registers_are_read_and_written(device):
    from registers import Registers
    cocotb.start_soon(Clock(device.clock, 8, unit="ns").start())
    device.reset.value = 1
    ram = AxiLiteRam(AxiLiteBus.from_prefix(device, "m_axi"), device.clock, device.reset, size=4096)
    line = Line(device)
    await ClockCycles(device.clock, 10)
    device.reset.value = 0
    await ClockCycles(device.clock, 10)

    def use():
        registers = Registers(line)
        for address in (0, 4, 0x100, 0xFFC):
            registers.write(address, 0x01020304 + address)
        return registers, [registers.read(address) for address in (0, 4, 0x100, 0xFFC)]

    registers, values = await bridge(use)()
    assert values == [0x01020304 + address for address in (0, 4, 0x100, 0xFFC)], values
    assert ram.read(0x100, 4) == (0x01020404).to_bytes(4, "little")

    # An error answer, as that of an interconnect to an address of no slave.
    device.m_axi_rresp.value = Force(3)
    assert await bridge(lambda: registers.read(4))() == 0xFFFFFFFF
    device.m_axi_rresp.value = Release()

    # No slave answers: the line goes on, and the late answer is for nobody.
    ram.read_if.ar_channel.pause = True
    assert await bridge(lambda: [registers.read(0), registers.read(4)])() == [0xFFFFFFFF] * 2
    ram.read_if.ar_channel.pause = False
    await ClockCycles(device.clock, 20)
    assert await bridge(lambda: registers.read(4))() == 0x01020308
    ram.write_if.b_channel.pause = True
    await bridge(lambda: [registers.write(0, 7), registers.write(4, 8)])()
    ram.write_if.b_channel.pause = False
    await ClockCycles(device.clock, 20)
    assert await bridge(lambda: [registers.read(0), registers.read(4)])() == [7, 0x01020308]


def main(folder, top):
    runner = get_runner("icarus")
    sources = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".v")]
    runner.build(sources=sources, hdl_toplevel=top, build_dir=folder, timescale=("1ns", "1fs"), always=True)
    here = os.path.dirname(os.path.abspath(__file__))
    # The runner gives its own path to the simulator.
    sys.path.append(os.path.join(here, "..", "..", "examples"))
    environment = {"COCOTB_LOG_LEVEL": "WARNING"}
    results = runner.test(test_module="uart_registers", hdl_toplevel=top, build_dir=folder, test_dir=folder, seed=1,
                          extra_env=environment)
    tests, failures = get_results(results)
    assert tests == 1 and failures == 0, f"{failures} of {tests} tests failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
