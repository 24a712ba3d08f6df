//! Every block and both parts of every scheme against their references, at the ports.

use tidegate::registry::SCHEMES;
use tidegate::scheme::Part;
use tidegate::verify::model::check;
use tidegate::verify::Verdict;

const CYCLES: u64 = 100_000;

#[test]
fn every_circuit_is_its_model() {
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            for circuit in scheme.blocks(part).into_iter().chain([scheme.circuit(part)]) {
                let (check, difference) = check(scheme, part, &circuit, CYCLES);
                println!(
                    "{} {} {}: {:.0} cycles/s {:?}",
                    scheme.name,
                    part.name(),
                    circuit.module,
                    CYCLES as f64 / check.seconds,
                    check.reason
                );
                assert_eq!(check.verdict, Verdict::Passed, "{check:?} {:?}", difference.map(|d| d.cycle));
            }
        }
    }
}
