//! Properties that are proved of the emitted Verilog, for all inputs and for all time.
//!
//! A row of [`HARNESSES`] is a module, the harness around it in `properties/`, and what its assertions claim in words. Powers
//! up anyhow, one cycle of reset, later resets at will: nothing below depends on the values that Verilog gives registers at the
//! beginning.

mod harnesses;

pub use harnesses::HARNESSES;

use super::{Check, Verdict};
use crate::emit::Circuit;
use crate::registry::{self, Scheme};
use crate::scheme::Part;
use crate::toolchain::formal::{Judgement, Method, Outcome, Prover, Question, HELPER};
use anyhow::{anyhow, Result};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// After this long a proof gives up; on one core of 2020 the slowest takes half a minute.
pub const TIMEOUT: Duration = Duration::from_secs(300);

/// A harness around a module, and what it claims.
#[derive(Clone, Copy, Debug)]
pub struct Harness {
    /// The module.
    pub module: &'static str,
    /// SystemVerilog, in pieces; its top is the module's name and `_properties`. One text can stand around several modules: see
    /// [`judge`](Self::judge).
    pub text: &'static [&'static str],
    /// How far the proof reaches.
    pub method: Method,
    /// Whether multipliers may give any product in the proof.
    pub any_product: bool,
    /// The parameters that are constants in the harness are those of the scheme with these settings; `None` where it has none.
    pub settings: Option<&'static [(&'static str, &'static str)]>,
    /// Label of each assertion that is a claim, and the claim.
    pub claims: &'static [(&'static str, &'static str)],
}

impl Harness {
    /// Judges the assertions of the harness about some Verilog of its module: those with a label in `only`, or all where that is
    /// empty.
    ///
    /// For a text around several modules these macros stand: `PART`, the module; `PROPERTIES`, the top; `OTHER_INPUTS`, wires for
    /// those inputs of the module that the text does not connect, parameters constant; `OTHER_CONNECTIONS`, what connects them.
    ///
    /// # Errors
    /// Where Yosys or z3 cannot be run, or Yosys does not read the Verilog.
    pub fn judge(
        &self,
        prover: &Prover,
        scheme: &Scheme,
        circuit: &Circuit,
        verilog: &str,
        only: &[&str],
    ) -> Result<Vec<Outcome>> {
        prover.judge(&Question {
            sources: &[("design.v", verilog)],
            harness: &(self.constants(scheme)? + &self.macros(circuit) + &self.text.concat()),
            only,
            top: &format!("{}_properties", self.module),
            method: self.method,
            any_product: self.any_product,
            timeout: TIMEOUT,
        })
    }

    fn macros(&self, circuit: &Circuit) -> String {
        let connected = |name: &str| self.text[0].contains(&format!(".{name}("));
        let (mut wires, mut connections) = (String::new(), String::new());
        for port in circuit.ports.iter().filter(|port| port.input && !connected(&port.name)) {
            let name = &port.name;
            let kind = if circuit.parameters.contains(&name.as_str()) { "anyconst" } else { "anyseq" };
            write!(wires, "(* {kind} *) wire [{}:0] {name}; ", port.bits - 1).expect("text grows");
            write!(connections, ".{name}({name}), ").expect("text grows");
        }
        let module = self.module;
        format!(
            "`define PART {module}\n`define PROPERTIES {module}_properties\n`define OTHER_INPUTS {wires}\n\
             `define OTHER_CONNECTIONS {connections}\n"
        )
    }

    /// The parameters of the scheme, for harnesses that need them as constants.
    fn constants(&self, scheme: &Scheme) -> Result<String> {
        let mut text = String::new();
        let Some(settings) = self.settings else { return Ok(text) };
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        for (name, value) in registry::ports(scheme, &scheme.parameters(&settings)?) {
            writeln!(text, "`define PARAMETER_{name} {}'d{value}", 64 - value.leading_zeros().min(63))?;
        }
        Ok(text)
    }
}

/// Proves the properties of a circuit, where there is a prover. A property that is not proved has failed: `reason` tells a
/// counterexample from a proof that gave up. Without a prover all are skipped, for the reason that stands in its place.
pub fn checks(scheme: &'static Scheme, part: Part, circuit: &Circuit, prover: &Result<Prover, String>) -> Vec<Check> {
    let mut checks = Vec::new();
    for harness in HARNESSES.iter().filter(|harness| harness.module == circuit.module) {
        let started = Instant::now();
        let judged = match prover {
            Ok(prover) => {
                harness.judge(prover, scheme, circuit, &circuit.verilog, &[]).map_err(|error| (Verdict::Failed, error))
            }
            Err(missing) => Err((Verdict::Skipped, anyhow!("{missing}"))),
        };
        // One proof makes them all: each has its share of the time.
        let seconds = started.elapsed().as_secs_f64() / harness.claims.len() as f64;
        checks.extend(harness.claims.iter().map(|(label, claim)| {
            let (verdict, reason) = match &judged {
                Ok(outcomes) => verdict(outcomes, label),
                Err((verdict, error)) => (*verdict, Some(format!("{error:#}"))),
            };
            Check {
                scheme: scheme.name,
                part: part.name(),
                block: circuit.block,
                property: claim.to_string(),
                tool: "formal",
                cycles: None,
                depth: (verdict != Verdict::Skipped).then_some(harness.method.depth()),
                unbounded: (verdict != Verdict::Skipped).then_some(harness.method.is_unbounded()),
                verdict,
                reason,
                seconds,
            }
        }));
    }
    checks
}

/// How a claim ended. A helper that failed is no matter here: what is proved was proved without it.
fn verdict(outcomes: &[Outcome], label: &str) -> (Verdict, Option<String>) {
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

/// Whether an assertion is a claim, and not a helper.
pub fn is_claim(outcome: &Outcome) -> bool {
    !outcome.name.starts_with(HELPER)
}
