// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which frames of a wide receive path are feedback for a reaction point.

use tidegate_hdl::prelude::*;

module! {
    /// Decides of each frame of a receive path whether the parser must see it, and whether it is removed. Combinational, but
    /// for what it remembers of a frame until its last beat.
    ///
    /// The rule is that of `feedback_finder`: the EtherType is 0x22E7, after at most one VLAN tag and then at most one CN-TAG,
    /// and the frame goes on behind the eight octets with its EtherType. Such a frame is for the parser. It is removed if its
    /// destination is `rp_mac`, but for the bits that number the flow; with `pass_feedback` none is removed.
    pub struct FrameFinder: "axis_frame_finder" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A beat goes on in this cycle.
        pub beat_moves: Signal<In, Bit>,
        /// It is the first one of its frame.
        pub beat_first: Signal<In, Bit>,
        /// It is the last one of its frame.
        pub beat_last: Signal<In, Bit>,
        /// Octets 0 and 1 of the frame: its destination address, bits 47 to 32; valid with `beat_first`, as all that follows.
        pub destination_high: Signal<In, Bits<16>>,
        /// Octets 2 to 5: its destination address, bits 31 to 0.
        pub destination_low: Signal<In, Bits<32>>,
        /// Octets 12 and 13.
        pub first_type: Signal<In, Bits<16>>,
        /// Octets 16 and 17.
        pub second_type: Signal<In, Bits<16>>,
        /// Octets 20 and 21.
        pub third_type: Signal<In, Bits<16>>,
        /// The frame has more than 16 octets.
        pub beyond_16: Signal<In, Bit>,
        /// The frame has more than 24 octets.
        pub beyond_24: Signal<In, Bit>,
        /// Address of this reaction point, bits 47 to 32.
        #[parameter]
        pub rp_mac_high: Signal<In, Bits<16>>,
        /// Address of this reaction point, bits 31 to 0.
        #[parameter]
        pub rp_mac_low: Signal<In, Bits<32>>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        #[parameter]
        pub flow_from_tag: Signal<In, Bit>,
        /// 1: feedback for this reaction point stays in the receive path. 0: it is removed.
        #[parameter]
        pub pass_feedback: Signal<In, Bit>,
        /// The frame is feedback, for this reaction point or another one; valid with `beat_first`.
        pub is_feedback: Signal<Out, Bit>,
        /// The beat belongs to a frame that is removed.
        pub removes: Signal<Out, Bit>,
        /// A frame was removed: its last beat came in the cycle before.
        pub removed_frame: Signal<Out, Bit>,
        /// The first beat of the frame was removed.
        removing: Register<Bit>,
        removed: Register<Bit>,
        compared: Signal<Local, Bits<16>>,
        elsewhere: Signal<Local, Bit>,
        is_vlan: Signal<Local, Bit>,
        is_cn_tag: Signal<Local, Bit>,
        without_tag: Signal<Local, Bit>,
        with_tag: Signal<Local, Bit>,
        with_both: Signal<Local, Bit>,
        found: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
    }
}

impl Logic for FrameFinder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, removing, removed);
        self.removing.reset.next = self.reset.val();
        self.removed.reset.next = self.reset.val();

        comment!("For whom the frame is");
        self.compared.next = 0xffff.into();
        if !self.flow_from_tag.val() {
            self.compared.next = bit_cast::<16, 12>(self.flow_mask.val()) ^ 0xffff;
        }
        self.elsewhere.next = (self.destination_high.val() != self.rp_mac_high.val())
            | (self.destination_low.val().to_bits().get_bits::<16>(16)
                != self.rp_mac_low.val().to_bits().get_bits::<16>(16))
            | ((self.destination_low.val().to_bits().get_bits::<16>(0)
                ^ self.rp_mac_low.val().to_bits().get_bits::<16>(0))
                & self.compared.val())
            .any();

        comment!("What it is");
        self.is_vlan.next = self.first_type.val() == 0x8100;
        self.is_cn_tag.next = self.first_type.val() == 0x22e9;
        self.without_tag.next = (self.first_type.val() == 0x22e7) & self.beyond_16.val();
        self.with_tag.next = (self.is_vlan.val() | self.is_cn_tag.val()) & (self.second_type.val() == 0x22e7);
        self.with_both.next =
            self.is_vlan.val() & (self.second_type.val() == 0x22e9) & (self.third_type.val() == 0x22e7);
        self.found.next =
            self.without_tag.val() | ((self.with_tag.val() | self.with_both.val()) & self.beyond_24.val());
        self.is_feedback.next = self.found.val();

        comment!("What its first beat decides is true for all of them");
        self.takes.next = self.removing.q.val();
        if self.beat_first.val() {
            self.takes.next = self.found.val() & !self.elsewhere.val() & !self.pass_feedback.val();
        }
        self.removes.next = self.takes.val();
        if self.beat_moves.val() {
            self.removing.d.next = self.takes.val();
        }
        self.removed.d.next = self.beat_moves.val() & self.beat_last.val() & self.takes.val();
        self.removed_frame.next = self.removed.q.val();
    }
}
