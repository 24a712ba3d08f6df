// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which frames of a receive path are feedback for a reaction point.

use tidegate_hdl::prelude::*;

module! {
    /// Watches the words of frames, and decides of each frame whether it is removed from the receive path.
    ///
    /// Removed are feedback frames for this reaction point, whatever else is wrong with them: the destination is
    /// `rp_mac`, but for the bits that number the flow; the EtherType is 0x22E7, after at most one VLAN tag and then at
    /// most one CN-TAG; and the frame goes on behind the word of its EtherType. These are the frames of which the parser
    /// tells anything but `frame_elsewhere`. All other frames pass, and with `pass_feedback` all frames.
    ///
    /// A frame is decided with its third word at the latest; most frames in the cycle after their first one, in which its
    /// address is known from a register. If it is decided in cycle t, `releases` or `removes` is high from cycle t + 1 on:
    /// `removes` until the cycle of the last word, `releases` until the cycle after it.
    pub struct FeedbackFinder: "feedback_finder" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// There is a word of a frame in this cycle.
        pub seen: Signal<In, Bit>,
        /// Its octets 0 to 3.
        pub seen_high: Signal<In, Bits<32>>,
        /// Its octets 4 to 7.
        pub seen_low: Signal<In, Bits<32>>,
        /// It is the last word of the frame; valid with `seen`.
        pub ends: Signal<In, Bit>,
        /// The frame that is seen, or comes next, passes whatever it is. Not while a frame is removed.
        pub give_up: Signal<In, Bit>,
        #[parameter]
        pub rp_mac_high: Signal<In, Bits<16>>,
        #[parameter]
        pub rp_mac_low: Signal<In, Bits<32>>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        #[parameter]
        pub flow_from_tag: Signal<In, Bit>,
        /// 1: feedback for this reaction point stays in the receive path. 0: it is removed.
        #[parameter]
        pub pass_feedback: Signal<In, Bit>,
        /// The words seen before this cycle pass.
        pub releases: Signal<Out, Bit>,
        /// The words of this frame are removed, also that of this cycle.
        pub removes: Signal<Out, Bit>,
        /// A frame was removed: its last word came in the cycle before.
        pub removed_frame: Signal<Out, Bit>,
        /// Words of the frame so far, at most 3.
        place: Register<Bits<2>>,
        /// The frame passes.
        passes: Register<Bit>,
        releasing: Register<Bit>,
        removing: Register<Bit>,
        removed: Register<Bit>,
        /// Its destination is another address; valid from its second word on.
        elsewhere: DFF<Bit>,
        /// Its second word has the EtherType of a VLAN tag.
        has_tag: DFF<Bit>,
        low_upper: Signal<Local, Bits<16>>,
        high_upper: Signal<Local, Bits<16>>,
        compared: Signal<Local, Bits<16>>,
        wrong_destination: Signal<Local, Bit>,
        known_elsewhere: Signal<Local, Bit>,
        is_vlan: Signal<Local, Bit>,
        is_cn_tag: Signal<Local, Bit>,
        low_is_feedback: Signal<Local, Bit>,
        found_second: Signal<Local, Bit>,
        found_third: Signal<Local, Bit>,
        open: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        lets_pass: Signal<Local, Bit>,
        over: Signal<Local, Bit>,
    }
}

impl Logic for FeedbackFinder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, place, passes, releasing, removing, removed, elsewhere, has_tag);
        self.place.reset.next = self.reset.val();
        self.passes.reset.next = self.reset.val();
        self.releasing.reset.next = self.reset.val();
        self.removing.reset.next = self.reset.val();
        self.removed.reset.next = self.reset.val();

        comment!("What a word says");
        self.high_upper.next = self.seen_high.val().to_bits().get_bits::<16>(16);
        self.low_upper.next = self.seen_low.val().to_bits().get_bits::<16>(16);
        self.compared.next = 0xffff.into();
        if !self.flow_from_tag.val() {
            self.compared.next = bit_cast::<16, 12>(self.flow_mask.val()) ^ 0xffff;
        }
        self.wrong_destination.next = (self.high_upper.val() != self.rp_mac_high.val())
            | (self.seen_high.val().to_bits().get_bits::<16>(0) != self.rp_mac_low.val().to_bits().get_bits::<16>(16))
            | ((self.low_upper.val() ^ self.rp_mac_low.val().to_bits().get_bits::<16>(0)) & self.compared.val()).any();
        self.is_vlan.next = self.low_upper.val() == 0x8100;
        self.is_cn_tag.next = self.low_upper.val() == 0x22e9;
        self.low_is_feedback.next = self.low_upper.val() == 0x22e7;

        comment!("A frame for another address is decided after its first word, one without a tag by its second one");
        self.open.next = !self.passes.q.val() & !self.removing.q.val();
        self.known_elsewhere.next = (self.place.q.val() == 1) & self.elsewhere.q.val();
        self.found_second.next = (self.place.q.val() == 1) & !self.elsewhere.q.val() & self.low_is_feedback.val();
        self.found_third.next = (self.place.q.val() == 2)
            & ((self.high_upper.val() == 0x22e7)
                | (self.has_tag.q.val() & (self.high_upper.val() == 0x22e9) & self.low_is_feedback.val()));
        self.takes.next =
            self.seen.val() & self.open.val() & !self.ends.val() & (self.found_second.val() | self.found_third.val());
        self.waits.next = !self.ends.val()
            & (((self.place.q.val() == 0) & !self.pass_feedback.val())
                | ((self.place.q.val() == 1) & (self.is_vlan.val() | self.is_cn_tag.val())));
        self.lets_pass.next = self.give_up.val()
            | (self.open.val()
                & (self.known_elsewhere.val() | (self.seen.val() & !self.takes.val() & !self.waits.val())));

        if self.seen.val() & (self.place.q.val() == 0) {
            self.elsewhere.d.next = self.wrong_destination.val();
        }
        if self.seen.val() & (self.place.q.val() == 1) {
            self.has_tag.d.next = self.is_vlan.val();
        }
        if self.seen.val() & (self.place.q.val() != 3) {
            self.place.d.next = self.place.q.val() + 1;
        }
        if self.seen.val() & self.ends.val() {
            self.place.d.next = 0.into();
        }
        self.over.next = self.seen.val() & self.ends.val();
        self.passes.d.next = !self.over.val() & (self.passes.q.val() | self.lets_pass.val());
        self.removing.d.next = !self.over.val() & (self.removing.q.val() | self.takes.val());
        self.releasing.d.next = self.passes.q.val() | self.lets_pass.val();
        self.removed.d.next = self.seen.val() & self.ends.val() & self.removing.q.val();
        self.releases.next = self.releasing.q.val();
        self.removes.next = self.removing.q.val();
        self.removed_frame.next = self.removed.q.val();
    }
}
