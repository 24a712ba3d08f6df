// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rates of four flows as the packet generator of the NetFPGA-1G wants them.

use tidegate_hdl::prelude::*;

module! {
    /// Of flow i the bytes that it may send in each `token_interval` cycles: the TOKEN_INC of queue i in the packet generator's
    /// rate limiter, whose TOKEN_INTERVAL is `token_interval`.
    ///
    /// Rate × interval is rounded down, and is at most 255: a port is never faster than its flow. The resolution is one
    /// byte in an interval, 4 Mb/s at 125 MHz with 250 cycles, and a slower flow stops. With 255 cycles or less 1 Gb/s can
    /// be said. One product after the other is computed, bit by bit: a rate that the limiter shows is in force within 72 cycles,
    /// and the limiter shows a new rate at the next visit of the flow. Before the first visit the number is 0.
    pub struct TokenIncrements: "token_increments" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The limiter shows a flow: the next two inputs are valid.
        pub visited: Signal<In, Bit>,
        /// The flow.
        pub visited_flow: Signal<In, Bits<12>>,
        /// Its rate, bytes per cycle, 18 fraction bits.
        pub visited_rate: Signal<In, Bits<25>>,
        /// TOKEN_INTERVAL, cycles.
        #[parameter]
        pub token_interval: Signal<In, Bits<16>>,
        /// TOKEN_INC of each port, bytes.
        pub token_inc: [Signal<Out, Bits<8>>; 4],
        /// The rate that was shown last.
        rates: [Register<Bits<25>>; 4],
        increments: [Register<Bits<8>>; 4],
        /// The flow whose product is computed.
        turn: Register<Bits<2>>,
        /// 0: begin. 1 to 16: bits of the interval, the lowest first. 17: done.
        step: Register<Bits<5>>,
        rate: DFF<Bits<25>>,
        /// The bits of the interval that are left.
        bits_left: DFF<Bits<16>>,
        /// The product without its lowest bits, one less in each step: at the end rate × interval in 2^-2 bytes.
        product: DFF<Bits<27>>,
        summand: Signal<Local, Bits<27>>,
        sum: Signal<Local, Bits<27>>,
        increment: Signal<Local, Bits<8>>,
    }
}

impl Logic for TokenIncrements {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, turn, step, rate, bits_left, product);
        self.turn.reset.next = self.reset.val();
        self.step.reset.next = self.reset.val();

        comment!("Rate times interval");
        self.summand.next = 0.into();
        if self.bits_left.q.val().get_bit(0) {
            self.summand.next = bit_cast::<27, 25>(self.rate.q.val());
        }
        self.sum.next = self.product.q.val() + self.summand.val();
        self.increment.next = self.product.q.val().to_bits().get_bits::<8>(2);
        if self.product.q.val().to_bits().get_bits::<17>(10).any() {
            self.increment.next = 255.into();
        }
        self.step.d.next = self.step.q.val() + 1;
        self.product.d.next = self.sum.val().to_bits() >> 1;
        self.bits_left.d.next = self.bits_left.q.val().to_bits() >> 1;
        if self.step.q.val() == 0 {
            self.product.d.next = 0.into();
            self.bits_left.d.next = self.token_interval.val();
            self.rate.d.next = self.rates[0].q.val();
            if self.turn.q.val() == 1 {
                self.rate.d.next = self.rates[1].q.val();
            } else if self.turn.q.val() == 2 {
                self.rate.d.next = self.rates[2].q.val();
            } else if self.turn.q.val() == 3 {
                self.rate.d.next = self.rates[3].q.val();
            }
        }
        if self.step.q.val() == 17 {
            self.step.d.next = 0.into();
            self.turn.d.next = self.turn.q.val() + 1;
        }

        comment!("What was shown, and what is told");
        for i in 0..4 {
            self.rates[i].clock.next = self.clock.val();
            self.rates[i].reset.next = self.reset.val();
            self.rates[i].d.next = self.rates[i].q.val();
            self.increments[i].clock.next = self.clock.val();
            self.increments[i].reset.next = self.reset.val();
            self.increments[i].d.next = self.increments[i].q.val();
            self.token_inc[i].next = self.increments[i].q.val();
        }
        if self.visited.val() {
            if self.visited_flow.val() == 0 {
                self.rates[0].d.next = self.visited_rate.val();
            }
            if self.visited_flow.val() == 1 {
                self.rates[1].d.next = self.visited_rate.val();
            }
            if self.visited_flow.val() == 2 {
                self.rates[2].d.next = self.visited_rate.val();
            }
            if self.visited_flow.val() == 3 {
                self.rates[3].d.next = self.visited_rate.val();
            }
        }
        if self.step.q.val() == 17 {
            if self.turn.q.val() == 0 {
                self.increments[0].d.next = self.increment.val();
            } else if self.turn.q.val() == 1 {
                self.increments[1].d.next = self.increment.val();
            } else if self.turn.q.val() == 2 {
                self.increments[2].d.next = self.increment.val();
            } else {
                self.increments[3].d.next = self.increment.val();
            }
        }
    }
}
