// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point of the last decrease.

use super::cpid_words::CpidWords;
use tidegate_hdl::prelude::*;

module! {
    /// Remembers a congestion point by its identifier (CPID), and says whether the next feedback comes from the same
    /// one.
    ///
    /// Two words of LUT RAM, one for the congestion point that is remembered and one for that of the current frame. The
    /// identifier of a frame comes in one piece, or its high half first. `same_point` holds from the cycle after its
    /// last half on. `remember` exchanges the two words: what was the current congestion point is now the remembered
    /// one. After a reset none is remembered. With `cpid_digest`, 16 bits that are made of all 64 stand for the
    /// identifier; with `cpid_any`, all congestion points are the same.
    pub struct CpidMemory: "cpid_memory" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Identifier of the frame, bits 63 to 32.
        pub high: Signal<In, Bits<32>>,
        /// Identifier of the frame, bits 31 to 0.
        pub low: Signal<In, Bits<32>>,
        /// `high` is valid.
        pub high_valid: Signal<In, Bit>,
        /// `low` is valid.
        pub low_valid: Signal<In, Bit>,
        /// Remember the congestion point of the frame; not before `same_point` holds, and once for a frame.
        pub remember: Signal<In, Bit>,
        /// All congestion points are the same.
        #[parameter]
        pub cpid_any: Signal<In, Bit>,
        #[parameter]
        pub cpid_digest: Signal<In, Bit>,
        /// The frame comes from the congestion point that is remembered.
        pub same_point: Signal<Out, Bit>,
        /// Bits 63 to 32 of both identifiers.
        highs: LutRam<Bits<32>, 1>,
        /// Bits 31 to 0 of both identifiers.
        lows: LutRam<Bits<32>, 1>,
        /// The word of the congestion point that is remembered.
        place: Register<Bits<1>>,
        /// A congestion point is remembered.
        known: Register<Bit>,
        /// Bits 63 to 32 of the identifier equal those that are remembered.
        same_high: Register<Bit>,
        /// Bits 31 to 0 equal those that are remembered.
        same_low: DFF<Bit>,
        cpid_words: CpidWords,
    }
}

impl Logic for CpidMemory {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, place, known, same_high, same_low);
        clock!(self, clock, highs, lows, cpid_words);
        self.place.reset.next = self.reset.val();
        self.known.reset.next = self.reset.val();
        self.same_high.reset.next = self.reset.val();

        self.cpid_words.high.next = self.high.val();
        self.cpid_words.low.next = self.low.val();
        self.cpid_words.high_valid.next = self.high_valid.val();
        self.cpid_words.cpid_digest.next = self.cpid_digest.val();

        self.highs.read_address.next = self.place.q.val();
        self.highs.write_address.next = !self.place.q.val();
        self.highs.write_data.next = self.cpid_words.high_word.val();
        self.highs.write_enable.next = self.high_valid.val();
        self.lows.read_address.next = self.place.q.val();
        self.lows.write_address.next = !self.place.q.val();
        self.lows.write_data.next = self.cpid_words.low_word.val();
        self.lows.write_enable.next = self.low_valid.val();
        if self.high_valid.val() {
            self.same_high.d.next =
                self.known.q.val() & (self.highs.read_data.val() == self.cpid_words.high_word.val());
        }
        if self.low_valid.val() {
            self.same_low.d.next = self.lows.read_data.val() == self.cpid_words.low_word.val();
        }
        if self.remember.val() {
            self.place.d.next = !self.place.q.val();
            self.known.d.next = true;
        }
        self.same_point.next = (self.same_high.q.val() & self.same_low.q.val()) | self.cpid_any.val();
    }
}
