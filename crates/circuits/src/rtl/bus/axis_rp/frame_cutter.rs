// SPDX-License-Identifier: MIT OR Apache-2.0
//! Feedback frames of a wide stream, cut into words for the parser.

use tidegate_hdl::prelude::*;

module! {
    /// Decides where the beats of feedback frames are stored, and which word of them the parser sees. Each frame has a place for
    /// its first eight words; the parser reads nothing behind them but how long the frame is. There are four places, in which
    /// frames wait, come in and are cut. A frame that begins when none is free is left out, and `overrun_frame` is high.
    ///
    /// The parser sees a word in every cycle while a whole frame is stored: its first one two cycles after its last beat moved,
    /// if no other frame waits. Words behind the first 16 are counted in the last beat only: it is too long.
    pub struct FrameCutter: "axis_frame_cutter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A beat goes on in this cycle.
        pub beat_moves: Signal<In, Bit>,
        /// It is the first one of its frame.
        pub beat_first: Signal<In, Bit>,
        /// It is the last one of its frame.
        pub beat_last: Signal<In, Bit>,
        /// Its words, 1 to 8.
        pub beat_words: Signal<In, Bits<4>>,
        /// Octets of its last word, 1 to 8.
        pub beat_octets: Signal<In, Bits<4>>,
        /// It makes its frame a bad one.
        pub beat_faulty: Signal<In, Bit>,
        /// The frame is feedback; valid with `beat_first`.
        pub is_feedback: Signal<In, Bit>,
        /// The beat is stored in this cycle.
        pub write_enable: Signal<Out, Bit>,
        /// The place of its frame.
        pub write_slot: Signal<Out, Bits<2>>,
        /// Its first word in the frame.
        pub write_word: Signal<Out, Bits<3>>,
        /// The place of the frame that is cut.
        pub read_slot: Signal<Out, Bits<2>>,
        /// The word of it that the parser sees in the next cycle.
        pub read_word: Signal<Out, Bits<3>>,
        /// Number of valid octets in the last word, 1 to 8.
        pub octets: Signal<Out, Bits<4>>,
        /// The word is the last one of a frame.
        pub last: Signal<Out, Bit>,
        /// The frame was received with an error, or `s_axis_rx_tkeep` was not as it must be; valid with `last`.
        pub bad_frame: Signal<Out, Bit>,
        /// There is a word for the parser.
        pub valid: Signal<Out, Bit>,
        /// No frame has begun to go to the parser.
        pub boundary: Signal<Out, Bit>,
        /// A feedback frame was left out, because no place was free: its first beat came in the cycle before.
        pub overrun_frame: Signal<Out, Bit>,
        /// What is known of the frame in each place: bit 9 = bad, bits 8 to 4 = words, bits 3 to 0 = octets of the last one.
        known: LutRam<Bits<10>, 2>,
        /// Number of the place of the frame that comes in; bit 2 toggles with each turn.
        write_place: Register<Bits<3>>,
        /// Number of the place of the frame that is cut.
        read_place: Register<Bits<3>>,
        /// The frame that comes in is stored.
        taking: Register<Bit>,
        /// Words of the frame so far; stops at 16.
        words_before: Register<Bits<5>>,
        /// A beat of the frame was faulty.
        spoiled: Register<Bit>,
        /// Words of the frame that is cut which the parser has seen.
        cut: Register<Bits<5>>,
        shown: Register<Bit>,
        shown_last: Register<Bit>,
        shown_bad: Register<Bit>,
        shown_octets: Register<Bits<4>>,
        /// The parser has seen a word of a frame, and not the last one.
        begun: Register<Bit>,
        overrun: Register<Bit>,
        used: Signal<Local, Bits<3>>,
        roomy: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
        stores: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        bad: Signal<Local, Bit>,
        words: Signal<Local, Bits<5>>,
        cuts: Signal<Local, Bit>,
        after_this: Signal<Local, Bits<5>>,
        cuts_last: Signal<Local, Bit>,
    }
}

