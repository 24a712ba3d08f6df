//! QCN's calculator, at the ports.

use super::{columns, Reference};
use crate::model::device::Calculator;
use crate::model::qcn::CalculatorBlock;
use crate::rtl::circuit::Port;
use crate::scheme::jitter::JitterParameters;
use crate::scheme::qcn::CalculatorParameters;
use crate::scheme::Feedback;
use crate::units::{Cycles, Rate};

columns!(
    reset,
    feedback_valid,
    feedback_ready,
    quantized_feedback,
    sent,
    sent_bytes,
    source_empty,
    line_rate,
    min_rate,
    ai_rate,
    hai_rate,
    gd_shift,
    byte_cycle_low,
    byte_cycle_ratio,
    timer_low,
    timer_ratio,
    seed,
    increase_stage,
    half_stage,
    target_reduction,
    extra_fast_recovery,
    current_rate,
    target_rate,
    byte_stage,
    time_stage
);

/// The model that `sim` runs: one operation at a time, ten cycles each. The periods must leave time for the end of a
/// byte cycle, the end of a timer period and a feedback; the validator checks this.
pub struct QcnCalculator {
    at: Columns,
    model: CalculatorBlock,
    now: Cycles,
}

impl QcnCalculator {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let at = Columns::of(ports);
        let model = model(&at, &vec![0; ports.len()]);
        QcnCalculator { at, model, now: 0 }
    }
}

fn model(at: &Columns, row: &[u32]) -> CalculatorBlock {
    CalculatorBlock::new(CalculatorParameters {
        line_rate: Rate(row[at.line_rate]),
        min_rate: Rate(row[at.min_rate]),
        ai_rate: Rate(row[at.ai_rate]),
        hai_rate: Rate(row[at.hai_rate]),
        gd_shift: row[at.gd_shift],
        byte_cycle: JitterParameters { low: row[at.byte_cycle_low], ratio: row[at.byte_cycle_ratio] as u16 },
        timer: JitterParameters { low: row[at.timer_low], ratio: row[at.timer_ratio] as u16 },
        seed: row[at.seed] as u16,
        increase_stage: row[at.increase_stage] as u8,
        half_stage: row[at.half_stage] as u8,
        target_reduction: row[at.target_reduction] != 0,
        extra_fast_recovery: row[at.extra_fast_recovery] != 0,
    })
}

impl Reference for QcnCalculator {
    fn outputs(&mut self, row: &mut [u32]) {
        let (state, ready) = self.model.begin(self.now);
        let (target, byte_stage, time_stage) = state.target.expect("QCN has a target");
        row[self.at.feedback_ready] = u32::from(ready);
        row[self.at.current_rate] = state.current_rate.0;
        row[self.at.target_rate] = target.0;
        row[self.at.byte_stage] = byte_stage.into();
        row[self.at.time_stage] = time_stage.into();
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            (self.model, self.now) = (model(at, row), 0);
            return;
        }
        let quantized_feedback = row[at.quantized_feedback] as u8;
        let feedback = (row[at.feedback_valid] != 0).then_some(Feedback { quantized_feedback, ..Feedback::default() });
        let sent = (row[at.sent] != 0).then_some(row[at.sent_bytes]);
        self.model.cycle(self.now, feedback.as_ref(), sent, row[at.source_empty] != 0);
        self.now += 1;
    }
}
