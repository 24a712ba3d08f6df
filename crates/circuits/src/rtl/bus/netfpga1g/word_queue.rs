// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words that wait before the tap.

use tidegate_hdl::prelude::*;

module! {
    /// First-in first-out queue of 16 words of the NetFPGA-1G user data path, in LUT RAM.
    ///
    /// `in_rdy` falls when three places are left, so that words of a sender that sees it one or two cycles late have
    /// room. A word of cycle t is at the head in cycle t + 1 at the earliest. A word that is written to a full queue is
    /// lost, and `lost_word` is high in the next cycle.
    pub struct WordQueue: "word_queue" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the word; octet 0 in bits 31 to 24.
        pub in_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of the word; octet 4 in bits 31 to 24.
        pub in_low: Signal<In, Bits<32>>,
        /// ctrl of the word.
        pub in_ctrl: Signal<In, Bits<8>>,
        /// The word is written in this cycle.
        pub in_wr: Signal<In, Bit>,
        /// There are more than three places. While it is low, write no further words.
        pub in_rdy: Signal<Out, Bit>,
        /// Remove the oldest word.
        pub pop: Signal<In, Bit>,
        /// There is a word: the outputs below are the oldest one.
        pub word_valid: Signal<Out, Bit>,
        /// Its octets 0 to 3.
        pub word_high: Signal<Out, Bits<32>>,
        /// Its octets 4 to 7.
        pub word_low: Signal<Out, Bits<32>>,
        /// Its ctrl.
        pub word_ctrl: Signal<Out, Bits<8>>,
        /// Its ctrl is 0.
        pub word_is_data: Signal<Out, Bit>,
        /// Its ctrl is 0xff: it says the length of its packet.
        pub word_is_length: Signal<Out, Bit>,
        /// Then the last word of the packet has no room for four more octets.
        pub word_fills: Signal<Out, Bit>,
        /// The word of this cycle is stored.
        pub stores: Signal<Out, Bit>,
        /// A word of the cycle before was lost, because the queue was full.
        pub lost_word: Signal<Out, Bit>,
        /// Octets 0 to 3 of each word.
        highs: LutRam<Bits<32>, 4>,
        /// Octets 4 to 7 of each word.
        lows: LutRam<Bits<32>, 4>,
        /// ctrl of each word.
        ctrls: LutRam<Bits<8>, 4>,
        /// Of each word whether its ctrl is 0.
        kinds: LutRam<Bit, 4>,
        /// Of each word whether its ctrl is 0xff, bit 1, and whether its packet fills its last word, bit 0.
        lengths: LutRam<Bits<2>, 4>,
        /// Place of the next word.
        write_place: Register<Bits<4>>,
        /// Place of the oldest word.
        read_place: Register<Bits<4>>,
        /// Number of words, 0 to 16.
        count: Register<Bits<5>>,
        /// There are more than three places.
        roomy: Register<Bit>,
        /// There is a word.
        filled: Register<Bit>,
        lost: Register<Bit>,
        full: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
        gives: Signal<Local, Bit>,
        says_length: Signal<Local, Bit>,
        fills: Signal<Local, Bit>,
    }
}

impl Logic for WordQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_place, read_place, count, roomy, filled, lost);
        clock!(self, clock, highs, lows, ctrls, kinds, lengths);
        self.write_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.count.reset.next = self.reset.val();
        self.roomy.reset.next = self.reset.val();
        self.filled.reset.next = self.reset.val();
        self.lost.reset.next = self.reset.val();

        self.full.next = self.count.q.val().get_bit(4);
        self.takes.next = self.in_wr.val() & !self.full.val();
        self.gives.next = self.pop.val() & self.filled.q.val();
        self.lost.d.next = self.in_wr.val() & self.full.val();
        if self.takes.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        if self.gives.val() {
            self.read_place.d.next = self.read_place.q.val() + 1;
        }
        // What follows from the number of words is computed for the number after this cycle.
        self.roomy.d.next = self.count.q.val() < 13;
        if self.takes.val() & !self.gives.val() {
            self.count.d.next = self.count.q.val() + 1;
            self.roomy.d.next = self.count.q.val() < 12;
            self.filled.d.next = true;
        } else if self.gives.val() & !self.takes.val() {
            self.count.d.next = self.count.q.val() - 1;
            self.roomy.d.next = self.count.q.val() < 14;
            self.filled.d.next = self.count.q.val() != 1;
        }

        self.highs.write_address.next = self.write_place.q.val();
        self.highs.write_enable.next = self.takes.val();
        self.highs.write_data.next = self.in_high.val();
        self.highs.read_address.next = self.read_place.q.val();
        self.lows.write_address.next = self.write_place.q.val();
        self.lows.write_enable.next = self.takes.val();
        self.lows.write_data.next = self.in_low.val();
        self.lows.read_address.next = self.read_place.q.val();
        self.ctrls.write_address.next = self.write_place.q.val();
        self.ctrls.write_enable.next = self.takes.val();
        self.ctrls.write_data.next = self.in_ctrl.val();
        self.ctrls.read_address.next = self.read_place.q.val();
        self.kinds.write_address.next = self.write_place.q.val();
        self.kinds.write_enable.next = self.takes.val();
        self.kinds.write_data.next = self.in_ctrl.val() == 0;
        self.kinds.read_address.next = self.read_place.q.val();
        self.says_length.next = self.in_ctrl.val().all();
        // The octets of the last word, 0 for eight, are 5 or more.
        self.fills.next = !self.in_low.val().to_bits().get_bits::<3>(0).any()
            | (self.in_low.val().get_bit(2) & self.in_low.val().to_bits().get_bits::<2>(0).any());
        self.lengths.write_address.next = self.write_place.q.val();
        self.lengths.write_enable.next = self.takes.val();
        self.lengths.write_data.next = (bit_cast::<2, 1>(self.says_length.val().into()).to_bits() << 1)
            | bit_cast::<2, 1>(self.fills.val().into());
        self.lengths.read_address.next = self.read_place.q.val();

        self.stores.next = self.takes.val();
        self.in_rdy.next = self.roomy.q.val();
        self.word_valid.next = self.filled.q.val();
        self.word_high.next = self.highs.read_data.val();
        self.word_low.next = self.lows.read_data.val();
        self.word_ctrl.next = self.ctrls.read_data.val();
        self.word_is_data.next = self.kinds.read_data.val();
        self.word_is_length.next = self.lengths.read_data.val().get_bit(1);
        self.word_fills.next = self.lengths.read_data.val().get_bit(0);
        self.lost_word.next = self.lost.q.val();
    }
}
