# SPDX-License-Identifier: MIT OR Apache-2.0
"""What LiteX writes into the constraint files of boards: of each line "name, tab, source of its board file" on the standard input,
the I/O standards of each pin, as JSON: several if several resources share it."""

import importlib
import json
import re
import sys
from collections import defaultdict

from litex.build.xilinx import ise, vivado


def constraints(source, toolchain):
    """The text of LiteX for all that the platform of a board has."""
    module, call = re.fullmatch(r"litex-boards [0-9.]+, platforms/(\w+)\.py(?:, (.*))?", source).groups()
    # Some platforms change their tables when they are made.
    contents = importlib.reload(importlib.import_module(f"litex_boards.platforms.{module}"))
    platform = contents.Platform(**eval(f"dict({call or ''})"))
    for name, number, *_ in list(platform.constraint_manager.available):
        platform.request(name, number)
    named = [(f"s{place}", pins, others, resource) for place, (_, pins, others, resource)
             in enumerate(platform.constraint_manager.get_sig_constraints())]
    if toolchain == "xdc":
        return vivado._build_xdc(named, [])
    of_ise = ise.XilinxISEToolchain
    return "".join(of_ise._format_ucf(of_ise, f"{name}({bit})", pin, others, resource)
                   for name, pins, others, resource in named for bit, pin in enumerate(pins))


def standards(text):
    """The standards of each pin; null where there is none."""
    found, pins = defaultdict(set), {}
    for line in text.splitlines():
        if net := re.match(r'NET "[^"]*" (.*); #', line):
            fields = dict(field.split("=", 1) for field in net[1].split(" | ") if "=" in field)
            found[fields["LOC"]].add(fields.get("IOSTANDARD"))
        elif place := re.fullmatch(r"set_property LOC (\S+) \[get_ports \{(.*)\}\]", line):
            pins[place[2]] = place[1]
        elif standard := re.fullmatch(r"set_property IOSTANDARD (\S+) \[get_ports \{(.*)\}\]", line):
            found[pins[standard[2]]].add(standard[1])
    return {pin: sorted(found[pin], key=str) or [None] for pin in [*found, *pins.values()]}


boards = {}
for line in sys.stdin:
    board, source, toolchain = line.rstrip("\n").split("\t")
    boards[board] = standards(constraints(source, toolchain))
json.dump(boards, sys.stdout)