impl Logic for FrameCutter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            write_place,
            read_place,
            taking,
            words_before,
            spoiled,
            cut,
            shown,
            shown_last,
            shown_bad
        );
        dff_setup!(self, clock, shown_octets, begun, overrun);
        clock!(self, clock, known);
        self.write_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.taking.reset.next = self.reset.val();
        self.words_before.reset.next = self.reset.val();
        self.spoiled.reset.next = self.reset.val();
        self.cut.reset.next = self.reset.val();
        self.shown.reset.next = self.reset.val();
        self.shown_last.reset.next = self.reset.val();
        self.shown_bad.reset.next = self.reset.val();
        self.shown_octets.reset.next = self.reset.val();
        self.begun.reset.next = self.reset.val();
        self.overrun.reset.next = self.reset.val();

        comment!("What comes in");
        self.used.next = self.write_place.q.val() - self.read_place.q.val();
        self.roomy.next = !self.used.val().get_bit(2);
        self.takes.next = self.taking.q.val();
        if self.beat_first.val() {
            self.takes.next = self.is_feedback.val() & self.roomy.val();
        }
        self.stores.next = self.beat_moves.val() & self.takes.val();
        self.ends.next = self.stores.val() & self.beat_last.val();
        self.bad.next = self.spoiled.q.val() | self.beat_faulty.val();
        self.words.next = self.words_before.q.val() + bit_cast::<5, 4>(self.beat_words.val());
        if self.beat_moves.val() {
            self.taking.d.next = self.takes.val();
            self.spoiled.d.next = self.bad.val();
            if !self.words_before.q.val().get_bit(4) {
                self.words_before.d.next = self.words.val();
            }
            if self.beat_last.val() {
                self.spoiled.d.next = false;
                self.words_before.d.next = 0.into();
            }
        }
        if self.ends.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        self.overrun.d.next =
            self.beat_moves.val() & self.beat_first.val() & self.is_feedback.val() & !self.roomy.val();
        self.overrun_frame.next = self.overrun.q.val();
        self.write_enable.next = self.stores.val() & !self.words_before.q.val().to_bits().get_bits::<2>(3).any();
        self.write_slot.next = self.write_place.q.val().to_bits().get_bits::<2>(0);
        self.write_word.next = self.words_before.q.val().to_bits().get_bits::<3>(0);
        self.known.write_address.next = self.write_slot.val();
        self.known.write_enable.next = self.ends.val();
        self.known.write_data.next =
            (bit_cast::<10, 5>(self.words.val()).to_bits() << 4) | bit_cast::<10, 4>(self.beat_octets.val());
        if self.bad.val() {
            self.known.write_data.next = (bit_cast::<10, 5>(self.words.val()).to_bits() << 4)
                | bit_cast::<10, 4>(self.beat_octets.val())
                | 0x200;
        }

        comment!("What the parser sees");
        self.cuts.next = self.write_place.q.val() != self.read_place.q.val();
        self.read_slot.next = self.read_place.q.val().to_bits().get_bits::<2>(0);
        self.read_word.next = self.cut.q.val().to_bits().get_bits::<3>(0);
        self.known.read_address.next = self.read_slot.val();
        self.after_this.next = self.cut.q.val() + 1;
        self.cuts_last.next = self.after_this.val() == self.known.read_data.val().to_bits().get_bits::<5>(4);
        if self.cuts.val() {
            self.cut.d.next = self.after_this.val();
            if self.cuts_last.val() {
                self.cut.d.next = 0.into();
                self.read_place.d.next = self.read_place.q.val() + 1;
            }
        }
        self.shown.d.next = self.cuts.val();
        self.shown_last.d.next = self.cuts_last.val();
        self.shown_bad.d.next = self.known.read_data.val().get_bit(9);
        self.shown_octets.d.next = self.known.read_data.val().to_bits().get_bits::<4>(0);
        if self.shown.q.val() {
            self.begun.d.next = !self.shown_last.q.val();
        }
        self.valid.next = self.shown.q.val();
        self.last.next = self.shown_last.q.val();
        self.bad_frame.next = self.shown_bad.q.val();
        self.octets.next = self.shown_octets.q.val();
        self.boundary.next = !self.begun.q.val();
    }
}
