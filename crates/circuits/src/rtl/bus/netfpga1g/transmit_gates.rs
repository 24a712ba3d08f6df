// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gates before the transmit queues of the four MAC ports.

use super::gate_turns::GateTurns;
use super::transmit_gate::TransmitGate;
use tidegate_hdl::prelude::*;

module! {
    /// A gate before the transmit queue of each MAC port, and what connects them with the rate limiter of many flows.
    ///
    /// Gate i is that of port 2 i. The bits of `rejected` and `lost_words` are those of the gates.
    pub struct TransmitGates: "transmit_gates" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the word; octet 0 in bits 31 to 24.
        pub tx_in_high: [Signal<In, Bits<32>>; 4],
        /// Octets 4 to 7 of the word; octet 4 in bits 31 to 24.
        pub tx_in_low: [Signal<In, Bits<32>>; 4],
        /// 0: octets of a packet.
        pub tx_in_ctrl: [Signal<In, Bits<8>>; 4],
        /// A word comes in this cycle.
        pub tx_in_wr: [Signal<In, Bit>; 4],
        /// After it falls, two more words are taken.
        pub tx_in_rdy: [Signal<Out, Bit>; 4],
        /// Octets 0 to 3 of the word that goes out.
        pub tx_out_high: [Signal<Out, Bits<32>>; 4],
        /// Octets 4 to 7 of the word that goes out.
        pub tx_out_low: [Signal<Out, Bits<32>>; 4],
        /// 0: octets of a packet.
        pub tx_out_ctrl: [Signal<Out, Bits<8>>; 4],
        /// A word goes out in this cycle.
        pub tx_out_wr: [Signal<Out, Bit>; 4],
        /// After it falls, one more word goes.
        pub tx_out_rdy: [Signal<In, Bit>; 4],
        /// The ports whose packets wait for the limiter: bit i is gate i, before MAC port 2 i.
        #[parameter]
        pub controlled_gates: Signal<In, Bits<4>>,
        #[parameter]
        pub flow_source: Signal<In, Bits<2>>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        #[parameter]
        pub insert_cn_tag: Signal<In, Bit>,
        #[parameter]
        pub bucket_bytes: Signal<In, Bits<14>>,
        #[parameter]
        pub overhead_bytes: Signal<In, Bits<5>>,
        pub announce: Signal<Out, Bit>,
        pub announce_flow: Signal<Out, Bits<12>>,
        pub announce_bytes: Signal<Out, Bits<14>>,
        pub announce_ready: Signal<In, Bit>,
        pub refused: Signal<In, Bit>,
        pub grant: Signal<In, Bit>,
        pub grant_flow: Signal<In, Bits<12>>,
        pub send_ready: Signal<Out, Bit>,
        pub send_bytes: Signal<Out, Bits<14>>,
        pub sent: Signal<In, Bit>,
        /// Packets without fields to read, which did not wait.
        pub rejected: Signal<Out, Bits<4>>,
        /// Words that were lost in the cycle before.
        pub lost_words: Signal<Out, Bits<4>>,
        gates: [TransmitGate; 4],
        gate_turns: GateTurns,
        rejected_bits: [Signal<Local, Bits<4>>; 4],
        lost_bits: [Signal<Local, Bits<4>>; 4],
    }
}

impl Logic for TransmitGates {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, gate_turns);
        self.gate_turns.reset.next = self.reset.val();
        self.gates[0].gate.next = 0.into();
        self.gates[1].gate.next = 1.into();
        self.gates[2].gate.next = 2.into();
        self.gates[3].gate.next = 3.into();
        for i in 0..4 {
            self.gates[i].clock.next = self.clock.val();
            self.gates[i].reset.next = self.reset.val();
            self.gates[i].in_high.next = self.tx_in_high[i].val();
            self.gates[i].in_low.next = self.tx_in_low[i].val();
            self.gates[i].in_ctrl.next = self.tx_in_ctrl[i].val();
            self.gates[i].in_wr.next = self.tx_in_wr[i].val();
            self.tx_in_rdy[i].next = self.gates[i].in_rdy.val();
            self.tx_out_high[i].next = self.gates[i].out_high.val();
            self.tx_out_low[i].next = self.gates[i].out_low.val();
            self.tx_out_ctrl[i].next = self.gates[i].out_ctrl.val();
            self.tx_out_wr[i].next = self.gates[i].out_wr.val();
            self.gates[i].out_rdy.next = self.tx_out_rdy[i].val();
            self.gates[i].controlled.next = self.controlled_gates.val().get_bit(i);
            self.gates[i].flow_source.next = self.flow_source.val();
            self.gates[i].flow_mask.next = self.flow_mask.val();
            self.gates[i].insert_cn_tag.next = self.insert_cn_tag.val();
            self.gates[i].bucket_bytes.next = self.bucket_bytes.val();
            self.gates[i].overhead_bytes.next = self.overhead_bytes.val();
            self.gate_turns.request[i].next = self.gates[i].request.val();
            self.gate_turns.request_flow[i].next = self.gates[i].request_flow.val();
            self.gate_turns.request_bytes[i].next = self.gates[i].request_bytes.val();
            self.gates[i].grant.next = self.gate_turns.paid[i].val();
            self.gates[i].refuse.next = self.gate_turns.refuse[i].val();
        }
        self.announce.next = self.gate_turns.announce.val();
        self.announce_flow.next = self.gate_turns.announce_flow.val();
        self.announce_bytes.next = self.gate_turns.announce_bytes.val();
        self.gate_turns.announce_ready.next = self.announce_ready.val();
        self.gate_turns.refused.next = self.refused.val();
        self.gate_turns.grant.next = self.grant.val();
        self.gate_turns.grant_flow.next = self.grant_flow.val();
        self.send_ready.next = self.gate_turns.send_ready.val();
        self.send_bytes.next = self.gate_turns.send_bytes.val();
        self.gate_turns.sent.next = self.sent.val();
        self.rejected_bits[0].next = 0.into();
        if self.gates[0].rejected.val() {
            self.rejected_bits[0].next = 1.into();
        }
        self.lost_bits[0].next = 0.into();
        if self.gates[0].lost_word.val() {
            self.lost_bits[0].next = 1.into();
        }
        self.rejected_bits[1].next = 0.into();
        if self.gates[1].rejected.val() {
            self.rejected_bits[1].next = 2.into();
        }
        self.lost_bits[1].next = 0.into();
        if self.gates[1].lost_word.val() {
            self.lost_bits[1].next = 2.into();
        }
        self.rejected_bits[2].next = 0.into();
        if self.gates[2].rejected.val() {
            self.rejected_bits[2].next = 4.into();
        }
        self.lost_bits[2].next = 0.into();
        if self.gates[2].lost_word.val() {
            self.lost_bits[2].next = 4.into();
        }
        self.rejected_bits[3].next = 0.into();
        if self.gates[3].rejected.val() {
            self.rejected_bits[3].next = 8.into();
        }
        self.lost_bits[3].next = 0.into();
        if self.gates[3].lost_word.val() {
            self.lost_bits[3].next = 8.into();
        }
        self.rejected.next = self.rejected_bits[0].val()
            | self.rejected_bits[1].val()
            | self.rejected_bits[2].val()
            | self.rejected_bits[3].val();
        self.lost_words.next =
            self.lost_bits[0].val() | self.lost_bits[1].val() | self.lost_bits[2].val() | self.lost_bits[3].val();
    }
}
