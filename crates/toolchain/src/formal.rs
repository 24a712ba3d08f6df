// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs about Verilog: Yosys writes a design with its harness as SMT2, and z3 decides whether an assertion can fail.
//!
//! A harness is a SystemVerilog module around an instance named `device`. Its claims are labelled assertions; an
//! assertion whose label begins with `helper_` is only a step of the proof.
//!
//! A proof for all time is by induction, which needs statements about the registers inside the device. Most harnesses do
//! not know the names of the registers. They compute in a wire `guess_NAME` the value that some register should have,
//! and every register of that width is tried. More wires restrict the guess:
//!
//! | wire | meaning |
//! |---|---|
//! | `guess_NAME_if` | the guess applies only to cycles in which this is high |
//! | `guess_NAME_at` | the guess is about a memory word at this address |
//! | `guess_NAME_within` | the register may be less than the guess by at most this value, modulo its width |
//! | `guess_NAME_unless` | the guess does not apply while some other register, which is searched too, has this value |
//!
//! The guesses that hold in the first cycles, and in the next state of each state, are kept. A wrong guess is dropped;
//! then the proof may fail, but it never proves anything false.
//!
//! Where a helper relates several registers, guesses are not enough. A free wire `inner_NAME` (`anyseq`) has the value
//! of the signal `NAME` of the device in every cycle, or of its low bits; with a wire `inner_NAME_at`, that of the word of
//! the memory `NAME` at this address. Helpers read them, and so may claims whose words say what the device does inside.
//!
//! A comment `// uses NAME …` above an assertion names the other assertions that the step of its induction needs; `NAME*`
//! means all that begin with `NAME`, and several such lines count together. z3 is then not told of the others, among which
//! it may not find what matters.
//!
//! A comment `// solved as bits` anywhere in the harness makes z3 turn each question into bits before it searches. It is for
//! arithmetic in which the search in words gets lost.
//!
//! Registers and memories of the device start with any value, independent of the initial values in the Verilog: a
//! harness assumes a reset in its first cycle and may allow later resets.

mod design;
mod proof;
mod session;

use super::NO_FOLDER;
use super::find::{Program, Tool};
use anyhow::{Context, Result, bail};
use design::Design;
use proof::Proof;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tidegate_core::interrupt::{self, Scratch};

/// Beginning of the label of an assertion that is only a step of the proof.
pub const HELPER: &str = "helper_";

/// The method of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// For all time, by induction over this number of cycles.
    Induction(u32),
    /// For the first cycles only.
    Bounded(u32),
}

/// A design, and the assertions to prove.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Verilog of the device: file names, for messages, and texts.
    pub sources: &'a [(&'a str, &'a str)],
    /// SystemVerilog with the assertions.
    pub harness: &'a str,
    /// Its top module.
    pub top: &'a str,
    /// The labels to judge; empty for all. The others are neither proved nor assumed.
    pub only: &'a [&'a str],
    /// Stop as soon as this assertion is judged: what is not judged then is given up. Of a circuit with a mistake that breaks
    /// one claim, the others are of no interest.
    pub until: Option<&'a str>,
    /// The method.
    pub method: Method,
    /// Wall-clock time after which to give up.
    pub timeout: Duration,
}

/// The result for one assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its label.
    pub name: String,
    /// The result.
    pub judgement: Judgement,
}

/// The result for an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It holds, for all time or for the first cycles, by the method.
    Proved,
    /// It fails.
    Counterexample {
        /// The cycle; the first cycle is 0.
        cycle: u32,
        /// Values of the signals of the harness from cycle 0 to this one, as a table.
        trace: String,
    },
    /// It is neither proved nor refuted.
    GaveUp {
        /// The reason; for a failed induction also the states that lead to the failure.
        reason: String,
    },
}

/// The tools of a proof.
#[derive(Debug)]
pub struct Prover {
    yosys: Program,
    z3: Program,
    /// Results by design, because schemes share blocks. Results without a decision are not stored: the next try may
    /// have more time.
    known: Mutex<Vec<(String, Vec<Outcome>)>>,
}

impl Prover {
    /// Finds Yosys and z3.
    ///
    /// # Errors
    /// [`super::MissingTool`] if one is missing.
    pub fn find() -> Result<Prover> {
        Ok(Prover { yosys: Tool::Yosys.needed()?, z3: Tool::Z3.needed()?, known: Mutex::default() })
    }

