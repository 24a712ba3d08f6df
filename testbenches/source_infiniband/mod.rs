// SPDX-License-Identifier: MIT OR Apache-2.0
//! The source of an InfiniBand flow and its blocks against the model, and against their Verilog.

use tidegate::bench::machine::{Machine, Maker, Native};
use tidegate::registry::find;
use tidegate::response::{RESPONSES, Response};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::schemes::infiniband::rule::Source;
use tidegate_testing::blocks;
use tidegate_testing::stimulus::Random;

/// Each response with the defaults and with other values of m and R_min; the inter-packet delay is the same for all.
fn circuits() -> Vec<Circuit> {
    let settings = [
        ("lipd", "2", "256"),
        ("lipd", "2", "100"),
        ("fimd", "2", "256"),
        ("fimd", "3", "256"),
        ("fimd", "256", "255"),
        ("aimd", "2", "256"),
        ("aimd", "3", "100"),
        ("aimd", "16", "100"),
    ];
    let mut circuits = find("infiniband").unwrap().blocks(Part::ReactionPoint);
    circuits.retain(|circuit| circuit.block != "calculator");
    for (response, factor, steps) in settings {
        let settings = [("response", response), ("decrease_factor", factor), ("rate_steps", steps)];
        let (mut blocks, whole) = find("infiniband").unwrap().circuits_of(Part::ReactionPoint, &settings);
        blocks.retain(|circuit| circuit.block == "calculator");
        circuits.extend(blocks.into_iter().chain([whole]));
    }
    circuits
}

#[test]
fn does_what_the_model_does() {
    for circuit in circuits() {
        blocks::agrees_with_its_reference(&circuit, 200_000);
    }
}

/// The last two: a calculator with a table, and the source with it.
#[test]
fn verilog_does_the_same() {
    for circuit in circuits().iter().rev().take(2) {
        blocks::agrees_with_its_verilog(circuit, 20_000);
    }
}

#[test]
#[ignore = "long: compiles a dozen models in Verilator"]
fn verilog_does_the_same_with_all_settings() {
    for circuit in circuits() {
        blocks::agrees_with_its_verilog(&circuit, 20_000);
    }
}

#[test]
fn verilog_passes_lint() {
    for circuit in circuits() {
        blocks::passes_lint(&circuit);
    }
}

/// Down to the least rate and all the way up again, in each response: every delay shows, and every word of a table is
/// used.
#[test]
fn goes_down_and_up_the_whole_table() {
    for (response, name) in RESPONSES.into_iter().zip(["lipd", "fimd", "aimd"]) {
        let (mut blocks, _) = find("infiniband").unwrap().circuits_of(Part::ReactionPoint, &[("response", name)]);
        blocks.retain(|circuit| circuit.block == "calculator");
        let maker = Native::of(blocks.remove(0), &[], None);
        let mut calculator = maker.make("calculator", &|_| 0);
        let (valid, marked_pin) = (calculator.input("feedback_valid"), calculator.input("feedback_marked"));
        let (ready, ipd) = (calculator.output("feedback_ready"), calculator.output("ipd"));
        let mut model = Source::new(response, 2, 256, false);
        let mut random = Random::new(1);
        let mut seen = [false; 256];
        let mut answer = |marked: bool| {
            calculator.set(valid, 0);
            calculator.settle();
            while calculator.get(ready) == 0 {
                seen[calculator.get(ipd) as usize] = true;
                calculator.step();
                calculator.settle();
            }
            assert_eq!(calculator.get(ipd), u64::from(model.ipd()), "{response:?}");
            calculator.set(valid, 1);
            calculator.set(marked_pin, marked.into());
            calculator.step();
            model.acknowledge(marked);
            model.ipd()
        };
        while answer(true) < 255 {}
        // Marks come often enough to mix credits, and seldom enough that the rate increases.
        for _ in 0..20_000 {
            if answer(random.below(1000) == 0) == 0 {
                break;
            }
        }
        while answer(false) > 0 {}
        answer(false);
        assert!(seen.iter().all(|&seen| seen), "{response:?}: every delay shows");
    }
}

/// AIMD with m = 3 and 100 rates divides the credit by 4 at a mark, and at the delays from which a mark leads to R_min a rate
/// costs at most 5: of the 4,935 states of the source only that with delay 33 and credit 4 shows whether the mark clears the credit.
#[test]
fn a_mark_that_leads_to_r_min_clears_the_credit() {
    let settings = [("response", "aimd"), ("decrease_factor", "3"), ("rate_steps", "100")];
    let (mut blocks, _) = find("infiniband").unwrap().circuits_of(Part::ReactionPoint, &settings);
    blocks.retain(|circuit| circuit.block == "calculator");
    let maker = Native::of(blocks.remove(0), &[], None);
    let mut calculator = maker.make("calculator", &|_| 0);
    let (valid, marked_pin) = (calculator.input("feedback_valid"), calculator.input("feedback_marked"));
    let (ready, ipd) = (calculator.output("feedback_ready"), calculator.output("ipd"));
    let mut model = Source::new(Response::Aimd, 3, 100, false);
    let mut states = Vec::new();
    // The shortest way there: a mark, or an unmarked ACK.
    for ack in "MMMMuuuuuuuuMuMu".chars() {
        calculator.set(valid, 0);
        calculator.settle();
        while calculator.get(ready) == 0 {
            calculator.step();
            calculator.settle();
        }
        states.push((model.ipd(), model.credit()));
        assert_eq!(calculator.get(ipd), u64::from(model.ipd()), "{states:?}");
        calculator.set(valid, 1);
        calculator.set(marked_pin, (ack == 'M').into());
        calculator.step();
        model.acknowledge(ack == 'M');
    }
    assert_eq!(states[states.len() - 2..], [(33, 4), (99, 0)]);
}
