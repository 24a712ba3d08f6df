# SPDX-License-Identifier: MIT OR Apache-2.0
"""A master on AXI4-Lite that a serial line drives, with the protocol of LiteX's UARTBone:

    write: 0x01, number of words, address / 4 (4 octets), the words (4 octets each)
    read:  0x02, number of words, address / 4 (4 octets); the answer is the words

All numbers have their high octet first. With 0x03 and 0x04 the address stays the same. A command that takes longer than 100 ms
is forgotten, so after a break of that length the next octet is the first one of a command.

The bus cannot hang the line: an error answer, and no answer in `PATIENCE` cycles, read as `NOTHING`.
"""

from litex.gen import LiteXModule
from litex.soc.cores.uart import RS232PHY, Stream2Wishbone
from migen import FSM, ClockDomain, If, NextState, NextValue, Record, Signal

from refused import Refused

# Longer than a slave takes, and less than an octet on the line, because none of those that follow may be lost.
PATIENCE = 512
NOTHING = 0xFFFFFFFF
OKAY = 0

# Channel: the signals beside its valid and ready, and whether the master drives them.
CHANNELS = {
    "aw": ([("addr", 32), ("prot", 3)], True),
    "w": ([("data", 32), ("strb", 4)], True),
    "b": ([("resp", 2)], False),
    "ar": ([("addr", 32), ("prot", 3)], True),
    "r": ([("data", 32), ("resp", 2)], False),
}


class Master(LiteXModule):
    """From Wishbone to AXI4-Lite. A slave that answers too late gets its handshake, and its answer is for nobody."""

    def __init__(self, wishbone):
        for channel, (layout, _) in CHANNELS.items():
            for name, width in [("valid", 1), ("ready", 1), *layout]:
                setattr(self, channel + name, Signal(width, name=f"m_axi_{channel}{name}"))
        write = Signal()
        address = Signal(30)
        data = Signal(32)
        asked = Signal()
        given = Signal()
        waited = Signal(max=PATIENCE + 1)
        answered = Signal()
        fine = Signal()
        self.comb += [
            self.awaddr.eq(address << 2),
            self.araddr.eq(address << 2),
            self.wdata.eq(data),
            self.wstrb.eq(0b1111),
            self.awprot.eq(0),
            self.arprot.eq(0),
            answered.eq((self.bvalid & self.bready) | (self.rvalid & self.rready)),
            If(write, fine.eq(self.bresp == OKAY)).Else(fine.eq(self.rresp == OKAY)),
            wishbone.dat_r.eq(NOTHING),
        ]
        running = [
            self.awvalid.eq(write & ~asked),
            self.wvalid.eq(write & ~given),
            self.arvalid.eq(~write & ~asked),
            self.bready.eq(write & asked & given),
            self.rready.eq(~write & asked),
            If((self.awvalid & self.awready) | (self.arvalid & self.arready), NextValue(asked, 1)),
            If(self.wvalid & self.wready, NextValue(given, 1)),
        ]
        self.fsm = fsm = FSM(reset_state="IDLE")
        fsm.act("IDLE",
            NextValue(asked, 0),
            NextValue(given, 0),
            NextValue(waited, 0),
            NextValue(write, wishbone.we),
            NextValue(address, wishbone.adr),
            NextValue(data, wishbone.dat_w),
            If(wishbone.cyc & wishbone.stb, NextState("RUN")),
        )
        fsm.act("RUN",
            *running,
            NextValue(waited, waited + 1),
            If(answered & fine, wishbone.dat_r.eq(self.rdata)),
            If(answered | (waited == PATIENCE), wishbone.ack.eq(1)),
            If(answered, NextState("IDLE")).Elif(waited == PATIENCE, NextState("LATE")),
        )
        fsm.act("LATE",
            *running,
            wishbone.ack.eq(wishbone.cyc & wishbone.stb),
            If(answered, NextState("IDLE")),
        )

    def ports(self):
        return [getattr(self, channel + name) for channel, (layout, _) in CHANNELS.items()
                for name in ["valid", "ready", *(name for name, _ in layout)]]


class UartAxi4Lite(LiteXModule):
    def __init__(self, clock_hz, baud):
        if not 16 <= clock_hz / baud <= 1_000_000:
            raise Refused(f"--baud {baud}: expected {-(-clock_hz // 1_000_000)} to {clock_hz // 16}, the clock has {clock_hz} Hz")
        if 10 * clock_hz / baud <= PATIENCE + 20:
            raise Refused(f"--baud {baud}: expected at most {10 * clock_hz // (PATIENCE + 21)}, an octet is not to be shorter "
                          f"than the wait for an answer on the bus, {PATIENCE} cycles")
        self.cd_sys = ClockDomain()
        self.cd_sys.clk = Signal(name="clock")
        self.cd_sys.rst = Signal(name="reset")
        pins = Record([("rx", 1), ("tx", 1)])
        rx, tx = Signal(name="uart_rx"), Signal(name="uart_tx")
        self.comb += [pins.rx.eq(rx), tx.eq(pins.tx)]
        self.serial = RS232PHY(pins, clock_hz, baud)
        self.commands = Stream2Wishbone(self.serial, clock_hz)
        self.master = Master(self.commands.wishbone)
        self.ports = [self.cd_sys.clk, self.cd_sys.rst, rx, tx, *self.master.ports()]
