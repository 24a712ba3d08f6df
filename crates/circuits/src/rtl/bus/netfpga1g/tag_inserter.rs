// SPDX-License-Identifier: MIT OR Apache-2.0
//! A CN-TAG for packets that have none.

use tidegate_hdl::prelude::*;

module! {
    /// Puts a CN-TAG (IEEE 802.1Q: EtherType 0x22E9, then a flow identifier of 16 bits) into packets on their way out, behind
    /// the addresses or behind a VLAN tag. Each module header with ctrl 0xff then says four octets more, and a word more
    /// if they do not fit the last word. Every other packet passes unchanged.
    ///
    /// A word of cycle t goes out in cycle t + 1 at the earliest, if `out_rdy` is high in cycle t. `out_rdy` ends in one register; until
    /// there is room, the word waits in registers, and `ready` is low. If the octets of a packet do not fit its words any more, one
    /// more word goes out after its last one, and `ready` is low until it can follow. A packet with a tag must have four words or
    /// more behind its module headers, and a module header.
    pub struct TagInserter: "tag_inserter" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Octets 0 to 3 of a word.
        pub word_high: Signal<In, Bits<32>>,
        /// Octets 4 to 7 of a word.
        pub word_low: Signal<In, Bits<32>>,
        /// Its ctrl.
        pub word_ctrl: Signal<In, Bits<8>>,
        /// The word goes in this cycle; not without `ready`.
        pub goes: Signal<In, Bit>,
        /// The next word is the first one of a packet and its module headers; with it the next three inputs must be valid.
        pub first: Signal<In, Bit>,
        /// The packet gets a tag.
        pub tag: Signal<In, Bit>,
        /// The tag goes behind a VLAN tag.
        pub behind_vlan: Signal<In, Bit>,
        /// The flow identifier.
        pub flow: Signal<In, Bits<12>>,
        /// The word is the module header that says the length of the packet.
        pub is_length: Signal<In, Bit>,
        /// The length in it, bits 15 to 0, modulo 8 is 0 or above 4: four more octets need one more word; valid with `is_length`.
        pub fills: Signal<In, Bit>,
        /// The word is no module header.
        pub of_packet: Signal<In, Bit>,
        /// The word is the last one of its packet.
        pub ends: Signal<In, Bit>,
        /// A word may go in this cycle.
        pub ready: Signal<Out, Bit>,
        /// The receiver has room.
        pub out_rdy: Signal<In, Bit>,
        /// Octets 0 to 3 of the word that goes out.
        pub out_high: Signal<Out, Bits<32>>,
        /// Octets 4 to 7 of the word that goes out.
        pub out_low: Signal<Out, Bits<32>>,
        /// Its ctrl.
        pub out_ctrl: Signal<Out, Bits<8>>,
        /// A word goes out in this cycle.
        pub out_wr: Signal<Out, Bit>,
        /// The packet that goes gets a tag.
        tags: DFF<Bit>,
        /// The tag goes behind a VLAN tag.
        later: DFF<Bit>,
        /// The tag.
        identifier: DFF<Bits<12>>,
        /// Words of the packet that have gone, at most 2.
        place: Register<Bits<2>>,
        /// The octets that go out with the next word.
        carry: DFF<Bits<32>>,
        /// The last octets of a packet wait in `carry`.
        rest: Register<Bit>,
        /// The ctrl of their word.
        rest_ctrl: DFF<Bits<8>>,
        high: DFF<Bits<32>>,
        low: DFF<Bits<32>>,
        ctrl: DFF<Bits<8>>,
        /// There is a word in the registers before.
        holds: Register<Bit>,
        /// The receiver had room in the cycle before.
        may_go: Register<Bit>,
        room: Signal<Local, Bit>,
        tags_now: Signal<Local, Bit>,
        inserted: Signal<Local, Bits<32>>,
        in_tag: Signal<Local, Bit>,
        behind_tag: Signal<Local, Bit>,
        keeps_high: Signal<Local, Bit>,
        keeps_low: Signal<Local, Bit>,
        other_high: Signal<Local, Bits<32>>,
        other_low: Signal<Local, Bits<32>>,
        turned: Signal<Local, Bits<8>>,
        lengthens: Signal<Local, Bit>,
        one_more: Signal<Local, Bit>,
        octets: Signal<Local, Bits<16>>,
        words: Signal<Local, Bits<16>>,
    }
}

