// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds congestion notification frames among the received frames.

use super::cpid_memory::CpidMemory;
use tidegate_hdl::prelude::*;

module! {
    /// Reads frames from a 64-bit stream and passes on the fields of each congestion notification for this reaction
    /// point. It takes a word in every cycle: it can listen to a stream that nothing may stop.
    ///
    /// A frame is accepted if all of this is true: its destination is `rp_mac`; its EtherType is 0x22E7, after at most
    /// one VLAN tag and then at most one CN-TAG; its version is 0; its length is 60 to 102 octets, and 4 more for each
    /// tag; its encapsulated data unit has at most 64 octets and is not longer than the rest of the frame; `bad_frame`
    /// is low at its last word; its CPID equals `allowed_cpid` in the bits that are set in `allowed_cpid_mask` (a mask
    /// of 0 allows any CPID); no feedback waits when its second word comes. The fields are valid from the second cycle
    /// after the last word on, in which the second word of the next frame may come, and are held until
    /// `feedback_ready`. `same_point` belongs to them: whether their CPID is that of the last feedback that was taken
    /// with `remember`. Layout of the frame: docs/frames.md.
    ///
    /// Five outputs tell, two cycles after the last word, what became of a frame with the EtherType 0x22E7; the first
    /// that applies: `frame_elsewhere`, `frame_malformed`, `frame_refused`, `frame_dropped`, `frame_taken`. A frame
    /// that ends with the word of its EtherType is too short to be told.
    pub struct Parser: "parser" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24.
        pub data_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24.
        pub data_low: Signal<In, Bits<32>>,
        /// Number of valid octets in the last word, 1 to 8.
        pub octets: Signal<In, Bits<4>>,
        /// The word is the last one of a frame.
        pub last: Signal<In, Bit>,
        /// The frame was received with an error, such as a wrong check sequence; valid with its last word.
        pub bad_frame: Signal<In, Bit>,
        /// The stream word is valid.
        pub valid: Signal<In, Bit>,
        /// Address of this reaction point, bits 47 to 32.
        #[parameter]
        pub rp_mac_high: Signal<In, Bits<16>>,
        /// Address of this reaction point, bits 31 to 0.
        #[parameter]
        pub rp_mac_low: Signal<In, Bits<32>>,
        /// Low bits of the address that are not compared: they number the flow. 0 for a reaction point of one flow.
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
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
        /// All congestion points are the same.
        #[parameter]
        pub cpid_any: Signal<In, Bit>,
        #[parameter]
        pub cpid_digest: Signal<In, Bit>,
        /// The feedback fields are valid; they are held until `feedback_ready`.
        pub feedback_valid: Signal<Out, Bit>,
        /// The calculator takes the feedback in this cycle, if `feedback_valid`.
        pub feedback_ready: Signal<In, Bit>,
        /// The calculator takes the feedback and wants its CPID to be remembered; valid with `feedback_ready`.
        pub remember: Signal<In, Bit>,
        /// QntzFb, quantised feedback, 0 to 63.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// QOffset, units of 64 octets, two's complement.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// QDelta, units of 64 octets, two's complement.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// The frame has a CN-TAG; valid with `feedback_valid`.
        pub has_flow_id: Signal<Out, Bit>,
        /// Flow identifier of its CN-TAG, 0 without one; valid with `feedback_valid`.
        pub flow_id: Signal<Out, Bits<16>>,
        /// The CPID is that of the last feedback that was taken with `remember`; valid with `feedback_valid`.
        pub same_point: Signal<Out, Bit>,
        /// The first word of a frame is read.
        pub frame_start: Signal<Out, Bit>,
        /// Low bits of the destination address of this frame; valid with `frame_start`.
        pub frame_flow: Signal<Out, Bits<12>>,
        /// If the frame that is read is feedback: its CPID, bits 63 to 32.
        pub frame_cpid_high: Signal<Out, Bits<32>>,
        /// Its CPID, bits 31 to 0.
        pub frame_cpid_low: Signal<Out, Bits<32>>,
        /// `frame_cpid_high` is valid. If the word has a CN-TAG behind a VLAN tag, the one after it tells again.
        pub frame_cpid_high_valid: Signal<Out, Bit>,
        /// `frame_cpid_low` is valid.
        pub frame_cpid_low_valid: Signal<Out, Bit>,
        /// A feedback frame ended: its feedback was taken.
        pub frame_taken: Signal<Out, Bit>,
        /// A feedback frame ended: it is not valid, or was received with an error.
        pub frame_malformed: Signal<Out, Bit>,
        /// A feedback frame ended: its CPID is not allowed.
        pub frame_refused: Signal<Out, Bit>,
        /// A feedback frame ended: it is for another address.
        pub frame_elsewhere: Signal<Out, Bit>,
        /// A feedback frame ended: another feedback waited when its second word came.
        pub frame_dropped: Signal<Out, Bit>,
        /// The CPID of the frame, and of the last feedback that was taken with `remember`.
        cpid_memory: CpidMemory,
        /// Index of the word in the frame, one less behind two tags; stops at 15, as an accepted frame has at most 14
        /// words.
        word: Register<Bits<4>>,
        /// Another feedback waited when the second word of the frame came. This and what else is known of a frame is held
        /// in the cycle after its last word, in which the first word of the next frame may come.
        dropped: DFF<Bit>,
        /// The frame has a VLAN tag; valid from its third word on.
        has_tag: DFF<Bit>,
        /// The fields are half a word later: behind one tag, or behind the first of two; valid from its third word on.
        later: DFF<Bit>,
        /// The frame has the EtherType of feedback.
        is_feedback: Register<Bit>,
        /// The destination is another address.
        elsewhere: DFF<Bit>,
        /// The version is not 0. What the fields of a frame say is read if the frame is long enough to have all of them.
        wrong_version: DFF<Bit>,
        /// The data unit has more than 64 octets.
        unit_too_long: DFF<Bit>,
        /// Bits 63 to 32 of the CPID are not allowed.
        wrong_high: DFF<Bit>,
        /// Bits 31 to 0 of the CPID are not allowed.
        wrong_low: DFF<Bit>,
        /// The last word of a frame came in the cycle before, behind that of the EtherType of feedback.
        ended: Register<Bit>,
        /// Octets of that frame minus one, eight less behind two tags.
        length_less_one: Delay<Bits<7>>,
        /// That frame has neither too few nor too many octets.
        good_size: Delay<Bit>,
        /// That frame was received with an error.
        damaged: Delay<Bit>,
        /// The feedback fields wait for `feedback_ready`.
        pending: Register<Bit>,
        /// QntzFb, quantised feedback, 0 to 63.
        feedback: DFF<Bits<6>>,
        /// QOffset of the frame.
        offset: DFF<Bits<16>>,
        /// QDelta of the frame.
        delta: DFF<Bits<16>>,
        /// The frame has a CN-TAG.
        has_flow: DFF<Bit>,
        /// Flow identifier of its CN-TAG, or 0.
        flow: DFF<Bits<16>>,
        /// Octets of the frame up to the end of the encapsulated data unit, minus one.
        needed_less_one: DFF<Bits<7>>,
        /// A feedback was taken from the frame that ended.
        taken_told: Register<Bit>,
        /// The feedback frame that ended is not valid.
        malformed_told: Register<Bit>,
        /// The feedback frame that ended is not allowed.
        refused_told: Register<Bit>,
        /// The feedback frame that ended is for another address.
        elsewhere_told: Register<Bit>,
        /// The feedback frame that ended is valid and allowed: its feedback was taken, or dropped.
        good_told: Register<Bit>,
        busy: Signal<Local, Bit>,
        capture: Signal<Local, Bit>,
        high_upper: Signal<Local, Bits<16>>,
        high_lower: Signal<Local, Bits<16>>,
        low_upper: Signal<Local, Bits<16>>,
        low_lower: Signal<Local, Bits<16>>,
        low_is_vlan: Signal<Local, Bit>,
        low_is_cn_tag: Signal<Local, Bit>,
        low_is_feedback: Signal<Local, Bit>,
        high_is_feedback: Signal<Local, Bit>,
        first_type: Signal<Local, Bit>,
        later_type: Signal<Local, Bit>,
        type_word: Signal<Local, Bit>,
        next_place: Signal<Local, Bit>,
        second_tag: Signal<Local, Bit>,
        fields_in_low: Signal<Local, Bit>,
        type_in_low: Signal<Local, Bit>,
        type_in_high: Signal<Local, Bit>,
        wrong_destination: Signal<Local, Bit>,
        high_word: Signal<Local, Bit>,
        low_word: Signal<Local, Bit>,
        unit_word: Signal<Local, Bit>,
        identifier_in_high: Signal<Local, Bits<32>>,
        identifier_in_low: Signal<Local, Bits<32>>,
        expected_high: Signal<Local, Bits<32>>,
        expected_low: Signal<Local, Bits<16>>,
        compared: Signal<Local, Bits<16>>,
        unit_length_field: Signal<Local, Bits<16>>,
        unit_length_in: Signal<Local, Bits<7>>,
        octets_less_one: Signal<Local, Bits<4>>,
        three_octets: Signal<Local, Bit>,
        four_octets: Signal<Local, Bit>,
        seven_octets: Signal<Local, Bit>,
        too_short: Signal<Local, Bit>,
        too_long: Signal<Local, Bit>,
        accept: Signal<Local, Bit>,
        malformed: Signal<Local, Bit>,
        refused: Signal<Local, Bit>,
        told: Signal<Local, Bit>,
    }
}

