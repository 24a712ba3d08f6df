// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits of all schemes.

use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_schemes::registry::{SCHEMES, Scheme};
use tidegate_schemes::scheme::Part;

/// The blocks of a part, the part, and the other circuits for its calculator.
pub fn circuits(scheme: &Scheme, part: Part) -> Vec<Circuit> {
    scheme.blocks(part).into_iter().chain([scheme.circuit(part)]).chain(scheme.other_circuits(part)).collect()
}

/// The settings with which an Ethernet scheme has a reaction point of many flows.
const FLOWS: &[(&str, &str)] = &[("rp_flows", "4")];

/// The reaction point of many flows of a scheme, and its blocks; none if the scheme has no such.
pub fn circuits_of_flows(scheme: &Scheme, part: Part) -> Vec<Circuit> {
    if part == Part::CongestionPoint || !scheme.variants().contains(&FLOWS) {
        return Vec::new();
    }
    let (blocks, whole) = scheme.circuits_of(part, FLOWS);
    blocks.into_iter().chain([whole]).collect()
}

/// Every circuit of every scheme, a shared one only once; of those of many, reaction points of flows. The flow limiter
/// comes without and with modes.
pub fn all() -> Vec<(&'static Scheme, Part, Circuit)> {
    let mut all: Vec<(&'static Scheme, Part, Circuit)> = Vec::new();
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            for circuit in circuits(scheme, part).into_iter().chain(circuits_of_flows(scheme, part)) {
                let same = |other: &Circuit| {
                    other.module == circuit.module && other.netlist.modules == circuit.netlist.modules
                };
                if !all.iter().any(|(_, _, other)| same(other)) {
                    all.push((scheme, part, circuit));
                }
            }
        }
    }
    all
}