impl Logic for TagInserter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tags, later, identifier, place, carry, rest, rest_ctrl, high, low, ctrl, holds, may_go);
        self.place.reset.next = self.reset.val();
        self.rest.reset.next = self.reset.val();
        self.holds.reset.next = self.reset.val();
        self.may_go.reset.next = self.reset.val();

        comment!("The packet that goes");
        // `first` is a register of the gate. Whether the word goes in this cycle is known late, and does not matter here.
        self.tags_now.next = self.tags.q.val();
        if self.first.val() {
            self.tags_now.next = self.tag.val();
            self.later.d.next = self.behind_vlan.val();
            self.identifier.d.next = self.flow.val();
        }
        self.tags.d.next = self.tags_now.val();
        if self.goes.val() & self.of_packet.val() {
            if self.ends.val() {
                self.place.d.next = 0.into();
            } else if self.place.q.val() != 2 {
                self.place.d.next = self.place.q.val() + 1;
            }
        }

        comment!("Its length with a tag: four octets more, and a word more if the last one has no room for them");
        // What is added to other words is 0: so the sums need no multiplexers behind them.
        self.lengthens.next = self.tags_now.val() & self.is_length.val();
        self.one_more.next = self.lengthens.val() & self.fills.val();
        self.octets.next = self.word_low.val().to_bits().get_bits::<16>(0)
            + (bit_cast::<16, 1>(self.lengthens.val().into()).to_bits() << 2);
        self.words.next =
            self.word_high.val().to_bits().get_bits::<16>(0) + bit_cast::<16, 1>(self.one_more.val().into());

        comment!("The word that goes out: what is known late has one level of logic before it");
        self.inserted.next = bit_cast::<32, 12>(self.identifier.q.val()) | 0x22e9_0000;
        self.turned.next = (self.word_ctrl.val().to_bits() << 4) | (self.word_ctrl.val().to_bits() >> 4);
        // Not in the first word of a packet, so the register says it.
        self.in_tag.next = self.tags.q.val() & (self.place.q.val() == 1);
        self.behind_tag.next = self.tags.q.val() & (self.place.q.val() == 2);
        self.keeps_high.next = !self.rest.q.val() & !self.behind_tag.val();
        self.keeps_low.next = self.keeps_high.val() & !(self.in_tag.val() & !self.later.q.val());
        self.other_high.next = 0.into();
        if !self.keeps_high.val() {
            self.other_high.next = self.carry.q.val();
        }
        self.other_low.next = 0.into();
        if self.in_tag.val() & !self.later.q.val() {
            self.other_low.next = self.inserted.val();
        } else if self.behind_tag.val() {
            self.other_low.next = self.word_high.val();
        }
        if self.room.val() {
            self.high.d.next = self.other_high.val();
            if self.keeps_high.val() {
                self.high.d.next = self.other_high.val()
                    | (self.word_high.val() & 0xffff_0000_u64)
                    | bit_cast::<32, 16>(self.words.val());
            }
            self.low.d.next = self.other_low.val();
            if self.keeps_low.val() {
                self.low.d.next = self.other_low.val()
                    | (self.word_low.val() & 0xffff_0000_u64)
                    | bit_cast::<32, 16>(self.octets.val());
            }
            self.holds.d.next = self.goes.val() | self.rest.q.val();
            self.ctrl.d.next = self.word_ctrl.val();
            self.rest.d.next = false;
            if self.behind_tag.val() {
                self.ctrl.d.next = self.turned.val();
                if self.word_ctrl.val().get_bits::<4>(0).any() {
                    self.ctrl.d.next = 0.into();
                    self.rest.d.next = self.goes.val();
                }
            }
            if self.rest.q.val() {
                self.ctrl.d.next = self.rest_ctrl.q.val();
            }
        }
        if self.goes.val() {
            self.carry.d.next = self.word_low.val();
            self.rest_ctrl.d.next = self.turned.val();
        }
        if self.in_tag.val() & self.later.q.val() & self.goes.val() {
            self.carry.d.next = self.inserted.val();
        }
        self.may_go.d.next = self.out_rdy.val();
        self.room.next = !self.holds.q.val() | self.may_go.q.val();
        self.ready.next = self.room.val() & !self.rest.q.val();
        self.out_high.next = self.high.q.val();
        self.out_low.next = self.low.q.val();
        self.out_ctrl.next = self.ctrl.q.val();
        self.out_wr.next = self.holds.q.val() & self.may_go.q.val();
    }
}
