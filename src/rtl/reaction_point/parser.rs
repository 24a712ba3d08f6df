//! Finds congestion notification frames among the received frames.

use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// Reads frames from a 64-bit stream and passes on the fields of each congestion notification for this reaction
    /// point. All other frames are ignored.
    ///
    /// A frame is accepted if all of this is true: its destination is `rp_mac`; its EtherType is 0x22E7, after at most
    /// one 802.1Q tag; its version is 0; its length is 60 to 102 octets (106 with a tag); its encapsulated data unit
    /// has at most 64 octets and is not longer than the rest of the frame; its CPID equals `allowed_cpid` in the bits
    /// that are set in `allowed_cpid_mask` (a mask of 0 allows any CPID). The fields are valid in the cycle after the
    /// last word and are held until `feedback_ready`; meanwhile `ready` is low, so that no feedback is lost if the
    /// calculator is slow. Layout of the frame: docs/frames.md.
    pub struct Parser: "parser" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24.
        pub data_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24.
        pub data_low: Signal<In, Bits<32>>,
        /// Number of valid octets in the last word, 1 to 8.
        pub octets: Signal<In, Bits<4>>,
        /// The word is the last one of a frame.
        pub last: Signal<In, Bit>,
        /// The stream word is valid.
        pub valid: Signal<In, Bit>,
        /// The stream word is taken in this cycle, if `valid`. Low while a feedback waits for the calculator.
        pub ready: Signal<Out, Bit>,
        /// Address of this reaction point, bits 47 to 32.
        #[parameter]
        pub rp_mac_high: Signal<In, Bits<16>>,
        /// Address of this reaction point, bits 31 to 0.
        #[parameter]
        pub rp_mac_low: Signal<In, Bits<32>>,
        /// Allowed congestion point identifier (CPID), bits 63 to 32.
        #[parameter]
        pub allowed_cpid_high: Signal<In, Bits<32>>,
        /// Allowed congestion point identifier, bits 31 to 0.
        #[parameter]
        pub allowed_cpid_low: Signal<In, Bits<32>>,
        /// Bits of the allowed identifier that are compared, bits 63 to 32; all 64 bits 0: any identifier is allowed.
        #[parameter]
        pub allowed_cpid_mask_high: Signal<In, Bits<32>>,
        /// Bits of the allowed identifier that are compared, bits 31 to 0.
        #[parameter]
        pub allowed_cpid_mask_low: Signal<In, Bits<32>>,
        /// The feedback fields are valid; they are held until `feedback_ready`.
        pub feedback_valid: Signal<Out, Bit>,
        /// The calculator takes the feedback in this cycle, if `feedback_valid`.
        pub feedback_ready: Signal<In, Bit>,
        /// QntzFb, quantised feedback, 0 to 63.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// QOffset, units of 64 octets, two's complement.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// Congestion point identifier (CPID), bits 63 to 32.
        pub cpid_high: Signal<Out, Bits<32>>,
        /// Congestion point identifier (CPID), bits 31 to 0.
        pub cpid_low: Signal<Out, Bits<32>>,
        /// A frame was ignored whose last word was taken in the cycle before: for a counter, where one is wanted.
        pub frame_ignored: Signal<Out, Bit>,
        /// Index of the word in the frame; stops at 15, as an accepted frame has at most 14 words.
        word: Register<Bits<4>>,
        /// The words so far show that the frame is not accepted.
        rejected: Register<Bit>,
        /// The frame has a VLAN tag.
        has_tag: Register<Bit>,
        /// The feedback fields wait for `feedback_ready`.
        pending: Register<Bit>,
        /// QntzFb, quantised feedback, 0 to 63.
        feedback: DFF<Bits<6>>,
        /// QOffset of the frame.
        offset: DFF<Bits<16>>,
        /// QDelta of the frame.
        delta: DFF<Bits<16>>,
        /// CPID of the frame, bits 63 to 32.
        identifier_high: DFF<Bits<32>>,
        /// CPID of the frame, bits 31 to 0.
        identifier_low: DFF<Bits<32>>,
        /// Octets of the frame up to the end of the encapsulated data unit, minus one.
        needed_less_one: DFF<Bits<7>>,
        /// The frame that ended in the cycle before was ignored.
        ignored: Register<Bit>,
        take: Signal<Local, Bit>,
        reject: Signal<Local, Bit>,
        high_upper: Signal<Local, Bits<16>>,
        high_lower: Signal<Local, Bits<16>>,
        low_upper: Signal<Local, Bits<16>>,
        low_lower: Signal<Local, Bits<16>>,
        wrong_high: Signal<Local, Bits<32>>,
        wrong_low: Signal<Local, Bits<32>>,
        identifier_in_high: Signal<Local, Bits<32>>,
        identifier_in_low: Signal<Local, Bits<32>>,
        expected_high: Signal<Local, Bits<32>>,
        expected_low: Signal<Local, Bits<16>>,
        unit_length_field: Signal<Local, Bits<16>>,
        unit_too_long: Signal<Local, Bit>,
        unit_length_in: Signal<Local, Bits<7>>,
        octets_less_one: Signal<Local, Bits<4>>,
        length_less_one: Signal<Local, Bits<7>>,
        most_less_one: Signal<Local, Bits<7>>,
        accept: Signal<Local, Bit>,
    }
}

