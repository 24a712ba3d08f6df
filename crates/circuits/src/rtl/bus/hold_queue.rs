// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words that wait until it is decided whether they go on.

use tidegate_hdl::prelude::*;

module! {
    /// First-in first-out queue of 16 words of a packet bus of 64 bits, in LUT RAM. Words wait in it until they are
    /// released, or are removed again as if they had never come.
    ///
    /// `releases` of cycle t releases the words that were written up to cycle t - 1. `discards` removes all words that are not
    /// released, and that of its own cycle. A word that is released in cycle t is at the head in cycle t + 1 at the
    /// earliest. `in_rdy` falls when at most three places are left, so that words of a sender that sees it one or two
    /// cycles late have room. It does not depend on `releases` and `discards` of the same cycle, nor on `pop`. A word that is
    /// written to a full queue is lost, and `lost_word` is high in the next cycle.
    pub struct HoldQueue: "hold_queue" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the word; octet 0 in bits 31 to 24.
        pub in_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of the word; octet 4 in bits 31 to 24.
        pub in_low: Signal<In, Bits<32>>,
        /// What goes with the word, such as its ctrl or which of its octets are valid.
        pub in_mark: Signal<In, Bits<10>>,
        /// The word is written in this cycle.
        pub in_wr: Signal<In, Bit>,
        /// There are more than three places. While it is low, write no further words.
        pub in_rdy: Signal<Out, Bit>,
        /// The word of this cycle is stored, or removed by `discards`; valid with `in_wr`.
        pub takes: Signal<Out, Bit>,
        /// Release the words that were written before this cycle.
        pub releases: Signal<In, Bit>,
        /// Remove the words that are not released, and that of this cycle. Not together with `releases`.
        pub discards: Signal<In, Bit>,
        /// Remove the oldest word; not without `word_valid`.
        pub pop: Signal<In, Bit>,
        /// There is a released word: the outputs below are the oldest one.
        pub word_valid: Signal<Out, Bit>,
        /// Its octets 0 to 3.
        pub word_high: Signal<Out, Bits<32>>,
        /// Its octets 4 to 7.
        pub word_low: Signal<Out, Bits<32>>,
        /// What goes with it.
        pub word_mark: Signal<Out, Bits<10>>,
        /// A word of the cycle before was lost, because the queue was full.
        pub lost_word: Signal<Out, Bit>,
        /// Octets 0 to 3 of each word.
        highs: LutRam<Bits<32>, 4>,
        /// Octets 4 to 7 of each word.
        lows: LutRam<Bits<32>, 4>,
        /// What goes with each word.
        marks: LutRam<Bits<10>, 4>,
        /// Place of the next word; bit 4 toggles with each turn.
        write_place: Register<Bits<5>>,
        /// Place of the first word that is not released.
        held_place: Register<Bits<5>>,
        /// Place of the oldest word.
        read_place: Register<Bits<5>>,
        /// There are at most three places.
        crowded: Register<Bit>,
        /// There is no place.
        full: Register<Bit>,
        lost: Register<Bit>,
        used: Signal<Local, Bits<5>>,
        held_none: Signal<Local, Bit>,
        stores: Signal<Local, Bit>,
    }
}

impl Logic for HoldQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_place, held_place, read_place, crowded, full, lost);
        clock!(self, clock, highs, lows, marks);
        self.write_place.reset.next = self.reset.val();
        self.held_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.crowded.reset.next = self.reset.val();
        self.full.reset.next = self.reset.val();
        self.lost.reset.next = self.reset.val();

        self.used.next = self.write_place.q.val() - self.read_place.q.val();
        self.stores.next = self.in_wr.val() & !self.full.q.val() & !self.discards.val();
        self.lost.d.next = self.in_wr.val() & self.full.q.val() & !self.discards.val();
        if self.discards.val() {
            self.write_place.d.next = self.held_place.q.val();
        } else if self.stores.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        if self.releases.val() {
            self.held_place.d.next = self.write_place.q.val();
        }
        if self.pop.val() {
            self.read_place.d.next = self.read_place.q.val() + 1;
        }
        self.held_none.next = self.write_place.q.val() == self.held_place.q.val();
        self.full.d.next = (self.full.q.val() | (self.stores.val() & (self.used.val() == 15)))
            & !self.pop.val()
            & (!self.discards.val() | self.held_none.val());
        // Words that go in this cycle are still counted.
        self.crowded.d.next = (self.used.val() >= 13) | (self.stores.val() & (self.used.val() == 12));

        self.highs.write_address.next = self.write_place.q.val().to_bits().get_bits::<4>(0);
        self.highs.write_enable.next = self.stores.val();
        self.highs.write_data.next = self.in_high.val();
        self.highs.read_address.next = self.read_place.q.val().to_bits().get_bits::<4>(0);
        self.lows.write_address.next = self.write_place.q.val().to_bits().get_bits::<4>(0);
        self.lows.write_enable.next = self.stores.val();
        self.lows.write_data.next = self.in_low.val();
        self.lows.read_address.next = self.read_place.q.val().to_bits().get_bits::<4>(0);
        self.marks.write_address.next = self.write_place.q.val().to_bits().get_bits::<4>(0);
        self.marks.write_enable.next = self.stores.val();
        self.marks.write_data.next = self.in_mark.val();
        self.marks.read_address.next = self.read_place.q.val().to_bits().get_bits::<4>(0);

        self.in_rdy.next = !self.crowded.q.val();
        self.takes.next = self.discards.val() | !self.full.q.val();
        self.word_valid.next = self.held_place.q.val() != self.read_place.q.val();
        self.word_high.next = self.highs.read_data.val();
        self.word_low.next = self.lows.read_data.val();
        self.word_mark.next = self.marks.read_data.val();
        self.lost_word.next = self.lost.q.val();
    }
}
