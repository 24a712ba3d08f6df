// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proves the claims for the emitted Verilog, and checks that a claim is not proved for a broken circuit.
//!
//! A broken circuit is the real one in a wrapper that changes a port: nothing here depends on the contents of the
//! Verilog.

mod broken;

use std::collections::BTreeSet;
use std::time::Duration;
use tidegate::claims::harnesses;
use tidegate::registry::{SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::toolchain::formal::{Judgement, Method, Outcome, Prover, Question};
use tidegate::verify::Verdict;
use tidegate::verify::formal::{self, checks, is_claim};
use tidegate::verilog;
use tidegate_testing::proofs::{labels, preprocessed};

const PARTS: [Part; 2] = [Part::CongestionPoint, Part::ReactionPoint];

/// Proves the circuits of a part, of all variants of some schemes, those of eight ports or the others: a shared circuit
/// only once, unless its harness contains constants of the scheme.
fn prove(part: Part, schemes: &[&str], eight_ports: bool) {
    let prover = Prover::find().map_err(|missing| missing.to_string());
    let mut proved: Vec<(&str, String)> = Vec::new();
    for scheme in SCHEMES.iter().filter(|scheme| schemes.is_empty() || schemes.contains(&scheme.name)) {
        for variant in broken::variants(scheme) {
            let (blocks, whole) = scheme.circuits_of(part, variant);
            for circuit in blocks.iter().chain([&whole]) {
                // Of switches of eight ports only the blocks are proved.
                let skipped = circuit.module.ends_with("_8") != eight_ports || circuit.module.ends_with("marking_8");
                let mut around = harnesses().filter(|harness| harness.module == circuit.module);
                let constants = around.any(|harness| harness.settings.is_some());
                let proof = (if constants { scheme.name } else { "" }, verilog::text(&circuit.netlist));
                if skipped || proved.contains(&proof) {
                    continue;
                }
                proved.push(proof);
                is_proved(scheme, part, circuit, &prover);
            }
        }
    }
    assert!(!proved.is_empty());
}

fn is_proved(scheme: &'static Scheme, part: Part, circuit: &Circuit, prover: &Result<Prover, String>) {
    let checks = checks(scheme, part, circuit, prover);
    assert!(!checks.is_empty(), "nothing is proved of {}", circuit.module);
    for check in &checks {
        let at = format!("{} {} {}: {}", check.scheme, check.part, check.block, check.property);
        assert_eq!(check.verdict, Verdict::Passed, "{at}: {}", check.reason.as_deref().unwrap_or_default());
        assert_eq!((check.tool, check.unbounded), ("formal", Some(true)), "{at}");
        println!("{at}: depth {}, {:.1} s", check.depth.unwrap(), check.seconds);
    }
}

/// The calculators that are only counted: the step of SMCC and the increases of QCN are those of the papers, to the last bit.
#[test]
fn every_property_is_proved_of_the_other_calculators() {
    let prover = Prover::find().map_err(|missing| missing.to_string());
    let circuits =
        SCHEMES.iter().flat_map(|scheme| scheme.other_circuits(Part::ReactionPoint).map(move |of| (scheme, of)));
    circuits.for_each(|(scheme, circuit)| is_proved(scheme, Part::ReactionPoint, &circuit, &prover));
}

/// The part whose proofs take seconds.
#[test]
fn every_property_is_proved_of_the_source_of_infiniband() {
    prove(Part::ReactionPoint, &["infiniband"], false);
}

#[test]
#[ignore = "long: five minutes; `scripts/test --long` runs it"]
fn every_property_is_proved_of_every_congestion_point() {
    prove(Part::CongestionPoint, &[], false);
}

#[test]
#[ignore = "long: ten minutes and more; `scripts/test --long` runs it"]
fn every_property_is_proved_of_every_reaction_point() {
    prove(Part::ReactionPoint, &[], false);
}

/// Two of them take about two minutes each, which is near the time limit of a proof:
/// `scripts/test --long eight_ports`.
#[test]
#[ignore = "long: five minutes; `scripts/test --long` runs it"]
fn every_property_is_proved_of_the_blocks_of_eight_ports() {
    prove(Part::CongestionPoint, &[], true);
}

/// A helper that fails elsewhere is left out; here it would make other proofs wrong.
#[test]
#[ignore = "long: minutes of z3"]
fn what_other_proofs_assume_is_proved() {
    let prover = Prover::find().unwrap();
    let assumed: Vec<_> = harnesses().filter(|harness| harness.is_assumed()).collect();
    assert!(!assumed.is_empty());
    for harness in assumed {
        let (scheme, circuit) = broken::circuit(harness.module);
        let outcomes = formal::prove(harness, &prover, scheme, circuit, &verilog::text(&circuit.netlist)).unwrap();
        for outcome in outcomes {
            assert_eq!(outcome.judgement, Judgement::Proved, "{}: {}", harness.module, outcome.name);
        }
    }
}

/// Read from the text, because a prover takes a second for each harness.
#[test]
fn claims_and_assertions_are_the_same() {
    for harness in harnesses() {
        let text = preprocessed(&harness.text.concat());
        // Both branches of a `generate` may have an assertion of one label.
        let asserted: BTreeSet<&str> = labels(&text).filter(|label| is_claim(label)).collect();
        let mut claimed: Vec<&str> = harness.claims.iter().map(|(label, _)| *label).collect();
        claimed.sort_unstable();
        assert_eq!(claimed, Vec::from_iter(asserted), "{}", harness.module);
    }
    let text =
        preprocessed("`define A\n`ifdef A\none: assert(a);\n`else\ntwo: assert(a);\n`endif\nthree: assume(a);\n");
    assert_eq!(labels(&text).collect::<Vec<_>>(), ["one"]);
}

/// All assertions of a harness, by an induction over one cycle for at most some seconds.
fn judged_within(seconds: u64, verilog: &str, harness: &str) -> Vec<Outcome> {
    let question = Question {
        sources: &[("design.v", verilog)],
        harness,
        top: "top",
        only: &[],
        until: None,
        method: Method::Induction(1),
        timeout: Duration::from_secs(seconds),
    };
    Prover::find().unwrap().judge(&question).unwrap()
}

#[test]
fn a_proof_without_time_gives_up_and_does_not_pass() {
    // The factors of a product of two primes: no solver finds them in a second.
    let verilog =
        "module product(input wire [31:0] a, input wire [31:0] b, output wire [63:0] c); assign c = a * b; endmodule";
    let harness = "module top(input [31:0] a, input [31:0] b); wire [63:0] c;
        product device(.a(a), .b(b), .c(c)); always @(*) prime: assert(a > b || c != 64'd9790765170742681277); endmodule";
    let outcomes = judged_within(1, verilog, harness);
    assert!(format!("{:?}", outcomes[0].judgement).contains("gave up after 1 s"), "{outcomes:?}");
}

#[test]
fn what_uses_a_failed_assertion_is_given_up_and_says_why() {
    let verilog = "module counters(input wire clock, input wire reset, output reg [3:0] one, output reg [3:0] two);
        always @(posedge clock) begin one <= reset ? 0 : one + 1; two <= reset ? 0 : two + 2; end endmodule";
    // `one` passes 12 after the cycles that are searched.
    let harness = "module top(input clock, input reset); wire [3:0] one, two;
        counters device(.clock(clock), .reset(reset), .one(one), .two(two));
        reg started = 0; always @(posedge clock) started <= 1;
        always @(*) if (!started) assume(reset);
        always @(*) if (started) begin
            helper_wrong: assert(one < 12);
            // uses helper_wrong
            uses_it: assert(one < 14);
            // uses uses_it
            uses_that: assert(one != 15);
            // uses even
            apart: assert(two != 1);
            even: assert(!two[0]);
        end endmodule";
    let outcomes = judged_within(60, verilog, harness);
    let judged = |name: &str| &outcomes.iter().find(|outcome| outcome.name == name).unwrap().judgement;
    assert_eq!((judged("apart"), judged("even")), (&Judgement::Proved, &Judgement::Proved));
    let reasons = ["helper_wrong", "uses_it", "uses_that"].map(|name| match judged(name) {
        Judgement::GaveUp { reason } => reason.clone(),
        other => panic!("{name}: {other:?}"),
    });
    assert!(reasons.iter().all(|reason| reason.contains("does not close")), "{reasons:?}");
    assert!(reasons[1].starts_with("it uses helper_wrong") && reasons[2].starts_with("it uses uses_it"), "{reasons:?}");
}
