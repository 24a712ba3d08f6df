//! Proofs about Verilog: Yosys writes a design with its harness as SMT2, z3 answers whether an assertion can fail.
//!
//! A harness is a SystemVerilog module around an instance named `device`. It sees ports only. Its claims are labelled
//! assertions; a label that begins with `helper_` belongs to the proof and is no claim of its own.
//!
//! A proof for all time goes by induction, and induction has to know what the registers inside the device hold. Their names
//! are not ours to rely on, so they are searched for: a harness computes in a wire `guess_NAME` what it believes some
//! register to hold, and every register of that width is tried. More wires narrow the guess:
//!
//! | wire | meaning |
//! |---|---|
//! | `guess_NAME_if` | the guess is for those cycles in which this is high |
//! | `guess_NAME_at` | it is about a memory, at this address |
//! | `guess_NAME_within` | the register is not the guess but at most so much less, modulo its width |
//! | `guess_NAME_unless` | the guess is off while some other register, which is searched for as well, holds this |
//!
//! What holds in the first cycles and from every state to its next is kept. A wrong guess cannot make a proof wrong: it falls
//! away, and the proof does not close.
//!
//! Registers of the device start with any value, memories too, whatever the Verilog says of their beginning: a harness assumes
//! a reset in its first cycle, and later resets as it likes.

mod session;

use super::find::{Program, Tool};
use anyhow::{anyhow, bail, Context, Result};
use session::{Answer, Session};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How the label of an assertion begins that belongs to the proof and is no claim of its own.
pub const HELPER: &str = "helper_";

/// How far a proof reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// For all time: by induction over so many cycles.
    Induction(u32),
    /// The first cycles only.
    Bounded(u32),
}

impl Method {
    /// Depth of the induction or of the search.
    pub fn depth(self) -> u32 {
        match self {
            Method::Induction(depth) | Method::Bounded(depth) => depth,
        }
    }

    /// Whether what is proved holds for all time.
    pub fn is_unbounded(self) -> bool {
        matches!(self, Method::Induction(_))
    }
}

/// What to prove of what.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Verilog of the device: file names, for messages, and texts.
    pub sources: &'a [(&'a str, &'a str)],
    /// SystemVerilog with the assertions.
    pub harness: &'a str,
    /// Its top module.
    pub top: &'a str,
    /// How far to go.
    pub method: Method,
    /// Lets every multiplier give any result: what is proved so holds for the real ones, and much faster.
    pub any_product: bool,
    /// Wall-clock time after which to give up.
    pub timeout: Duration,
}

/// What came out for one assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its label.
    pub name: String,
    /// What is known of it.
    pub judgement: Judgement,
}

/// What is known of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It holds, as far as the method reaches.
    Proved,
    /// It fails.
    Counterexample {
        /// In this cycle, the first being 0.
        cycle: u32,
        /// Values of the harness' signals from cycle 0 to this one, as a table.
        trace: String,
    },
    /// Neither is known.
    GaveUp {
        /// Why, and where an induction did not close, how it can be entered.
        reason: String,
    },
}

/// The tools of a proof.
#[derive(Clone, Debug)]
pub struct Prover {
    yosys: Program,
    z3: Program,
}

impl Prover {
    /// Looks for Yosys and z3.
    ///
    /// # Errors
    /// [`super::MissingTool`] where one is missing.
    pub fn find() -> Result<Prover> {
        let find = |tool: Tool| tool.find().ok_or_else(|| tool.missing());
        Ok(Prover { yosys: find(Tool::Yosys)?, z3: find(Tool::Z3)? })
    }

    /// Judges every assertion of the harness, in the order of Yosys.
    ///
    /// # Errors
    /// Where Yosys does not read the design, where a tool cannot be run, and where the harness asserts nothing.
    pub fn judge(&self, question: &Question) -> Result<Vec<Outcome>> {
        let started = Instant::now();
        let text = self.translate(question)?;
        if let Some(outcomes) = remembered(question.method, &text) {
            return Ok(outcomes);
        }
        let key = (question.method, text.clone());
        let design = Design::read(question.top, text)?;
        let deadline = started + question.timeout;
        let mut proof =
            Proof { z3: &self.z3, design: &design, deadline, judgements: vec![None; design.assertions.len()] };
        let judged = match question.method {
            Method::Bounded(depth) => proof.search(depth),
            Method::Induction(depth) => proof.search(depth).and_then(|done| match done {
                Some(()) => proof.induct(depth),
                None => Ok(None),
            }),
        }?;
        let rest = match judged {
            Some(()) => Judgement::Proved,
            None => Judgement::GaveUp { reason: format!("gave up after {} s", question.timeout.as_secs()) },
        };
        let judgements = proof.judgements;
        let outcomes: Vec<Outcome> = design
            .assertions
            .iter()
            .zip(judgements)
            .map(|(name, judgement)| Outcome { name: name.clone(), judgement: judgement.unwrap_or(rest.clone()) })
            .collect();
        if judged.is_some() {
            KNOWN.lock().expect("no thread panics while it holds this").push((key, outcomes.clone()));
        }
        Ok(outcomes)
    }

