// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which stream of the bridge gives the next frame.

use tidegate_hdl::prelude::*;

module! {
    /// Takes whole frames from nine streams, one after the other in turn. Between the first beats of two frames there are at
    /// least 12 cycles, so that the address table has its time. Between the last beat of a frame and the first one of the next
    /// there is at least one cycle without a beat.
    ///
    /// A beat of a stream is taken in the cycle in which `offers` and `takes` have its bit.
    pub struct FrameTurns: "switch_frame_turns" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The streams that have a beat; a beat does not change until it is taken.
        pub offers: Signal<In, Bits<9>>,
        /// The streams whose beat is the last one of its frame; valid with `offers`.
        pub ends: Signal<In, Bits<9>>,
        /// A frame may begin.
        pub ready: Signal<In, Bit>,
        /// The stream whose beats are taken, or none.
        pub takes: Signal<Out, Bits<9>>,
        taken: Register<Bits<9>>,
        /// The stream whose turn was last.
        turn: Register<Bits<9>>,
        /// Cycles until the next frame may begin.
        pause: Register<Bits<4>>,
        above: Signal<Local, Bits<9>>,
        later: Signal<Local, Bits<9>>,
        pool: Signal<Local, Bits<9>>,
        next: Signal<Local, Bits<9>>,
        ended: Signal<Local, Bits<9>>,
    }
}

impl Logic for FrameTurns {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, taken, turn, pause);
        self.taken.reset.next = self.reset.val();
        self.turn.reset.next = self.reset.val();
        self.pause.reset.next = self.reset.val();

        comment!("The first stream after the last turn that has a frame, or the first one of all");
        self.above.next = !(self.turn.q.val() | (self.turn.q.val() - 1));
        self.later.next = self.offers.val() & self.above.val();
        self.pool.next = self.offers.val();
        if self.later.val().any() {
            self.pool.next = self.later.val();
        }
        self.next.next = self.pool.val() & (!self.pool.val() + 1);

        self.ended.next = self.taken.q.val() & self.offers.val() & self.ends.val();
        if self.pause.q.val().any() {
            self.pause.d.next = self.pause.q.val() - 1;
        }
        if self.taken.q.val().any() {
            if self.ended.val().any() {
                self.taken.d.next = 0.into();
            }
        } else if self.ready.val() & !self.pause.q.val().any() & self.offers.val().any() {
            self.taken.d.next = self.next.val();
            self.turn.d.next = self.next.val();
            self.pause.d.next = 11.into();
        }
        self.takes.next = self.taken.q.val();
    }
}
