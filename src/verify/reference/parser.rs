//! The parser, at the ports.

use super::{Reference, columns, twos_complement};
use crate::frame::cnm::Cnm;
use crate::model::wire::mac_value;
use crate::rtl::circuit::Port;
use crate::scheme::Feedback;

columns!(
    reset,
    data_high,
    data_low,
    octets,
    last,
    valid,
    ready,
    rp_mac_high,
    rp_mac_low,
    allowed_cpid_high,
    allowed_cpid_low,
    allowed_cpid_mask_high,
    allowed_cpid_mask_low,
    feedback_valid,
    feedback_ready,
    quantized_feedback,
    q_offset_units,
    q_delta_units,
    cpid_high,
    cpid_low,
    frame_ignored
);

/// Number of octets of a frame that are stored; a frame of this length is already too long.
const LONGEST: usize = 128;

/// Whole frames, checked by [`Cnm::parse`], address and CPID. The fields of an accepted frame are valid in the cycle
/// after its last word. The last word must have 1 to 8 octets.
pub struct Parser {
    at: Columns,
    frame: [u8; LONGEST],
    length: usize,
    feedback: Option<Feedback>,
    /// The frame that ended in the cycle before was ignored.
    ignored: bool,
}

impl Parser {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        Parser { at: Columns::of(ports), frame: [0; LONGEST], length: 0, feedback: None, ignored: false }
    }

    /// The feedback in a whole frame; `None` if the frame is not accepted.
    fn judge(&self, row: &[u32]) -> Option<Feedback> {
        let at = &self.at;
        let wide = |high: usize, low: usize| u64::from(row[high]) << 32 | u64::from(row[low]);
        let (allowed, mask) = (
            wide(at.allowed_cpid_high, at.allowed_cpid_low),
            wide(at.allowed_cpid_mask_high, at.allowed_cpid_mask_low),
        );
        let cnm = Cnm::parse(&self.frame[..self.length]).ok()?;
        let taken =
            mac_value(cnm.destination) == wide(at.rp_mac_high, at.rp_mac_low) && (cnm.cpid ^ allowed) & mask == 0;
        taken.then_some(Feedback {
            quantized_feedback: cnm.quantized_feedback,
            q_offset: cnm.q_offset,
            q_delta: cnm.q_delta,
            cpid: cnm.cpid,
        })
    }

    /// Whether the parser takes a word in this cycle.
    fn ready(&self, row: &[u32]) -> bool {
        self.feedback.is_none() || row[self.at.feedback_ready] != 0
    }
}

impl Reference for Parser {
    fn outputs(&mut self, row: &mut [u32]) {
        let at = &self.at;
        row[at.ready] = u32::from(self.ready(row));
        row[at.feedback_valid] = u32::from(self.feedback.is_some());
        row[at.frame_ignored] = u32::from(self.ignored);
        if let Some(feedback) = self.feedback {
            row[at.quantized_feedback] = feedback.quantized_feedback.into();
            row[at.q_offset_units] = twos_complement(feedback.q_offset.into(), 16);
            row[at.q_delta_units] = twos_complement(feedback.q_delta.into(), 16);
            row[at.cpid_high] = (feedback.cpid >> 32) as u32;
            row[at.cpid_low] = feedback.cpid as u32;
        }
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            (self.length, self.feedback, self.ignored) = (0, None, false);
            return;
        }
        self.ignored = false;
        let takes = self.ready(row) && row[at.valid] != 0;
        if row[at.feedback_ready] != 0 {
            self.feedback = None;
        }
        if !takes {
            return;
        }
        let last = row[at.last] != 0;
        let octets = if last { row[at.octets].min(8) as usize } else { 8 };
        let word = (u64::from(row[at.data_high]) << 32 | u64::from(row[at.data_low])).to_be_bytes();
        let end = (self.length + octets).min(LONGEST);
        self.frame[self.length..end].copy_from_slice(&word[..end - self.length]);
        self.length = end;
        if last {
            self.feedback = self.judge(row);
            self.ignored = self.feedback.is_none();
            self.length = 0;
        }
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        let fields = ["quantized_feedback", "q_offset_units", "q_delta_units", "cpid_high", "cpid_low"];
        fields.contains(&output).then_some("feedback_valid")
    }
}
