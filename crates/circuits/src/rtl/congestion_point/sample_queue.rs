// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue of samples that wait for their feedback frame.

use tidegate_hdl::prelude::*;

module! {
    /// First-in first-out queue of four samples in LUT RAM, with the addresses that their feedback frames need.
    ///
    /// A feedback frame takes eight cycles on a 64-bit stream, but samples can come in every cycle: the queue holds a
    /// burst. The addresses of every packet are written when it enters. If the packet is a sample, the next cycle adds
    /// the fields of the queue monitor and keeps the entry; otherwise the next packet overwrites it. A sample of cycle
    /// t is at the head in cycle t + 3 at the earliest. `ready` is low while the queue is full; a sample in such a
    /// cycle is lost, and `lost` is high in the next cycle, so that it can be counted. The head is held until `pop`.
    /// The next sample is at the head two cycles after the pop, if it came at least three cycles before: its fields
    /// have a cycle to leave the memories before `head_valid` is high.
    pub struct SampleQueue: "sample_queue" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A packet enters in this cycle; its addresses are valid.
        pub enqueue: Signal<In, Bit>,
        /// The packet that enters in this cycle is a sample.
        pub sample: Signal<In, Bit>,
        /// Queue offset of the sample of the cycle before, bytes, two's complement.
        pub q_offset: Signal<In, Bits<25>>,
        /// Change of the queue of the sample of the cycle before, bytes, two's complement.
        pub q_delta: Signal<In, Bits<25>>,
        /// A reaction point controls the flow of the packet; valid with `enqueue`.
        pub controlled: Signal<In, Bit>,
        /// Source address of the packet, bits 47 to 32; valid with `enqueue`.
        pub source_mac_high: Signal<In, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_mac_low: Signal<In, Bits<32>>,
        /// Destination address of the packet, bits 47 to 32; valid with `enqueue`.
        pub destination_mac_high: Signal<In, Bits<16>>,
        /// Destination address, bits 31 to 0.
        pub destination_mac_low: Signal<In, Bits<32>>,
        /// The packet has a VLAN tag; valid with `enqueue`.
        pub has_tag: Signal<In, Bit>,
        /// Tag control information of its VLAN tag; valid with `has_tag`.
        pub vlan_tci: Signal<In, Bits<16>>,
        /// The packet has a CN-TAG; valid with `enqueue`.
        pub has_cn_tag: Signal<In, Bit>,
        /// Flow identifier of its CN-TAG; valid with `has_cn_tag`.
        pub flow_id: Signal<In, Bits<16>>,
        /// Remove the oldest sample.
        pub pop: Signal<In, Bit>,
        /// There is room for a sample. While it is low, hold the next packet.
        pub ready: Signal<Out, Bit>,
        /// The sample of the cycle before was lost, because the queue was full.
        pub lost: Signal<Out, Bit>,
        /// The fields of the oldest sample are valid.
        pub head_valid: Signal<Out, Bit>,
        /// Queue offset of this sample, bytes, two's complement.
        pub head_q_offset: Signal<Out, Bits<25>>,
        /// Change of the queue since the sample before, bytes, two's complement.
        pub head_q_delta: Signal<Out, Bits<25>>,
        /// A reaction point controls the flow of this sample.
        pub head_controlled: Signal<Out, Bit>,
        /// Source address of this sample, bits 47 to 32.
        pub head_source_mac_high: Signal<Out, Bits<16>>,
        /// Source address of this sample, bits 31 to 0.
        pub head_source_mac_low: Signal<Out, Bits<32>>,
        /// Destination address of this sample, bits 47 to 32.
        pub head_destination_mac_high: Signal<Out, Bits<16>>,
        /// Destination address of this sample, bits 31 to 0.
        pub head_destination_mac_low: Signal<Out, Bits<32>>,
        /// The packet of this sample had a VLAN tag.
        pub head_has_tag: Signal<Out, Bit>,
        /// Tag control information of its VLAN tag; valid with `head_has_tag`.
        pub head_vlan_tci: Signal<Out, Bits<16>>,
        /// The packet of this sample had a CN-TAG.
        pub head_has_cn_tag: Signal<Out, Bit>,
        /// Flow identifier of its CN-TAG; valid with `head_has_cn_tag`.
        pub head_flow_id: Signal<Out, Bits<16>>,
        /// Qoff of each sample, bytes, two's complement.
        offsets: LutRam<Bits<25>, 2>,
        /// ΔQ of each sample, bytes, two's complement.
        deltas: LutRam<Bits<25>, 2>,
        /// Source address of each sample, bits 31 to 0.
        sources: LutRam<Bits<32>, 2>,
        /// Destination address of each sample, bits 31 to 0.
        destinations: LutRam<Bits<32>, 2>,
        /// Bits 47 to 32 of the source address of each sample, then those of its destination address.
        high_halves: LutRam<Bits<32>, 2>,
        /// Tag control information of the VLAN tag of each sample, then the flow identifier of its CN-TAG.
        tags: LutRam<Bits<32>, 2>,
        /// Of each sample: bit 2 = it has a CN-TAG, bit 1 = it has a VLAN tag, bit 0 = its flow is controlled.
        flags: LutRam<Bits<3>, 2>,
        /// Address of the next sample to write; bit 2 toggles with each turn.
        write_pointer: Register<Bits<3>>,
        /// The cycle before had a sample.
        sampled: DFF<Bit>,
        /// The queue had room in the cycle before.
        room: DFF<Bit>,
        /// Address of the oldest sample; bit 2 toggles with each turn.
        read_pointer: Register<Bits<3>>,
        /// The memories have shown the oldest sample for a cycle.
        head_read: Register<Bit>,
        /// A reaction point controls the flow of the sample that the memories showed in the cycle before.
        controlled_before: DFF<Bit>,
        /// The packet of that sample had a VLAN tag.
        tagged_before: DFF<Bit>,
        /// It had a CN-TAG.
        cn_tagged_before: DFF<Bit>,
        /// The queue holds four samples, with the one of the cycle before.
        full: Register<Bit>,
        written: Signal<Local, Bits<3>>,
        last_place: Signal<Local, Bit>,
        accept: Signal<Local, Bit>,
        next_write: Signal<Local, Bits<3>>,
        write_address: Signal<Local, Bits<2>>,
        packet_address: Signal<Local, Bits<2>>,
        read_address: Signal<Local, Bits<2>>,
        controlled_flag: Signal<Local, Bits<3>>,
        tag_flag: Signal<Local, Bits<3>>,
        cn_tag_flag: Signal<Local, Bits<3>>,
    }
}