    /// The design with its harness, flat, as SMT2.
    fn translate(&self, question: &Question) -> Result<String> {
        // Names are relative to the folder, see `yosys.rs`.
        let scratch = tempfile::Builder::new()
            .prefix("tidegate-formal-")
            .tempdir()
            .context("cannot make a folder to work in: is the system's temporary folder writable?")?;
        let write = |name: &str, text: &str| {
            std::fs::write(scratch.path().join(name), text).with_context(|| format!("cannot write {name}"))
        };
        for (name, text) in question.sources {
            write(name, text)?;
        }
        write("properties.sv", question.harness)?;
        let names: Vec<&str> = question.sources.iter().map(|(name, _)| *name).collect();
        write("script.ys", &script(&names, question.top, question.any_product))?;
        let output = self
            .yosys
            .command()
            .args(["-q", "-l", "log.txt", "-s", "script.ys"])
            .current_dir(scratch.path())
            .output()
            .with_context(|| format!("cannot run {}", self.yosys.path.display()))?;
        match std::fs::read_to_string(scratch.path().join("model.smt2")) {
            Ok(text) if output.status.success() => Ok(text),
            _ => bail!("Yosys cannot read {} for a proof: {}", question.top, error_in(scratch.path(), &output)),
        }
    }
}

/// What was judged in this process: schemes share blocks, and a proof of the same design would come out the same. Not what
/// gave up: the next try may have more time.
static KNOWN: Mutex<Vec<((Method, String), Vec<Outcome>)>> = Mutex::new(Vec::new());

fn remembered(method: Method, text: &str) -> Option<Vec<Outcome>> {
    let known = KNOWN.lock().expect("no thread panics while it holds this");
    known.iter().find(|((at, of), _)| *at == method && of == text).map(|(_, outcomes)| outcomes.clone())
}

