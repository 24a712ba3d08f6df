# SPDX-License-Identifier: MIT OR Apache-2.0
"""A MAC of 1 Gb/s between the pins of RGMII and two AXI4-Streams of 64 bits.

LiteEth's PHY, and of its MAC: the preamble, the FCS, the padding and the gap, at 8 bits beside the PHY; then the clock
crossing. `receive.py` has what LiteEth does not do for frames that are damaged.

The modules of the MAC are joined here and not by LiteEthMACCore, whose FCS check is off beside a PHY of 8 bits: it
looks at the octet that `last_be` names, and such a PHY drives `last` only.
"""

from types import SimpleNamespace

from liteeth.common import eth_fcs_length, eth_min_frame_length, eth_phy_description
from liteeth.mac.crc import LiteEthMACCRC32Inserter
from liteeth.mac.gap import LiteEthMACGap
from liteeth.mac.last_be import LiteEthMACTXLastBE
from liteeth.mac.padding import LiteEthMACPaddingInserter
from liteeth.mac.preamble import LiteEthMACPreambleInserter
from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from migen import Cat, ClockDomain, ClockDomainsRenamer, If, Memory, ResetSignal, Signal
from migen.genlib.cdc import GrayCounter, MultiReg

from receive import WORD, Receive
from refused import Refused

# Words of 8 octets between the clocks. A frame that waits for the wire is better in the queue of the core than here.
SEND_WORDS = 16


class Axis:
    """The signals of an AXI4-Stream."""

    def __init__(self, prefix, user):
        self.data = Signal(64, name=f"{prefix}_tdata")
        self.keep = Signal(8, name=f"{prefix}_tkeep")
        self.last = Signal(name=f"{prefix}_tlast")
        self.valid = Signal(name=f"{prefix}_tvalid")
        self.ready = Signal(name=f"{prefix}_tready")
        self.ports = [self.data, self.keep, self.last, self.valid, self.ready]
        if user:
            self.user = Signal(name=f"{prefix}_tuser")
            self.ports.append(self.user)


class SendCrossing(LiteXModule):
    """Words between the clocks, for a reader that needs one in eight cycles at most: all that it does in a cycle depends on
    flip-flops alone, so that no path through the memory is long."""

    def __init__(self, sender, reader):
        self.sink = sink = stream.Endpoint(WORD)
        self.source = source = stream.Endpoint(WORD)
        bits = SEND_WORDS.bit_length()
        self.produce = produce = ClockDomainsRenamer(sender)(GrayCounter(bits))
        self.consume = consume = ClockDomainsRenamer(reader)(GrayCounter(bits))
        produced = Signal(bits)
        consumed = Signal(bits)
        for counter, seen, domain in [(produce, produced, reader), (consume, consumed, sender)]:
            counter.q.attr.add("no_retiming")
            self.specials += MultiReg(counter.q, seen, domain)

        word = Cat(sink.data, sink.final, sink.last)
        self.specials.storage = storage = Memory(len(word), SEND_WORDS)
        self.specials.write = write = storage.get_port(write_capable=True, clock_domain=sender)
        self.specials.read = read = storage.get_port(async_read=True, clock_domain=reader)
        # Of a full memory both numbers differ in the two highest bits of their Gray codes, and in no other one.
        full = Signal()
        self.comb += [
            full.eq(produce.q == Cat(consumed[:-2], ~consumed[-2:])),
            sink.ready.eq(~full),
            produce.ce.eq(sink.valid & ~full),
            write.adr.eq(produce.q_binary[:-1]),
            write.dat_w.eq(word),
            write.we.eq(produce.ce),
            read.adr.eq(consume.q_binary[:-1]),
        ]

        # `waits` is of the cycle before: it is right again when the word that was taken is seen to wait in `source`.
        waits = Signal()
        takes = Signal()
        self.comb += consume.ce.eq(takes)
        in_domain = getattr(self.sync, reader)
        in_domain += [
            waits.eq(produced != consume.q),
            takes.eq(waits & ~takes & ~source.valid),
            If(takes,
                Cat(source.data, source.final, source.last).eq(read.dat_r),
                source.valid.eq(1),
            ).Elif(source.ready,
                source.valid.eq(0),
            ),
        ]


