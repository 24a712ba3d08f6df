# SPDX-License-Identifier: MIT OR Apache-2.0
"""Prints each change of each signal of a waveform file as `TIME PATH BITS`, as the library wellen (that of the viewer Surfer) reads it.

usage: read_fst.py FILE.fst
"""

import sys

import pywellen

waveform = pywellen.Waveform(sys.argv[1])
print("timescale", waveform.timescale)
for variable in waveform.all_vars():
    for time, value in variable.signal:
        # The library gives an integer where each bit is 0 or 1, otherwise a text of bits.
        bits = f"{value:0{variable.bitwidth}b}" if isinstance(value, int) else value
        print(time, variable.full_name, bits)
