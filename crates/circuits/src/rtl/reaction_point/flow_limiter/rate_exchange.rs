// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a flow limiter and the calculator exchange.

use tidegate_hdl::prelude::*;

module! {
    /// Holds the rate that was read for the feedback that waits, until the calculator takes the feedback; and then the new
    /// rate, until a visit has stored it. No other rate is read before.
    pub struct RateExchange: "rate_exchange" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The flow that is visited.
        pub known_flow: Signal<In, Bits<12>>,
        /// The phase is `Check`: the three inputs below are valid.
        pub in_check: Signal<In, Bit>,
        /// Rate of the flow that is visited, bytes per cycle, 18 fraction bits.
        pub present_rate: Signal<In, Bits<25>>,
        /// Its mode.
        pub present_mode: Signal<In, Bits<2>>,
        /// A frame of this flow is announced.
        pub read_waits: Signal<In, Bit>,
        /// The flow is visited to read its rate.
        pub for_read: Signal<In, Bit>,
        /// The phase is `Write`, at the end of a visit.
        pub in_write: Signal<In, Bit>,
        /// The flow is visited to store its new rate.
        pub for_change: Signal<In, Bit>,
        /// The calculator takes the feedback in this cycle; not without `rate_valid`.
        pub feedback_taken: Signal<In, Bit>,
        /// `new_rate` and `new_mode` are valid; not without `feedback_taken`.
        pub change: Signal<In, Bit>,
        /// New rate of the flow of the feedback, bytes per cycle, 18 fraction bits.
        pub new_rate: Signal<In, Bits<25>>,
        /// New mode.
        pub new_mode: Signal<In, Bits<2>>,
        /// `rate` and `mode` are those of the feedback that waits; held until `feedback_taken`.
        pub rate_valid: Signal<Out, Bit>,
        /// With `rate_valid`, the rate of the flow of the feedback; with `change_waits`, its new rate; bytes per cycle, 18
        /// fraction bits.
        pub rate: Signal<Out, Bits<25>>,
        /// Mode of this flow; valid with `rate_valid`.
        pub mode: Signal<Out, Bits<2>>,
        /// A frame of this flow was announced when its rate was read.
        pub rate_waits: Signal<Out, Bit>,
        /// A new rate has not been stored yet.
        pub change_waits: Signal<Out, Bit>,
        /// The flow of this rate; valid with `rate_valid` and with `change_waits`.
        pub rate_flow: Signal<Out, Bits<12>>,
        /// The new mode; valid with `change_waits`.
        pub stored_mode: Signal<Out, Bits<2>>,
        /// Flow of the feedback.
        reader: DFF<Bits<12>>,
        /// Rate of that flow, then the new one.
        rate_read: DFF<Bits<25>>,
        /// Mode of that flow.
        mode_read: DFF<Bits<2>>,
        /// The new mode.
        mode_due: DFF<Bits<2>>,
        /// A frame of that flow was announced when its rate was read.
        reader_waits: DFF<Bit>,
        /// `rate_read` is that of the feedback that waits.
        rate_known: Register<Bit>,
        /// `rate_read` has not been written yet.
        change_due: Register<Bit>,
    }
}

impl Logic for RateExchange {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, reader, rate_read, mode_read, mode_due, reader_waits, rate_known, change_due);
        self.rate_known.reset.next = self.reset.val();
        self.change_due.reset.next = self.reset.val();

        if self.in_check.val() & self.for_read.val() {
            self.reader.d.next = self.known_flow.val();
            self.rate_known.d.next = true;
            self.rate_read.d.next = self.present_rate.val();
            self.mode_read.d.next = self.present_mode.val();
            self.reader_waits.d.next = self.read_waits.val();
        }
        if self.in_write.val() & self.for_change.val() {
            self.change_due.d.next = false;
        }
        if self.feedback_taken.val() {
            self.rate_known.d.next = false;
        }
        if self.change.val() {
            self.rate_read.d.next = self.new_rate.val();
            self.mode_due.d.next = self.new_mode.val();
            self.change_due.d.next = true;
        }

        self.rate_valid.next = self.rate_known.q.val();
        self.rate.next = self.rate_read.q.val();
        self.mode.next = self.mode_read.q.val();
        self.rate_waits.next = self.reader_waits.q.val();
        self.change_waits.next = self.change_due.q.val();
        self.rate_flow.next = self.reader.q.val();
        self.stored_mode.next = self.mode_due.q.val();
    }
}
