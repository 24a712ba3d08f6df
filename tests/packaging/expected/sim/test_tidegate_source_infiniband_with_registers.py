# SPDX-License-Identifier: MIT OR Apache-2.0
"""Smoke test of tidegate_source_infiniband_with_registers, with cocotb and the master, source and sink of cocotbext-axi.

Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --part rp --registers --register-bus axi4-lite --out DIR

    pip install cocotb cocotbext-axi scapy
    python test_tidegate_source_infiniband_with_registers.py

runs it in Icarus on the emitted files. On your own wiring, say what is different:

    TOPLEVEL=my_top SOURCES="my_top.v other.v" CLOCK=clk RESET=rst_n RESET_LOW=1 S_AXI=s_axi_tidegate python test_tidegate_source_infiniband_with_registers.py

SOURCES come in addition to the emitted files; S_AXI is what the names of the ports of the register bus begin with. SIM is another
simulator that cocotb knows. With S_AXI= (empty) the registers, and with STREAMS= (empty) the streams are not tested;
STREAMS="in:out in:out" names other ports. The exit code is not 0 if anything fails. COCOTB_LOG_LEVEL=INFO prints what cocotb
and cocotbext-axi do.
"""

import os
import sys
from pathlib import Path
from xml.etree import ElementTree

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotb_tools.runner import get_results, get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

TOP = "tidegate_source_infiniband_with_registers"
CLOCK = os.environ.get("CLOCK", "clock")
RESET = os.environ.get("RESET", "reset")
RESET_LOW = False
RESET_LOW = os.environ.get("RESET_LOW", "1" if RESET_LOW else "0") == "1"
S_AXI = os.environ.get("S_AXI", "s_axi")

FILES = [
    "tidegate_axi4_lite.v",
    "tidegate_source_infiniband_registers.v",
    "tidegate_response_lipd.v",
    "tidegate_calculator_infiniband.v",
    "tidegate_inter_packet_delay.v",
    "tidegate_source_infiniband.v",
    "tidegate_source_infiniband_with_registers.v",
]

# A stream that comes in, and the one on which it goes out.
STREAMS = [
]
if "STREAMS" in os.environ:
    STREAMS = [tuple(pair.split(":")) for pair in os.environ["STREAMS"].split()]

REGISTERS = {
    # address and value
    "id": (0x000, 0x54444754),
    "version": (0x004, 0x200),
    # address
    "refused_writes": 0x01c,
    # packet_cycles: address, value after reset, another value
    "parameter": (0x040, 0x100, 0x101),
}

# EtherTypes of a feedback frame and of the tags before it: VLAN and CN-TAG.
FEEDBACK, TAGS = b"\x22\xe7", [b"\x81\x00", b"\x22\xe9"]


async def begin(device):
    """Clock and reset. What is ready by itself is ready."""
    cocotb.start_soon(Clock(getattr(device, CLOCK), 8, unit="ns").start())
    for name in ["boundary", "data_ready"]:
        if hasattr(device, name):
            getattr(device, name).value = 1
    # No frame comes, and nothing leaves a queue, until a test drives it.
    queues = [f"{port}_{queue}" for port in ["pkt_removed", "queue_octets"] for queue in range(5)] + ["pkt_dropped"]
    for name in [f"{into}_tvalid" for into, _ in STREAMS] + queues:
        if hasattr(device, name):
            getattr(device, name).value = 0
    # A simulator of Verilog-2001 does not run `always @*` at time 0: an edge of the clock comes before the reset.
    reset = getattr(device, RESET)
    reset.value = 1 if RESET_LOW else 0
    await ClockCycles(getattr(device, CLOCK), 2)
    reset.value = 0 if RESET_LOW else 1
    await ClockCycles(getattr(device, CLOCK), 4)
    reset.value = 1 if RESET_LOW else 0
    # Memories are cleared after it.
    await ClockCycles(getattr(device, CLOCK), 100)


def clocked(device):
    return getattr(device, CLOCK), getattr(device, RESET), not RESET_LOW


async def read(master, address):
    answer = await with_timeout(master.read(address, 4), 10, "us")
    assert answer.resp == AxiResp.OKAY, f"a read of {address:#05x} has the response {answer.resp}"
    return int.from_bytes(answer.data, "little")


async def write(master, address, value):
    answer = await with_timeout(master.write(address, value.to_bytes(4, "little")), 10, "us")
    assert answer.resp == AxiResp.OKAY, f"a write of {address:#05x} has the response {answer.resp}"


