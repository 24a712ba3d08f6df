// SPDX-License-Identifier: MIT OR Apache-2.0
//! InfiniBand's calculator: an inter-packet delay from marked and unmarked ACKs.
//!
//! A macro makes it for each kind of response, because each kind is a block of another type.

use crate::rtl::infiniband::response_lipd::LipdResponse;
use crate::rtl::infiniband::response_shift::ShiftResponse;
use crate::rtl::infiniband::response_table::TableResponse;
use tidegate_hdl::prelude::*;

macro_rules! calculator {
    ($calculator:ident with $response:ident $(on $clock:ident)?) => {
        module! {
            /// The rate of a source, one of the discrete rates R_max / (1 + ipd) (Santos 2002, section V).
            ///
            /// An unmarked ACK adds 1 + ipd packet times to a credit. The response says which credit the next higher
            /// rate costs; if there is that much, ipd decreases by 1 and the cost is subtracted. A marked ACK sets ipd
            /// to the value that the response gives, and keeps, reduces or clears the credit. An ACK taken in cycle t
            /// changes ipd and credit in cycle t + 1; the k-th rate that it buys is set in cycle t + 1 + 4k, and the
            /// calculator is ready again four cycles after the last. If the rate is not persistent, a new flow starts
            /// at R_max; an ACK taken in the same cycle is ignored. Reset sets R_max; the calculator is ready five
            /// cycles after it.
            pub struct $calculator: "calculator_infiniband" {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                /// An ACK has arrived; hold until `feedback_ready`.
                pub feedback_valid: Signal<In, Bit>,
                /// The ACK is taken in this cycle, if `feedback_valid`.
                pub feedback_ready: Signal<Out, Bit>,
                /// The packet of the ACK was marked; valid with `feedback_valid`.
                pub feedback_marked: Signal<In, Bit>,
                /// A new flow to the same destination begins in this cycle.
                pub flow_start: Signal<In, Bit>,
                /// 1: a new flow starts at the rate of the flow before; 0: at R_max.
                #[parameter]
                pub persistent: Signal<In, Bit>,
                /// Inter-packet delay: idle packet times between two packets, 0 to 255.
                pub ipd: Signal<Out, Bits<8>>,
                /// What a mark and the next higher rate do at `delay`.
                response: $response,
                /// Inter-packet delay: idle packet times between two packets, 0 to 255.
                delay: Register<Bits<8>>,
                /// Credit for the next higher rate, packet times.
                credit: Register<Bits<16>>,
                /// No ACK is being processed.
                idle: Register<Bit>,
                /// State while not idle: 0 and 1 = wait for the response, 2 = compare, 3 = decide.
                stage: Register<Bits<2>>,
                /// Credit minus the cost of the next higher rate, packet times, two's complement.
                credit_left: DFF<Bits<17>>,
                /// The credit is not 0.
                has_credit: DFF<Bit>,
                afford: Signal<Local, Bit>,
                restart: Signal<Local, Bit>,
            }
        }

        impl $calculator {
            /// The calculator with this response.
            pub fn new(response: $response) -> Self {
                $calculator { response, ..Self::default() }
            }
        }

        impl Logic for $calculator {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, delay, credit, idle, stage, credit_left, has_credit);
                $(self.response.$clock.next = self.clock.val();)?
                self.delay.reset.next = self.reset.val();
                self.credit.reset.next = self.reset.val();
                self.idle.reset.next = self.reset.val();
                self.stage.reset.next = self.reset.val();
                self.response.ipd.next = self.delay.q.val();
                self.credit_left.d.next = bit_cast::<17, 16>(self.credit.q.val()) - bit_cast::<17, 16>(self.response.price.val());
                self.has_credit.d.next = self.credit.q.val().any();
                self.afford.next = self.has_credit.q.val() & !self.credit_left.q.val().get_bit(16) & self.delay.q.val().any();
                self.restart.next = self.flow_start.val() & !self.persistent.val();

                self.stage.d.next = self.stage.q.val() + 1;
                if self.restart.val() {
                    self.delay.d.next = 0.into();
                    self.credit.d.next = 0.into();
                    self.idle.d.next = false;
                    self.stage.d.next = 0.into();
                } else if self.idle.q.val() {
                    self.stage.d.next = 0.into();
                    if self.feedback_valid.val() {
                        self.idle.d.next = false;
                        if !self.feedback_marked.val() {
                            self.credit.d.next = self.credit.q.val() + bit_cast::<16, 8>(self.delay.q.val()) + 1;
                        } else {
                            self.delay.d.next = self.response.decreased.val();
                            self.credit.d.next = self.credit.q.val().to_bits() >> self.response.credit_shift.val();
                            if self.response.at_minimum.val() {
                                self.credit.d.next = 0.into();
                            }
                        }
                    }
                } else if self.stage.q.val() == 3 {
                    if self.afford.val() {
                        self.credit.d.next = self.credit_left.q.val().to_bits().get_bits::<16>(0);
                        self.delay.d.next = self.delay.q.val() - 1;
                    } else {
                        self.idle.d.next = true;
                        if !self.delay.q.val().any() {
                            self.credit.d.next = 0.into();
                        }
                    }
                }
                self.feedback_ready.next = self.idle.q.val();
                self.ipd.next = self.delay.q.val();
            }
        }
    };
}

calculator!(LipdCalculator with LipdResponse);
calculator!(ShiftCalculator with ShiftResponse on clock);
calculator!(TableCalculator with TableResponse on clock);
