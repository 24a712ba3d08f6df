// SPDX-License-Identifier: MIT OR Apache-2.0
//! A gate before a transmit queue, for streams of any width.

use crate::rtl::circuit::Circuit;
use tidegate_hdl::prelude::*;

module! {
    /// Decides when beats of frames go through a memory, and through the output register behind it. The memory has a place
    /// for a beat at each value of `write_address`. A frame leaves when the rate limiter has granted it. Behind this register stands the stage at the output (`bus/output_stage`).
    ///
    /// The length of a frame is that of what is stored, so its last beat must have come. A frame of more beats than
    /// the memory has places cannot be measured: it goes when all places are full, without a grant, and `rejected` is high in a cycle. At most
    /// 31 frames are stored. While one frame goes out, the grant for the next one may come: then it follows at once.
    ///
    /// A beat that is stored in cycle t can leave in cycle t + 3 at the earliest; then one can leave in every cycle.
    /// `request` is high two cycles after the last beat of a frame is stored, or one cycle after the receiver has taken the first
    /// beat of the frame before it, at the earliest.
    pub struct FrameGate<const N: usize>: "axis_frame_gate" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// There is a beat.
        pub in_valid: Signal<In, Bit>,
        /// It is stored in this cycle, if there is one.
        pub in_ready: Signal<Out, Bit>,
        /// It is the last one of its frame.
        pub in_last: Signal<In, Bit>,
        /// Its octets, 1 to 64.
        pub in_octets: Signal<In, Bits<7>>,
        /// Flow of the frame, its low bits; valid with its last beat.
        pub in_flow: Signal<In, Bits<12>>,
        /// The beat is written in this cycle.
        pub write_enable: Signal<Out, Bit>,
        /// Its place in the memory.
        pub write_address: Signal<Out, Bits<N>>,
        /// The place that the memory shows in the next cycle.
        pub read_address: Signal<Out, Bits<N>>,
        /// The output register takes the beat that the memory shows.
        pub fetches: Signal<Out, Bit>,
        /// The beat in the output register is the last one of its frame.
        pub out_last: Signal<In, Bit>,
        /// The beat in the output register may go; it does not change until `next_tready`.
        pub next_tvalid: Signal<Out, Bit>,
        /// It goes to the stage at the output.
        pub next_tready: Signal<In, Bit>,
        /// The receiver took the beat that was at the output in the cycle before: the last one that went there.
        pub taken: Signal<In, Bit>,
        /// 1: frames wait for the rate limiter. 0: they pass at once.
        #[parameter]
        pub controlled: Signal<In, Bit>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        /// A frame waits for the limiter; held with the next two outputs until `paid` or `refuse`.
        pub request: Signal<Out, Bit>,
        /// Its flow.
        pub request_flow: Signal<Out, Bits<12>>,
        /// Its octets, at most 16,383.
        pub request_bytes: Signal<Out, Bits<14>>,
        /// The limiter grants the frame of `request`.
        pub paid: Signal<In, Bit>,
        /// The limiter can never grant it: it passes without a grant.
        pub refuse: Signal<In, Bit>,
        /// A frame passed without a grant, because it is longer than the memory.
        pub rejected: Signal<Out, Bit>,
        /// No frame waits.
        pub source_empty: Signal<Out, Bit>,
        /// What is known of each frame: bit 26 = it waits for the limiter, bits 25 to 14 = flow, bits 13 to 0 = octets.
        known: LutRam<Bits<27>, 5>,
        /// Place for the next frame.
        known_place: Register<Bits<5>>,
        /// Place of the frame after the next one that goes out.
        following_place: Register<Bits<5>>,
        /// Frames that have not begun to go out.
        frames: Register<Bits<5>>,
        // `waiting`, `crowded` and `full` tell no more than the counters. They are registers because the longest paths begin there.
        /// They are not 0.
        waiting: Register<Bit>,
        /// They are 31.
        crowded: Register<Bit>,
        /// What is known of the next frame that goes out. The rate limiter has a long way to go with it.
        next_known: DFF<Bits<26>>,
        /// `next_known` is that of the next frame.
        is_next: Register<Bit>,
        /// Place of the next beat to write.
        write_place: Register<Bits<N>>,
        /// Place that the memory shows.
        read_place: Register<Bits<N>>,
        /// Beats in the memory and in the output register, modulo the number of places.
        stored: Register<Bits<N>>,
        /// They are as many as the places.
        full: Register<Bit>,
        /// The memory shows the oldest beat behind that of the output register.
        shown: Register<Bit>,
        /// The output register has the oldest beat.
        there: Register<Bit>,
        /// Octets of the beats of the frame so far, about 16,384 at most.
        length: Register<Bits<15>>,
        /// The frame that comes in goes without a grant.
        told: Register<Bit>,
        is_rejected: Register<Bit>,
        /// There is a next frame, and it may go without a further grant.
        may_begin: Register<Bit>,
        /// A frame has begun to go out.
        started: Register<Bit>,
        /// Its first beat is at the output, and not known to be taken: the next frame does not ask to be paid.
        offers: Register<Bit>,
        /// `may_begin` or `started`: a beat may go. The longest path, to the read address of the memory, begins here.
        may_pass: Register<Bit>,
        ready: Signal<Local, Bit>,
        comes: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        overflows: Signal<Local, Bit>,
        tells: Signal<Local, Bit>,
        all_octets: Signal<Local, Bits<15>>,
        told_octets: Signal<Local, Bits<14>>,
        entry: Signal<Local, Bits<27>>,
        loads: Signal<Local, Bit>,
        may_go: Signal<Local, Bit>,
        next_started: Signal<Local, Bit>,
        next_may_begin: Signal<Local, Bit>,
        goes: Signal<Local, Bit>,
        begins: Signal<Local, Bit>,
        offered: Signal<Local, Bit>,
        moves: Signal<Local, Bit>,
        place_behind: Signal<Local, Bits<N>>,
        next_read: Signal<Local, Bits<N>>,
    }
}