/// The first error in the log, or what was said otherwise.
fn error_in(scratch: &Path, output: &std::process::Output) -> String {
    let log = std::fs::read_to_string(scratch.join("log.txt")).unwrap_or_default();
    let error = log.lines().find(|line| line.contains("ERROR:")).map(str::to_string);
    error.unwrap_or_else(|| format!("{}, {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
}

/// What Yosys is to do.
fn script(sources: &[&str], top: &str, any_product: bool) -> String {
    let read: String = sources.iter().map(|name| format!("read_verilog {name}\n")).collect();
    let cut = if any_product { "cutpoint */t:$mul\n" } else { "" };
    format!(
        "{read}\
         proc\n\
         # Any beginning: before the harness is there, which has its own, and before anything is simplified by it.\n\
         setattr -unset init */w:*\n\
         delete */t:$meminit*\n\
         {cut}\
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

/// A signal or a memory of the flat design.
#[derive(Clone, Debug)]
struct Signal {
    name: String,
    bits: u32,
}

/// What Yosys wrote, and what it says of itself in comments.
struct Design {
    top: String,
    text: String,
    assertions: Vec<String>,
    wires: Vec<Signal>,
    /// Candidates: one is that some register of the device follows a guess. With the name of the guess.
    candidates: Vec<(String, String)>,
}

impl Design {
    fn read(top: &str, text: String) -> Result<Design> {
        let notes = |kind: &str| -> Vec<Vec<&str>> {
            let start = format!("; yosys-smt2-{kind} ");
            text.lines()
                .filter_map(|line| line.strip_prefix(start.as_str()))
                .map(|rest| rest.split(' ').collect())
                .collect()
        };
        let number = |text: &str| text.parse().with_context(|| format!("expected a number, found `{text}`"));
        let signals = |kind: &str, bits: usize| -> Result<Vec<Signal>> {
            notes(kind).iter().map(|note| Ok(Signal { name: note[0].to_string(), bits: number(note[bits])? })).collect()
        };
        let last_name = |path: &str| path.rsplit('.').next().unwrap_or(path).to_string();
        let assertions: Vec<String> = notes("assert").iter().map(|note| last_name(note[1])).collect();
        if assertions.is_empty() {
            return Err(anyhow!("{top} asserts nothing"));
        }
        let wires = signals("wire", 1)?;
        let registers = signals("register", 1)?;
        let memories = signals("memory", 2)?;
        let candidates = candidates(top, &wires, &registers, &memories);
        Ok(Design { top: top.to_string(), assertions, wires, candidates, text })
    }

    /// A formula about a state.
    fn formula(&self, kind: &str, state: &str) -> String {
        format!("(|{}_{kind}| {state})", self.top)
    }

    fn assertion(&self, index: usize, state: &str) -> String {
        format!("(|{}_a {index}| {state})", self.top)
    }
}

/// Every register of the device and every memory against every guess of its width: the formula over `state`, and the guess.
fn candidates(top: &str, wires: &[Signal], registers: &[Signal], memories: &[Signal]) -> Vec<(String, String)> {
    let inside = |signal: &&Signal| signal.name.starts_with("device.");
    let value = |name: &str| format!("(|{top}_n {name}| state)");
    let wire = |name: String| wires.iter().find(|wire| wire.name == name);
    let guesses = wires.iter().filter(|wire| {
        let name = wire.name.rsplit('.').next().unwrap_or_default();
        name.starts_with("guess_")
            && !["_if", "_at", "_within", "_unless"].iter().any(|suffix| name.ends_with(suffix))
            && !wire.name.starts_with("device.")
    });
    let mut candidates = Vec::new();
    for guess in guesses {
        let guessed = value(&guess.name);
        let held: Vec<String> = match wire(format!("{}_at", guess.name)) {
            Some(at) => memories
                .iter()
                .filter(inside)
                .filter(|memory| memory.bits == guess.bits)
                .map(|memory| format!("(select (|{top}_m {}| state) {})", memory.name, value(&at.name)))
                .collect(),
            None => registers
                .iter()
                .filter(inside)
                .filter(|register| register.bits == guess.bits)
                .map(|register| value(&register.name))
                .collect(),
        };
        // Of another register, whichever it is, that excuses this one by its value.
        let excuses: Vec<String> = match wire(format!("{}_unless", guess.name)) {
            Some(value_that_excuses) => registers
                .iter()
                .filter(inside)
                .filter(|register| register.bits == value_that_excuses.bits)
                .map(|register| format!("(= {} {})", value(&register.name), value(&value_that_excuses.name)))
                .collect(),
            None => vec!["false".to_string()],
        };
        let guard = wire(format!("{}_if", guess.name)).map_or("true".to_string(), |guard| value(&guard.name));
        for (held, excuse) in held.iter().flat_map(|held| excuses.iter().map(move |excuse| (held, excuse))) {
            let follows = match wire(format!("{}_within", guess.name)) {
                Some(most) => format!("(bvule (bvsub {guessed} {held}) {})", value(&most.name)),
                None => format!("(= {guessed} {held})"),
            };
            let formula = format!("(or (not {guard}) {excuse} {follows})");
            candidates.push((formula, guess.name.clone()));
        }
    }
    candidates
}

/// How the step of an induction ended.
enum Step {
    /// Every assertion holds in the next cycle.
    Closes,
    /// This one need not, with a run in which it does not.
    Fails(usize, String),
    /// Nobody knows.
    TimeOver,
}

/// A proof under way: `None` for an assertion that is not judged yet. Its steps end with `None` where time is over.
struct Proof<'a> {
    z3: &'a Program,
    design: &'a Design,
    deadline: Instant,
    judgements: Vec<Option<Judgement>>,
}

impl Proof<'_> {
    fn open(&self) -> Result<Session> {
        let mut session = Session::open(self.z3, self.deadline.saturating_duration_since(Instant::now()))?;
        session.tell(&self.design.text)?;
        for (index, (formula, _)) in self.design.candidates.iter().enumerate() {
            session.tell(&format!("(define-fun |guess {index}| ((state |{}_s|)) Bool {formula})", self.design.top))?;
        }
        Ok(session)
    }

    /// The cycle after `before`, or the first of a run.
    fn add_state(&self, session: &mut Session, state: &str, before: Option<&str>) -> Result<()> {
        let design = self.design;
        session.tell(&format!("(declare-fun {state} () |{}_s|)", design.top))?;
        session.tell(&format!("(assert {})", design.formula("u", state)))?;
        session.tell(&format!("(assert {})", design.formula("h", state)))?;
        if let Some(before) = before {
            session.tell(&format!("(assert (|{}_t| {before} {state}))", design.top))?;
        }
        Ok(())
    }

    fn open_assertions(&self) -> Vec<usize> {
        (0..self.judgements.len()).filter(|&index| self.judgements[index].is_none()).collect()
    }

    /// Looks for a run from the beginning in which an assertion fails, in cycles 0 to `depth`.
    fn search(&mut self, depth: u32) -> Result<Option<()>> {
        let mut session = self.open()?;
        for cycle in 0..=depth {
            let state = format!("s{cycle}");
            let before = cycle.checked_sub(1).map(|before| format!("s{before}"));
            self.add_state(&mut session, &state, before.as_deref())?;
            if cycle == 0 {
                session.tell(&format!("(assert {})", self.design.formula("i", &state)))?;
            }
            loop {
                let open = self.open_assertions();
                if open.is_empty() {
                    return Ok(Some(()));
                }
                let formulas: Vec<String> = open.iter().map(|&index| self.design.assertion(index, &state)).collect();
                session.tell("(push 1)")?;
                session.tell(&format!("(assert (not (and true {})))", formulas.join(" ")))?;
                match session.check()? {
                    Answer::Unknown => return Ok(None),
                    Answer::Unsat => {
                        session.tell("(pop 1)")?;
                        break;
                    }
                    Answer::Sat => {
                        let trace = self.trace(&mut session, cycle)?;
                        for (index, value) in open.into_iter().zip(session.values(&formulas)?) {
                            if value == "false" {
                                self.judgements[index] =
                                    Some(Judgement::Counterexample { cycle, trace: trace.clone() });
                            }
                        }
                        session.tell("(pop 1)")?;
                    }
                }
            }
        }
        Ok(Some(()))
    }

    /// From `depth` cycles in which everything holds to the next, for what [`Proof::search`] has not refuted.
    fn induct(&mut self, depth: u32) -> Result<Option<()>> {
        let Some(plausible) = self.plausible(depth)? else { return Ok(None) };
        loop {
            // What helps goes first: once it is known to hold in the last cycle as well, the others may lean on it there.
            let mut open = self.open_assertions();
            open.sort_by_key(|&index| !self.design.assertions[index].starts_with(HELPER));
            let mut session = self.window(depth, &open)?;
            let Some(kept) = self.kept(&mut session, depth, plausible.clone())? else { return Ok(None) };
            drop(session);
            match self.step(depth, &open, &kept)? {
                Step::Closes => return Ok(Some(())),
                Step::TimeOver => return Ok(None),
                // What failed is no help to the others any more: they are tried again without it.
                Step::Fails(index, trace) => {
                    let unfollowed = self.unfollowed(&kept);
                    let reason = format!("the induction over {depth} cycles does not close{unfollowed}:\n{trace}");
                    self.judgements[index] = Some(Judgement::GaveUp { reason });
                }
            }
        }
    }

    /// Cycles 0 to `depth` of any run, from any state on; the assertions hold in all of them but the last.
    fn window(&self, depth: u32, open: &[usize]) -> Result<Session> {
        let mut session = self.open()?;
        for cycle in 0..=depth {
            let before = cycle.checked_sub(1).map(|before| format!("s{before}"));
            self.add_state(&mut session, &format!("s{cycle}"), before.as_deref())?;
            if cycle < depth {
                for &index in open {
                    session.tell(&format!("(assert {})", self.design.assertion(index, &format!("s{cycle}"))))?;
                }
            }
        }
        Ok(session)
    }

    /// Whether the assertions hold in the last cycle of a window, one after the other. Each has a session of its own: z3 is
    /// faster where it is asked only once.
    fn step(&self, depth: u32, open: &[usize], kept: &[usize]) -> Result<Step> {
        let last = format!("s{depth}");
        for (done, &index) in open.iter().enumerate() {
            let mut session = self.window(depth, open)?;
            for cycle in 0..=depth {
                for guess in kept {
                    session.tell(&format!("(assert (|guess {guess}| s{cycle}))"))?;
                }
            }
            for &proved in &open[..done] {
                session.tell(&format!("(assert {})", self.design.assertion(proved, &last)))?;
            }
            session.tell(&format!("(assert (not {}))", self.design.assertion(index, &last)))?;
            match session.check()? {
                Answer::Unknown => return Ok(Step::TimeOver),
                Answer::Unsat => {}
                Answer::Sat => return Ok(Step::Fails(index, self.trace(&mut session, depth)?)),
            }
        }
        Ok(Step::Closes)
    }

    /// The candidates that no run of `depth` cycles from the beginning refutes. A reset takes the first cycle.
    fn plausible(&self, depth: u32) -> Result<Option<Vec<usize>>> {
        let mut candidates: Vec<usize> = (0..self.design.candidates.len()).collect();
        let mut session = self.open()?;
        for cycle in 0..=depth {
            let state = format!("s{cycle}");
            let before = cycle.checked_sub(1).map(|before| format!("s{before}"));
            self.add_state(&mut session, &state, before.as_deref())?;
            if cycle == 0 {
                session.tell(&format!("(assert {})", self.design.formula("i", &state)))?;
            } else if !refute(&mut session, &state, &mut candidates)? {
                return Ok(None);
            }
        }
        Ok(Some(candidates))
    }

    /// Those candidates that, where all of them hold in cycles 0 to `depth` − 1, hold in the next.
    fn kept(&self, session: &mut Session, depth: u32, mut candidates: Vec<usize>) -> Result<Option<Vec<usize>>> {
        loop {
            let before = candidates.len();
            session.tell("(push 1)")?;
            for cycle in 0..depth {
                for index in &candidates {
                    session.tell(&format!("(assert (|guess {index}| s{cycle}))"))?;
                }
            }
            if !refute(session, &format!("s{depth}"), &mut candidates)? {
                return Ok(None);
            }
            session.tell("(pop 1)")?;
            if candidates.len() == before {
                return Ok(Some(candidates));
            }
        }
    }

    /// Which guesses no register follows, as a part of a sentence.
    fn unfollowed(&self, kept: &[usize]) -> String {
        let mut names: Vec<&str> = self.design.candidates.iter().map(|(_, guess)| guess.as_str()).collect();
        names.dedup();
        names.retain(|name| !kept.iter().any(|&index| self.design.candidates[index].1 == *name));
        if names.is_empty() {
            return String::new();
        }
        format!(", and no register follows {}", names.join(", "))
    }

    /// The harness' own signals in cycles 0 to `last`, a row each.
    fn trace(&self, session: &mut Session, last: u32) -> Result<String> {
        let shown = |wire: &&Signal| {
            let hidden = ["clock", "_EN", "$"].iter().any(|hidden| wire.name.contains(hidden));
            !wire.name.contains('.') && !wire.name.starts_with("guess_") && !hidden
        };
        let wires: Vec<&Signal> = self.design.wires.iter().filter(shown).collect();
        let mut rows = vec![vec!["cycle".to_string()]];
        rows[0].extend((0..=last).map(|cycle| cycle.to_string()));
        rows.extend(wires.iter().map(|wire| vec![wire.name.clone()]));
        for cycle in 0..=last {
            let values: Vec<String> =
                wires.iter().map(|wire| format!("(|{}_n {}| s{cycle})", self.design.top, wire.name)).collect();
            for (row, value) in rows[1..].iter_mut().zip(session.values(&values)?) {
                row.push(hexadecimal(&value));
            }
        }
        let columns = last as usize + 2;
        let widths: Vec<usize> =
            (0..columns).map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0)).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
                0 => format!("{cell:width$}"),
                _ => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join(" ")
        };
        Ok(rows.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// Takes out the candidates that can be false in a state, until none can; `false` where time is over.
fn refute(session: &mut Session, state: &str, candidates: &mut Vec<usize>) -> Result<bool> {
    while !candidates.is_empty() {
        let formulas: Vec<String> = candidates.iter().map(|index| format!("(|guess {index}| {state})")).collect();
        session.tell("(push 1)")?;
        session.tell(&format!("(assert (not (and true {})))", formulas.join(" ")))?;
        let answer = session.check()?;
        if answer == Answer::Sat {
            let values = session.values(&formulas)?;
            let mut values = values.iter();
            candidates.retain(|_| values.next().is_some_and(|value| value != "false"));
        }
        session.tell("(pop 1)")?;
        match answer {
            Answer::Sat => {}
            Answer::Unsat => return Ok(true),
            Answer::Unknown => return Ok(false),
        }
    }
    Ok(true)
}

/// A value of z3 as it is read best: `#b0101` and `true` as hexadecimal digits.
fn hexadecimal(value: &str) -> String {
    let digits = match (value, value.strip_prefix("#x"), value.strip_prefix("#b")) {
        ("true", ..) => Ok(1),
        ("false", ..) => Ok(0),
        (_, Some(digits), _) => u128::from_str_radix(digits, 16),
        (_, _, Some(digits)) => u128::from_str_radix(digits, 2),
        _ => value.parse(),
    };
    digits.map_or(value.to_string(), |number| format!("{number:x}"))
}
