// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs about one module, and that each of them sees a mistake.

use rayon::prelude::*;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;
use tidegate_hdl::netlist::Netlist;
use tidegate_hdl::verilog;
use tidegate_toolchain::formal::{Judgement, Method, Outcome, Prover, Question};
use tidegate_verify::formal::is_claim;

/// A proof must close within 15 minutes, of a machine that does other things too; a mistake is not looked for so long.
const PROOF: Duration = Duration::from_secs(900);
const MISTAKE: Duration = Duration::from_secs(300);

/// A mistake in a circuit: the claim that fails then, what is replaced in its Verilog, and by what.
pub type Mistake = (&'static str, &'static str, &'static str);

/// The claims about a circuit.
pub struct Proof {
    circuit: Netlist,
    harness: String,
    mistakes: &'static [Mistake],
    /// A text of the Verilog, and another that says the same, which z3 proves sooner.
    same: Option<(&'static str, &'static str)>,
}

impl Proof {
    /// Each claim of the harness needs a mistake.
    pub fn new(circuit: Netlist, harness: impl Into<String>, mistakes: &'static [Mistake]) -> Self {
        Self { circuit, harness: harness.into(), mistakes, same: None }
    }

    /// With another text for the same in the Verilog.
    pub fn with_the_same(self, from: &'static str, to: &'static str) -> Self {
        Self { same: Some((from, to)), ..self }
    }

    fn verilog(&self, circuit: &Netlist) -> String {
        let verilog = verilog::text(circuit);
        match self.same {
            Some((from, to)) => {
                assert!(verilog.contains(from), "the Verilog has no `{from}`");
                verilog.replace(from, to)
            }
            None => verilog,
        }
    }

    fn judge(&self, verilog: &str, until: Option<&str>, timeout: Duration) -> Vec<Outcome> {
        let outcomes = Prover::find().unwrap().judge(&Question {
            sources: &[("design.v", verilog)],
            harness: &self.harness,
            top: &format!("{}_properties", self.circuit.top().name),
            only: &[],
            until,
            method: Method::Induction(2),
            timeout,
        });
        outcomes.unwrap()
    }

    /// All claims are proved.
    pub fn holds(&self) {
        let outcomes = self.judge(&self.verilog(&self.circuit), None, PROOF);
        let open: Vec<_> = outcomes.iter().filter(|outcome| outcome.judgement != Judgement::Proved).collect();
        if let Some(first) = open.first() {
            let names: Vec<_> = open.iter().map(|outcome| &outcome.name).collect();
            panic!("not proved: {names:?}; {}: {:?}", first.name, first.judgement);
        }
    }

    /// All claims are proved, and each is not with one of the mistakes.
    pub fn sees_mistakes(&self) {
        self.mistakes_have_their_places();
        self.holds();
        let verilog = self.verilog(&self.circuit);
        // Side by side: one of them may take as long as all others.
        self.mistakes.par_iter().for_each(|(claim, from, to)| {
            let outcomes = self.judge(&verilog.replace(from, to), Some(claim), MISTAKE);
            let found = outcomes.iter().find(|outcome| outcome.name == *claim).unwrap_or_else(|| panic!("no {claim}"));
            assert!(found.judgement != Judgement::Proved, "{claim} is proved with `{to}`");
        });
    }

    /// Each claim has a mistake, and the mistakes can be made: what is replaced is there. It takes no proof.
    pub fn mistakes_have_their_places(&self) {
        let verilog = self.verilog(&self.circuit);
        let text = preprocessed(&self.harness);
        let claims: BTreeSet<&str> = labels(&text).filter(|label| is_claim(label)).collect();
        let broken: BTreeSet<&str> = self.mistakes.iter().map(|(claim, ..)| *claim).collect();
        let lost: Vec<&str> =
            self.mistakes.iter().map(|(_, from, _)| *from).filter(|from| !verilog.contains(from)).collect();
        let name = &self.circuit.top().name;
        assert!(lost.is_empty(), "the Verilog of {name} has no {lost:#?}");
        assert_eq!(claims, broken, "{name}: the claims, and those with a mistake");
    }

    /// Whether some claim is not proved of the circuit as it is changed here; `changed` is `None` if there is no such place.
    pub fn refutes(&self, changed: impl FnOnce(&Netlist) -> Option<Netlist>) -> bool {
        changed(&self.circuit).is_some_and(|changed| {
            let outcomes = self.judge(&self.verilog(&changed), None, PROOF);
            outcomes.iter().any(|outcome| outcome.judgement != Judgement::Proved)
        })
    }
}

/// The lines that a preprocessor leaves, by the macros that the text itself defines.
pub fn preprocessed(text: &str) -> String {
    let (mut defined, mut conditions, mut left) = (BTreeSet::new(), Vec::new(), String::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("`ifdef"), Some(name)) => conditions.push(defined.contains(name)),
            (Some("`ifndef"), Some(name)) => conditions.push(!defined.contains(name)),
            (Some("`else"), _) => {
                conditions.iter_mut().last().into_iter().for_each(|condition| *condition = !*condition)
            }
            (Some("`endif"), _) => drop(conditions.pop()),
            _ if !conditions.iter().all(|&condition| condition) => {}
            (Some("`define"), Some(name)) => drop(defined.insert(name)),
            _ => left += &format!("{line}\n"),
        }
    }
    left
}

/// The labels of the assertions in a text, as `label: assert(…)`.
pub fn labels(text: &str) -> impl Iterator<Item = &str> {
    static LABEL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\w+): *assert\b").expect("it is right"));
    LABEL.captures_iter(text).map(|found| found.get(1).expect("it is not optional").as_str())
}
