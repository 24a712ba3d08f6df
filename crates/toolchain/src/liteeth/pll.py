# SPDX-License-Identifier: MIT OR Apache-2.0
"""A clock of another rate with LiteX's PLL of the ECP5, and a reset in it that lasts some cycles longer than the PLL needs."""

from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL
from migen import ClockDomain, If, Signal

from refused import Refused

# Cycles of the new clock after the PLL has locked.
LONGER = 64


class Pll(LiteXModule):
    def __init__(self, input_hz, output_hz):
        clock_in, reset_in = Signal(name="clock_in"), Signal(name="reset_in")
        clock_out, reset_out = Signal(name="clock_out"), Signal(name="reset_out")
        self.ports = [clock_in, reset_in, clock_out, reset_out]
        for name, rate, (least, most) in [("--input-hz", input_hz, ECP5PLL.clki_freq_range),
                                          ("--output-hz", output_hz, ECP5PLL.clko_freq_range)]:
            if not least <= rate <= most:
                raise Refused(f"{name} {rate}: expected {least:.0f} to {most:.0f} Hz")
        self.cd_sys = ClockDomain()
        self.pll = pll = ECP5PLL()
        pll.register_clkin(clock_in, input_hz)
        # The rate is exact: LiteX would accept one that is 1 % wrong.
        pll.create_clkout(self.cd_sys, output_hz, margin=1e-9)
        try:
            config = pll.compute_config()
        except ValueError:
            raise Refused(f"--output-hz {output_hz}: the PLL cannot make it from {input_hz} Hz, expected a rate such as "
                          f"{input_hz} * n / m with an oscillator of 400 to 800 MHz") from None
        # It adds an output for the feedback each time.
        pll.compute_config = lambda: config
        count = Signal(max=LONGER)
        held = Signal(reset=1)
        self.comb += [pll.reset.eq(reset_in), clock_out.eq(self.cd_sys.clk), reset_out.eq(held)]
        self.sync += If(count == LONGER - 1, held.eq(0)).Else(count.eq(count + 1))
