# SPDX-License-Identifier: MIT OR Apache-2.0
"""From octets of LiteEth's PHY to words of the core, so that each frame that arrives has one of three ends:

| end      | what the core sees                                        | event      |
|----------|-----------------------------------------------------------|------------|
| good     | the frame without its FCS, `bad` is 0                     | none       |
| bad      | nothing, or a frame that may be cut, with `bad` at its end | `bad`      |
| overflow | nothing, or the start of the frame, with `bad` at its end  | `overflow` |

Bad is: no start of frame, a wrong FCS, an error that the PHY has seen, fewer than 64 octets, more than the longest. A frame
that is too long is cut there, so one that never ends does not fill the core. Overflow is: the core was not ready, and the
words between the clocks were full. LiteEth has no answer to that: the PHY does not wait, so octets would be missing, and with
a missing last octet two frames would become one.
"""

from liteeth.common import eth_fcs_length, eth_min_frame_length, eth_phy_description
from liteeth.mac.crc import LiteEthMACCRC32, LiteEthMACCRCEngine
from liteeth.mac.preamble import LiteEthMACPreambleChecker
from litex.build.io import DDRInput
from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from migen import FSM, Cat, ClockDomainsRenamer, If, Instance, NextState, NextValue, Signal
from migen.genlib.cdc import PulseSynchronizer

# Eight octets and the number of the last one that is used, which matters in the last word of a frame.
WORD = [("data", 64), ("final", 3)]

# Words between the clocks: one bank of the LUT RAM, a second one would be on the longest path of the core.
RECEIVE_WORDS = 16


def input_register(phy, pin):
    """The two outputs of the PHY's input register for a pin: the PHY has no name for them."""
    specials = phy.rx._fragment.specials
    behind = [item.expr for special in specials if isinstance(special, Instance) and special.of == "DELAYG"
              for item in special.items if isinstance(item, Instance.Output)
              and any(isinstance(other, Instance.Input) and other.expr is pin for other in special.items)]
    (register,) = [special for special in specials if isinstance(special, DDRInput) and special.i is behind[0]]
    return register.o1, register.o2


class LineErrors(LiteXModule):
    """The octets of the PHY; `error` is 1 from an octet that the PHY has marked until the end of its frame."""

    def __init__(self, phy, rx_ctl):
        self.source = stream.Endpoint(eth_phy_description(8))
        valid, valid_xor_error = input_register(phy, rx_ctl)
        now = Signal()
        before = Signal()
        earlier = Signal()
        # The PHY has two registers between the input and its source.
        self.sync += [now.eq(valid & ~valid_xor_error), before.eq(now)]
        self.sync += earlier.eq(phy.source.valid & ~phy.source.last & self.source.error[0])
        self.comb += [
            phy.source.connect(self.source, omit={"error"}),
            self.source.error.eq(before | earlier),
        ]


class FcsCheck(LiteXModule):
    """Takes the FCS off. If the FCS is wrong, the last octet of the frame leaves with `error`. An octet leaves two cycles after it
    is known not to be of the FCS: the first is for the remainder, the second to compare it. LiteEth's own check takes one for both.

    After the last octet must be a cycle without one, as there is in front of each preamble."""

    def __init__(self):
        self.sink = sink = stream.Endpoint(eth_phy_description(8))
        self.source = source = stream.Endpoint(eth_phy_description(8))

        # The octets that may be the FCS, and the remainder of all that have come.
        data = Signal(8 * eth_fcs_length)
        present = Signal(eth_fcs_length)
        remainder = Signal(LiteEthMACCRC32.width, reset=LiteEthMACCRC32.init)
        self.engine = engine = LiteEthMACCRCEngine(8, LiteEthMACCRC32.width, LiteEthMACCRC32.polynom)

        leaves = stream.Endpoint(eth_phy_description(8))
        ends = Signal()
        wrong = Signal()
        self.comb += [
            sink.ready.eq(1),
            engine.data.eq(sink.data),
            engine.crc_prev.eq(remainder),
            wrong.eq(remainder != LiteEthMACCRC32.check),
        ]
        self.sync += [
            leaves.valid.eq(sink.valid & present[-1]),
            leaves.data.eq(data[-8:]),
            leaves.error.eq(sink.error),
            ends.eq(sink.valid & sink.last),
            If(sink.valid,
                data.eq(Cat(sink.data, data)),
                present.eq(Cat(1, present)),
                remainder.eq(engine.crc_next),
            ),
            If(ends,
                present.eq(0),
                remainder.eq(remainder.reset),
            ),
            source.valid.eq(leaves.valid),
            source.data.eq(leaves.data),
            source.last.eq(ends),
            source.error.eq(leaves.error | (ends & wrong)),
        ]