impl Logic for Parser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            word,
            dropped,
            has_tag,
            later,
            is_feedback,
            elsewhere,
            wrong_version,
            unit_too_long,
            wrong_high,
            wrong_low,
            ended,
            length_less_one,
            good_size,
            damaged,
            pending,
            feedback,
            offset,
            delta,
            has_flow,
            flow,
            needed_less_one,
            taken_told,
            malformed_told,
            refused_told,
            elsewhere_told,
            good_told
        );
        clock!(self, clock, cpid_memory);
        self.word.reset.next = self.reset.val();
        self.is_feedback.reset.next = self.reset.val();
        self.ended.reset.next = self.reset.val();
        self.pending.reset.next = self.reset.val();
        self.taken_told.reset.next = self.reset.val();
        self.malformed_told.reset.next = self.reset.val();
        self.refused_told.reset.next = self.reset.val();
        self.elsewhere_told.reset.next = self.reset.val();
        self.good_told.reset.next = self.reset.val();

        comment!("What a word is: a CN-TAG behind a VLAN tag makes it the second word again");
        self.high_upper.next = self.data_high.val().to_bits().get_bits::<16>(16);
        self.high_lower.next = self.data_high.val().to_bits().get_bits::<16>(0);
        self.low_upper.next = self.data_low.val().to_bits().get_bits::<16>(16);
        self.low_lower.next = self.data_low.val().to_bits().get_bits::<16>(0);
        self.low_is_vlan.next = self.low_upper.val() == 0x8100;
        self.low_is_cn_tag.next = self.low_upper.val() == 0x22e9;
        self.low_is_feedback.next = self.low_upper.val() == 0x22e7;
        self.high_is_feedback.next = self.high_upper.val() == 0x22e7;
        self.first_type.next = self.word.q.val() == 1;
        self.later_type.next = (self.word.q.val() == 2) & self.later.q.val();
        self.second_tag.next = self.later_type.val() & self.has_tag.q.val() & (self.high_upper.val() == 0x22e9);
        self.fields_in_low.next = self.first_type.val() | self.second_tag.val();
        self.type_in_low.next = self.fields_in_low.val() & self.low_is_feedback.val();
        self.type_in_high.next = self.later_type.val() & self.high_is_feedback.val();

        comment!("Where the fields are: after one tag each is half a word later");
        self.identifier_in_high.next = self.data_high.val();
        self.identifier_in_low.next = self.data_low.val();
        self.high_word.next = self.word.q.val() == 2;
        self.low_word.next = self.word.q.val() == 2;
        self.unit_length_field.next = self.low_upper.val();
        self.unit_word.next = self.word.q.val() == 4;
        if self.later.q.val() {
            self.identifier_in_high.next = self.data_low.val();
            self.identifier_in_low.next = self.data_high.val();
            self.low_word.next = self.word.q.val() == 3;
            self.unit_length_field.next = self.high_upper.val();
            self.unit_word.next = self.word.q.val() == 5;
        }

        comment!("What is wrong in a word");
        self.expected_high.next = (bit_cast::<32, 16>(self.rp_mac_high.val()).to_bits() << 16)
            | bit_cast::<32, 16>(self.rp_mac_low.val().to_bits().get_bits::<16>(16));
        self.expected_low.next = self.rp_mac_low.val().to_bits().get_bits::<16>(0);
        self.compared.next = bit_cast::<16, 12>(self.flow_mask.val()) ^ 0xffff;
        self.wrong_destination.next = (self.data_high.val() != self.expected_high.val())
            | ((self.low_upper.val() ^ self.expected_low.val()) & self.compared.val()).any();
        self.unit_length_in.next = self.unit_length_field.val().to_bits().get_bits::<7>(0);

        comment!("The end of a frame");
        self.octets_less_one.next = self.octets.val() - 1;
        // Length minus one: then the index of the word and the octets form the number without an adder. Exact up to
        // word 14; word 15 means that the frame is too long. Behind two tags it is eight octets less.
        self.length_less_one.d.next = (bit_cast::<7, 4>(self.word.q.val()).to_bits() << 3)
            | bit_cast::<7, 3>(self.octets_less_one.val().to_bits().get_bits::<3>(0));
        // 60 octets at least: four of word 7, which is word 6 behind two tags. 102 at most: six of word 12; with a tag, two
        // of word 13. In bits, without carry chains.
        self.four_octets.next = self.octets.val().to_bits().get_bits::<2>(2).any();
        self.three_octets.next = self.four_octets.val() | (self.octets.val().get_bit(1) & self.octets.val().get_bit(0));
        self.seven_octets.next = self.octets.val().get_bit(3) | self.octets.val().to_bits().get_bits::<3>(0).all();
        self.too_short.next = !self.word.q.val().get_bit(3)
            & !((self.word.q.val() == 7) & self.four_octets.val())
            & !(self.has_tag.q.val()
                & !self.later.q.val()
                & ((self.word.q.val() == 7) | ((self.word.q.val() == 6) & self.four_octets.val())));
        self.too_long.next = self.word.q.val().to_bits().get_bits::<3>(1).all()
            | ((self.word.q.val() == 13) & (!self.later.q.val() | self.three_octets.val()))
            | ((self.word.q.val() == 12) & !self.later.q.val() & self.seven_octets.val());
        self.good_size.d.next = !self.too_short.val() & !self.too_long.val();
        self.damaged.d.next = self.bad_frame.val();
        self.ended.d.next = self.valid.val() & self.last.val() & self.is_feedback.q.val();

        comment!("A frame is accepted or told of in the cycle after its last word, from registers only");
        self.malformed.next = self.damaged.q.val()
            | !self.good_size.q.val()
            | self.wrong_version.q.val()
            | self.unit_too_long.q.val()
            | (self.length_less_one.q.val() < self.needed_less_one.q.val());
        self.refused.next = self.wrong_high.q.val() | self.wrong_low.q.val();
        self.told.next = self.ended.q.val() & !self.elsewhere.q.val();
        self.accept.next = self.told.val() & !self.refused.val() & !self.dropped.q.val() & !self.malformed.val();
        self.taken_told.d.next = self.accept.val();
        self.elsewhere_told.d.next = self.ended.q.val() & self.elsewhere.q.val();
        self.malformed_told.d.next = self.told.val() & self.malformed.val();
        self.refused_told.d.next = self.told.val() & self.refused.val() & !self.malformed.val();
        self.good_told.d.next = self.told.val() & !self.refused.val() & !self.malformed.val();

        comment!("The fields: of every frame, but of none whose second word came while a feedback waited");
        self.busy.next = self.pending.q.val() & !self.feedback_ready.val();
        self.capture.next = self.valid.val() & !self.busy.val() & !self.dropped.q.val();
        // As a sum of products: then no logic stands between `accept` and the register.
        self.pending.d.next = self.accept.val() | self.busy.val();
        self.type_word.next = self.first_type.val() | self.later_type.val();
        self.next_place.next = (self.word.q.val() != 15) & !self.second_tag.val();
        if self.valid.val() {
            if self.first_type.val() {
                self.has_tag.d.next = self.low_is_vlan.val();
            }
            // What the word says comes late. So it is in the data of these registers, not in what enables them.
            self.word.d.next = self.word.q.val() + bit_cast::<4, 1>(self.next_place.val().into());
            self.later.d.next = (self.first_type.val() & (self.low_is_vlan.val() | self.low_is_cn_tag.val()))
                | (!self.first_type.val() & self.later.q.val() & !self.second_tag.val());
            self.is_feedback.d.next =
                !self.last.val() & (self.is_feedback.q.val() | self.type_in_low.val() | self.type_in_high.val());
            if self.unit_word.val() {
                // Above 64, without a carry chain.
                self.unit_too_long.d.next = self.unit_length_field.val().to_bits().get_bits::<9>(7).any()
                    | (self.unit_length_field.val().get_bit(6)
                        & self.unit_length_field.val().to_bits().get_bits::<6>(0).any());
                self.needed_less_one.d.next = self.unit_length_in.val() + 37;
                if self.later.q.val() {
                    self.needed_less_one.d.next = self.unit_length_in.val() + 41;
                }
            }
            if self.word.q.val() == 0 {
                self.elsewhere.d.next = self.wrong_destination.val();
                self.dropped.d.next = false;
            }
            if self.first_type.val() {
                self.dropped.d.next = self.busy.val();
            }
            if self.type_word.val() {
                self.wrong_version.d.next = self.high_lower.val().to_bits().get_bits::<4>(12).any();
                if self.fields_in_low.val() {
                    self.wrong_version.d.next = self.low_lower.val().to_bits().get_bits::<4>(12).any();
                }
            }
            if self.high_word.val() {
                self.wrong_high.d.next = ((self.identifier_in_high.val() ^ self.allowed_cpid_high.val())
                    & self.allowed_cpid_mask_high.val())
                .any();
            }
            if self.low_word.val() {
                self.wrong_low.d.next = ((self.identifier_in_low.val() ^ self.allowed_cpid_low.val())
                    & self.allowed_cpid_mask_low.val())
                .any();
            }
            if self.last.val() {
                self.word.d.next = 0.into();
            }
        }
        if self.capture.val() {
            if self.type_word.val() {
                self.has_flow.d.next = self.has_flow.q.val() | self.second_tag.val();
                self.feedback.d.next = self.data_high.val().to_bits().get_bits::<6>(0);
                if self.fields_in_low.val() {
                    self.feedback.d.next = self.data_low.val().to_bits().get_bits::<6>(0);
                }
                if self.second_tag.val() {
                    self.flow.d.next = self.high_lower.val();
                }
                if self.first_type.val() {
                    self.has_flow.d.next = self.low_is_cn_tag.val();
                    self.flow.d.next = 0.into();
                    if self.low_is_cn_tag.val() {
                        self.flow.d.next = self.low_lower.val();
                    }
                }
            }
            if self.word.q.val() == 3 {
                self.offset.d.next = self.high_upper.val();
                self.delta.d.next = self.high_lower.val();
                if self.later.q.val() {
                    self.offset.d.next = self.low_upper.val();
                    self.delta.d.next = self.low_lower.val();
                }
            }
        }

        comment!("The congestion point");
        self.cpid_memory.reset.next = self.reset.val();
        self.cpid_memory.high.next = self.identifier_in_high.val();
        self.cpid_memory.low.next = self.identifier_in_low.val();
        self.cpid_memory.high_valid.next = self.capture.val() & self.high_word.val();
        self.cpid_memory.low_valid.next = self.capture.val() & self.low_word.val();
        self.cpid_memory.remember.next = self.pending.q.val() & self.feedback_ready.val() & self.remember.val();
        self.cpid_memory.cpid_any.next = self.cpid_any.val();
        self.cpid_memory.cpid_digest.next = self.cpid_digest.val();
        self.same_point.next = self.cpid_memory.same_point.val();

        self.frame_start.next = self.valid.val() & (self.word.q.val() == 0);
        self.frame_flow.next = self.data_low.val().to_bits().get_bits::<12>(16);
        self.frame_cpid_high.next = self.identifier_in_high.val();
        self.frame_cpid_low.next = self.identifier_in_low.val();
        self.frame_cpid_high_valid.next = self.valid.val() & self.high_word.val();
        self.frame_cpid_low_valid.next = self.valid.val() & self.low_word.val();
        self.feedback_valid.next = self.pending.q.val();
        self.quantized_feedback.next = self.feedback.q.val();
        self.q_offset_units.next = self.offset.q.val();
        self.q_delta_units.next = self.delta.q.val();
        self.has_flow_id.next = self.has_flow.q.val();
        self.flow_id.next = self.flow.q.val();
        self.frame_taken.next = self.taken_told.q.val();
        self.frame_malformed.next = self.malformed_told.q.val();
        self.frame_refused.next = self.refused_told.q.val();
        self.frame_elsewhere.next = self.elsewhere_told.q.val();
        self.frame_dropped.next = self.good_told.q.val() & !self.taken_told.q.val();
    }
}
