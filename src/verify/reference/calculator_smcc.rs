//! SMCC's calculator, at the ports.

use super::{columns, Reference};
use crate::bench::model::step::{StepModel, SMCC_STEP_LATENCY};
use crate::bench::Calculator;
use crate::emit::Port;
use crate::scheme::smcc::{CalculatorParameters, ReactionPoint};
use crate::scheme::Feedback;
use crate::units::{Cycles, Rate};

columns!(
    reset,
    feedback_valid,
    feedback_ready,
    q_offset_units,
    q_delta_units,
    cpid_high,
    cpid_low,
    line_rate,
    min_rate,
    gain_a,
    gain_a_small,
    gain_b,
    t1_units,
    cpid_mask_high,
    cpid_mask_low,
    current_rate
);

/// The model that `sim` runs: always ready, a step shows four cycles after its feedback. The minimum rate must not be above the
/// line rate.
pub struct SmccCalculator {
    at: Columns,
    model: StepModel<ReactionPoint>,
    now: Cycles,
}

impl SmccCalculator {
    /// Before the first reset.
    pub fn new(ports: &[Port]) -> Self {
        let at = Columns::of(ports);
        let model = model(&at, &vec![0; ports.len()]);
        SmccCalculator { at, model, now: 0 }
    }
}

fn model(at: &Columns, row: &[u32]) -> StepModel<ReactionPoint> {
    let parameters = CalculatorParameters {
        line_rate: Rate(row[at.line_rate]),
        min_rate: Rate(row[at.min_rate]),
        gain_a: row[at.gain_a],
        gain_a_small: row[at.gain_a_small],
        gain_b: row[at.gain_b],
        t1_units: row[at.t1_units] as u16,
        cpid_mask: u64::from(row[at.cpid_mask_high]) << 32 | u64::from(row[at.cpid_mask_low]),
    };
    StepModel::new(ReactionPoint::new(parameters), SMCC_STEP_LATENCY)
}

impl Reference for SmccCalculator {
    fn outputs(&mut self, row: &mut [u32]) {
        row[self.at.feedback_ready] = 1;
        row[self.at.current_rate] = self.model.begin(self.now).current_rate.0;
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            (self.model, self.now) = (model(at, row), 0);
            return;
        }
        let feedback = (row[at.feedback_valid] != 0).then(|| Feedback {
            quantized_feedback: 0,
            q_offset: row[at.q_offset_units] as u16 as i16,
            q_delta: row[at.q_delta_units] as u16 as i16,
            cpid: u64::from(row[at.cpid_high]) << 32 | u64::from(row[at.cpid_low]),
        });
        self.model.cycle(self.now, feedback.as_ref(), None, false);
        self.now += 1;
    }
}
