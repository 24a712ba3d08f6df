//! Writes congestion notification frames.

use crate::rtl::parameter_inputs;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

/// One 60-octet congestion notification frame (802.1Q, EtherType 0x22E7; SCHEMES, Frames) as eight 64-bit words on a stream
/// with back-pressure. The last word has four octets. No encapsulated data unit is sent: its length field is 0.
///
/// The first word is there in the cycle in which `feedback_valid` rises; with `ready` high a frame takes eight cycles. The
/// fields must hold until `frame_done`, which is high with the last word's transfer. `valid` stays up between words.
///
/// | port | shape | meaning |
/// |---|---|---|
/// | `feedback_valid`, `quantized_feedback`, `q_*_units` | 1, 6, 16, 16 bits | from the feedback block |
/// | `source_mac_*`, `destination_mac_*`, `tagged`, `vlan_tci` | | of the sampled frame: its source gets this one |
/// | `cpid_high`, `cpid_low` | 32 bits each | congestion point identifier |
/// | `cp_mac_high`, `cp_mac_low` | 16, 32 bits | source address of the frame |
/// | `data_high`, `data_low`, `octets`, `last`, `valid`, `ready` | 32, 32, 4, 1, 1, 1 bits | the stream; `octets` valid in this word |
#[derive(LogicBlock, Default)]
pub struct PacketGenerator {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub feedback_valid: Signal<In, Bit>,
    pub quantized_feedback: Signal<In, Bits<6>>,
    pub q_offset_units: Signal<In, Bits<16>>,
    pub q_delta_units: Signal<In, Bits<16>>,
    pub source_mac_high: Signal<In, Bits<16>>,
    pub source_mac_low: Signal<In, Bits<32>>,
    pub destination_mac_high: Signal<In, Bits<16>>,
    pub destination_mac_low: Signal<In, Bits<32>>,
    pub tagged: Signal<In, Bit>,
    pub vlan_tci: Signal<In, Bits<16>>,
    pub cpid_high: Signal<In, Bits<32>>,
    pub cpid_low: Signal<In, Bits<32>>,
    pub cp_mac_high: Signal<In, Bits<16>>,
    pub cp_mac_low: Signal<In, Bits<32>>,
    pub frame_done: Signal<Out, Bit>,
    pub data_high: Signal<Out, Bits<32>>,
    pub data_low: Signal<Out, Bits<32>>,
    pub octets: Signal<Out, Bits<4>>,
    pub last: Signal<Out, Bit>,
    pub valid: Signal<Out, Bit>,
    pub ready: Signal<In, Bit>,
    word: DFF<Bits<3>>,
    source_middle: Signal<Local, Bits<32>>,
    type_and_feedback: Signal<Local, Bits<32>>,
    offset_and_delta: Signal<Local, Bits<32>>,
    priority: Signal<Local, Bits<16>>,
    priority_and_destination: Signal<Local, Bits<32>>,
}

parameter_inputs!(PacketGenerator, "packet_generator": cpid_high, cpid_low, cp_mac_high, cp_mac_low;
    feedback_valid, quantized_feedback, q_offset_units, q_delta_units, source_mac_high, source_mac_low,
    destination_mac_high, destination_mac_low, tagged, vlan_tci, ready);

impl Logic for PacketGenerator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, word);
        self.valid.next = self.feedback_valid.val();
        self.last.next = self.word.q.val() == 7;
        self.octets.next = 8.into();
        if self.word.q.val() == 7 {
            self.octets.next = 4.into();
        }
        self.frame_done.next = self.feedback_valid.val() & self.ready.val() & (self.word.q.val() == 7);
        if self.feedback_valid.val() & self.ready.val() {
            self.word.d.next = self.word.q.val() + 1;
        }
        if self.reset.val() {
            self.word.d.next = 0.into();
        }

        self.source_middle.next = (bit_cast::<32, 16>(self.source_mac_low.val().to_bits().get_bits::<16>(0)).to_bits()
            << 16)
            | bit_cast::<32, 16>(self.cp_mac_high.val());
        self.type_and_feedback.next = bit_cast::<32, 6>(self.quantized_feedback.val()) | 0x22e7_0000;
        self.offset_and_delta.next = (bit_cast::<32, 16>(self.q_offset_units.val()).to_bits() << 16)
            | bit_cast::<32, 16>(self.q_delta_units.val());
        self.priority.next = 0.into();
        if self.tagged.val() {
            self.priority.next = self.vlan_tci.val() & 0xe000;
        }
        self.priority_and_destination.next = (bit_cast::<32, 16>(self.priority.val()).to_bits() << 16)
            | bit_cast::<32, 16>(self.destination_mac_high.val());

        self.data_high.next = 0.into();
        self.data_low.next = 0.into();
        if self.word.q.val() == 0 {
            self.data_high.next = (bit_cast::<32, 16>(self.source_mac_high.val()).to_bits() << 16)
                | bit_cast::<32, 16>(self.source_mac_low.val().to_bits().get_bits::<16>(16));
            self.data_low.next = self.source_middle.val();
        } else if self.word.q.val() == 1 {
            self.data_high.next = self.cp_mac_low.val();
            self.data_low.next = self.type_and_feedback.val();
            if self.tagged.val() {
                self.data_low.next = bit_cast::<32, 16>(self.vlan_tci.val()) | 0x8100_0000_u64;
            }
        } else if self.word.q.val() == 2 {
            self.data_high.next = self.cpid_high.val();
            self.data_low.next = self.cpid_low.val();
            if self.tagged.val() {
                self.data_high.next = self.type_and_feedback.val();
                self.data_low.next = self.cpid_high.val();
            }
        } else if self.word.q.val() == 3 {
            self.data_high.next = self.offset_and_delta.val();
            self.data_low.next = self.priority_and_destination.val();
            if self.tagged.val() {
                self.data_high.next = self.cpid_low.val();
                self.data_low.next = self.offset_and_delta.val();
            }
        } else if self.word.q.val() == 4 {
            self.data_high.next = self.destination_mac_low.val();
            if self.tagged.val() {
                self.data_high.next = self.priority_and_destination.val();
                self.data_low.next = self.destination_mac_low.val();
            }
        }
    }
}
