//! The source of an InfiniBand flow and its blocks against the model, and against their Verilog.

#[path = "../common/blocks.rs"]
mod blocks;
#[path = "../common/stimulus.rs"]
mod stimulus;

use stimulus::Random;
use tidegate::bench::machine::{Machine, Maker, Native};
use tidegate::registry::find;
use tidegate::response::RESPONSES;
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::scheme::infiniband::Source;

/// With the defaults, and with tables for other settings.
fn circuits() -> Vec<Circuit> {
    let mut circuits = Vec::new();
    for settings in [&[][..], &[("decrease_factor", "3"), ("rate_steps", "100")], &[("decrease_factor", "256")]] {
        let (blocks, whole) = find("infiniband").unwrap().circuits_of(Part::ReactionPoint, settings);
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

#[test]
fn verilog_does_the_same() {
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

/// Down to the least rate and all the way up again, in each response: every word of the table is used.
#[test]
fn goes_down_and_up_the_whole_table() {
    let mut blocks = find("infiniband").unwrap().blocks(Part::ReactionPoint).into_iter();
    let maker = Native::of(blocks.find(|circuit| circuit.block == "calculator").unwrap(), &[], None);
    for (code, response) in RESPONSES.into_iter().enumerate() {
        let mut calculator = maker.make("calculator", &|name| u64::from(name == "response") * code as u64);
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