    /// Checks every assertion of the harness, in the order of the harness.
    ///
    /// # Errors
    /// If Yosys does not read the design, if a tool does not run, or if the harness has no assertion.
    pub fn judge(&self, question: &Question) -> Result<Vec<Outcome>> {
        let started = Instant::now();
        let text = self.translate(question)?;
        let key = format!("{:?} {:?} {:?} {text}", question.method, question.only, question.until);
        if let Some(outcomes) = self.remembered(&key) {
            return Ok(outcomes);
        }
        let design = Design::read(question.top, question.only, question.harness, text)?;
        let deadline = started + question.timeout;
        let until = question.until.and_then(|until| design.assertions.iter().position(|(_, name)| name == until));
        let judgements = vec![None; design.assertions.len()];
        let mut proof = Proof { z3: &self.z3, design: &design, deadline, until, judgements };
        let judged = match question.method {
            Method::Bounded(depth) => proof.search(depth),
            Method::Induction(depth) => proof.search(depth).and_then(|done| match done {
                Some(()) => proof.induct(depth),
                None => Ok(None),
            }),
        }?;
        let rest = match judged {
            Some(()) if proof.ends_early() => {
                Judgement::GaveUp { reason: format!("{} was judged first", question.until.unwrap_or_default()) }
            }
            Some(()) => Judgement::Proved,
            None => Judgement::GaveUp { reason: format!("gave up after {} s", question.timeout.as_secs()) },
        };
        let judgements = proof.judgements;
        let outcomes: Vec<Outcome> = design
            .assertions
            .iter()
            .zip(judgements)
            .map(|((_, name), judgement)| Outcome { name: name.clone(), judgement: judgement.unwrap_or(rest.clone()) })
            .collect();
        if judged.is_some() {
            let mut known = self.known.lock().expect("no thread panics while it holds this");
            known.push((key, outcomes.clone()));
        }
        Ok(outcomes)
    }

    fn remembered(&self, key: &str) -> Option<Vec<Outcome>> {
        let known = self.known.lock().expect("no thread panics while it holds this");
        known.iter().find(|(of, _)| of == key).map(|(_, outcomes)| outcomes.clone())
    }

    /// The design with its harness, flat, as SMT2.
    fn translate(&self, question: &Question) -> Result<String> {
        // Names are relative to the folder, see `yosys.rs`.
        let scratch = Scratch::new("formal").context(NO_FOLDER)?;
        let write = |name: &str, text: &str| {
            std::fs::write(scratch.path().join(name), text).with_context(|| format!("cannot write {name}"))
        };
        for (name, text) in question.sources {
            write(name, text)?;
        }
        write("properties.sv", question.harness)?;
        let names: Vec<&str> = question.sources.iter().map(|(name, _)| *name).collect();
        write("script.ys", &script(&names, question.top))?;
        let mut command = self.yosys.command_in(scratch.path());
        let output = interrupt::output(command.args(["-q", "-l", "log.txt", "-s", "script.ys"]))
            .with_context(|| format!("cannot run {}", self.yosys.path.display()))?;
        match std::fs::read_to_string(scratch.path().join("model.smt2")) {
            Ok(text) if output.status.success() => Ok(text),
            _ => bail!("Yosys cannot read {} for a proof: {}", question.top, error_in(scratch.path(), &output)),
        }
    }
}

/// The first error in the log; if there is none, the other output.
fn error_in(scratch: &Path, output: &std::process::Output) -> String {
    let log = std::fs::read_to_string(scratch.join("log.txt")).unwrap_or_default();
    let error = log.lines().find(|line| line.contains("ERROR:")).map(str::to_string);
    error.unwrap_or_else(|| format!("{}, {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
}

/// The script for Yosys.
fn script(sources: &[&str], top: &str) -> String {
    let read: String = sources.iter().map(|name| format!("read_verilog {name}\n")).collect();
    format!(
        "{read}\
         # A case of constants stays one: as a memory it would lose its contents below.\n\
         proc -norom\n\
         # Any beginning: before the harness is there, which has its own, and before anything is simplified by it.\n\
         setattr -unset init */w:*\n\
         delete */t:$meminit*\n\
         read_verilog -sv -formal properties.sv\n\
         prep -nordff -top {top}\n\
         flatten\n\
         memory -nordff -nomap\n\
         async2sync\n\
         chformal -lower\n\
         dffunmap\n\
         setundef -undriven -anyseq\n\
         opt_clean\n\
         write_smt2 -wires model.smt2\n"
    )
}
