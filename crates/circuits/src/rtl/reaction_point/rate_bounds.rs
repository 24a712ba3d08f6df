// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keeps a rate within its bounds when these change.

use tidegate_hdl::prelude::*;

module! {
    /// Says when a rate that is stored outside must become the line rate or the minimum rate, because these are registers of
    /// software that change.
    ///
    /// A rate that is the line rate stays the line rate, whatever that becomes: a source without congestion sends at the
    /// line rate, and no other rule would raise it. A rate above a new line rate becomes the line rate, and one below a new
    /// minimum rate the minimum rate. Bounds that change in cycle t count in the rate in cycle t + 2 at the latest. Reset
    /// makes the rate the line rate, also if this changes in the first cycle after it.
    pub struct RateBounds: "rate_bounds" {
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high: the rate becomes the line rate.
        pub reset: Signal<In, Bit>,
        /// The rate, bytes per cycle, 18 fraction bits.
        pub rate: Signal<In, Bits<25>>,
        /// The rate has no bounds in this cycle: it changes at its end, or is that of a stopped source.
        pub free: Signal<In, Bit>,
        /// Line rate, the largest rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        /// Minimum rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        /// The rate becomes `bound` at the end of this cycle, if nothing else changes it.
        pub binds: Signal<Out, Bit>,
        /// Line rate or minimum rate; valid with `binds`.
        pub bound: Signal<Out, Bits<25>>,
        /// The rate is the line rate, and has not just changed.
        pub at_line_rate: Signal<Out, Bit>,
        /// In the cycle before, the rate was the line rate or above it.
        high: DFF<Bit>,
        /// In the cycle before, the rate was below the minimum rate.
        low: DFF<Bit>,
    }
}

impl Logic for RateBounds {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, high, low);
        // From registers, so that the path of a new rate does not become longer.
        self.high.d.next = (self.rate.val() >= self.line_rate.val()) & !self.free.val();
        self.low.d.next = (self.rate.val() < self.min_rate.val()) & !self.free.val();
        if self.reset.val() {
            self.high.d.next = true;
            self.low.d.next = false;
        }
        self.at_line_rate.next = self.high.q.val();
        self.binds.next = self.high.q.val() | self.low.q.val();
        self.bound.next = self.line_rate.val();
        if self.low.q.val() {
            self.bound.next = self.min_rate.val();
        }
    }
}