impl Logic for SampleQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            sampled,
            room,
            write_pointer,
            read_pointer,
            head_read,
            controlled_before,
            tagged_before,
            cn_tagged_before,
            full
        );
        self.write_pointer.reset.next = self.reset.val();
        self.read_pointer.reset.next = self.reset.val();
        self.head_read.reset.next = self.reset.val();
        self.full.reset.next = self.reset.val();
        self.accept.next = self.sampled.q.val() & self.room.q.val();
        self.lost.next = self.sampled.q.val() & !self.room.q.val();
        self.next_write.next = self.write_pointer.q.val();
        if self.accept.val() {
            self.next_write.next = self.write_pointer.q.val() + 1;
        }
        self.write_pointer.d.next = self.next_write.val();
        // One place is left. The sample of the cycle before is not yet in the pointers: comparing with 2 instead of
        // adding it saves a second carry chain.
        self.written.next = self.write_pointer.q.val() - self.read_pointer.q.val();
        self.last_place.next = (self.written.val() == 3) & !self.accept.val();
        if self.accept.val() {
            self.last_place.next = self.written.val() == 2;
        }
        self.full.d.next = (self.full.q.val() | (self.sample.val() & self.last_place.val())) & !self.pop.val();
        self.ready.next = !self.full.q.val();
        self.sampled.d.next = self.sample.val() & !self.reset.val();
        self.room.d.next = !self.full.q.val();
        self.head_read.d.next = (self.write_pointer.q.val() != self.read_pointer.q.val()) & !self.pop.val();
        self.head_valid.next = self.head_read.q.val();
        if self.pop.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }

        self.write_address.next = self.write_pointer.q.val().to_bits().get_bits::<2>(0);
        self.packet_address.next = self.next_write.val().to_bits().get_bits::<2>(0);
        self.read_address.next = self.read_pointer.q.val().to_bits().get_bits::<2>(0);
        self.offsets.clock.next = self.clock.val();
        self.offsets.write_enable.next = self.accept.val();
        self.offsets.write_address.next = self.write_address.val();
        self.offsets.read_address.next = self.read_address.val();
        self.offsets.write_data.next = self.q_offset.val();
        self.deltas.clock.next = self.clock.val();
        self.deltas.write_enable.next = self.accept.val();
        self.deltas.write_address.next = self.write_address.val();
        self.deltas.read_address.next = self.read_address.val();
        self.deltas.write_data.next = self.q_delta.val();
        self.sources.clock.next = self.clock.val();
        self.sources.write_enable.next = self.enqueue.val() & !self.full.q.val();
        self.sources.write_address.next = self.packet_address.val();
        self.sources.read_address.next = self.read_address.val();
        self.sources.write_data.next = self.source_mac_low.val();
        self.destinations.clock.next = self.clock.val();
        self.destinations.write_enable.next = self.enqueue.val() & !self.full.q.val();
        self.destinations.write_address.next = self.packet_address.val();
        self.destinations.read_address.next = self.read_address.val();
        self.destinations.write_data.next = self.destination_mac_low.val();
        self.high_halves.clock.next = self.clock.val();
        self.high_halves.write_enable.next = self.enqueue.val() & !self.full.q.val();
        self.high_halves.write_address.next = self.packet_address.val();
        self.high_halves.read_address.next = self.read_address.val();
        self.high_halves.write_data.next = (bit_cast::<32, 16>(self.source_mac_high.val()).to_bits() << 16)
            | bit_cast::<32, 16>(self.destination_mac_high.val());
        self.tags.clock.next = self.clock.val();
        self.tags.write_enable.next = self.enqueue.val() & !self.full.q.val();
        self.tags.write_address.next = self.packet_address.val();
        self.tags.read_address.next = self.read_address.val();
        self.tags.write_data.next =
            (bit_cast::<32, 16>(self.vlan_tci.val()).to_bits() << 16) | bit_cast::<32, 16>(self.flow_id.val());
        self.flags.clock.next = self.clock.val();
        self.flags.write_enable.next = self.enqueue.val() & !self.full.q.val();
        self.flags.write_address.next = self.packet_address.val();
        self.flags.read_address.next = self.read_address.val();
        self.controlled_flag.next = 0.into();
        if self.controlled.val() {
            self.controlled_flag.next = 1.into();
        }
        self.tag_flag.next = 0.into();
        if self.has_tag.val() {
            self.tag_flag.next = 2.into();
        }
        self.cn_tag_flag.next = 0.into();
        if self.has_cn_tag.val() {
            self.cn_tag_flag.next = 4.into();
        }
        self.flags.write_data.next = self.controlled_flag.val() | self.tag_flag.val() | self.cn_tag_flag.val();

        self.head_q_offset.next = self.offsets.read_data.val();
        // Much depends on these three: they come from registers.
        self.controlled_before.d.next = self.flags.read_data.val().get_bit(0);
        self.tagged_before.d.next = self.flags.read_data.val().get_bit(1);
        self.cn_tagged_before.d.next = self.flags.read_data.val().get_bit(2);
        self.head_controlled.next = self.controlled_before.q.val();
        self.head_has_tag.next = self.tagged_before.q.val();
        self.head_has_cn_tag.next = self.cn_tagged_before.q.val();
        self.head_q_delta.next = self.deltas.read_data.val();
        self.head_source_mac_low.next = self.sources.read_data.val();
        self.head_destination_mac_low.next = self.destinations.read_data.val();
        self.head_source_mac_high.next = self.high_halves.read_data.val().to_bits().get_bits::<16>(16);
        self.head_destination_mac_high.next = self.high_halves.read_data.val().to_bits().get_bits::<16>(0);
        self.head_vlan_tci.next = self.tags.read_data.val().to_bits().get_bits::<16>(16);
        self.head_flow_id.next = self.tags.read_data.val().to_bits().get_bits::<16>(0);
    }
}