@cocotb.test(skip=REGISTERS is None or not S_AXI, timeout_time=1, timeout_unit="ms")
async def registers(device):
    """Identification and version; a write that is refused and counted; a parameter is read, written and restored."""
    master = AxiLiteMaster(AxiLiteBus.from_prefix(device, S_AXI), *clocked(device))
    await begin(device)
    for name in ["id", "version"]:
        address, value = REGISTERS[name]
        found = await read(master, address)
        assert found == value, f"{name} is {found:#x}, not {value:#x}: is this the right address?"
    before = await read(master, REGISTERS["refused_writes"])
    await write(master, REGISTERS["id"][0], 0)
    after = await read(master, REGISTERS["refused_writes"])
    assert after == before + 1, f"refused_writes is {after} after {before} and a write of id"
    if "parameter" in REGISTERS:
        address, reset, other = REGISTERS["parameter"]
        for value in [other, reset]:
            await write(master, address, value)
            found = await read(master, address)
            assert found == value, f"the parameter at {address:#05x} is {found:#x} after a write of {value:#x}"


def frames():
    """Frames from 60 to 1514 octets, without the check sequence."""
    from scapy.all import Dot1Q, Ether, IP, Raw, UDP

    addresses = Ether(src="02:00:00:00:20:01", dst="02:00:00:00:10:02")
    for number, length in enumerate([60, 61, 64, 67, 128, 513, 1514]):
        tag = Dot1Q(vlan=number + 1, prio=3) if number % 2 else None
        head = addresses / tag / IP() / UDP() if tag else addresses / IP() / UDP()
        yield bytes(head / Raw(bytes(octet & 0xFF for octet in range(length - len(head)))))


def is_feedback(frame):
    at = 12
    while frame[at:at + 2] in TAGS:
        at += 4
    return frame[at:at + 2] == FEEDBACK


async def receive(sink):
    """The next frame that is no feedback of the congestion point."""
    while True:
        frame = bytes((await with_timeout(sink.recv(), 100, "us")).tdata)
        if not is_feedback(frame):
            return frame


@cocotb.test(skip=not STREAMS, timeout_time=1, timeout_unit="ms")
async def streams(device):
    """Frames that are no feedback come out of each stream unchanged and in order."""
    ends = []
    for into, out in STREAMS:
        source = AxiStreamSource(AxiStreamBus.from_prefix(device, into), *clocked(device))
        ends.append((out, source, AxiStreamSink(AxiStreamBus.from_prefix(device, out), *clocked(device))))
    await begin(device)
    for out, source, sink in ends:
        sent = list(frames())
        for frame in sent:
            # A wide TUSER is that of the NetFPGA-SUME: length, and source port 0, a bit each.
            wide = hasattr(source.bus, "tuser") and source.bus.tuser is not None and len(source.bus.tuser) >= 32
            await source.send(AxiStreamFrame(frame, tuser=len(frame) | 1 << 16 if wide else 0))
        for number, frame in enumerate(sent):
            found = await receive(sink)
            assert found == frame, f"{out}: frame {number} is {found.hex()}, not {frame.hex()}"


def main():
    here = Path(__file__).resolve().parent
    sources = [here.parent / name for name in FILES] + [Path(name).resolve() for name in os.environ.get("SOURCES", "").split()]
    top = os.environ.get("TOPLEVEL", TOP)
    runner = get_runner(os.environ.get("SIM", "icarus"))
    build = Path("build_" + top).resolve()
    runner.build(sources=sources, hdl_toplevel=top, build_dir=build, timescale=("1ns", "1ps"), always=True)
    environment = {"PYTHONPATH": os.pathsep.join([str(here), os.environ.get("PYTHONPATH", "")])}
    # Quiet, unless it is asked for.
    quiet = {"COCOTB_LOG_LEVEL": "WARNING", "GPI_LOG_LEVEL": "ERROR", "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    environment |= {name: os.environ.get(name, value) for name, value in quiet.items()}
    results = runner.test(test_module=Path(__file__).stem, hdl_toplevel=top, build_dir=build, test_dir=build,
                          extra_env=environment)
    tests, failures = get_results(results)
    skipped = 0
    for test in ElementTree.parse(results).iter("testcase"):
        kinds = {child.tag for child in test}
        skipped += "skipped" in kinds
        result = "FAILED" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        print(f"{top} {test.get('name')}: {result}")
    print(f"PASS={tests - failures - skipped} FAIL={failures} SKIP={skipped}")
    return 1 if failures or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
