// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packet generator, at the ports.

use super::{Reference, column, columns};
use crate::model::wire::{FRAME_OCTETS, FRAME_WORDS, mac_octets};
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::frame::cnm::Cnm;

columns!(reset, feedback_valid, ready, frame_done, data_high, data_low, octets, last, valid);

const FIELDS: [&str; 15] = [
    "quantized_feedback",
    "q_offset_units",
    "q_delta_units",
    "source_mac_high",
    "source_mac_low",
    "destination_mac_high",
    "destination_mac_low",
    "has_tag",
    "vlan_tci",
    "has_cn_tag",
    "flow_id",
    "cpid_high",
    "cpid_low",
    "cp_mac_high",
    "cp_mac_low",
];

/// The words of the frame that belongs to the fields. A word is valid in the same cycle as the fields.
pub struct PacketGenerator {
    at: Columns,
    fields: [usize; FIELDS.len()],
    /// The fields of the stored frame, so that it is computed once.
    of: [u32; FIELDS.len()],
    frame: [u8; 8 * FRAME_WORDS],
    word: usize,
}

impl PacketGenerator {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        PacketGenerator {
            at: Columns::of(ports),
            fields: FIELDS.map(|field| column(ports, field)),
            of: [0; FIELDS.len()],
            frame: frame([0; FIELDS.len()]),
            word: 0,
        }
    }
}

/// The frame of these fields, with zeros after its end.
fn frame(fields: [u32; FIELDS.len()]) -> [u8; 8 * FRAME_WORDS] {
    let [
        quantized,
        offset,
        delta,
        source_high,
        source_low,
        high,
        low,
        tagged,
        tag,
        cn_tagged,
        flow_id,
        cpid_high,
        cpid_low,
        own_high,
        own_low,
    ] = fields;
    let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let tag = (tagged != 0).then_some(tag as u16);
    let cnm = Cnm {
        destination: mac_octets(wide(source_high, source_low)),
        source: mac_octets(wide(own_high, own_low)),
        vlan: tag,
        flow_id: (cn_tagged != 0).then_some(flow_id as u16),
        quantized_feedback: quantized as u8,
        cpid: wide(cpid_high, cpid_low),
        q_offset: offset as u16 as i16,
        q_delta: delta as u16 as i16,
        priority: tag.map_or(0, |tag| (tag >> 13) as u8),
        encapsulated_destination: mac_octets(wide(high, low)),
        msdu: Vec::new(),
    };
    let mut octets = [0; 8 * FRAME_WORDS];
    octets[..FRAME_OCTETS].copy_from_slice(&cnm.to_frame());
    octets
}

impl Reference for PacketGenerator {
    fn outputs(&mut self, row: &mut [u32]) {
        let fields = self.fields.map(|column| row[column]);
        if fields != self.of {
            (self.of, self.frame) = (fields, frame(fields));
        }
        let word = |at: usize| u32::from_be_bytes(std::array::from_fn(|octet| self.frame[8 * self.word + at + octet]));
        let last = self.word == FRAME_WORDS - 1;
        let at = &self.at;
        row[at.valid] = row[at.feedback_valid];
        row[at.data_high] = word(0);
        row[at.data_low] = word(4);
        row[at.octets] = (FRAME_OCTETS - 8 * self.word).min(8) as u32;
        row[at.last] = u32::from(last);
        row[at.frame_done] = u32::from(last && row[at.feedback_valid] != 0 && row[at.ready] != 0);
    }

    fn edge(&mut self, row: &[u32]) {
        if row[self.at.reset] != 0 {
            self.word = 0;
        } else if row[self.at.feedback_valid] != 0 && row[self.at.ready] != 0 {
            self.word = (self.word + 1) % FRAME_WORDS;
        }
    }

    fn settled(&self) -> bool {
        self.word == 0
    }
}
