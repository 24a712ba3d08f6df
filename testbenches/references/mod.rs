// SPDX-License-Identifier: MIT OR Apache-2.0
//! All blocks and both parts of all schemes against their references, at the ports. Also the coverage of the stimulus,
//! and that a difference is found in the right cycle.

mod coverage;
mod long;
mod perturbed;

use tidegate::registry::{SCHEMES, Scheme};
use tidegate::scheme::Part;
use tidegate::verify::Verdict;
use tidegate::verify::model::{SEED, check, check_long};
use tidegate::verify::stimulus::long::LongEpoch;
use tidegate_testing::circuits::{all, circuits, circuits_of_flows};

const CYCLES: u64 = 100_000;

fn agree(scheme: &'static Scheme, part: Part) {
    for circuit in circuits(scheme, part).into_iter().chain(circuits_of_flows(scheme, part)) {
        let (check, difference) = check(scheme, part, &circuit, CYCLES, SEED);
        println!("{} {}: {:.0} cycles/s", scheme.name, circuit.module, CYCLES as f64 / check.seconds);
        assert_eq!(check.verdict, Verdict::Passed, "{} {}: {:?}", scheme.name, circuit.module, check.reason);
        assert_eq!((check.cycles, difference), (Some(CYCLES), None));
    }
}

#[test]
fn every_circuit_of_every_scheme() {
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            agree(scheme, part);
        }
    }
}

/// With the defaults of each profile; `verify` also has those with the longest timers. A part of many flows has the
/// timers of its blocks.
#[test]
fn long_epochs_of_every_circuit() {
    for (scheme, part, circuit) in all().into_iter().filter(|(.., circuit)| !circuit.module.ends_with("_flows")) {
        for epoch in LongEpoch::of_profiles(scheme, &circuit) {
            let (check, _) = check_long(scheme, part, &circuit, &epoch, SEED);
            println!("{}, {}: {:.1} s", circuit.module, check.property, check.seconds);
            assert_eq!(check.verdict, Verdict::Passed, "{}: {:?}", circuit.module, check.reason);
        }
    }
}
