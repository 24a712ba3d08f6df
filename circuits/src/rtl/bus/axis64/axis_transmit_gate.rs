//! A gate before a transmit queue.

use super::frame_store::FrameStore;
use crate::rtl::lut_ram::LutRam;
use crate::rtl::register::{Delay, Register};
use crate::rtl::slice::ToSlice;
use crate::rtl::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Stores frames of AXI4-Stream, and holds each one until the rate limiter has granted it. Then it goes out unchanged.
    ///
    /// The length of a frame is that of what is stored, so its last word must have come. A frame longer than the memory, 2,048
    /// words, cannot be measured: it goes when the memory is full, without a grant, and `rejected` is high in a cycle. At most
    /// 31 frames are stored. While one frame goes out, the grant for the next one may come: then it follows at once.
    /// `request` is high two cycles after the last word of a frame, or the first word of the frame before it, at the earliest.
    pub struct AxisTransmitGate: "axis_transmit_gate" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub tx_in_high: Signal<In, Bits<32>>,
        pub tx_in_low: Signal<In, Bits<32>>,
        /// The octets that are valid: octet i is bit i.
        pub s_axis_tx_tkeep: Signal<In, Bits<8>>,
        /// The word is the last one of a frame.
        pub s_axis_tx_tlast: Signal<In, Bit>,
        /// Passed with the word.
        pub s_axis_tx_tuser: Signal<In, Bit>,
        /// Flow of the frame, its low bits; valid with its last word.
        pub s_axis_tx_tdest: Signal<In, Bits<12>>,
        /// There is a word.
        pub s_axis_tx_tvalid: Signal<In, Bit>,
        /// It is taken in this cycle.
        pub s_axis_tx_tready: Signal<Out, Bit>,
        pub tx_out_high: Signal<Out, Bits<32>>,
        pub tx_out_low: Signal<Out, Bits<32>>,
        /// The octets that are valid: octet i is bit i.
        pub m_axis_tx_tkeep: Signal<Out, Bits<8>>,
        /// The word is the last one of a frame.
        pub m_axis_tx_tlast: Signal<Out, Bit>,
        /// As it came with the word.
        pub m_axis_tx_tuser: Signal<Out, Bit>,
        /// There is a word; it does not change until it is taken.
        pub m_axis_tx_tvalid: Signal<Out, Bit>,
        /// It is taken.
        pub m_axis_tx_tready: Signal<In, Bit>,
        /// 1: frames wait for the rate limiter. 0: they pass at once.
        #[parameter]
        pub controlled: Signal<In, Bit>,
        #[parameter]
        pub flow_mask: Signal<In, Bits<12>>,
        /// A frame waits for the limiter; held with the next two outputs until `paid` or `refuse`.
        pub request: Signal<Out, Bit>,
        /// Its flow.
        pub request_flow: Signal<Out, Bits<12>>,
        /// Its octets.
        pub request_bytes: Signal<Out, Bits<14>>,
        /// The limiter grants the frame of `request`.
        pub paid: Signal<In, Bit>,
        /// The limiter can never grant it: it passes without a grant.
        pub refuse: Signal<In, Bit>,
        /// A frame passed without a grant, because it is longer than the memory.
        pub rejected: Signal<Out, Bit>,
        /// No frame waits.
        pub source_empty: Signal<Out, Bit>,
        frame_store: FrameStore,
        /// What is known of each frame: bit 26 = it waits for the limiter, bits 25 to 14 = flow, bits 13 to 0 = octets.
        known: LutRam<Bits<27>, 5>,
        /// Place for the next frame.
        known_place: Register<Bits<5>>,
        /// Place after it.
        following_place: DFF<Bits<5>>,
        /// Place of the next frame that goes out.
        next_place: Register<Bits<5>>,
        /// What is known of the next frame, as it comes from the memory.
        next_known: Delay<Bits<27>>,
        /// `next_known` is that of the next frame.
        is_next: Register<Bit>,
        /// Octets of the words of the frame so far, at most 16,368.
        length: Register<Bits<14>>,
        /// The frame that comes in goes without a grant.
        told: Register<Bit>,
        is_rejected: Register<Bit>,
        /// The next frame may go without a further grant.
        may_begin: Register<Bit>,
        /// A frame has begun to go out.
        started: Register<Bit>,
        roomy: Signal<Local, Bit>,
        ready: Signal<Local, Bit>,
        comes: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        octets: Signal<Local, Bits<4>>,
        overflows: Signal<Local, Bit>,
        tells: Signal<Local, Bit>,
        entry: Signal<Local, Bits<27>>,
        is_known: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        may_go: Signal<Local, Bit>,
        goes: Signal<Local, Bit>,
        begins: Signal<Local, Bit>,
    }
}

