// SPDX-License-Identifier: MIT OR Apache-2.0
//! To which ports a frame goes.

use tidegate_hdl::prelude::*;

module! {
    /// Reads the addresses of each frame, asks the address table, and says to which ports the frame goes: IEEE 802.1Q, clause 8.6.
    ///
    /// A frame for a station whose port is known goes there, but not back to the port from which it came. Frames for groups, and for
    /// stations that are not known, go to all other ports. Frames for the addresses 01-80-C2-00-00-00 to 0F stay on
    /// their link (table 8-1). Feedback frames go to the port of their station, whichever it is, and teach nothing. A frame without
    /// two whole addresses goes nowhere.
    ///
    /// The second beat of a frame comes at most 3 cycles after the first one. If the first beat of a frame comes in cycle t,
    /// `destinations` are those of this frame in cycle t + 15.
    pub struct Forwarding: "switch_forwarding" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// There is a beat.
        pub beat_valid: Signal<In, Bit>,
        /// It is the last one of its frame.
        pub beat_last: Signal<In, Bit>,
        /// Its octets 0 to 3; octet 0 in bits 31 to 24.
        pub beat_high: Signal<In, Bits<32>>,
        /// Its octets 4 to 7.
        pub beat_low: Signal<In, Bits<32>>,
        /// It has at least four octets.
        pub beat_has_four: Signal<In, Bit>,
        /// The stream from which it comes.
        pub beat_stream: Signal<In, Bits<9>>,
        /// The ports that are there.
        pub ports: Signal<In, Bits<5>>,
        /// A question to the address table.
        pub asks: Signal<Out, Bit>,
        /// Destination address of the frame, bits 47 to 32.
        pub destination_high: Signal<Out, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub destination_low: Signal<Out, Bits<32>>,
        /// Source address, bits 47 to 32.
        pub source_high: Signal<Out, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_low: Signal<Out, Bits<32>>,
        /// Number of the port from which the frame came.
        pub source_port: Signal<Out, Bits<3>>,
        /// Its source is learned.
        pub learns: Signal<Out, Bit>,
        /// The table answers.
        pub answers: Signal<In, Bit>,
        /// It knows the port of the destination.
        pub found: Signal<In, Bit>,
        /// This port.
        pub found_port: Signal<In, Bits<3>>,
        /// The ports to which the frame goes.
        pub destinations: Signal<Out, Bits<5>>,
        /// A frame goes to one port, which is known.
        pub forwarded: Signal<Out, Bit>,
        /// A frame goes to all other ports.
        pub flooded: Signal<Out, Bit>,
        /// A frame goes nowhere, because it came from the port of its destination.
        pub filtered: Signal<Out, Bit>,
        /// A frame goes nowhere, because it is for an address that stays on its link.
        pub reserved: Signal<Out, Bit>,
        /// A frame goes nowhere, because it has no two addresses.
        pub short: Signal<Out, Bit>,
        /// The first beat of the frame has come.
        begun: Register<Bit>,
        /// The addresses have been read.
        read: Register<Bit>,
        is_question: Register<Bit>,
        destination_high_kept: DFF<Bits<16>>,
        destination_low_kept: DFF<Bits<32>>,
        source_high_kept: DFF<Bits<16>>,
        source_low_kept: DFF<Bits<32>>,
        is_short: DFF<Bit>,
        is_feedback: DFF<Bit>,
        own_port: DFF<Bits<5>>,
        own_number: DFF<Bits<3>>,
        goes_to: Register<Bits<5>>,
        was_forwarded: Register<Bit>,
        was_flooded: Register<Bit>,
        was_filtered: Register<Bit>,
        was_reserved: Register<Bit>,
        was_short: Register<Bit>,
        is_group: Signal<Local, Bit>,
        is_reserved: Signal<Local, Bit>,
        others: Signal<Local, Bits<5>>,
        known: Signal<Local, Bits<5>>,
        to_known: Signal<Local, Bits<5>>,
        first: Signal<Local, Bit>,
        asks_now: Signal<Local, Bit>,
    }
}

