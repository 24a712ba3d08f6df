# SPDX-License-Identifier: MIT OR Apache-2.0
"""The registers of a part on AXI4-Lite, driven by the master of cocotbext-axi in Icarus.

Run with the folder of the emitted files, and the name of the top module: the addresses are those of the emitted Python file.
"""

import importlib
import itertools
import os
import random
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotb_tools.runner import get_results, get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

ACCESSES = 2000


def constants():
    return importlib.import_module(os.environ["REGISTERS"])


def pauses(chance):
    return (random.random() < chance for _ in itertools.count())


async def begin(device):
    """Clock, reset, and a master. What comes from the part is not driven: its registers are not read."""
    cocotb.start_soon(Clock(device.clock, 8, unit="ns").start())
    device.boundary.value = 1
    device.reset.value = 1
    master = AxiLiteMaster(AxiLiteBus.from_prefix(device, "s_axi"), device.clock, device.reset)
    for _ in range(3):
        await RisingEdge(device.clock)
    device.reset.value = 0
    await RisingEdge(device.clock)
    return master


async def read(master, address):
    answer = await master.read(address, 4)
    assert answer.resp == AxiResp.OKAY, answer
    return int.from_bytes(answer.data, "little")


async def write(master, address, value):
    answer = await master.write(address, value.to_bytes(4, "little"))
    assert answer.resp == AxiResp.OKAY, answer


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def identification_and_values_after_reset(device):
    master, registers = await begin(device), constants()
    assert await read(master, registers.ID) == 0x54444754
    defaults = [name for name in vars(registers) if name.endswith("_DEFAULT")]
    assert len(defaults) > 5
    for name in defaults:
        if name == "FLIP_DEFAULT":
            continue
        address = getattr(registers, name.removesuffix("_DEFAULT"))
        assert await read(master, address) == getattr(registers, name), name


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def writes_take_effect_and_bad_ones_do_not(device):
    master, registers = await begin(device), constants()
    await write(master, registers.FLIP, 0x12345678)
    assert await read(master, registers.FLIP) == 0x12345678 ^ 0xFFFFFFFF
    await write(master, registers.ID, 1)
    assert await read(master, registers.ID) == 0x54444754
    assert await read(master, registers.REFUSED_WRITES) == 1
    # A part of a word: refused on the bus, and not counted by the register file.
    await write(master, registers.DEBUG, 0xAAAAAAAA)
    for offset, octets in itertools.product(range(4), range(1, 4)):
        if offset + octets <= 4:
            answer = await master.write(registers.DEBUG + offset, b"\x55" * octets)
            assert answer.resp == AxiResp.SLVERR, (offset, octets)
    assert await read(master, registers.DEBUG) == 0xAAAAAAAA
    assert await read(master, registers.REFUSED_WRITES) == 1


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def many_accesses_at_once_with_pauses(device):
    master, registers = await begin(device), constants()
    channels = [master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel,
                master.read_if.ar_channel, master.read_if.r_channel]
    for chances in ([0] * 5, [0.5] * 5, [0.9, 0, 0, 0, 0], [0, 0.9, 0, 0, 0], [0, 0, 0.9, 0, 0.9]):
        for channel, chance in zip(channels, chances):
            channel.set_pause_generator(pauses(chance))
        written = []

        async def write_all():
            for _ in range(ACCESSES // 5):
                written.append(random.getrandbits(32))
                await write(master, registers.DEBUG, written[-1])

        async def read_all():
            place = 0
            for _ in range(ACCESSES // 20):
                for one in [cocotb.start_soon(read(master, registers.DEBUG)) for _ in range(4)]:
                    value = await one
                    if value in written[place:]:
                        place = written.index(value, place)
                    else:
                        assert place == 0 and value == before, "a value that was not written, or an old one"

        before = await read(master, registers.DEBUG)
        writing, reading = cocotb.start_soon(write_all()), cocotb.start_soon(read_all())
        await writing
        await reading
        assert await read(master, registers.DEBUG) == written[-1]
    assert await read(master, registers.REFUSED_WRITES) == 0


def main(folder, top, registers):
    runner = get_runner("icarus")
    sources = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".v")]
    runner.build(sources=sources, hdl_toplevel=top, build_dir=folder, timescale=("1ns", "1ps"), always=True)
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {"REGISTERS": registers, "PYTHONPATH": os.pathsep.join([folder, here]), "COCOTB_LOG_LEVEL": "WARNING"}
    results = runner.test(test_module="axi4_lite_master", hdl_toplevel=top, build_dir=folder, test_dir=folder,
                          seed=1, extra_env=environment)
    tests, failures = get_results(results)
    assert tests == 3 and failures == 0, f"{failures} of {tests} tests failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
