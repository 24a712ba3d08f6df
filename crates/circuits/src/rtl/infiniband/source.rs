// SPDX-License-Identifier: MIT OR Apache-2.0
//! The source of an InfiniBand flow: calculator and inter-packet delay. A macro makes it for each calculator.

use crate::rtl::infiniband::calculator::{LipdCalculator, ShiftCalculator, TableCalculator};
use crate::rtl::infiniband::inter_packet_delay::InterPacketDelay;
use crate::rtl::infiniband::response_lipd::LipdResponse;
use crate::rtl::infiniband::response_shift::ShiftResponse;
use crate::rtl::infiniband::response_table::TableResponse;
use tidegate_hdl::prelude::*;

macro_rules! source {
    ($source:ident with $calculator:ident and $response:ident) => {
        module! {
            /// An InfiniBand source that reacts to marks: a window of one packet, and a rate that each ACK adjusts
            /// (Santos 2002, sections IV.B and V).
            ///
            /// To send a packet, drive `request` and hold it until `grant`; the ACK of the packet arrives with `ack`.
            /// From an ACK to the next grant there are at least seven cycles, and four more for each higher rate that
            /// the ACK buys.
            pub struct $source: "source_infiniband" {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                #[parameter]
                pub packet_cycles: Signal<In, Bits<16>>,
                #[parameter]
                pub persistent: Signal<In, Bit>,
                pub request: Signal<In, Bit>,
                pub grant: Signal<Out, Bit>,
                pub outstanding: Signal<Out, Bit>,
                pub ack: Signal<In, Bit>,
                pub ack_marked: Signal<In, Bit>,
                pub stray: Signal<Out, Bit>,
                pub flow_start: Signal<In, Bit>,
                pub ipd: Signal<Out, Bits<8>>,
                pub calculator: $calculator,
                pub inter_packet_delay: InterPacketDelay,
            }
        }

        impl $source {
            /// The source with this response.
            pub fn new(response: $response) -> Self {
                $source { calculator: $calculator::new(response), ..Self::default() }
            }
        }

        impl Logic for $source {
            #[hdl_gen]
            fn update(&mut self) {
                clock!(self, clock, calculator, inter_packet_delay);
                self.calculator.reset.next = self.reset.val();
                self.inter_packet_delay.reset.next = self.reset.val();

                self.inter_packet_delay.packet_cycles.next = self.packet_cycles.val();
                self.inter_packet_delay.ipd.next = self.calculator.ipd.val();
                self.inter_packet_delay.request.next = self.request.val();
                self.grant.next = self.inter_packet_delay.grant.val();
                self.outstanding.next = self.inter_packet_delay.outstanding.val();
                self.inter_packet_delay.ack.next = self.ack.val();
                self.inter_packet_delay.ack_marked.next = self.ack_marked.val();
                self.stray.next = self.inter_packet_delay.stray.val();

                self.calculator.feedback_valid.next = self.inter_packet_delay.feedback_valid.val();
                self.calculator.feedback_marked.next = self.inter_packet_delay.feedback_marked.val();
                self.inter_packet_delay.feedback_ready.next = self.calculator.feedback_ready.val();
                self.calculator.flow_start.next = self.flow_start.val();
                self.calculator.persistent.next = self.persistent.val();
                self.ipd.next = self.calculator.ipd.val();
            }
        }
    };
}

source!(LipdSource with LipdCalculator and LipdResponse);
source!(ShiftSource with ShiftCalculator and ShiftResponse);
source!(TableSource with TableCalculator and TableResponse);