impl Logic for Forwarding {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            begun,
            read,
            is_question,
            destination_high_kept,
            destination_low_kept,
            source_high_kept
        );
        dff_setup!(self, clock, source_low_kept, is_short, is_feedback, own_port, own_number, goes_to, was_forwarded);
        dff_setup!(self, clock, was_flooded, was_filtered, was_reserved, was_short);
        self.begun.reset.next = self.reset.val();
        self.read.reset.next = self.reset.val();
        self.is_question.reset.next = self.reset.val();
        self.goes_to.reset.next = self.reset.val();
        self.was_forwarded.reset.next = self.reset.val();
        self.was_flooded.reset.next = self.reset.val();
        self.was_filtered.reset.next = self.reset.val();
        self.was_reserved.reset.next = self.reset.val();
        self.was_short.reset.next = self.reset.val();

        comment!("The addresses: octets 0 to 11");
        self.first.next = self.beat_valid.val() & !self.begun.q.val();
        self.asks_now.next = self.beat_valid.val() & !self.read.q.val() & (self.begun.q.val() | self.beat_last.val());
        if self.first.val() {
            self.begun.d.next = true;
            self.destination_high_kept.d.next = self.beat_high.val().to_bits().get_bits::<16>(16);
            self.destination_low_kept.d.next =
                (bit_cast::<32, 16>(self.beat_high.val().to_bits().get_bits::<16>(0)).to_bits() << 16)
                    | bit_cast::<32, 16>(self.beat_low.val().to_bits().get_bits::<16>(16));
            self.source_high_kept.d.next = self.beat_low.val().to_bits().get_bits::<16>(0);
            self.is_feedback.d.next = !self.beat_stream.val().to_bits().get_bits::<5>(0).any();
            self.own_port.d.next = self.beat_stream.val().to_bits().get_bits::<5>(0);
            self.own_number.d.next = 0.into();
            if self.beat_stream.val().get_bit(1) {
                self.own_number.d.next = 1.into();
            }
            if self.beat_stream.val().get_bit(2) {
                self.own_number.d.next = 2.into();
            }
            if self.beat_stream.val().get_bit(3) {
                self.own_number.d.next = 3.into();
            }
            if self.beat_stream.val().get_bit(4) {
                self.own_number.d.next = 4.into();
            }
        }
        self.is_question.d.next = self.asks_now.val();
        if self.asks_now.val() {
            self.read.d.next = true;
            self.source_low_kept.d.next = self.beat_high.val();
            self.is_short.d.next = !self.begun.q.val() | !self.beat_has_four.val();
        }
        if self.beat_valid.val() & self.beat_last.val() {
            self.begun.d.next = false;
            self.read.d.next = false;
        }
        self.asks.next = self.is_question.q.val();
        self.destination_high.next = self.destination_high_kept.q.val();
        self.destination_low.next = self.destination_low_kept.q.val();
        self.source_high.next = self.source_high_kept.q.val();
        self.source_low.next = self.source_low_kept.q.val();
        self.source_port.next = self.own_number.q.val();
        self.learns.next =
            !self.is_feedback.q.val() & !self.is_short.q.val() & !self.source_high_kept.q.val().get_bit(8);

        comment!("Where the frame goes");
        self.is_group.next = self.destination_high_kept.q.val().get_bit(8);
        self.is_reserved.next = (self.destination_high_kept.q.val() == 0x0180)
            & (self.destination_low_kept.q.val().to_bits().get_bits::<28>(4) == 0xc200000);
        self.others.next = self.ports.val() & !self.own_port.q.val();
        self.known.next = 0.into();
        if self.found_port.val() == 0 {
            self.known.next = 1.into();
        }
        if self.found_port.val() == 1 {
            self.known.next = 2.into();
        }
        if self.found_port.val() == 2 {
            self.known.next = 4.into();
        }
        if self.found_port.val() == 3 {
            self.known.next = 8.into();
        }
        if self.found_port.val() == 4 {
            self.known.next = 16.into();
        }
        self.to_known.next = self.known.val() & self.others.val();
        self.was_forwarded.d.next = false;
        self.was_flooded.d.next = false;
        self.was_filtered.d.next = false;
        self.was_reserved.d.next = false;
        self.was_short.d.next = false;
        if self.answers.val() {
            self.goes_to.d.next = 0.into();
            if self.is_short.q.val() {
                self.was_short.d.next = true;
            } else if self.is_reserved.val() {
                self.was_reserved.d.next = true;
            } else if self.found.val() & !self.is_group.val() {
                self.goes_to.d.next = self.to_known.val();
                self.was_forwarded.d.next = self.to_known.val().any();
                self.was_filtered.d.next = !self.to_known.val().any();
            } else {
                self.goes_to.d.next = self.others.val();
                self.was_flooded.d.next = true;
            }
        }
        self.destinations.next = self.goes_to.q.val();
        self.forwarded.next = self.was_forwarded.q.val();
        self.flooded.next = self.was_flooded.q.val();
        self.filtered.next = self.was_filtered.q.val();
        self.reserved.next = self.was_reserved.q.val();
        self.short.next = self.was_short.q.val();
    }
}