impl Logic for Parser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            word,
            rejected,
            has_tag,
            pending,
            feedback,
            offset,
            delta,
            identifier_high,
            identifier_low,
            needed_less_one,
            ignored
        );
        self.word.reset.next = self.reset.val();
        self.rejected.reset.next = self.reset.val();
        self.has_tag.reset.next = self.reset.val();
        self.pending.reset.next = self.reset.val();
        self.ignored.reset.next = self.reset.val();
        self.ready.next = !self.pending.q.val() | self.feedback_ready.val();
        self.take.next = self.valid.val() & (!self.pending.q.val() | self.feedback_ready.val());
        if self.feedback_ready.val() {
            self.pending.d.next = false;
        }
        self.high_upper.next = self.data_high.val().to_bits().get_bits::<16>(16);
        self.high_lower.next = self.data_high.val().to_bits().get_bits::<16>(0);
        self.low_upper.next = self.data_low.val().to_bits().get_bits::<16>(16);
        self.low_lower.next = self.data_low.val().to_bits().get_bits::<16>(0);

        self.expected_high.next = (bit_cast::<32, 16>(self.rp_mac_high.val()).to_bits() << 16)
            | bit_cast::<32, 16>(self.rp_mac_low.val().to_bits().get_bits::<16>(16));
        self.expected_low.next = self.rp_mac_low.val().to_bits().get_bits::<16>(0);

        // After a tag every field is half a word later.
        self.identifier_in_high.next = self.data_high.val();
        self.identifier_in_low.next = self.data_low.val();
        self.unit_length_field.next = self.low_upper.val();
        if self.has_tag.q.val() {
            self.identifier_in_high.next = self.data_low.val();
            self.identifier_in_low.next = self.data_high.val();
            self.unit_length_field.next = self.high_upper.val();
        }
        // Whether the length is above 64, without a carry chain.
        self.unit_too_long.next = self.unit_length_field.val().to_bits().get_bits::<9>(7).any()
            | (self.unit_length_field.val().get_bit(6) & self.unit_length_field.val().to_bits().get_bits::<6>(0).any());
        self.unit_length_in.next = self.unit_length_field.val().to_bits().get_bits::<7>(0);
        self.wrong_high.next =
            (self.identifier_in_high.val() ^ self.allowed_cpid_high.val()) & self.allowed_cpid_mask_high.val();
        self.wrong_low.next =
            (self.identifier_in_low.val() ^ self.allowed_cpid_low.val()) & self.allowed_cpid_mask_low.val();

        self.reject.next = self.rejected.q.val();
        if self.word.q.val() == 0 {
            self.reject.next =
                (self.data_high.val() != self.expected_high.val()) | (self.low_upper.val() != self.expected_low.val());
        } else if self.word.q.val() == 1 {
            if self.low_upper.val() == 0x22e7 {
                self.reject.next = self.rejected.q.val() | self.low_lower.val().to_bits().get_bits::<4>(12).any();
            } else if self.low_upper.val() != 0x8100 {
                self.reject.next = true;
            }
        } else if self.word.q.val() == 2 {
            if self.has_tag.q.val() {
                self.reject.next = self.rejected.q.val()
                    | (self.high_upper.val() != 0x22e7)
                    | self.high_lower.val().to_bits().get_bits::<4>(12).any()
                    | self.wrong_high.val().any();
            } else {
                self.reject.next = self.rejected.q.val() | self.wrong_high.val().any() | self.wrong_low.val().any();
            }
        } else if self.word.q.val() == 3 {
            if self.has_tag.q.val() {
                self.reject.next = self.rejected.q.val() | self.wrong_low.val().any();
            }
        } else if ((self.word.q.val() == 4) & !self.has_tag.q.val()) | ((self.word.q.val() == 5) & self.has_tag.q.val())
        {
            self.reject.next = self.rejected.q.val() | self.unit_too_long.val();
        }

        self.octets_less_one.next = self.octets.val() - 1;
        // Length minus one: then the index of the word and the octets form the number without an adder. Exact up to
        // word 14; word 15 means that the frame is too long.
        self.length_less_one.next = (bit_cast::<7, 4>(self.word.q.val()).to_bits() << 3)
            | bit_cast::<7, 3>(self.octets_less_one.val().to_bits().get_bits::<3>(0));
        self.most_less_one.next = 101.into();
        if self.has_tag.q.val() {
            self.most_less_one.next = 105.into();
        }
        self.accept.next = !self.reject.val()
            & (self.length_less_one.val() >= 59)
            & (self.length_less_one.val() <= self.most_less_one.val())
            & (self.length_less_one.val() >= self.needed_less_one.q.val());

        self.ignored.d.next = self.take.val() & self.last.val() & !self.accept.val();
        if self.take.val() {
            self.rejected.d.next = self.reject.val();
            if self.word.q.val() != 15 {
                self.word.d.next = self.word.q.val() + 1;
            }
            if self.word.q.val() == 1 {
                self.has_tag.d.next = self.low_upper.val() == 0x8100;
                self.feedback.d.next = self.data_low.val().to_bits().get_bits::<6>(0);
            } else if self.word.q.val() == 2 {
                self.identifier_high.d.next = self.identifier_in_high.val();
                if self.has_tag.q.val() {
                    self.feedback.d.next = self.data_high.val().to_bits().get_bits::<6>(0);
                } else {
                    self.identifier_low.d.next = self.identifier_in_low.val();
                }
            } else if self.word.q.val() == 3 {
                self.offset.d.next = self.high_upper.val();
                self.delta.d.next = self.high_lower.val();
                if self.has_tag.q.val() {
                    self.identifier_low.d.next = self.identifier_in_low.val();
                    self.offset.d.next = self.low_upper.val();
                    self.delta.d.next = self.low_lower.val();
                }
            } else if ((self.word.q.val() == 4) & !self.has_tag.q.val())
                | ((self.word.q.val() == 5) & self.has_tag.q.val())
            {
                self.needed_less_one.d.next = self.unit_length_in.val() + 37;
                if self.has_tag.q.val() {
                    self.needed_less_one.d.next = self.unit_length_in.val() + 41;
                }
            }
            if self.last.val() {
                self.word.d.next = 0.into();
                self.rejected.d.next = false;
                self.has_tag.d.next = false;
                if self.accept.val() {
                    self.pending.d.next = true;
                }
            }
        }
        self.feedback_valid.next = self.pending.q.val();
        self.quantized_feedback.next = self.feedback.q.val();
        self.q_offset_units.next = self.offset.q.val();
        self.q_delta_units.next = self.delta.q.val();
        self.cpid_high.next = self.identifier_high.q.val();
        self.cpid_low.next = self.identifier_low.q.val();
        self.frame_ignored.next = self.ignored.q.val();
    }
}
