// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sampling intervals of QCN.

use tidegate_hdl::prelude::*;

module! {
    /// The sampling interval of a level of congestion, from a table (IEEE 802.1Q). Combinational.
    pub struct SamplingTable: "sampling_table" {
        /// QntzFb / 8 of the last sample.
        pub level: Signal<In, Bits<3>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 0: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_0: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 1: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_1: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 2: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_2: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 3: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_3: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 4: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_4: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 5: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_5: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 6: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_6: Signal<In, Bits<24>>,
        /// Smallest sampling interval while the last QntzFb / 8 was 7: packets, bytes or cycles, by `sample_mode`.
        #[parameter]
        pub interval_low_7: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 0, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_0: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 1, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_1: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 2, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_2: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 3, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_3: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 4, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_4: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 5, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_5: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 6, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_6: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval while the last QntzFb / 8 was 7, in the same unit; 0 = no jitter.
        #[parameter]
        pub interval_span_7: Signal<In, Bits<24>>,
        /// Smallest sampling interval for the sampler: packets, bytes or cycles, by `sample_mode`.
        pub interval_low: Signal<Out, Bits<24>>,
        /// Largest minus smallest sampling interval for the sampler, in the same unit; 0 = no jitter.
        pub interval_span: Signal<Out, Bits<24>>,
        low_01: Signal<Local, Bits<24>>,
        low_23: Signal<Local, Bits<24>>,
        low_45: Signal<Local, Bits<24>>,
        low_67: Signal<Local, Bits<24>>,
        low_0123: Signal<Local, Bits<24>>,
        low_4567: Signal<Local, Bits<24>>,
        span_01: Signal<Local, Bits<24>>,
        span_23: Signal<Local, Bits<24>>,
        span_45: Signal<Local, Bits<24>>,
        span_67: Signal<Local, Bits<24>>,
        span_0123: Signal<Local, Bits<24>>,
        span_4567: Signal<Local, Bits<24>>,
    }
}

impl Logic for SamplingTable {
    #[hdl_gen]
    fn update(&mut self) {
        // A tree of multiplexers: comparisons one after the other would be twice as long where the intervals are registers.
        self.low_01.next = self.interval_low_0.val();
        self.low_23.next = self.interval_low_2.val();
        self.low_45.next = self.interval_low_4.val();
        self.low_67.next = self.interval_low_6.val();
        self.span_01.next = self.interval_span_0.val();
        self.span_23.next = self.interval_span_2.val();
        self.span_45.next = self.interval_span_4.val();
        self.span_67.next = self.interval_span_6.val();
        if self.level.val().get_bit(0) {
            self.low_01.next = self.interval_low_1.val();
            self.low_23.next = self.interval_low_3.val();
            self.low_45.next = self.interval_low_5.val();
            self.low_67.next = self.interval_low_7.val();
            self.span_01.next = self.interval_span_1.val();
            self.span_23.next = self.interval_span_3.val();
            self.span_45.next = self.interval_span_5.val();
            self.span_67.next = self.interval_span_7.val();
        }
        self.low_0123.next = self.low_01.val();
        self.low_4567.next = self.low_45.val();
        self.span_0123.next = self.span_01.val();
        self.span_4567.next = self.span_45.val();
        if self.level.val().get_bit(1) {
            self.low_0123.next = self.low_23.val();
            self.low_4567.next = self.low_67.val();
            self.span_0123.next = self.span_23.val();
            self.span_4567.next = self.span_67.val();
        }
        self.interval_low.next = self.low_0123.val();
        self.interval_span.next = self.span_0123.val();
        if self.level.val().get_bit(2) {
            self.interval_low.next = self.low_4567.val();
            self.interval_span.next = self.span_4567.val();
        }
    }
}