class Limits(LiteXModule):
    """Marks frames with a wrong length, cuts long ones, and gives a frame that finds no room an end. `end` is 1 in the cycle
    of the last octet on the line, also if the checks before have kept the frame back."""

    def __init__(self, longest):
        self.sink = sink = stream.Endpoint(eth_phy_description(8))
        self.source = source = stream.Endpoint(eth_phy_description(8))
        self.end = Signal()
        self.bad = Signal()
        self.overflow = Signal()

        longest, shortest = longest - eth_fcs_length, eth_min_frame_length - eth_fcs_length
        count = Signal(max=longest + 2)
        inside = Signal()
        spilled = Signal()
        spills = Signal()
        good = Signal()
        too_long = count == longest
        self.comb += [
            sink.ready.eq(1),
            source.data.eq(sink.data),
            self.overflow.eq(self.end & (spilled | spills)),
            self.bad.eq(self.end & ~spilled & ~spills & ~good),
        ]
        self.sync += If(sink.valid, inside.eq(~sink.last))

        self.fsm = fsm = FSM(reset_state="PASS")
        fsm.act("PASS",
            source.valid.eq(sink.valid),
            source.last.eq(sink.last | too_long),
            source.error.eq(sink.error | too_long | (sink.last & (count < shortest - 1))),
            If(sink.valid,
                NextValue(count, count + 1),
                If(source.ready,
                    good.eq(sink.last & ~source.error),
                    If(too_long & ~sink.last, NextState("DROP")),
                ).Else(
                    spills.eq(1),
                    NextValue(spilled, ~sink.last),
                    # What is on its way to the core needs an end.
                    If(count != 0, NextState("CUT")).Elif(~sink.last, NextState("DROP")),
                ),
                If(sink.last, NextValue(count, 0)),
            ),
        )
        fsm.act("CUT",
            source.valid.eq(1),
            source.last.eq(1),
            source.error.eq(1),
            spills.eq(1),
            NextValue(count, 0),
            If(source.ready,
                If((sink.valid & ~sink.last) | (~sink.valid & inside),
                    NextValue(spilled, 1),
                    NextState("DROP"),
                ).Else(
                    NextValue(spilled, 0),
                    NextState("PASS"),
                ),
            ),
        )
        fsm.act("DROP",
            NextValue(count, 0),
            If(sink.valid & sink.last, NextValue(spilled, 0), NextState("PASS")),
        )


class Words(LiteXModule):
    """Eight octets become one word."""

    def __init__(self):
        self.sink = sink = stream.Endpoint(eth_phy_description(8))
        self.source = source = stream.Endpoint(WORD + [("bad", 1)])
        self.up = up = stream.Converter(8, 64, report_valid_token_count=True)
        bad = Signal()
        # The word with the last octet is there one cycle later, and takes no other octet before it is gone.
        self.sync += If(sink.valid & sink.ready, bad.eq(sink.error))
        self.comb += [
            sink.connect(up.sink, keep={"valid", "ready", "last", "data"}),
            up.source.connect(source, keep={"valid", "ready", "last", "data"}),
            source.final.eq(up.source.valid_token_count - 1),
            source.bad.eq(bad),
        ]


class Receive(LiteXModule):
    def __init__(self, phy, rx_ctl, longest):
        self.bad = Signal()
        self.overflow = Signal()
        renamed = ClockDomainsRenamer("eth_rx")
        self.line = line = renamed(LineErrors(phy, rx_ctl))
        self.preamble = preamble = renamed(LiteEthMACPreambleChecker(8))
        self.buffer = renamed(stream.Buffer(eth_phy_description(8)))
        self.fcs = fcs = renamed(FcsCheck())
        self.limits = limits = renamed(Limits(longest))
        self.words = renamed(Words())
        self.crossing = stream.ClockDomainCrossing(WORD + [("bad", 1)], "eth_rx", "sys", RECEIVE_WORDS)
        self.source = self.crossing.source
        self.chain = stream.Pipeline(line, preamble, self.buffer, fcs, limits, self.words, self.crossing)

        # The buffer and the FCS check delay the last octet as much.
        ends = Signal(2)
        self.sync.eth_rx += Cat(ends, limits.end).eq(Cat(line.source.valid & line.source.last, ends))

        for event, out in [(limits.bad, self.bad), (limits.overflow, self.overflow)]:
            crossing = PulseSynchronizer("eth_rx", "sys")
            self.submodules += crossing
            self.comb += [crossing.i.eq(event), out.eq(crossing.o)]
