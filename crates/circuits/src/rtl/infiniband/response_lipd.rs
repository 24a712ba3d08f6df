// SPDX-License-Identifier: MIT OR Apache-2.0
//! LIPD in the source of an InfiniBand flow.

use tidegate_hdl::prelude::*;

module! {
    /// Linear inter-packet delay (LIPD): a mark adds one packet time to the delay, and each higher rate costs as many
    /// packet times as there are rates. Combinational.
    pub struct LipdResponse: "response_lipd" with constants {
        /// Inter-packet delay: idle packet times between two packets, 0 to 255.
        pub ipd: Signal<In, Bits<8>>,
        /// Cost of the next higher rate, packet times.
        pub price: Signal<Out, Bits<16>>,
        /// Inter-packet delay after a mark.
        pub decreased: Signal<Out, Bits<8>>,
        /// A mark at the least rate: the credit is cleared.
        pub at_minimum: Signal<Out, Bit>,
        /// Number of bits by which a mark shifts the credit right: none.
        pub credit_shift: Signal<Out, Bits<4>>,
        slowest: Signal<Local, Bit>,
        rate_steps: Constant<Bits<16>>,
        last: Constant<Bits<8>>,
    }
}

impl LipdResponse {
    /// For R_min = R_max / `rate_steps`, from 2 to 256.
    pub fn new(rate_steps: u32) -> Self {
        LipdResponse {
            ipd: Signal::default(),
            price: Signal::default(),
            decreased: Signal::default(),
            at_minimum: Signal::default(),
            credit_shift: Signal::default(),
            slowest: Signal::default(),
            rate_steps: Constant::new(u64::from(rate_steps).into()),
            last: Constant::new(u64::from(rate_steps - 1).into()),
        }
    }
}

/// For 256 rates, as in the paper.
impl Default for LipdResponse {
    fn default() -> Self {
        LipdResponse::new(256)
    }
}

impl Logic for LipdResponse {
    #[hdl_gen]
    fn update(&mut self) {
        self.price.next = self.rate_steps.val();
        self.slowest.next = self.ipd.val() == self.last.val();
        self.at_minimum.next = self.slowest.val();
        self.decreased.next = self.ipd.val() + 1;
        if self.slowest.val() {
            self.decreased.next = self.last.val();
        }
        self.credit_shift.next = 0.into();
    }
}
