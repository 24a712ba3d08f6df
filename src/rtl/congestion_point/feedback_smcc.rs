//! SMCC's feedback block: every sample is sent.

use super::units::Units;
use rust_hdl::prelude::*;

/// Turns the sample at the head of the queue into the fields of a frame (smcc.txt section 4.2: Qoff and ΔQ travel apart, both
/// signs). Combinational; a sample of a flow that no reaction point governs is dropped in one cycle.
///
/// | port | shape | meaning |
/// |---|---|---|
/// | `sample_valid`, `controlled` | 1 bit each | the head of the sample queue |
/// | `q_offset`, `q_delta` | 25 bits, two's complement | bytes |
/// | `frame_done` | 1 bit | the packet generator has sent its last word |
/// | `feedback_valid` | 1 bit | the fields below make a frame; held until `frame_done` |
/// | `q_offset_units`, `q_delta_units` | 16 bits, two's complement | 64 octets |
/// | `pop` | 1 bit | done with this sample |
#[derive(LogicBlock, Default)]
pub struct SmccFeedback {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub sample_valid: Signal<In, Bit>,
    pub controlled: Signal<In, Bit>,
    pub q_offset: Signal<In, Bits<25>>,
    pub q_delta: Signal<In, Bits<25>>,
    pub frame_done: Signal<In, Bit>,
    pub feedback_valid: Signal<Out, Bit>,
    pub quantized_feedback: Signal<Out, Bits<6>>,
    pub q_offset_units: Signal<Out, Bits<16>>,
    pub q_delta_units: Signal<Out, Bits<16>>,
    pub pop: Signal<Out, Bit>,
    pub interval_low: Signal<Out, Bits<24>>,
    pub interval_low_0: Signal<In, Bits<24>>,
    offset: Units,
    delta: Units,
}

crate::rtl::parameter_inputs!(SmccFeedback, "feedback_smcc": interval_low_0;
    sample_valid, controlled, q_offset, q_delta, frame_done);

impl Logic for SmccFeedback {
    #[hdl_gen]
    fn update(&mut self) {
        self.offset.bytes.next = self.q_offset.val();
        self.delta.bytes.next = self.q_delta.val();
        self.q_offset_units.next = self.offset.units.val();
        self.q_delta_units.next = self.delta.units.val();
        self.quantized_feedback.next = 0.into();
        self.interval_low.next = self.interval_low_0.val();
        self.feedback_valid.next = self.sample_valid.val() & self.controlled.val();
        self.pop.next = self.sample_valid.val() & (self.frame_done.val() | !self.controlled.val());
    }
}
