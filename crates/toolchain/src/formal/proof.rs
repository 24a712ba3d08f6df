// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search for a counterexample, and the induction that there is none.

use super::design::{Design, Signal};
use super::session::{Answer, Session};
use super::{HELPER, Judgement};
use crate::find::Program;
use anyhow::Result;
use std::time::Instant;

/// How the step of an induction ended.
enum Step {
    /// Every assertion holds in the next cycle.
    Closes,
    /// This assertion may fail, with a run in which it fails.
    Fails(usize, String),
    /// There is no result.
    TimeOver,
}

/// A proof that is not complete: `None` for an assertion without a result yet. Its steps return `None` if the time is
/// over.
pub(super) struct Proof<'a> {
    pub(super) z3: &'a Program,
    pub(super) design: &'a Design,
    pub(super) deadline: Instant,
    /// Nothing else is tried when this assertion is judged.
    pub(super) until: Option<usize>,
    pub(super) judgements: Vec<Option<Judgement>>,
}

impl Proof<'_> {
    fn open(&self) -> Result<Session> {
        let mut session =
            Session::open(self.z3, self.deadline.saturating_duration_since(Instant::now()), self.design.as_bits)?;
        session.tell(&self.design.text)?;
        for (index, (formula, _)) in self.design.candidates.iter().enumerate() {
            session.tell(&format!("(define-fun |guess {index}| ((state |{}_s|)) Bool {formula})", self.design.top))?;
        }
        for (index, formula) in self.design.sights.iter().enumerate() {
            session.tell(&format!("(define-fun |sight {index}| ((state |{}_s|)) Bool {formula})", self.design.top))?;
        }
        Ok(session)
    }

    /// The cycle after `before`, or the first of a run.
    fn add_state(&self, session: &mut Session, state: &str, before: Option<&str>) -> Result<()> {
        let design = self.design;
        session.tell(&format!("(declare-fun {state} () |{}_s|)", design.top))?;
        session.tell(&format!("(assert {})", design.formula("u", state)))?;
        session.tell(&format!("(assert {})", design.formula("h", state)))?;
        for sight in 0..design.sights.len() {
            session.tell(&format!("(assert (|sight {sight}| {state}))"))?;
        }
        if let Some(before) = before {
            session.tell(&format!("(assert (|{}_t| {before} {state}))", design.top))?;
        }
        Ok(())
    }

    /// The assertion is judged on which it depends how long the others are tried.
    pub(super) fn ends_early(&self) -> bool {
        self.until.is_some_and(|until| self.judgements[until].is_some())
    }

    fn open_assertions(&self) -> Vec<usize> {
        (0..self.judgements.len()).filter(|&index| self.judgements[index].is_none()).collect()
    }

    /// Searches a run from the beginning in which an assertion fails, in cycles 0 to `depth`.
    pub(super) fn search(&mut self, depth: u32) -> Result<Option<()>> {
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
                if open.is_empty() || self.ends_early() {
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

    /// The step of the induction, from `depth` cycles in which everything holds to the next one, for the assertions
    /// that [`Proof::search`] has not refuted.
    pub(super) fn induct(&mut self, depth: u32) -> Result<Option<()>> {
        if self.ends_early() {
            return Ok(Some(()));
        }
        let Some(plausible) = self.plausible(depth)? else { return Ok(None) };
        // Assertions whose step closes, and the guesses with which it does. It still does without an assertion that it does
        // not use.
        let (mut closed, mut guessed) = (Vec::new(), Vec::new());
        loop {
            self.give_up_what_uses_the_failed();
            if self.ends_early() {
                return Ok(Some(()));
            }
            // Helpers are first: after a helper is proved for the last cycle, the other assertions may use it there.
            let mut open = self.open_assertions();
            open.sort_by_key(|&index| !self.design.assertions[index].1.starts_with(HELPER));
            let mut session = self.window(depth, &open)?;
            let Some(kept) = self.kept(&mut session, depth, plausible.clone())? else { return Ok(None) };
            drop(session);
            if kept != guessed {
                closed.clear();
                guessed.clone_from(&kept);
            }
            match self.step(depth, &open, &kept, &mut closed)? {
                Step::Closes => return Ok(Some(())),
                Step::TimeOver => return Ok(None),
                // The others must not use a failed assertion, so they are tried again without it.
                Step::Fails(index, trace) => {
                    let unfollowed = self.unfollowed(&kept);
                    let reason = format!("the induction over {depth} cycles does not close{unfollowed}:\n{trace}");
                    self.judgements[index] = Some(Judgement::GaveUp { reason });
                    closed.retain(|&other| !self.design.uses(other, index));
                }
            }
        }
    }

    /// An assertion is not tried without one that the harness says it uses.
    fn give_up_what_uses_the_failed(&mut self) {
        let lacking = |proof: &Self, index: usize| {
            let failed = |other: &usize| proof.judgements[*other].is_some() && proof.design.names(index, *other);
            (0..proof.judgements.len()).find(failed).map(|other| (index, other))
        };
        while let Some((index, other)) = self.open_assertions().into_iter().find_map(|index| lacking(self, index)) {
            let why = match &self.judgements[other] {
                Some(Judgement::GaveUp { reason }) => reason.clone(),
                Some(Judgement::Counterexample { cycle, trace }) => format!("it fails in cycle {cycle}:\n{trace}"),
                Some(Judgement::Proved) | None => unreachable!("it failed"),
            };
            let reason = format!("it uses {}, which is not proved: {why}", self.design.assertions[other].1);
            self.judgements[index] = Some(Judgement::GaveUp { reason });
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

    /// Whether the assertions that are not `closed` hold in the last cycle of a window, one after the other. Each has a
    /// session of its own: z3 is faster where it is asked only once.
    fn step(&self, depth: u32, open: &[usize], kept: &[usize], closed: &mut Vec<usize>) -> Result<Step> {
        let last = format!("s{depth}");
        for (done, &index) in open.iter().enumerate() {
            if closed.contains(&index) {
                continue;
            }
            let is_used = |other: &usize| self.design.uses(index, *other);
            let used: Vec<usize> = open.iter().copied().filter(is_used).collect();
            let mut session = self.window(depth, &used)?;
            for cycle in 0..=depth {
                for guess in kept {
                    session.tell(&format!("(assert (|guess {guess}| s{cycle}))"))?;
                }
            }
            for &proved in open[..done].iter().filter(|other| is_used(other)) {
                session.tell(&format!("(assert {})", self.design.assertion(proved, &last)))?;
            }
            session.tell(&format!("(assert (not {}))", self.design.assertion(index, &last)))?;
            match session.check()? {
                Answer::Unknown => return Ok(Step::TimeOver),
                Answer::Unsat => closed.push(index),
                Answer::Sat => return Ok(Step::Fails(index, self.trace(&mut session, depth)?)),
            }
        }
        Ok(Step::Closes)
    }

    /// The candidates that hold in every run of `depth` cycles from the beginning. The first cycle is a reset.
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

    /// The candidates that hold in cycle `depth` if all candidates hold in cycles 0 to `depth` − 1.
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

    /// The guesses that match no register, as a part of a sentence.
    fn unfollowed(&self, kept: &[usize]) -> String {
        let mut names: Vec<&str> = self.design.candidates.iter().map(|(_, guess)| guess.as_str()).collect();
        names.dedup();
        names.retain(|name| !kept.iter().any(|&index| self.design.candidates[index].1 == *name));
        if names.is_empty() {
            return String::new();
        }
        format!(", and no register follows {}", names.join(", "))
    }

    /// The signals of the harness in cycles 0 to `last`, a row for each signal.
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

/// Removes candidates that can be false in a state, until there is none; `false` if the time is over.
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

/// A value of z3 for a reader: `#b0101` and `true` as hexadecimal digits.
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
