//! Frames that wait until they may be sent.

use crate::rtl::flow_memory::FlowMemory;
use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// First-in first-out queue of 2,048 words of AXI4-Stream of 64 bits, in block RAM.
    ///
    /// A word of cycle t is at the head in cycle t + 2 at the earliest; then a word can be taken in every cycle. `in_ready`
    /// does not depend on `pop` of the same cycle.
    pub struct FrameStore: "frame_store" with constants {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the word; octet 0 in bits 31 to 24.
        pub in_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of the word; octet 4 in bits 31 to 24.
        pub in_low: Signal<In, Bits<32>>,
        /// What goes with the word: which of its octets are valid, whether it is the last one, and whether it is bad.
        pub in_mark: Signal<In, Bits<10>>,
        /// The word is written in this cycle; not without `in_ready`.
        pub in_wr: Signal<In, Bit>,
        /// There is a place.
        pub in_ready: Signal<Out, Bit>,
        /// Remove the oldest word; not without `word_valid`.
        pub pop: Signal<In, Bit>,
        /// The outputs below are the oldest word.
        pub word_valid: Signal<Out, Bit>,
        /// Its octets 0 to 3.
        pub word_high: Signal<Out, Bits<32>>,
        /// Its octets 4 to 7.
        pub word_low: Signal<Out, Bits<32>>,
        /// What goes with it.
        pub word_mark: Signal<Out, Bits<10>>,
        /// Octets 0 to 3 of each word.
        highs: FlowMemory<32>,
        /// Octets 4 to 7 of each word.
        lows: FlowMemory<32>,
        /// What goes with each word.
        marks: FlowMemory<10>,
        /// Place of the next word; bit 11 toggles with each turn.
        write_place: Register<Bits<12>>,
        /// Place of the oldest word.
        read_place: Register<Bits<12>>,
        /// Place of the word after it.
        following_place: DFF<Bits<12>>,
        /// There is no place.
        full: Register<Bit>,
        /// The memories show the oldest word.
        shown: Register<Bit>,
        used: Signal<Local, Bits<12>>,
        next_place: Signal<Local, Bits<12>>,
    }
}

/// For 2,048 words.
impl Default for FrameStore {
    fn default() -> Self {
        FrameStore {
            clock: Signal::default(),
            reset: Signal::default(),
            in_high: Signal::default(),
            in_low: Signal::default(),
            in_mark: Signal::default(),
            in_wr: Signal::default(),
            in_ready: Signal::default(),
            pop: Signal::default(),
            word_valid: Signal::default(),
            word_high: Signal::default(),
            word_low: Signal::default(),
            word_mark: Signal::default(),
            highs: FlowMemory::new(11),
            lows: FlowMemory::new(11),
            marks: FlowMemory::new(11),
            write_place: Register::default(),
            read_place: Register::default(),
            following_place: DFF::default(),
            full: Register::default(),
            shown: Register::default(),
            used: Signal::default(),
            next_place: Signal::default(),
        }
    }
}

impl Logic for FrameStore {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_place, read_place, following_place, full, shown);
        clock!(self, clock, highs, lows, marks);
        self.write_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.full.reset.next = self.reset.val();
        self.shown.reset.next = self.reset.val();

        self.used.next = self.write_place.q.val() - self.read_place.q.val();
        self.in_ready.next = !self.full.q.val();
        if self.in_wr.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }
        self.full.d.next = (self.full.q.val() | (self.in_wr.val() & self.used.val().to_bits().get_bits::<11>(0).all()))
            & !self.pop.val();
        self.next_place.next = self.read_place.q.val();
        // A word that is written in this cycle cannot be read in it.
        self.shown.d.next = self.read_place.q.val() != self.write_place.q.val();
        if self.pop.val() {
            self.next_place.next = self.following_place.q.val();
            self.following_place.d.next = self.following_place.q.val() + 1;
            self.shown.d.next = self.following_place.q.val() != self.write_place.q.val();
        }
        if self.reset.val() {
            self.following_place.d.next = 1.into();
        }
        self.read_place.d.next = self.next_place.val();

        self.highs.write_address.next = self.write_place.q.val();
        self.highs.write_enable.next = self.in_wr.val();
        self.highs.write_data.next = self.in_high.val();
        self.highs.read_address.next = self.next_place.val();
        self.lows.write_address.next = self.write_place.q.val();
        self.lows.write_enable.next = self.in_wr.val();
        self.lows.write_data.next = self.in_low.val();
        self.lows.read_address.next = self.next_place.val();
        self.marks.write_address.next = self.write_place.q.val();
        self.marks.write_enable.next = self.in_wr.val();
        self.marks.write_data.next = self.in_mark.val();
        self.marks.read_address.next = self.next_place.val();
        self.word_valid.next = self.shown.q.val();
        self.word_high.next = self.highs.read_data.val();
        self.word_low.next = self.lows.read_data.val();
        self.word_mark.next = self.marks.read_data.val();
    }
}
