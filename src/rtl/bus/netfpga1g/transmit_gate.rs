//! A gate before a transmit queue.

use super::outgoing_fields::OutgoingFields;
use super::word_queue::WordQueue;
use crate::rtl::lut_ram::LutRam;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Holds each packet before its first word, until the rate limiter has granted it, and passes it unchanged. A packet
    /// that does not wait for the limiter passes at once.
    ///
    /// A word of cycle t goes out in cycle t + 2 at the earliest, the first word of a packet two cycles after its third
    /// word. While one packet goes out, the grant for the next one may come: then it follows at once.
    pub struct TransmitGate: "transmit_gate" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub in_high: Signal<In, Bits<32>>,
        pub in_low: Signal<In, Bits<32>>,
        pub in_ctrl: Signal<In, Bits<8>>,
        pub in_wr: Signal<In, Bit>,
        pub in_rdy: Signal<Out, Bit>,
        /// Octets 0 to 3 of the word that goes out.
        pub out_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of the word that goes out.
        pub out_low: Signal<Out, Bits<32>>,
        /// Its ctrl.
        pub out_ctrl: Signal<Out, Bits<8>>,
        /// A word goes out in this cycle.
        pub out_wr: Signal<Out, Bit>,
        /// The receiver has room.
        pub out_rdy: Signal<In, Bit>,
        pub gate: Signal<In, Bits<2>>,
        pub controlled: Signal<In, Bit>,
        #[parameter]
        pub flow_source: Signal<In, Bits<2>>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        /// A packet waits for the limiter; held with the next two outputs until `grant` or `refuse`.
        pub request: Signal<Out, Bit>,
        /// Its flow.
        pub request_flow: Signal<Out, Bits<12>>,
        /// Its octets without the check sequence.
        pub request_bytes: Signal<Out, Bits<14>>,
        /// The limiter grants the packet of `request`.
        pub grant: Signal<In, Bit>,
        /// The limiter can never grant it: it passes without a grant.
        pub refuse: Signal<In, Bit>,
        pub rejected: Signal<Out, Bit>,
        pub lost_word: Signal<Out, Bit>,
        word_queue: WordQueue,
        outgoing_fields: OutgoingFields,
        /// What is known of packets whose first word is in the queue: bit 26 = it waits for the limiter, bits 25 to 14 = flow,
        /// bits 13 to 0 = octets. A packet has two words or more, so eight at most are there.
        known: LutRam<Bits<27>, 4>,
        /// Place for the next packet.
        known_place: Register<Bits<4>>,
        /// Place of the next packet that goes out.
        next_place: Register<Bits<4>>,
        /// The next packet may go without a further grant.
        paid: Register<Bit>,
        /// A packet or its module headers have begun to go out.
        started: Register<Bit>,
        /// The module headers of this packet are over.
        within: Register<Bit>,
        high: DFF<Bits<32>>,
        low: DFF<Bits<32>>,
        ctrl: DFF<Bits<8>>,
        write: Register<Bit>,
        entry: Signal<Local, Bits<27>>,
        is_known: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        goes: Signal<Local, Bit>,
        begins: Signal<Local, Bit>,
    }
}

impl Logic for TransmitGate {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, known_place, next_place, paid, started, within, high, low, ctrl, write);
        clock!(self, clock, word_queue, outgoing_fields, known);
        self.word_queue.reset.next = self.reset.val();
        self.outgoing_fields.reset.next = self.reset.val();
        self.known_place.reset.next = self.reset.val();
        self.next_place.reset.next = self.reset.val();
        self.paid.reset.next = self.reset.val();
        self.started.reset.next = self.reset.val();
        self.within.reset.next = self.reset.val();
        self.write.reset.next = self.reset.val();

        comment!("What comes in: a lost word is not seen");
        self.word_queue.in_high.next = self.in_high.val();
        self.word_queue.in_low.next = self.in_low.val();
        self.word_queue.in_ctrl.next = self.in_ctrl.val();
        self.word_queue.in_wr.next = self.in_wr.val();
        self.in_rdy.next = self.word_queue.in_rdy.val();
        self.lost_word.next = self.word_queue.lost_word.val();
        self.outgoing_fields.seen.next = self.word_queue.stores.val();
        self.outgoing_fields.seen_high.next = self.in_high.val();
        self.outgoing_fields.seen_low.next = self.in_low.val();
        self.outgoing_fields.seen_ctrl.next = self.in_ctrl.val();
        self.outgoing_fields.gate.next = self.gate.val();
        self.outgoing_fields.controlled.next = self.controlled.val();
        self.outgoing_fields.flow_source.next = self.flow_source.val();
        self.outgoing_fields.flow_mask.next = self.flow_mask.val();
        self.rejected.next = self.outgoing_fields.rejected.val();
        self.known.write_address.next = self.known_place.q.val();
        self.known.write_enable.next = self.outgoing_fields.known.val();
        self.entry.next = (bit_cast::<27, 12>(self.outgoing_fields.flow.val()).to_bits() << 14)
            | bit_cast::<27, 14>(self.outgoing_fields.bytes.val());
        self.known.write_data.next = self.entry.val();
        if self.outgoing_fields.waits.val() {
            self.known.write_data.next = self.entry.val() | 0x400_0000;
        }
        if self.outgoing_fields.known.val() {
            self.known_place.d.next = self.known_place.q.val() + 1;
        }

        comment!("The next packet");
        self.known.read_address.next = self.next_place.q.val();
        self.is_known.next = self.known_place.q.val() != self.next_place.q.val();
        self.waits.next = self.known.read_data.val().get_bit(26) & !self.paid.q.val();
        self.request.next = self.is_known.val() & self.waits.val();
        self.request_flow.next = self.known.read_data.val().to_bits().get_bits::<12>(14);
        self.request_bytes.next = self.known.read_data.val().to_bits().get_bits::<14>(0);

        comment!("What goes out");
        self.goes.next = self.out_rdy.val()
            & self.word_queue.word_valid.val()
            & (self.started.q.val() | (self.is_known.val() & !self.waits.val()));
        self.begins.next = self.goes.val() & !self.started.q.val();
        if self.grant.val() | self.refuse.val() {
            self.paid.d.next = true;
        }
        if self.begins.val() {
            self.paid.d.next = false;
            self.next_place.d.next = self.next_place.q.val() + 1;
        }
        if self.goes.val() {
            self.started.d.next = !self.within.q.val() | self.word_queue.word_is_data.val();
            self.within.d.next = self.word_queue.word_is_data.val();
        }
        self.word_queue.pop.next = self.goes.val();
        self.write.d.next = self.goes.val();
        self.high.d.next = self.word_queue.word_high.val();
        self.low.d.next = self.word_queue.word_low.val();
        self.ctrl.d.next = self.word_queue.word_ctrl.val();
        self.out_high.next = self.high.q.val();
        self.out_low.next = self.low.q.val();
        self.out_ctrl.next = self.ctrl.q.val();
        self.out_wr.next = self.write.q.val();
    }
}
