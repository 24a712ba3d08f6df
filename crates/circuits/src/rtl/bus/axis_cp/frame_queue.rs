// SPDX-License-Identifier: MIT OR Apache-2.0
//! The places of the beats in an output queue of whole frames.

use crate::rtl::circuit::Circuit;
use tidegate_hdl::prelude::*;

module! {
    /// Decides which beats of a stream are stored in a memory, and which leave it. The memory has a place for a beat at each
    /// value of `write_address`. A frame leaves when all of it is stored. It is dropped as a whole if one of its beats is bad, or finds no place.
    ///
    /// A beat of cycle t is in the memory from cycle t + 2 on, because its place has a long way to many block RAMs;
    /// `enqueue` is high in cycle t + 1 if it was the last one of a frame that stays. The first beat of this frame is in
    /// the register behind the memory, and `next_tvalid` is high, from cycle t + 4 on, if nothing else waits. Afterwards
    /// a beat can go out in every cycle. It is in the queue until the receiver has taken it, so the stage at the output says when
    /// (`bus/output_stage`).
    pub struct FrameQueue<const N: usize, const P: usize>: "axis_frame_queue" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A beat comes in this cycle.
        pub in_valid: Signal<In, Bit>,
        /// It is the last one of its frame.
        pub in_last: Signal<In, Bit>,
        /// It makes its frame a bad one.
        pub in_bad: Signal<In, Bit>,
        /// Its octets, 1 to 64.
        pub in_octets: Signal<In, Bits<7>>,
        /// The beat is written.
        pub write_enable: Signal<Out, Bit>,
        /// Its place in the memory.
        pub write_address: Signal<Out, Bits<N>>,
        /// The place that the memory shows in the next cycle.
        pub read_address: Signal<Out, Bits<N>>,
        /// The register behind the memory takes in this cycle what the memory shows.
        pub load: Signal<Out, Bit>,
        /// There is a beat in this register; it does not change until it is taken.
        pub next_tvalid: Signal<Out, Bit>,
        /// It goes to the stage at the output.
        pub next_tready: Signal<In, Bit>,
        /// Its octets, 1 to 64.
        pub out_octets: Signal<In, Bits<7>>,
        /// The receiver took the beat that was at the output in the cycle before: the last one that went there.
        pub taken: Signal<In, Bit>,
        /// A frame has entered the queue.
        pub enqueue: Signal<Out, Bit>,
        /// Its length, octets; valid with `enqueue`.
        pub enqueue_bytes: Signal<Out, Bits<24>>,
        /// A beat has left the queue.
        pub dequeue: Signal<Out, Bit>,
        /// Its octets; valid with `dequeue`.
        pub dequeue_bytes: Signal<Out, Bits<24>>,
        /// A frame was dropped, because it was bad.
        pub bad_frame: Signal<Out, Bit>,
        /// A good frame was dropped, because there was no room for all of it.
        pub dropped_frame: Signal<Out, Bit>,
        /// No frame has begun that has not ended.
        pub boundary: Signal<Out, Bit>,
        /// Number of the next beat to write.
        write_place: Register<Bits<P>>,
        /// Number of the first beat of the frame that comes in: all before it belong to whole frames.
        frame_place: Register<Bits<P>>,
        /// The same in the cycle before: all beats before this one are in the memory.
        whole_place: Register<Bits<P>>,
        /// Number of the beat that the memory shows.
        read_place: Register<Bits<P>>,
        /// Number of the beat after it. Known before it is needed, because a way to many block RAMs comes then.
        following_place: DFF<Bits<P>>,
        /// The memory shows a beat of a whole frame.
        shows: Register<Bit>,
        /// There is a beat in the register behind the memory.
        holds: Register<Bit>,
        /// One place or none was free in the cycle before.
        full: Register<Bit>,
        /// The frame has begun.
        begun: Register<Bit>,
        /// A beat of the frame found no place.
        overflowed: Register<Bit>,
        /// A beat of the frame was bad.
        spoiled: Register<Bit>,
        /// Octets of the frame so far.
        octets: Register<Bits<24>>,
        entered: Register<Bit>,
        entered_octets: DFF<Bits<24>>,
        /// Octets of the beat at the output.
        left_octets: DFF<Bits<7>>,
        is_bad: Register<Bit>,
        is_dropped: Register<Bit>,
        shown_address: Signal<Local, Bits<N>>,
        used: Signal<Local, Bits<P>>,
        no_room: Signal<Local, Bit>,
        bad: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        keeps: Signal<Local, Bit>,
        after_this: Signal<Local, Bits<P>>,
        next_read: Signal<Local, Bits<P>>,
        shown_is_whole: Signal<Local, Bit>,
        following_is_whole: Signal<Local, Bit>,
        all_octets: Signal<Local, Bits<24>>,
    }
}

