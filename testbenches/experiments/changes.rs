// SPDX-License-Identifier: MIT OR Apache-2.0
//! A change of the byte cycle while it runs: the model's calculator against the circuit whose parameter ports change in the
//! same cycle.

use tidegate::bench::machine::{Machine, Maker, Native};
use tidegate::model::codec::Payload;
use tidegate::model::device::Calculator;
use tidegate::model::random::Random;
use tidegate::registry::{self, part_ports};
use tidegate::scheme::parameters::Parameters;
use tidegate::scheme::{Feedback, Part};
use tidegate::schemes::qcn::model::calculator;

fn parameters(byte_cycle: u64, jitter: &str) -> Parameters {
    let settings = [
        ("byte_cycle_bytes", byte_cycle.to_string()),
        ("cycle_jitter_percent", jitter.to_string()),
        ("ai_rate_mbps", "20".into()),
        ("min_rate_mbps", "50".into()),
    ];
    let settings = settings.map(|(key, value)| (key.to_string(), value));
    registry::find("qcn").unwrap().parameters(&settings).unwrap()
}

#[test]
fn the_byte_cycle_changes_as_in_the_circuit() {
    let scheme = registry::find("qcn").unwrap();
    for jitter in ["0", "30"] {
        let mut set = parameters(6200, jitter);
        let circuit = scheme.blocks(Part::ReactionPoint).into_iter().find(|block| block.block == "calculator").unwrap();
        let ports = part_ports(scheme, &set, Part::ReactionPoint);
        let mut circuit = Native::of(circuit, &[], None).make("calculator", &|name| ports[name]);
        let mut model = calculator(&set, set.integer("seed") as u16);
        let inputs = ["feedback_valid", "quantized_feedback", "sent", "sent_bytes", "source_empty"];
        let [valid, quantized, sent, sent_bytes, empty] = inputs.map(|name| circuit.input(name));
        let [low, span] = ["byte_cycle_low", "byte_cycle_span"].map(|name| circuit.input(name));
        let outputs = ["current_rate", "target_rate", "byte_stage", "feedback_ready"].map(|name| circuit.output(name));
        let mut random = Random::new(1);
        let (mut offered, mut changes, mut rates) = (None, 0, std::collections::BTreeSet::new());
        for now in 0..400_000 {
            if random.number().is_multiple_of(3_000) {
                set = parameters(1_000 + random.number() % 20_000, jitter);
                let ports = part_ports(scheme, &set, Part::ReactionPoint);
                circuit.set(low, ports["byte_cycle_low"]);
                circuit.set(span, ports["byte_cycle_span"]);
                model.change_parameters(now, &set);
                changes += 1;
            }
            if offered.is_none() && random.number().is_multiple_of(20_000) {
                offered =
                    Some(Feedback { quantized_feedback: 1 + (random.number() % 63) as u8, ..Feedback::default() });
            }
            let frame = random.number().is_multiple_of(300).then_some(1000 + (random.number() % 500) as u32);
            circuit.set(valid, offered.is_some().into());
            circuit.set(quantized, offered.map_or(0, |feedback: Feedback| feedback.quantized_feedback.into()));
            circuit.set(sent, frame.is_some().into());
            circuit.set(sent_bytes, frame.unwrap_or(0).into());
            circuit.set(empty, 0);
            Machine::step(&mut circuit, now);
            let (taken, state) = model.cycle(now, offered.map(Payload::from).as_ref(), frame, false);
            let (target, byte_stage, _) = state.target.unwrap();
            let expected = [state.current_rate.0.into(), target.0.into(), byte_stage.into(), u64::from(taken)];
            let mut found = outputs.map(|output| circuit.get(output));
            found[3] &= u64::from(offered.is_some());
            assert_eq!(found, expected, "± {jitter} %, cycle {now}, after {changes} changes");
            if taken {
                offered = None;
            }
            rates.insert(state.current_rate);
        }
        assert!(changes > 100 && rates.len() > 50, "{changes} changes, {} rates", rates.len());
    }
}