impl<const N: usize> Logic for FrameGate<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, known_place, following_place, frames, waiting, crowded, next_known, is_next);
        dff_setup!(
            self,
            clock,
            write_place,
            read_place,
            stored,
            full,
            shown,
            there,
            length,
            told,
            is_rejected,
            may_begin,
            started,
            offers,
            may_pass
        );
        clock!(self, clock, known);
        self.known_place.reset.next = self.reset.val();
        self.following_place.reset.next = self.reset.val();
        self.frames.reset.next = self.reset.val();
        self.waiting.reset.next = self.reset.val();
        self.crowded.reset.next = self.reset.val();
        self.is_next.reset.next = self.reset.val();
        self.write_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.stored.reset.next = self.reset.val();
        self.full.reset.next = self.reset.val();
        self.shown.reset.next = self.reset.val();
        self.there.reset.next = self.reset.val();
        self.length.reset.next = self.reset.val();
        self.told.reset.next = self.reset.val();
        self.is_rejected.reset.next = self.reset.val();
        self.may_begin.reset.next = self.reset.val();
        self.started.reset.next = self.reset.val();
        self.offers.reset.next = self.reset.val();
        self.may_pass.reset.next = self.reset.val();

        comment!("What comes in");
        self.ready.next = !self.full.q.val() & !self.crowded.q.val();
        self.in_ready.next = self.ready.val();
        self.comes.next = self.in_valid.val() & self.ready.val();
        self.ends.next = self.comes.val() & self.in_last.val();
        self.write_enable.next = self.comes.val();
        self.write_address.next = self.write_place.q.val();
        if self.comes.val() {
            self.write_place.d.next = self.write_place.q.val() + 1;
        }

        comment!("What is known of a frame, when its last beat comes");
        self.all_octets.next = self.length.q.val() + bit_cast::<15, 7>(self.in_octets.val());
        self.told_octets.next = bit_cast::<14, 15>(self.all_octets.val());
        if self.all_octets.val().get_bit(14) {
            self.told_octets.next = 16383.into();
        }
        // The memory is full of one frame, or of the rest of one.
        self.overflows.next = self.full.q.val() & !self.waiting.q.val() & !self.started.q.val() & !self.told.q.val();
        self.tells.next = (self.ends.val() & !self.told.q.val()) | self.overflows.val();
        self.is_rejected.d.next = self.overflows.val();
        self.rejected.next = self.is_rejected.q.val();
        if self.comes.val() & !self.length.q.val().get_bit(14) {
            self.length.d.next = self.all_octets.val();
        }
        if self.overflows.val() {
            self.told.d.next = true;
        }
        if self.ends.val() {
            self.length.d.next = 0.into();
            self.told.d.next = false;
        }
        self.entry.next = (bit_cast::<27, 12>(self.in_flow.val() & self.flow_mask.val()).to_bits() << 14)
            | bit_cast::<27, 14>(self.told_octets.val());
        self.known.write_address.next = self.known_place.q.val();
        self.known.write_enable.next = self.tells.val();
        self.known.write_data.next = self.entry.val();
        if self.controlled.val() & !self.overflows.val() {
            self.known.write_data.next = self.entry.val() | 0x400_0000;
        }
        if self.tells.val() {
            self.known_place.d.next = self.known_place.q.val() + 1;
        }

        comment!("What goes out");
        self.may_go.next = self.there.q.val() & self.may_pass.q.val();
        self.goes.next = self.may_go.val() & self.next_tready.val();
        self.begins.next = self.goes.val() & !self.started.q.val();
        self.next_started.next = self.started.q.val();
        if self.goes.val() {
            self.next_started.next = !self.out_last.val();
        }
        self.started.d.next = self.next_started.val();
        self.next_tvalid.next = self.may_go.val();

        comment!("The next frame");
        self.known.read_address.next = self.following_place.q.val();
        self.loads.next =
            (self.known_place.q.val() != self.following_place.q.val()) & (!self.is_next.q.val() | self.begins.val());
        self.is_next.d.next = self.loads.val() | (self.is_next.q.val() & !self.begins.val());
        self.next_may_begin.next = self.may_begin.q.val() | self.paid.val() | self.refuse.val();
        if self.begins.val() {
            self.next_may_begin.next = false;
        }
        if self.loads.val() {
            self.next_may_begin.next = !self.known.read_data.val().get_bit(26);
            self.next_known.d.next = self.known.read_data.val().to_bits().get_bits::<26>(0);
            self.following_place.d.next = self.following_place.q.val() + 1;
        }
        self.may_begin.d.next = self.next_may_begin.val();
        self.may_pass.d.next = self.next_started.val() | self.next_may_begin.val();
        if self.tells.val() & !self.begins.val() {
            self.frames.d.next = self.frames.q.val() + 1;
            self.waiting.d.next = true;
            self.crowded.d.next = self.frames.q.val() == 30;
        } else if self.begins.val() & !self.tells.val() {
            self.frames.d.next = self.frames.q.val() - 1;
            self.waiting.d.next = self.frames.q.val() != 1;
            self.crowded.d.next = false;
        }
        self.offered.next = self.offers.q.val() & !self.taken.val();
        self.offers.d.next = self.begins.val() | self.offered.val();
        self.request.next = self.is_next.q.val() & !self.may_begin.q.val() & !self.offered.val();
        self.request_flow.next = self.next_known.q.val().to_bits().get_bits::<12>(14);
        self.request_bytes.next = self.next_known.q.val().to_bits().get_bits::<14>(0);
        self.source_empty.next = !self.waiting.q.val();

        comment!("What the memory and the output register hold");
        if self.comes.val() & !self.goes.val() {
            self.stored.d.next = self.stored.q.val() + 1;
            self.full.d.next = self.stored.q.val().all();
        } else if self.goes.val() & !self.comes.val() {
            self.stored.d.next = self.stored.q.val() - 1;
            self.full.d.next = false;
        }
        self.moves.next = self.shown.q.val() & (!self.there.q.val() | self.goes.val());
        self.fetches.next = self.moves.val();
        self.there.d.next = self.shown.q.val() | (self.there.q.val() & !self.goes.val());
        // A beat that is written in this cycle cannot be read in it.
        self.place_behind.next = self.read_place.q.val() + 1;
        self.next_read.next = self.read_place.q.val();
        self.shown.d.next = self.read_place.q.val() != self.write_place.q.val();
        if self.moves.val() {
            self.next_read.next = self.place_behind.val();
            self.shown.d.next = self.place_behind.val() != self.write_place.q.val();
        }
        self.read_place.d.next = self.next_read.val();
        self.read_address.next = self.next_read.val();
    }
}

/// The circuit for a memory of 2^`address_bits` beats. It is made here, so that all sizes are compiled once.
///
/// # Panics
/// If no gate has so many: a mistake of the caller.
pub fn frame_gate(address_bits: usize) -> Circuit {
    match address_bits {
        // Only a proof is about so few.
        3 => Circuit::of::<FrameGate<3>>("frame_gate", &[]),
        8 => Circuit::of::<FrameGate<8>>("frame_gate", &[]),
        9 => Circuit::of::<FrameGate<9>>("frame_gate", &[]),
        10 => Circuit::of::<FrameGate<10>>("frame_gate", &[]),
        11 => Circuit::of::<FrameGate<11>>("frame_gate", &[]),
        _ => panic!("no gate has 2^{address_bits} beats"),
    }
}
