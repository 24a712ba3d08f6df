//! The sampling intervals of QCN.

use crate::rtl::module;
use rust_hdl::prelude::*;

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
    }
}

impl Logic for SamplingTable {
    #[hdl_gen]
    fn update(&mut self) {
        self.interval_low.next = self.interval_low_0.val();
        self.interval_span.next = self.interval_span_0.val();
        if self.level.val() == 1 {
            self.interval_low.next = self.interval_low_1.val();
            self.interval_span.next = self.interval_span_1.val();
        } else if self.level.val() == 2 {
            self.interval_low.next = self.interval_low_2.val();
            self.interval_span.next = self.interval_span_2.val();
        } else if self.level.val() == 3 {
            self.interval_low.next = self.interval_low_3.val();
            self.interval_span.next = self.interval_span_3.val();
        } else if self.level.val() == 4 {
            self.interval_low.next = self.interval_low_4.val();
            self.interval_span.next = self.interval_span_4.val();
        } else if self.level.val() == 5 {
            self.interval_low.next = self.interval_low_5.val();
            self.interval_span.next = self.interval_span_5.val();
        } else if self.level.val() == 6 {
            self.interval_low.next = self.interval_low_6.val();
            self.interval_span.next = self.interval_span_6.val();
        } else if self.level.val() == 7 {
            self.interval_low.next = self.interval_low_7.val();
            self.interval_span.next = self.interval_span_7.val();
        }
    }
}
