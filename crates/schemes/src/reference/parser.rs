// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parser, at the ports.

use super::{Reference, columns, parameters, twos_complement};
use crate::model::wire::{Address, Verdict, read_frame, verdict};
use crate::scheme::Feedback;
use crate::scheme::last_decrease::{CpidParameters, LastDecrease};
use tidegate_circuits::rtl::circuit::Port;
use tidegate_core::frame::cnm::Tags;
use tidegate_core::frame::cnm::{ETHERTYPE_CN_TAG, ETHERTYPE_VLAN};

columns!(
    reset,
    data_high,
    data_low,
    octets,
    last,
    bad_frame,
    valid,
    rp_mac_high,
    rp_mac_low,
    flow_mask,
    allowed_cpid_high,
    allowed_cpid_low,
    allowed_cpid_mask_high,
    allowed_cpid_mask_low,
    feedback_valid,
    feedback_ready,
    remember,
    quantized_feedback,
    q_offset_units,
    q_delta_units,
    has_flow_id,
    flow_id,
    same_point,
    frame_start,
    frame_flow,
    frame_cpid_high,
    frame_cpid_low,
    frame_cpid_high_valid,
    frame_cpid_low_valid,
    frame_taken,
    frame_malformed,
    frame_refused,
    frame_elsewhere,
    frame_dropped
);

/// Number of octets of a frame that are stored; a frame of this length is already too long.
const LONGEST: usize = 128;

/// Whole frames, checked by [`read_frame`] and [`verdict`]. What becomes of a frame, and the fields of an accepted one,
/// are shown from the second cycle after its last word on. The last word must have 1 to 8 octets.
pub struct Parser {
    at: Columns,
    ports: Vec<Port>,
    frame: [u8; LONGEST],
    length: usize,
    /// A feedback waited when the second word of the frame came.
    busy: bool,
    feedback: Option<Feedback>,
    /// The flow identifier of its frame, if that has a CN-TAG.
    flow_id: Option<u16>,
    last_decrease: LastDecrease,
    /// Of the frame that ended in the cycle before: what it is told as, and its feedback and flow identifier if it is
    /// taken.
    ended: Option<Verdict>,
    taken: Option<(Feedback, Option<u16>)>,
    /// Of the frame that ended two cycles before.
    verdict: Option<Verdict>,
}

impl Parser {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        Parser {
            at: Columns::of(ports),
            ports: ports.to_vec(),
            frame: [0; LONGEST],
            length: 0,
            busy: false,
            feedback: None,
            flow_id: None,
            last_decrease: LastDecrease::new(CpidParameters::WHOLE),
            ended: None,
            taken: None,
            verdict: None,
        }
    }

    fn address(&self, row: &[u32]) -> Address {
        let wide = |high: usize, low: usize| u64::from(row[high]) << 32 | u64::from(row[low]);
        let at = &self.at;
        Address {
            mac: wide(at.rp_mac_high, at.rp_mac_low),
            cpid: wide(at.allowed_cpid_high, at.allowed_cpid_low),
            cpid_mask: wide(at.allowed_cpid_mask_high, at.allowed_cpid_mask_low),
            flow_mask: row[at.flow_mask].into(),
        }
    }

    /// A whole frame has come.
    fn judge(&mut self, row: &[u32]) {
        let (frame, address) = (&self.frame[..self.length], self.address(row));
        self.ended = verdict(frame, &address, row[self.at.bad_frame] != 0);
        match self.ended {
            Some(Verdict::Taken) if self.busy => self.ended = Some(Verdict::Dropped),
            Some(Verdict::Taken) => {
                let flow_id = Tags::of(frame).flow_id;
                self.taken = read_frame(frame, &address).ok().map(|feedback| (feedback, flow_id));
            }
            _ => {}
        }
    }
}

