// SPDX-License-Identifier: MIT OR Apache-2.0
//! FIMD and AIMD in the source of an InfiniBand flow, for m a power of two.

use crate::response::{Response, Table};
use tidegate_hdl::prelude::*;

module! {
    /// FIMD or AIMD with m a power of two: a mark shifts 1 + ipd left. A table holds the cost of the next higher rate.
    ///
    /// `price` is that of the delay two cycles before. The other outputs are combinational.
    pub struct ShiftResponse: "response_shift" with constants {
        pub clock: Signal<In, Clock>,
        /// Inter-packet delay: idle packet times between two packets, 0 to 255.
        pub ipd: Signal<In, Bits<8>>,
        /// Cost of the next higher rate, packet times.
        pub price: Signal<Out, Bits<16>>,
        /// Inter-packet delay after a mark.
        pub decreased: Signal<Out, Bits<8>>,
        /// A mark leads to the least rate, because the decreased rate would be below it: the credit is cleared.
        pub at_minimum: Signal<Out, Bit>,
        /// Number of bits by which a mark shifts the credit right.
        pub credit_shift: Signal<Out, Bits<4>>,
        /// Cost of the next higher rate for each delay, packet times.
        waits: SyncROM<Bits<16>, 8>,
        /// The word of the table, one cycle later.
        word: DFF<Bits<16>>,
        wanted: Signal<Local, Bits<16>>,
        beyond: Signal<Local, Bit>,
        shift: Constant<Bits<4>>,
        /// m - 1: (1 + ipd) * m - 1 is ipd with ones behind it.
        below: Constant<Bits<16>>,
        rate_steps: Constant<Bits<16>>,
        last: Constant<Bits<8>>,
        kept: Constant<Bits<4>>,
    }
}

impl ShiftResponse {
    /// For FIMD or AIMD, a division of the rate by `decrease_factor`, a power of two, and R_min = R_max /
    /// `rate_steps`, both from 2 to 256.
    ///
    /// # Panics
    /// If `decrease_factor` is no power of two.
    pub fn new(response: Response, decrease_factor: u32, rate_steps: u32) -> Self {
        assert!(decrease_factor.is_power_of_two(), "a shift does not divide by {decrease_factor}");
        let table = Table::new(response, decrease_factor, rate_steps);
        ShiftResponse {
            clock: Signal::default(),
            ipd: Signal::default(),
            price: Signal::default(),
            decreased: Signal::default(),
            at_minimum: Signal::default(),
            credit_shift: Signal::default(),
            waits: (0..=255).map(|ipd| u64::from(table.entry(ipd).wait).into()).into(),
            word: DFF::default(),
            wanted: Signal::default(),
            beyond: Signal::default(),
            shift: Constant::new(u64::from(decrease_factor.trailing_zeros()).into()),
            below: Constant::new(u64::from(decrease_factor - 1).into()),
            rate_steps: Constant::new(u64::from(rate_steps).into()),
            last: Constant::new(u64::from(rate_steps - 1).into()),
            kept: Constant::new(u64::from(table.entry(0).credit_shift).into()),
        }
    }
}

/// FIMD with m = 2 and 256 rates, as in the paper.
impl Default for ShiftResponse {
    fn default() -> Self {
        ShiftResponse::new(Response::Fimd, 2, 256)
    }
}

impl Logic for ShiftResponse {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, word);
        self.waits.clock.next = self.clock.val();
        self.waits.address.next = self.ipd.val();
        self.word.d.next = self.waits.data.val();
        self.price.next = self.word.q.val();
        self.wanted.next = (bit_cast::<16, 8>(self.ipd.val()) << self.shift.val()) | self.below.val();
        self.beyond.next = self.wanted.val() >= self.rate_steps.val();
        self.at_minimum.next = self.beyond.val();
        self.decreased.next = self.wanted.val().to_bits().get_bits::<8>(0);
        if self.beyond.val() {
            self.decreased.next = self.last.val();
        }
        self.credit_shift.next = self.kept.val();
    }
}