impl Logic for AxisTransmitGate {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            known_place,
            following_place,
            next_place,
            next_known,
            is_next,
            length,
            told,
            is_rejected,
            may_begin,
            started
        );
        clock!(self, clock, frame_store, known);
        self.frame_store.reset.next = self.reset.val();
        self.known_place.reset.next = self.reset.val();
        self.next_place.reset.next = self.reset.val();
        self.is_next.reset.next = self.reset.val();
        self.length.reset.next = self.reset.val();
        self.told.reset.next = self.reset.val();
        self.is_rejected.reset.next = self.reset.val();
        self.may_begin.reset.next = self.reset.val();
        self.started.reset.next = self.reset.val();

        comment!("What comes in");
        self.roomy.next = self.following_place.q.val() != self.next_place.q.val();
        self.ready.next = self.frame_store.in_ready.val() & self.roomy.val();
        self.s_axis_tx_tready.next = self.ready.val();
        self.comes.next = self.s_axis_tx_tvalid.val() & self.ready.val();
        self.ends.next = self.comes.val() & self.s_axis_tx_tlast.val();
        self.frame_store.in_wr.next = self.comes.val();
        self.frame_store.in_high.next = self.tx_in_high.val();
        self.frame_store.in_low.next = self.tx_in_low.val();
        self.frame_store.in_mark.next = bit_cast::<10, 8>(self.s_axis_tx_tkeep.val());
        if self.s_axis_tx_tlast.val() & self.s_axis_tx_tuser.val() {
            self.frame_store.in_mark.next = bit_cast::<10, 8>(self.s_axis_tx_tkeep.val()) | 0x300;
        } else if self.s_axis_tx_tlast.val() {
            self.frame_store.in_mark.next = bit_cast::<10, 8>(self.s_axis_tx_tkeep.val()) | 0x100;
        } else if self.s_axis_tx_tuser.val() {
            self.frame_store.in_mark.next = bit_cast::<10, 8>(self.s_axis_tx_tkeep.val()) | 0x200;
        }

        comment!("What is known of a frame, when its last word comes");
        self.octets.next = 1.into();
        if self.s_axis_tx_tkeep.val().get_bit(7) {
            self.octets.next = 8.into();
        } else if self.s_axis_tx_tkeep.val().get_bit(6) {
            self.octets.next = 7.into();
        } else if self.s_axis_tx_tkeep.val().get_bit(5) {
            self.octets.next = 6.into();
        } else if self.s_axis_tx_tkeep.val().get_bit(4) {
            self.octets.next = 5.into();
        } else if self.s_axis_tx_tkeep.val().get_bit(3) {
            self.octets.next = 4.into();
        } else if self.s_axis_tx_tkeep.val().get_bit(2) {
            self.octets.next = 3.into();
        } else if self.s_axis_tx_tkeep.val().get_bit(1) {
            self.octets.next = 2.into();
        }
        // The memory is full of one frame, or of the rest of one.
        self.is_known.next = self.known_place.q.val() != self.next_place.q.val();
        self.overflows.next =
            !self.frame_store.in_ready.val() & !self.is_known.val() & !self.started.q.val() & !self.told.q.val();
        self.tells.next = (self.ends.val() & !self.told.q.val()) | self.overflows.val();
        self.is_rejected.d.next = self.overflows.val();
        self.rejected.next = self.is_rejected.q.val();
        if self.comes.val() & (self.length.q.val() < 16368) {
            self.length.d.next = self.length.q.val() + 8;
        }
        if self.overflows.val() {
            self.told.d.next = true;
        }
        if self.ends.val() {
            self.length.d.next = 0.into();
            self.told.d.next = false;
        }
        self.entry.next = (bit_cast::<27, 12>(self.s_axis_tx_tdest.val() & self.flow_mask.val()).to_bits() << 14)
            | bit_cast::<27, 14>(self.length.q.val() + bit_cast::<14, 4>(self.octets.val()));
        self.known.write_address.next = self.known_place.q.val();
        self.known.write_enable.next = self.tells.val();
        self.known.write_data.next = self.entry.val();
        if self.controlled.val() & !self.overflows.val() {
            self.known.write_data.next = self.entry.val() | 0x400_0000;
        }
        if self.tells.val() {
            self.known_place.d.next = self.following_place.q.val();
            self.following_place.d.next = self.following_place.q.val() + 1;
        }
        if self.reset.val() {
            self.following_place.d.next = 1.into();
        }

        comment!("The next frame");
        // The rate limiter has a long way to go with the length: it comes from a register.
        self.known.read_address.next = self.next_place.q.val();
        self.next_known.d.next = self.known.read_data.val();
        self.waits.next = self.next_known.q.val().get_bit(26) & !self.may_begin.q.val();
        self.request.next = self.is_next.q.val() & self.waits.val();
        self.request_flow.next = self.next_known.q.val().to_bits().get_bits::<12>(14);
        self.request_bytes.next = self.next_known.q.val().to_bits().get_bits::<14>(0);
        self.source_empty.next = !self.is_known.val();

        comment!("What goes out");
        self.may_go.next =
            self.frame_store.word_valid.val() & (self.started.q.val() | (self.is_next.q.val() & !self.waits.val()));
        self.goes.next = self.may_go.val() & self.m_axis_tx_tready.val();
        self.begins.next = self.goes.val() & !self.started.q.val();
        self.is_next.d.next = self.is_known.val() & !self.begins.val();
        if self.paid.val() | self.refuse.val() {
            self.may_begin.d.next = true;
        }
        if self.begins.val() {
            self.may_begin.d.next = false;
            self.next_place.d.next = self.next_place.q.val() + 1;
        }
        if self.goes.val() {
            self.started.d.next = !self.frame_store.word_mark.val().get_bit(8);
        }
        self.frame_store.pop.next = self.goes.val();
        self.m_axis_tx_tvalid.next = self.may_go.val();
        self.tx_out_high.next = self.frame_store.word_high.val();
        self.tx_out_low.next = self.frame_store.word_low.val();
        self.m_axis_tx_tkeep.next = self.frame_store.word_mark.val().to_bits().get_bits::<8>(0);
        self.m_axis_tx_tlast.next = self.frame_store.word_mark.val().get_bit(8);
        self.m_axis_tx_tuser.next = self.frame_store.word_mark.val().get_bit(9);
    }
}