impl Reference for Parser {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        row[at.feedback_valid] = u32::from(self.feedback.is_some());
        if let Some(feedback) = self.feedback {
            row[at.quantized_feedback] = feedback.quantized_feedback.into();
            row[at.q_offset_units] = twos_complement(feedback.q_offset.into(), 16);
            row[at.q_delta_units] = twos_complement(feedback.q_delta.into(), 16);
            row[at.has_flow_id] = u32::from(self.flow_id.is_some());
            row[at.flow_id] = self.flow_id.unwrap_or(0).into();
            row[at.same_point] = u32::from(self.last_decrease.is(feedback.cpid));
        }
        let word = self.length / 8;
        let ether_type = |at: usize, from: usize| (word >= from).then(|| [self.frame[at], self.frame[at + 1]]);
        let vlan = ether_type(12, 2) == Some(ETHERTYPE_VLAN.to_be_bytes());
        let cn_tag = match vlan {
            true => ether_type(16, 3) == Some(ETHERTYPE_CN_TAG.to_be_bytes()),
            false => ether_type(12, 2) == Some(ETHERTYPE_CN_TAG.to_be_bytes()),
        };
        // Each tag makes the fields four octets later; both tags one word.
        let (later, word) = (vlan != cn_tag, word - usize::from(vlan && cn_tag));
        let valid = row[at.valid] != 0;
        row[at.frame_start] = u32::from(valid && word == 0);
        row[at.frame_flow] = row[at.data_low] >> 16 & 0xfff;
        row[at.frame_cpid_high] = row[if later { at.data_low } else { at.data_high }];
        row[at.frame_cpid_low] = row[if later { at.data_high } else { at.data_low }];
        row[at.frame_cpid_high_valid] = u32::from(valid && word == 2);
        row[at.frame_cpid_low_valid] = u32::from(valid && word == if later { 3 } else { 2 });
        for (output, verdict) in [
            (at.frame_taken, Verdict::Taken),
            (at.frame_malformed, Verdict::Malformed),
            (at.frame_refused, Verdict::Refused),
            (at.frame_elsewhere, Verdict::Elsewhere),
            (at.frame_dropped, Verdict::Dropped),
        ] {
            row[output] = u32::from(self.verdict == Some(verdict));
        }
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        self.verdict = self.ended.take();
        let taken = self.taken.take();
        if row[at.reset] != 0 {
            (self.length, self.feedback, self.verdict) = (0, None, None);
            self.last_decrease = LastDecrease::new(parameters(&self.ports, row));
            return;
        }
        if row[at.feedback_ready] != 0
            && let Some(feedback) = self.feedback.take()
            && row[at.remember] != 0
        {
            self.last_decrease.set(feedback.cpid);
        }
        if let Some((feedback, flow_id)) = taken {
            (self.feedback, self.flow_id) = (Some(feedback), flow_id);
        }
        if row[at.valid] == 0 {
            return;
        }
        if self.length == 8 {
            self.busy = self.feedback.is_some();
        }
        let last = row[at.last] != 0;
        let octets = if last { row[at.octets].min(8) as usize } else { 8 };
        let word = (u64::from(row[at.data_high]) << 32 | u64::from(row[at.data_low])).to_be_bytes();
        let end = (self.length + octets).min(LONGEST);
        self.frame[self.length..end].copy_from_slice(&word[..end - self.length]);
        self.length = end;
        if last {
            self.judge(row);
            self.length = 0;
        }
    }

    fn settled(&self) -> bool {
        self.length == 0 && self.ended.is_none() && self.verdict.is_none()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            "quantized_feedback" | "q_offset_units" | "q_delta_units" | "has_flow_id" | "flow_id" | "same_point" => {
                Some("feedback_valid")
            }
            "frame_flow" => Some("frame_start"),
            "frame_cpid_high" => Some("frame_cpid_high_valid"),
            "frame_cpid_low" => Some("frame_cpid_low_valid"),
            _ => None,
        }
    }
}
