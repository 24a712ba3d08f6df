// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words that wait behind the tap.

use tidegate_hdl::prelude::*;

module! {
    /// First-in first-out queue between the tap and the module behind it: four words in LUT RAM, and the oldest one in a register.
    /// `out_rdy` ends here in one register, so that nothing before it depends on the module behind within a cycle.
    ///
    /// `next_rdy` says that there is room for a word of this cycle and for one of the next cycle. A word of cycle t goes
    /// out in cycle t + 2 at the earliest, if `out_rdy` is high in cycle t + 1.
    pub struct OutBuffer: "netfpga1g_out_buffer" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the word; octet 0 in bits 31 to 24.
        pub next_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of the word; octet 4 in bits 31 to 24.
        pub next_low: Signal<In, Bits<32>>,
        /// ctrl of the word.
        pub next_ctrl: Signal<In, Bits<8>>,
        /// The word is stored in this cycle.
        pub next_wr: Signal<In, Bit>,
        /// There is room. After it falls, one more word is taken.
        pub next_rdy: Signal<Out, Bit>,
        /// Octets 0 to 3 of the oldest word.
        pub out_high: Signal<Out, Bits<32>>,
        /// Its octets 4 to 7.
        pub out_low: Signal<Out, Bits<32>>,
        /// Its ctrl.
        pub out_ctrl: Signal<Out, Bits<8>>,
        /// It goes out in this cycle.
        pub out_wr: Signal<Out, Bit>,
        /// The receiver has room. After it falls, one more word goes.
        pub out_rdy: Signal<In, Bit>,
        /// A word waits or goes out.
        pub buffered: Signal<Out, Bit>,
        /// Octets 0 to 3 of each word.
        highs: LutRam<Bits<32>, 2>,
        /// Octets 4 to 7 of each word.
        lows: LutRam<Bits<32>, 2>,
        /// ctrl of each word.
        ctrls: LutRam<Bits<8>, 2>,
        /// Place of the next word.
        write_place: Register<Bits<2>>,
        /// Place of the oldest word.
        read_place: Register<Bits<2>>,
        /// Number of words in LUT RAM, 0 to 4.
        count: Register<Bits<3>>,
        /// There are two words or fewer.
        roomy: Register<Bit>,
        /// There is a word in it.
        filled: Register<Bit>,
        /// There is a word in the register.
        holds: Register<Bit>,
        high: DFF<Bits<32>>,
        low: DFF<Bits<32>>,
        ctrl: DFF<Bits<8>>,
        /// The receiver had room in the cycle before.
        may_go: Register<Bit>,
        goes: Signal<Local, Bit>,
        moves: Signal<Local, Bit>,
    }
}

impl Logic for OutBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_place, read_place, count, roomy, filled, holds, high, low, ctrl, may_go);
        clock!(self, clock, highs, lows, ctrls);
        self.write_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.count.reset.next = self.reset.val();
        self.roomy.reset.next = self.reset.val();
        self.filled.reset.next = self.reset.val();
        self.holds.reset.next = self.reset.val();
        self.may_go.reset.next = self.reset.val();

        self.may_go.d.next = self.out_rdy.val();
        self.goes.next = self.may_go.q.val() & self.holds.q.val();
        self.moves.next = self.filled.q.val() & (!self.holds.q.val() | self.may_go.q.val());
        self.holds.d.next = self.filled.q.val() | (self.holds.q.val() & !self.may_go.q.val());
        if self.moves.val() {
            self.high.d.next = self.highs.read_data.val();
            self.low.d.next = self.lows.read_data.val();
            self.ctrl.d.next = self.ctrls.read_data.val();
        }
        if self.next_wr.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        if self.moves.val() {
            self.read_place.d.next = self.read_place.q.val() + 1;
        }
        // What follows from the number of words is computed for the number after this cycle.
        self.roomy.d.next = self.count.q.val() < 3;
        if self.next_wr.val() & !self.moves.val() {
            self.count.d.next = self.count.q.val() + 1;
            self.roomy.d.next = self.count.q.val() < 2;
            self.filled.d.next = true;
        } else if self.moves.val() & !self.next_wr.val() {
            self.count.d.next = self.count.q.val() - 1;
            self.roomy.d.next = self.count.q.val() < 4;
            self.filled.d.next = self.count.q.val() != 1;
        }

        self.highs.write_address.next = self.write_place.q.val();
        self.highs.write_enable.next = self.next_wr.val();
        self.highs.write_data.next = self.next_high.val();
        self.highs.read_address.next = self.read_place.q.val();
        self.lows.write_address.next = self.write_place.q.val();
        self.lows.write_enable.next = self.next_wr.val();
        self.lows.write_data.next = self.next_low.val();
        self.lows.read_address.next = self.read_place.q.val();
        self.ctrls.write_address.next = self.write_place.q.val();
        self.ctrls.write_enable.next = self.next_wr.val();
        self.ctrls.write_data.next = self.next_ctrl.val();
        self.ctrls.read_address.next = self.read_place.q.val();

        self.next_rdy.next = self.roomy.q.val();
        self.out_high.next = self.high.q.val();
        self.out_low.next = self.low.q.val();
        self.out_ctrl.next = self.ctrl.q.val();
        self.out_wr.next = self.goes.val();
        self.buffered.next = self.filled.q.val() | self.holds.q.val();
    }
}
