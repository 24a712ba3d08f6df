// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which lists of the flow limiter have come to their turn.

use tidegate_hdl::prelude::*;

module! {
    /// The hands of the timing wheel: of each kind of list, the one that is being emptied. The sixteen lists of a kind come
    /// to their turn one after the other, and then from the first one on. A list whose time is over and that is empty is
    /// passed. If the visits take too much time, the lists are late.
    pub struct ReachedLists: "reached_lists" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Tick of this cycle.
        pub now: Signal<In, Bits<12>>,
        /// The tick ends in this cycle.
        pub tick_ends: Signal<In, Bit>,
        /// What is looked for in this turn: 0 = a list of one tick, 2 = of 16, 4 = of 256.
        pub turn: Signal<In, Bits<3>>,
        /// At the end of this cycle, the next list of this kind has its turn.
        pub passes: Signal<In, Bit>,
        /// The list of this turn that is being emptied, of its sixteen.
        pub reached: Signal<Out, Bits<4>>,
        /// The time of this list is over.
        pub is_late: Signal<Out, Bit>,
        /// The list of one tick that is being emptied.
        pub fine: Signal<Out, Bits<4>>,
        /// The list of 16 ticks that is being emptied.
        pub middle: Signal<Out, Bits<4>>,
        /// The list of 256 ticks that is being emptied.
        pub coarse: Signal<Out, Bits<4>>,
        /// Tick of the list of one tick that is being emptied.
        reached_fine: Register<Bits<4>>,
        /// A tick has ended since the lists of one tick went on: they are late, by 16 ticks if `reached_fine` is again the
        /// tick of now.
        fine_late: Register<Bit>,
        /// `reached_fine`, of the lists of 16 ticks.
        reached_middle: Register<Bits<4>>,
        /// The same, of the lists of 256 ticks.
        reached_coarse: Register<Bits<4>>,
        digit: Signal<Local, Bits<4>>,
    }
}

impl Logic for ReachedLists {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, reached_fine, fine_late, reached_middle, reached_coarse);
        self.reached_fine.reset.next = self.reset.val();
        self.fine_late.reset.next = self.reset.val();
        self.reached_middle.reset.next = self.reset.val();
        self.reached_coarse.reset.next = self.reset.val();

        self.reached.next = self.reached_fine.q.val();
        self.digit.next = self.now.val().to_bits().get_bits::<4>(0);
        if self.turn.val() == 2 {
            self.reached.next = self.reached_middle.q.val();
            self.digit.next = self.now.val().to_bits().get_bits::<4>(4);
        } else if self.turn.val() == 4 {
            self.reached.next = self.reached_coarse.q.val();
            self.digit.next = self.now.val().to_bits().get_bits::<4>(8);
        }
        self.is_late.next =
            (self.reached.val() != self.digit.val()) | ((self.turn.val() == 0) & self.fine_late.q.val());

        if self.tick_ends.val() {
            self.fine_late.d.next = true;
        }
        if self.passes.val() {
            if self.turn.val() == 0 {
                self.reached_fine.d.next = self.reached.val() + 1;
                self.fine_late.d.next = self.tick_ends.val();
            } else if self.turn.val() == 2 {
                self.reached_middle.d.next = self.reached.val() + 1;
            } else {
                self.reached_coarse.d.next = self.reached.val() + 1;
            }
        }

        self.fine.next = self.reached_fine.q.val();
        self.middle.next = self.reached_middle.q.val();
        self.coarse.next = self.reached_coarse.q.val();
    }
}
