// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rates of the flows of a flow limiter.

use crate::rtl::flow_memory::FlowMemory;
use tidegate_hdl::prelude::*;

module! {
    /// Holds the rate and the mode of each flow. At the end of a visit, a rate at the line rate or above it is stored as "the
    /// line rate", whatever that becomes, and one below the minimum rate as the minimum rate. Both bounds are registers of
    /// software that may have changed since a rate was written, or read.
    pub struct RateMemory: "rate_memory" {
        pub clock: Signal<In, Clock>,
        /// Line rate, the largest rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub line_rate: Signal<In, Bits<25>>,
        /// Minimum rate, bytes per cycle, 18 fraction bits.
        #[parameter]
        pub min_rate: Signal<In, Bits<25>>,
        /// Binary logarithm of the cycles of a tick, minus 4; a constant.
        pub tick_scale: Signal<In, Bits<2>>,
        /// Number of the flow that is visited.
        pub flow: Signal<In, Bits<12>>,
        /// The rate of `flow` becomes the line rate: the memories are being cleared.
        pub in_clear: Signal<In, Bit>,
        /// The phase is `Write`, at the end of a visit.
        pub in_write: Signal<In, Bit>,
        /// The flow is visited to store `rate_read` and `mode_due`; held from the begin of the visit to its end.
        pub for_change: Signal<In, Bit>,
        /// The new rate, bytes per cycle, 18 fraction bits; held as `for_change`.
        pub rate_read: Signal<In, Bits<25>>,
        /// The new mode; held as `for_change`.
        pub mode_due: Signal<In, Bits<2>>,
        /// Rate of the flow before this visit, bytes per cycle, 18 fraction bits; from the phase `Check` on.
        pub present_rate: Signal<Out, Bits<25>>,
        /// Its mode; from the phase `Check` on.
        pub present_mode: Signal<Out, Bits<2>>,
        /// What this rate brings in a tick, bytes, 14 fraction bits; from the phase `Check` on.
        pub tick_rate: Signal<Out, Bits<32>>,
        /// Bits 24 to 0: rate of each flow, bytes per cycle, 18 fraction bits. Bit 25: it is the line rate instead. Bits 27
        /// and 26: mode.
        rates: FlowMemory<28>,
        /// Rate and mode of the current flow, as `rates` read them in the cycle before.
        old_rate: Delay<Bits<28>>,
        /// In the cycle before, the task was to store a new rate.
        is_change: DFF<Bit>,
        /// In the cycle before, the rate that this visit leaves was the line rate or above it: the one in the low bits of
        /// `old_rate`, or the new one.
        high: DFF<Bit>,
        /// In the cycle before, it was below the minimum rate, and not 0: BCN's flows that are stopped have 0.
        low: DFF<Bit>,
        /// The minimum rate in that cycle: it may change before the rate is written.
        least: Delay<Bits<25>>,
        stored_rate: Signal<Local, Bits<25>>,
        left_rate: Signal<Local, Bits<25>>,
        left_mode: Signal<Local, Bits<28>>,
    }
}

impl RateMemory {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        RateMemory { rates: FlowMemory::new(flow_bits), ..RateMemory::default() }
    }

    /// The same without modes: `present_mode` is 0.
    pub fn without_modes(flow_bits: usize) -> Self {
        RateMemory { rates: FlowMemory::narrow(flow_bits, 26), ..RateMemory::default() }
    }
}

impl Logic for RateMemory {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, old_rate, is_change, high, low, least);
        clock!(self, clock, rates);

        comment!("The rate of the flow");
        self.rates.read_address.next = self.flow.val();
        self.old_rate.d.next = self.rates.read_data.val();
        self.stored_rate.next = self.old_rate.q.val().to_bits().get_bits::<25>(0);
        self.present_rate.next = self.stored_rate.val();
        if self.old_rate.q.val().get_bit(25) {
            self.present_rate.next = self.line_rate.val();
        }
        self.present_mode.next = self.old_rate.q.val().to_bits().get_bits::<2>(26);
        self.tick_rate.next = bit_cast::<32, 25>(self.present_rate.val()).to_bits() << self.tick_scale.val();

        comment!("The rate that the visit leaves");
        self.left_rate.next = self.stored_rate.val();
        self.left_mode.next = self.old_rate.q.val() & 0xc00_0000;
        self.is_change.d.next = self.for_change.val();
        if self.is_change.q.val() {
            self.left_rate.next = self.rate_read.val();
            self.left_mode.next = bit_cast::<28, 2>(self.mode_due.val()).to_bits() << 26;
        }
        self.high.d.next = self.left_rate.val() >= self.line_rate.val();
        self.low.d.next = (self.left_rate.val() < self.min_rate.val()) & self.left_rate.val().any();
        self.least.d.next = self.min_rate.val();

        comment!("The memory is written if the rate changes, or is not within its bounds");
        self.rates.write_address.next = self.flow.val();
        self.rates.write_data.next = bit_cast::<28, 25>(self.rate_read.val()) | self.left_mode.val();
        if self.high.q.val() | self.low.q.val() {
            // The line rate, or else the minimum rate.
            self.rates.write_data.next = bit_cast::<28, 25>(self.least.q.val())
                | (bit_cast::<28, 1>(self.high.q.val().into()).to_bits() << 25)
                | self.left_mode.val();
        }
        self.rates.write_enable.next = self.in_write.val()
            & (self.for_change.val() | (!self.old_rate.q.val().get_bit(25) & (self.high.q.val() | self.low.q.val())));
        if self.in_clear.val() {
            self.rates.write_enable.next = true;
            self.rates.write_data.next = 0x200_0000.into();
        }
    }
}
