// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties of the emitted Verilog that are proved for all inputs and for all time.
//!
//! A row of [`harnesses`] is a module, its harness in SystemVerilog, and the claims of its assertions in words. A proof
//! starts from any initial state, followed by one cycle of reset; later resets may come in any cycle. So no claim
//! depends on the initial values that the Verilog gives to registers.

use super::{Check, Verdict};
use anyhow::{Result, anyhow};
use std::fmt::Write;
use std::time::{Duration, Instant};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_hdl::verilog;
use tidegate_schemes::claims::{Harness, harnesses};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::formal::{HELPER, Judgement, Method, Outcome, Prover, Question};

/// Time limit of a proof. On one core of 2020 the slowest, that of the rates of the limiter of many flows, takes a few
/// minutes.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(900);

/// Checks the assertions of the harness for some Verilog of its module: those with a label in `only`, or all if
/// `only` is empty.
///
/// A text for several modules can use these macros: `PART`, the module; `PROPERTIES`, the top; `OTHER_INPUTS`,
/// wires for the inputs of the module that the text does not connect, parameters as constants; `OTHER_CONNECTIONS`,
/// their connections. Each value of an enumeration of the module, or of one inside it, is a macro too, as
/// `FlowPhase_Turn`.
///
/// # Errors
/// If Yosys or z3 cannot be run, or Yosys cannot read the Verilog.
pub fn judge(
    harness: &Harness,
    method: Method,
    prover: &Prover,
    scheme: &Scheme,
    circuit: &Circuit,
    verilog: &str,
    only: &[&str],
) -> Result<Vec<Outcome>> {
    prover.judge(&Question {
        sources: &[("design.v", verilog)],
        harness: &(constants(harness, scheme)? + &macros(harness, circuit) + &harness.text.concat()),
        only,
        until: None,
        top: &format!("{}_properties", harness.module),
        method,
        timeout: TIMEOUT,
    })
}

/// Proves all assertions of the harness for some Verilog of its module, for all time.
///
/// # Errors
/// See [`judge`].
pub fn prove(
    harness: &Harness,
    prover: &Prover,
    scheme: &Scheme,
    circuit: &Circuit,
    verilog: &str,
) -> Result<Vec<Outcome>> {
    judge(harness, Method::Induction(harness.induction), prover, scheme, circuit, verilog, &[])
}

fn macros(harness: &Harness, circuit: &Circuit) -> String {
    let connected = |name: &str| harness.text[0].contains(&format!(".{name}("));
    let (mut wires, mut connections) = (String::new(), String::new());
    for port in circuit.ports.iter().filter(|port| port.input && !connected(&port.name)) {
        let name = &port.name;
        let kind = if circuit.parameters.contains(&name.as_str()) { "anyconst" } else { "anyseq" };
        wires += &format!("(* {kind} *) wire [{}:0] {name}; ", port.bits - 1);
        connections += &format!(".{name}({name}), ");
    }
    let values: String = circuit
        .netlist
        .modules
        .iter()
        .flat_map(|module| &module.enumerations)
        .flat_map(|of| of.values.iter().enumerate().map(move |(at, value)| (&of.name, at, value)))
        .map(|(name, at, value)| format!("`define {name}_{value} {at}\n"))
        .collect();
    let module = harness.module;
    values
        + &format!(
            "`define PART {module}\n`define PROPERTIES {module}_properties\n`define OTHER_INPUTS {wires}\n\
         `define OTHER_CONNECTIONS {connections}\n"
        )
}

/// The parameters of the scheme as macros, for a harness that needs them as constants.
fn constants(harness: &Harness, scheme: &Scheme) -> Result<String> {
    let mut text = String::new();
    let Some(settings) = harness.settings else { return Ok(text) };
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    for (name, value) in registry::ports(scheme, &scheme.parameters(&settings)?) {
        writeln!(text, "`define PARAMETER_{name} {}'d{value}", 64 - value.leading_zeros().min(63))?;
    }
    Ok(text)
}

/// Proves the properties of a circuit. A property that is not proved has failed; `reason` says whether there is a
/// counterexample or the proof gave up. Without a prover all properties are skipped, with the given reason.
pub fn checks(scheme: &'static Scheme, part: Part, circuit: &Circuit, prover: &Result<Prover, String>) -> Vec<Check> {
    let mut checks = Vec::new();
    for harness in harnesses().filter(|harness| harness.module == circuit.module) {
        let started = Instant::now();
        let judged = match prover {
            Ok(prover) => prove(harness, prover, scheme, circuit, &verilog::text(&circuit.netlist))
                .map_err(|error| (Verdict::Failed, error)),
            Err(missing) => Err((Verdict::Skipped, anyhow!("{missing}"))),
        };
        // One proof covers all claims: each gets an equal share of the time.
        let seconds = started.elapsed().as_secs_f64() / harness.claims.len() as f64;
        checks.extend(harness.claims.iter().map(|(label, claim)| {
            let (verdict, reason) = match &judged {
                Ok(outcomes) => verdict(harness, outcomes, label),
                Err((verdict, error)) => (*verdict, Some(format!("{error:#}"))),
            };
            Check {
                scheme: scheme.name,
                part: part.name(),
                block: circuit.block,
                property: claim.to_string(),
                tool: "formal",
                cycles: None,
                depth: (verdict != Verdict::Skipped).then_some(harness.induction),
                unbounded: (verdict != Verdict::Skipped).then_some(true),
                verdict,
                reason,
                seconds,
            }
        }));
    }
    checks
}

/// The result of a claim. A helper that failed does not matter for it, because the claims were proved without it; unless
/// other proofs assume this helper.
fn verdict(harness: &Harness, outcomes: &[Outcome], label: &str) -> (Verdict, Option<String>) {
    let weak = outcomes.iter().find(|outcome| !is_claim(&outcome.name) && outcome.judgement != Judgement::Proved);
    if let Some(helper) = weak.filter(|_| harness.is_assumed()) {
        return (Verdict::Failed, Some(format!("`{}`, which other proofs assume, is not proved", helper.name)));
    }
    let Some(outcome) = outcomes.iter().find(|outcome| outcome.name == label) else {
        return (Verdict::Failed, Some(format!("the harness has no assertion `{label}`")));
    };
    match &outcome.judgement {
        Judgement::Proved => (Verdict::Passed, None),
        Judgement::Counterexample { cycle, trace } => {
            (Verdict::Failed, Some(format!("`{label}` fails in cycle {cycle}:\n{trace}")))
        }
        Judgement::GaveUp { reason } => (Verdict::Failed, Some(reason.clone())),
    }
}

/// Whether an assertion with this label is a claim; otherwise it is a helper.
pub fn is_claim(label: &str) -> bool {
    !label.starts_with(HELPER)
}
