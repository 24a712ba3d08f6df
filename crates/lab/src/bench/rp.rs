// SPDX-License-Identifier: MIT OR Apache-2.0
//! A calculator alone, driven by events from a file.

use super::circuit::CircuitCalculator;
use super::machine::{InRustHdl, Maker, Native, Shown};
use super::trace::{Cell, Event, read_events, required};
use super::{Engine, Reports, Steps, seed_in};
use anyhow::Result;
use std::path::Path;
use tidegate_core::error::quoted;
use tidegate_core::units::{Cycles, SixDecimals};
use tidegate_schemes::model::codec::Payload;
use tidegate_schemes::model::device::{Calculator, CalculatorState};
use tidegate_schemes::model::wire::CPID;
use tidegate_schemes::qcn::rule as qcn;
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::last_decrease::CpidParameters;
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_schemes::scheme::{Feedback, Part};

/// What happens to a calculator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// A feedback arrives.
    Feedback(Feedback),
    /// A frame of so many bytes left.
    Sent(u32),
}

/// Reads `cnm` (QCN: a = QntzFb; others: a, b = the fields QOffset and QDelta of the frame) and `sent` (a = bytes).
pub fn read(path: &Path, scheme: &Scheme) -> Result<Vec<Event<Stimulus>>> {
    read_events(path, |event, a, b| match event {
        "cnm" => {
            let mut feedback = Feedback { cpid: CPID, ..Feedback::default() };
            if scheme.sends_quantized_feedback {
                feedback.quantized_feedback = required("a", a, 0, i64::from(qcn::FEEDBACK_MAX))? as u8;
            } else {
                feedback.q_offset = required("a", a, i64::from(i16::MIN), i64::from(i16::MAX))? as i16;
                feedback.q_delta = required("b", b, i64::from(i16::MIN), i64::from(i16::MAX))? as i16;
            }
            Ok(Stimulus::Feedback(feedback))
        }
        "sent" => Ok(Stimulus::Sent(required("a", a, 1, (1 << 24) - 1)? as u32)),
        other => Err(format!("unknown event {}: expected cnm or sent", quoted(other))),
    })
}

/// What a run of the bench came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Cycles run.
    pub cycles: Cycles,
    /// Rows of the trace.
    pub changes: u64,
    /// The rate at the end.
    pub final_rate_mbps: f64,
}

/// Runs the events until `cycles`, and writes a row for each change. An event that the calculator cannot take yet
/// waits, and those behind it wait with it.
pub fn run(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    events: &[Event<Stimulus>],
    cycles: Cycles,
    reports: Reports,
) -> Result<Summary> {
    match (engine, reports.waveform) {
        (Engine::Model, _) => {
            let ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
            let calculator = (scheme.models().calculator)(parameters, seed_in(&ports));
            run_on(calculator, parameters, events, cycles, reports)
        }
        (Engine::Rtl, None) => run_circuit::<Native>(scheme, parameters, events, cycles, reports),
        (Engine::Rtl, Some(_)) => run_circuit::<Shown>(scheme, parameters, events, cycles, reports),
        (Engine::RustHdl, _) => run_circuit::<InRustHdl>(scheme, parameters, events, cycles, reports),
    }
}

fn run_circuit<'a, K: Maker<'a>>(
    scheme: &Scheme,
    parameters: &Parameters,
    events: &[Event<Stimulus>],
    cycles: Cycles,
    reports: Reports<'a>,
) -> Result<Summary> {
    let ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
    let mut blocks = (scheme.blocks)(Part::ReactionPoint, parameters).into_iter();
    let circuit = blocks.find(|circuit| circuit.block == "calculator").expect("it has a calculator");
    let machine = K::of(circuit, &[], reports.waveform).make("calculator", &|name| ports[name]);
    run_on(CircuitCalculator::new(machine, CpidParameters::new(parameters)), parameters, events, cycles, reports)
}

/// Header of the trace.
pub const HEADER: &str = "cycle,current_rate,target_rate,byte_stage,time_stage";

fn run_on<C: Calculator>(
    mut calculator: C,
    parameters: &Parameters,
    events: &[Event<Stimulus>],
    cycles: Cycles,
    reports: Reports,
) -> Result<Summary> {
    let clock = parameters.decimal("clock_mhz");
    reports.begin()?;
    let Reports { trace, progress, .. } = reports;
    let mut steps = Steps::new(progress);
    let mut events = events.iter().peekable();
    let mut before: Option<CalculatorState> = None;
    let mut changes = 0;
    let mut now = 0;
    while now < cycles {
        // One feedback and one sent frame can come in the same cycle.
        let mut feedback = None;
        let mut sent = None;
        if let Some(event) = events.peek().filter(|event| event.cycle <= now) {
            match event.kind {
                Stimulus::Feedback(offered) => feedback = Some(offered),
                Stimulus::Sent(bytes) => {
                    sent = Some(bytes);
                    events.next();
                }
            }
        }
        if sent.is_some()
            && let Some(Event { kind: Stimulus::Feedback(offered), .. }) =
                events.peek().filter(|event| event.cycle <= now)
        {
            feedback = Some(*offered);
        }
        let (taken, state) = calculator.cycle(now, feedback.map(Payload::from).as_ref(), sent, true);
        if taken {
            events.next();
            // A frame that left in the same cycle as the feedback was taken is behind it in the file: it comes next.
        }
        if before != Some(state) {
            if before.is_some() {
                changes += 1;
                let target = state.target;
                trace.row(format_args!(
                    "{now},{},{},{},{}",
                    SixDecimals(state.current_rate.to_mbps(clock)),
                    Cell(target.map(|(rate, _, _)| SixDecimals(rate.to_mbps(clock)))),
                    Cell(target.map(|(_, stage, _)| stage)),
                    Cell(target.map(|(_, _, stage)| stage)),
                ))?;
            }
            before = Some(state);
        }
        let after = now + 1;
        let wanted = events.peek().map_or(Cycles::MAX, |event| event.cycle.max(after));
        now = calculator.next(after).min(wanted).max(after);
        steps.step(now);
    }
    let rate = before.map_or(0.0, |state| state.current_rate.to_mbps(clock).to_f64());
    Ok(Summary { cycles, changes, final_rate_mbps: rate })
}