impl<const N: usize, const P: usize> Logic for FrameQueue<N, P> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            write_place,
            frame_place,
            whole_place,
            read_place,
            following_place,
            full,
            shows,
            holds,
            begun,
            overflowed,
            spoiled,
            octets
        );
        dff_setup!(self, clock, entered, entered_octets, left_octets, is_bad, is_dropped);
        self.write_place.reset.next = self.reset.val();
        self.frame_place.reset.next = self.reset.val();
        self.whole_place.reset.next = self.reset.val();
        self.read_place.reset.next = self.reset.val();
        self.full.reset.next = self.reset.val();
        self.shows.reset.next = self.reset.val();
        self.holds.reset.next = self.reset.val();
        self.begun.reset.next = self.reset.val();
        self.overflowed.reset.next = self.reset.val();
        self.spoiled.reset.next = self.reset.val();
        self.octets.reset.next = self.reset.val();
        self.entered.reset.next = self.reset.val();
        self.is_bad.reset.next = self.reset.val();
        self.is_dropped.reset.next = self.reset.val();

        comment!("What comes in");
        // Whether the memory is full is known a cycle later, as the comparison and the end of a frame are too long for one. So
        // no beat takes the last place, unless one came in the cycle before.
        self.write_address.next = self.write_place.q.val().to_bits().get_bits::<N>(0);
        self.shown_address.next = self.read_place.q.val().to_bits().get_bits::<N>(0);
        self.after_this.next = self.write_place.q.val() + 1;
        self.used.next = self.write_place.q.val() - self.read_place.q.val();
        self.full.d.next = self.used.val().to_bits().get_bits::<N>(0).all()
            | (self.used.val().any() & !self.used.val().to_bits().get_bits::<N>(0).any());
        self.no_room.next = self.full.q.val() | self.overflowed.q.val();
        self.bad.next = self.in_bad.val() | self.spoiled.q.val();
        self.ends.next = self.in_valid.val() & self.in_last.val();
        self.keeps.next = self.ends.val() & !self.no_room.val() & !self.bad.val();
        self.all_octets.next = self.octets.q.val() + bit_cast::<24, 7>(self.in_octets.val());
        if self.in_valid.val() {
            self.begun.d.next = true;
            self.spoiled.d.next = self.bad.val();
            self.overflowed.d.next = self.no_room.val();
            self.octets.d.next = self.all_octets.val();
            if !self.no_room.val() {
                self.write_place.d.next = self.after_this.val();
            }
        }
        comment!("The end of a frame: it stays, or its places are free again");
        if self.ends.val() {
            self.begun.d.next = false;
            self.spoiled.d.next = false;
            self.overflowed.d.next = false;
            self.octets.d.next = 0.into();
            if self.keeps.val() {
                self.frame_place.d.next = self.after_this.val();
            } else {
                self.write_place.d.next = self.frame_place.q.val();
            }
        }
        self.entered.d.next = self.keeps.val();
        self.entered_octets.d.next = self.all_octets.val();
        self.is_bad.d.next = self.ends.val() & self.bad.val();
        self.is_dropped.d.next = self.ends.val() & !self.bad.val() & self.no_room.val();
        self.write_enable.next = self.in_valid.val() & !self.no_room.val();

        comment!("What goes out");
        self.load.next = self.shows.q.val() & (!self.holds.q.val() | self.next_tready.val());
        self.whole_place.d.next = self.frame_place.q.val();
        self.shown_is_whole.next = self.read_place.q.val() != self.whole_place.q.val();
        self.following_is_whole.next = self.following_place.q.val() != self.whole_place.q.val();
        self.next_read.next = self.read_place.q.val();
        self.shows.d.next = self.shown_is_whole.val();
        if self.load.val() {
            self.next_read.next = self.following_place.q.val();
            self.following_place.d.next = self.following_place.q.val() + 1;
            self.shows.d.next = self.following_is_whole.val();
        }
        if self.reset.val() {
            self.following_place.d.next = 1.into();
        }
        self.read_place.d.next = self.next_read.val();
        self.read_address.next = self.next_read.val().to_bits().get_bits::<N>(0);
        self.holds.d.next = self.shows.q.val() | (self.holds.q.val() & !self.next_tready.val());
        if self.next_tready.val() {
            self.left_octets.d.next = self.out_octets.val();
        }

        self.next_tvalid.next = self.holds.q.val();
        self.enqueue.next = self.entered.q.val();
        self.enqueue_bytes.next = self.entered_octets.q.val();
        self.dequeue.next = self.taken.val();
        self.dequeue_bytes.next = bit_cast::<24, 7>(self.left_octets.q.val());
        self.bad_frame.next = self.is_bad.q.val();
        self.dropped_frame.next = self.is_dropped.q.val();
        self.boundary.next = !self.begun.q.val();
    }
}

/// The circuit for a memory of 2^`address_bits` beats. It is made here, so that all sizes are compiled once.
///
/// # Panics
/// If no `buffer_bytes` has so many: a mistake of the caller.
pub fn frame_queue(address_bits: usize) -> Circuit {
    macro_rules! of {
        ($($bits:literal $more:literal),*) => {
            match address_bits {
                $($bits => Circuit::of::<FrameQueue<$bits, $more>>("frame_queue", &[]),)*
                _ => panic!("no queue has 2^{address_bits} beats"),
            }
        };
    }
    of!(4 5, 5 6, 6 7, 7 8, 8 9, 9 10, 10 11, 11 12, 12 13, 13 14, 14 15, 15 16, 16 17, 17 18, 18 19, 19 20, 20 21)
}
