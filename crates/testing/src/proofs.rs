// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs about one module, and that each of them sees a mistake.

use rayon::prelude::*;
use std::time::Duration;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_hdl::netlist::Netlist;
use tidegate_hdl::verilog;
use tidegate_toolchain::formal::{HELPER, Judgement, Method, Outcome, Prover, Question};

/// A proof must close within 15 minutes, of a machine that does other things too; a mistake is not looked for so long.
const PROOF: Duration = Duration::from_secs(900);
const MISTAKE: Duration = Duration::from_secs(300);

fn judge(top: &str, harness: &str, verilog: &str, until: Option<&str>, timeout: Duration) -> Vec<Outcome> {
    let outcomes = Prover::find().unwrap().judge(&Question {
        sources: &[("design.v", verilog)],
        harness,
        top: &format!("{top}_properties"),
        only: &[],
        until,
        method: Method::Induction(2),
        timeout,
    });
    outcomes.unwrap()
}

/// All claims about a module are proved. Returns them.
pub fn holds(netlist: &Netlist, harness: &str) -> Vec<Outcome> {
    holds_in(&netlist.top().name, &verilog::text(netlist), harness)
}

/// The same of the Verilog of a module.
pub fn holds_in(top: &str, verilog: &str, harness: &str) -> Vec<Outcome> {
    let outcomes = judge(top, harness, verilog, None, PROOF);
    let open: Vec<_> = outcomes.iter().filter(|outcome| outcome.judgement != Judgement::Proved).collect();
    if let Some(first) = open.first() {
        let names: Vec<_> = open.iter().map(|outcome| &outcome.name).collect();
        panic!("not proved: {names:?}; {}: {:?}", first.name, first.judgement);
    }
    outcomes
}

/// The claims about a circuit, for what a bench does not see.
pub struct Proof {
    circuit: Netlist,
    harness: String,
}

impl Proof {
    pub fn new(circuit: Netlist, harness: &str) -> Self {
        Self { circuit, harness: harness.to_string() }
    }

    /// Whether some claim is not proved of the circuit as it is changed here; `None` if it has no such place.
    pub fn refutes(&self, changed: impl FnOnce(&Netlist) -> Option<Netlist>) -> bool {
        changed(&self.circuit).is_some_and(|changed| {
            let outcomes = judge(&changed.top().name, &self.harness, &verilog::text(&changed), None, PROOF);
            outcomes.iter().any(|outcome| outcome.judgement != Judgement::Proved)
        })
    }
}

/// All claims about a module are proved, and each is not if the Verilog has another text at some place. `broken`: the
/// claim, what is replaced, and by what.
pub fn proved(circuit: &Circuit, harness: &str, broken: &[(&str, &str, &str)]) {
    proved_of(&circuit.netlist, harness, broken);
}

/// The same of a netlist.
pub fn proved_of(netlist: &Netlist, harness: &str, broken: &[(&str, &str, &str)]) {
    proved_in(&netlist.top().name, &verilog::text(netlist), harness, broken);
}

/// The same of the Verilog of a module.
pub fn proved_in(top: &str, verilog: &str, harness: &str, broken: &[(&str, &str, &str)]) {
    let outcomes = holds_in(top, verilog, harness);
    let claims = outcomes.iter().filter(|outcome| !outcome.name.starts_with(HELPER));
    for claim in claims {
        assert!(broken.iter().any(|(name, ..)| claim.name == *name), "nothing breaks {}", claim.name);
    }
    // Side by side: one of them may take as long as all others.
    broken.par_iter().for_each(|(claim, from, to)| {
        assert!(verilog.contains(from), "the Verilog has no `{from}`");
        let outcomes = judge(top, harness, &verilog.replace(from, to), Some(claim), MISTAKE);
        let found = outcomes.iter().find(|outcome| outcome.name == *claim).unwrap_or_else(|| panic!("no {claim}"));
        assert!(found.judgement != Judgement::Proved, "{claim} is proved with `{to}`");
    });
}
