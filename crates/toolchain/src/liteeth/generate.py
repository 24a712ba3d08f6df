# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the parts of a switch that come from LiteX and LiteEth as Verilog, one module in one file.

    generate.py rgmii_mac --out FILE [--family ecp5] [--name NAME] [--longest 1522] [--rx-delay-ps 2000] [--tx-delay-ps 2000]
    generate.py uart_axi4_lite --out FILE [--family ecp5] [--name NAME] [--clock-hz 125000000] [--baud 115200]
    generate.py pll --out FILE [--family ecp5] [--name NAME] --input-hz HZ [--output-hz 125000000]

The same arguments give the same bytes. Exit code 1: an argument cannot be used, the reason is one line on the standard
error. Exit code 3: LiteX or LiteEth is missing. Exit code 2: an argument is unknown.
"""

import argparse
import importlib.metadata
import logging
import re
import sys

from refused import Refused

# Python packages whose version is named in each file.
PACKAGES = ["litex", "liteeth", "migen"]
FAMILIES = ["ecp5"]


def number(text):
    """A whole number; 125e6 is one too."""
    value = float(text)
    if value != int(value) or value < 1:
        raise ValueError
    return int(value)


number.__name__ = "whole number"


def delay(text):
    """As a pin has it: steps of 25 ps."""
    value = int(text)
    if value % 25 or not 0 <= value <= 127 * 25:
        raise ValueError
    return value


delay.__name__ = "delay in ps, 0 to 3175 in steps of 25"


def arguments(words):
    parser = argparse.ArgumentParser(prog="generate.py", allow_abbrev=False)
    parser.add_argument("module", choices=["rgmii_mac", "uart_axi4_lite", "pll"])
    parser.add_argument("--out", required=True, help="the file to write")
    parser.add_argument("--family", default="ecp5", help="the family of FPGAs")
    parser.add_argument("--name", help="the name of the module in Verilog; else as above")
    parser.add_argument("--longest", type=number, default=1522, help="octets of the longest good frame, with its FCS")
    parser.add_argument("--rx-delay-ps", type=delay, default=2000, help="of the data that arrives; 0 if the PHY delays its clock")
    parser.add_argument("--tx-delay-ps", type=delay, default=2000, help="of the clock to the PHY; 0 if the PHY delays it")
    parser.add_argument("--clock-hz", type=number, default=125_000_000, help="rate of the clock of the core")
    parser.add_argument("--baud", type=number, default=115_200, help="bits a second")
    parser.add_argument("--input-hz", type=number, help="rate of the clock that the PLL gets")
    parser.add_argument("--output-hz", type=number, default=125_000_000, help="rate of the clock that the PLL makes")
    given = parser.parse_args(words)
    given.name = given.name or given.module
    if given.family not in FAMILIES:
        raise Refused(f"--family {given.family}: unknown, expected {' or '.join(FAMILIES)}")
    if not re.fullmatch("[a-z][a-z0-9_]*", given.name):
        raise Refused(f"--name {given.name}: expected lower case letters, digits and _, a letter first")
    return given


def fragment(given):
    """The module and its ports."""
    if given.module == "rgmii_mac":
        from rgmii_mac import RgmiiMac
        return RgmiiMac(given.longest, given.rx_delay_ps, given.tx_delay_ps)
    if given.module == "uart_axi4_lite":
        from uart_axi4_lite import UartAxi4Lite
        return UartAxi4Lite(given.clock_hz, given.baud)
    if given.input_hz is None:
        raise Refused("pll: --input-hz is missing, expected the rate of the board's clock in Hz")
    from pll import Pll
    return Pll(given.input_hz, given.output_hz)


# A simulator runs a block of logic when an input of it changes; at the start it has to run once without that.
START = """`ifndef SYNTHESIS
reg start = 1'b0;
initial start <= 1'b1;
`endif"""
STARTED = """`ifndef SYNTHESIS
    if (start) begin end
`endif"""


def for_simulators(lines):
    """Logic without a clock is written with `=`: with `<=` a signal moves to its default and back for each change. And what
    drives several signals at once is there once for each of them."""
    inside, seen = False, set()
    for line in lines:
        if line == ");" and line not in seen:
            seen.add(line)
            yield from (line, START)
        elif line == "always @(*) begin":
            inside = True
            yield from (line, STARTED)
        elif line.startswith("assign {"):
            if line not in seen:
                yield line
            seen.add(line)
        else:
            inside = inside and line != "end"
            yield re.sub(r"^(\s+[a-z]\w*(\[[\d:]+\])?) <= ", r"\1 = ", line) if inside else line


def verilog(given):
    from litex.build.lattice.common import lattice_ecp5_special_overrides
    from litex.gen.fhdl.verilog import convert
    module = fragment(given)
    # Else a block of logic drives several signals and reads one of them itself, and never ends in a simulator.
    written = convert(module, set(module.ports), name=given.name, special_overrides=lattice_ecp5_special_overrides,
                      regular_comb=False)
    text = str(written)
    # In front of the time scale is a banner with the day and the machine; the last lines are a banner too.
    start, end = text.index("`timescale"), text.rindex("endmodule")
    lines = [line.rstrip() for line in text[start:end].splitlines()]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    banner = [
        f"// {given.name}: made by tidegate from modules of {versions}, whose licence is BSD-2-Clause.",
        "// A change here is lost: it is written again with each build.",
    ]
    return "\n".join([*banner, *for_simulators(lines), "endmodule", ""])


def main(words):
    # What the PLL of LiteX says is no message for the user.
    logging.disable(logging.CRITICAL)
    try:
        given = arguments(words)
        text = verilog(given)
    except Refused as refused:
        print(f"generate.py: {refused}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as missing:
        print(f"generate.py: the Python package {missing.name} is missing: run scripts/setup-tools --build", file=sys.stderr)
        return 3
    try:
        with open(given.out, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        print(f"generate.py: --out {given.out}: cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