class Send(LiteXModule):
    """From words of the core to octets for the PHY."""

    def __init__(self):
        self.sink = stream.Endpoint(WORD)
        phy = eth_phy_description
        renamed = ClockDomainsRenamer("eth_tx")
        self.crossing = SendCrossing("sys", "eth_tx")
        # The next word is there when one has gone.
        self.word = word = renamed(stream.Buffer(WORD))
        wide = stream.Endpoint(phy(64))
        self.octets = renamed(stream.StrideConverter(phy(64), phy(8)))
        self.last_be = renamed(LiteEthMACTXLastBE(8))
        self.padding = renamed(LiteEthMACPaddingInserter(8, eth_min_frame_length - eth_fcs_length))
        # Both ways: the gap and the preamble stop what is behind them, up to the memory between the clocks.
        self.buffer = renamed(stream.Buffer(phy(8), pipe_ready=True))
        self.fcs = renamed(LiteEthMACCRC32Inserter(phy(8)))
        self.preamble = renamed(LiteEthMACPreambleInserter(8))
        self.gap = renamed(LiteEthMACGap(8))
        self.source = self.gap.source
        self.comb += [
            self.sink.connect(self.crossing.sink),
            self.crossing.source.connect(word.sink),
            word.source.connect(wide, omit={"final"}),
            If(wide.last, wide.last_be.eq(1 << word.source.final)),
        ]
        self.chain = stream.Pipeline(wide, self.octets, self.last_be, self.padding, self.buffer, self.fcs, self.preamble,
                                     self.gap)


class RgmiiMac(LiteXModule):
    """`longest`: octets of the longest good frame, with its FCS. The delays are those of the pins: between the clock and the data
    are 2 ns, once on the whole way, and a board or its PHY may have them already."""

    def __init__(self, longest, rx_delay_ps, tx_delay_ps):
        if not eth_min_frame_length <= longest <= 16383:
            raise Refused(f"--longest {longest}: expected {eth_min_frame_length} to 16383 octets, the FCS is counted")
        self.cd_sys = ClockDomain()
        self.cd_sys.clk = Signal(name="clock")
        reset = Signal(name="reset")
        pins = {name: Signal(width, name=f"rgmii_{name}") for name, width in [
            ("rxc", 1), ("rx_ctl", 1), ("rxd", 4), ("txc", 1), ("tx_ctl", 1), ("txd", 4)]}
        received, sent = Axis("m_axis", user=True), Axis("s_axis", user=False)
        bad, overflow = Signal(name="rx_bad"), Signal(name="rx_overflow")
        self.ports = [self.cd_sys.clk, reset, *pins.values(), *received.ports, *sent.ports, bad, overflow]

        clocks = SimpleNamespace(rx=pins["rxc"], tx=pins["txc"])
        pads = SimpleNamespace(rx_ctl=pins["rx_ctl"], rx_data=pins["rxd"], tx_ctl=pins["tx_ctl"], tx_data=pins["txd"])
        # A little more, because LiteEth rounds down to steps of 25 ps.
        rx_delay, tx_delay = (float(f"{ps}e-12") + 1e-12 for ps in (rx_delay_ps, tx_delay_ps))
        self.phy = LiteEthPHYRGMII(clocks, pads, with_hw_init_reset=False, with_inband_status=False, rx_delay=rx_delay,
                                   tx_delay=tx_delay)
        self.receive = Receive(self.phy, pads.rx_ctl, longest)
        self.send = Send()
        self.comb += self.send.source.connect(self.phy.sink)

        # The PHY's clock may stand still during the reset: then its side resets later, and the core's side waits.
        self.comb += self.phy.crg._reset.storage.eq(reset)
        other = Signal()
        self.specials += MultiReg(ResetSignal("eth_rx") | ResetSignal("eth_tx"), other, reset=1)
        self.comb += self.cd_sys.rst.eq(reset | other)

        self.from_receive(received)
        self.to_send(sent)
        self.comb += [bad.eq(self.receive.bad & ~self.cd_sys.rst), overflow.eq(self.receive.overflow & ~self.cd_sys.rst)]

    def from_receive(self, axis):
        source = self.receive.source
        self.out = out = stream.Buffer([("data", 64), ("keep", 8), ("bad", 1)])
        self.comb += [
            source.connect(out.sink, keep={"valid", "ready", "last", "data"}),
            out.sink.keep.eq(Cat(*(~source.last | (source.final >= lane) for lane in range(8)))),
            out.sink.bad.eq(source.last & source.bad),
            axis.data.eq(out.source.data),
            axis.keep.eq(out.source.keep),
            axis.user.eq(out.source.bad),
            axis.last.eq(out.source.last),
            axis.valid.eq(out.source.valid),
            out.source.ready.eq(axis.ready),
        ]

    def to_send(self, axis):
        sink = self.send.sink
        # The octets that are used are the first ones, so their number is that of the last bit of tkeep.
        final = Signal(3)
        for lane in range(1, 8):
            self.comb += If(axis.keep[lane], final.eq(lane))
        open_ = ~self.cd_sys.rst
        self.comb += [
            sink.valid.eq(axis.valid & open_),
            axis.ready.eq(sink.ready & open_),
            sink.last.eq(axis.last),
            sink.data.eq(axis.data),
            sink.final.eq(final),
        ]
