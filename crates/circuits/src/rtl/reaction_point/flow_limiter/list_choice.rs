// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of the flow limiter that a flow is put into.

use tidegate_hdl::prelude::*;

module! {
    /// Chooses the list in which a flow waits for its time: a list of one tick if it waits at most 15 ticks, of 16 ticks if
    /// at most 255, else of 256 ticks. It waits at most 12 times 256 ticks, so that a list of 256 ticks never comes to its
    /// turn before its time. In the phase `Round` the time is known; in the next cycle `chosen_list` is the list of this
    /// time, and in the cycle after it a list that does not come to its turn too early.
    pub struct ListChoice: "list_choice" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Tick of this cycle.
        pub now: Signal<In, Bits<12>>,
        /// Tick of the next cycle.
        pub time_then: Signal<In, Bits<12>>,
        /// Ticks that the flow must wait, less one; valid with `in_round`.
        pub ticks: Signal<In, Bits<12>>,
        /// The list of one tick that is being emptied.
        pub reached_fine: Signal<In, Bits<4>>,
        /// The list of 16 ticks that is being emptied.
        pub reached_middle: Signal<In, Bits<4>>,
        /// The list of 256 ticks that is being emptied.
        pub reached_coarse: Signal<In, Bits<4>>,
        /// `chosen_list` of the cycle before, in the cycle after `in_place`.
        pub list: Signal<In, Bits<6>>,
        /// The phase is `Round`.
        pub in_round: Signal<In, Bit>,
        /// The phase is `Place`, which follows it.
        pub in_place: Signal<In, Bit>,
        /// Number of the list in the phases `Place` and `Avoid`; 0 in all others.
        pub chosen_list: Signal<Out, Bits<6>>,
        /// In the phase `Place`, the tick until which the flow waits.
        wake: DFF<Bits<12>>,
        /// The phase is `Place`, and the flow waits at most 15 ticks: it is put into a list of one tick.
        places_fine: Register<Bit>,
        /// The same of a list of 16 ticks, for at most 255 ticks.
        places_middle: Register<Bit>,
        /// The same of a list of 256 ticks.
        places_coarse: Register<Bit>,
        /// The phase is `Avoid`.
        avoids: Register<Bit>,
        wait: Signal<Local, Bits<12>>,
        waits_16: Signal<Local, Bit>,
        waits_256: Signal<Local, Bit>,
        list_digit: Signal<Local, Bits<4>>,
        list_now: Signal<Local, Bits<4>>,
        list_reached: Signal<Local, Bits<4>>,
        not_before: Signal<Local, Bit>,
        before_now: Signal<Local, Bit>,
        wraps: Signal<Local, Bit>,
        comes_before: Signal<Local, Bit>,
        avoided: Signal<Local, Bits<4>>,
        kept_digit: Signal<Local, Bits<4>>,
        other_digit: Signal<Local, Bits<4>>,
    }
}

impl Logic for ListChoice {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, wake, places_fine, places_middle, places_coarse, avoids);
        self.places_fine.reset.next = self.reset.val();
        self.places_middle.reset.next = self.reset.val();
        self.places_coarse.reset.next = self.reset.val();
        self.avoids.reset.next = self.reset.val();

        comment!("The tick until which the flow waits, and the kind of list");
        // The quotient is rounded up, and then the frame may go. Here it is one less, and the sum adds one: `a - !b` is
        // `a + b + 1`. A wait of 241 to 255 ticks becomes one of 240: after a longer one it may again be the turn of the list of
        // 16 ticks whose turn it is now.
        self.wait.next = self.ticks.val();
        if self.ticks.val() > 3071 {
            self.wait.next = 3071.into();
        }
        if (self.ticks.val() >= 240) & (self.ticks.val() < 255) {
            self.wait.next = 239.into();
        }
        self.wake.d.next = self.time_then.val() - !self.wait.val();
        self.waits_16.next = self.ticks.val() >= 15;
        self.waits_256.next = self.ticks.val() >= 255;
        self.places_fine.d.next = self.in_round.val() & !self.waits_16.val();
        self.places_middle.d.next = self.in_round.val() & self.waits_16.val() & !self.waits_256.val();
        self.places_coarse.d.next = self.in_round.val() & self.waits_256.val();
        self.avoids.d.next = self.in_place.val();

        comment!("Whether the list comes to its turn once more before its time, because the lists are late");
        // Then a flow that waits 15 ticks would be taken out at once, again and again. Nor may it be the list that is
        // being emptied: if a tick ends here, the lists may just have become 16 late.
        self.list_digit.next = self.list.val().to_bits().get_bits::<4>(0);
        self.list_now.next = self.now.val().to_bits().get_bits::<4>(0);
        self.list_reached.next = self.reached_fine.val();
        if self.list.val().get_bit(4) {
            self.list_now.next = self.now.val().to_bits().get_bits::<4>(4);
            self.list_reached.next = self.reached_middle.val();
        } else if self.list.val().get_bit(5) {
            self.list_now.next = self.now.val().to_bits().get_bits::<4>(8);
            self.list_reached.next = self.reached_coarse.val();
        }
        // From the list that is being emptied to the one of now, around the end of the sixteen if it is there.
        self.not_before.next = self.list_digit.val() >= self.list_reached.val();
        self.before_now.next = self.list_digit.val() < self.list_now.val();
        self.wraps.next = self.list_reached.val() > self.list_now.val();
        self.comes_before.next = (self.list_digit.val() == self.list_reached.val())
            | (self.not_before.val() & self.before_now.val())
            | (self.wraps.val() & (self.not_before.val() | self.before_now.val()));
        // With `&` and `|`: then all this is in the data of the register, and not in what enables it.
        self.avoided.next = bits::<4>(0) - bit_cast::<4, 1>(self.comes_before.val().into());
        self.kept_digit.next = self.list_digit.val() & !self.avoided.val();
        self.other_digit.next = (self.list_reached.val() - 1) & self.avoided.val();

        comment!("The list in the phases `Place` and `Avoid`");
        self.chosen_list.next = 0.into();
        if self.places_fine.q.val() {
            self.chosen_list.next = bit_cast::<6, 4>(self.wake.q.val().to_bits().get_bits::<4>(0));
        }
        if self.places_middle.q.val() {
            self.chosen_list.next = bit_cast::<6, 4>(self.wake.q.val().to_bits().get_bits::<4>(4)) | 0x10;
        }
        if self.places_coarse.q.val() {
            self.chosen_list.next = bit_cast::<6, 4>(self.wake.q.val().to_bits().get_bits::<4>(8)) | 0x20;
        }
        if self.avoids.q.val() {
            self.chosen_list.next =
                (self.list.val() & 0x30) | bit_cast::<6, 4>(self.kept_digit.val() | self.other_digit.val());
        }
    }
}
