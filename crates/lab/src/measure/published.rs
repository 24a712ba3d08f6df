// SPDX-License-Identifier: MIT OR Apache-2.0
//! The published number of slice registers, and ours beside it. What it can be made of is measured with circuits by the
//! experiment `smcc-area`.

use super::{Difference, Request};
use serde::Serialize;
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::cells::Family;

/// The one published number of this kind, and ours beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Published {
    /// Paper and section.
    pub source: &'static str,
    /// The statement.
    pub statement: &'static str,
    /// FPGA family.
    pub family: Family,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Ports of the card.
    pub ports: u32,
    /// Number of slice registers; the paper says "about".
    pub slice_registers: i64,
    /// The differences measured here for the same family and part, for every requested profile and number of ports.
    pub ours: Vec<Difference>,
}

const FAMILY: Family = Family::Xc2vp;
const PART: Part = Part::ReactionPoint;
/// Ports of the card of the paper.
const PORTS: u32 = 4;

impl Published {
    /// The number, with the differences of a request, if this has the reaction points of both schemes in its family.
    pub(super) fn of(request: &Request, differences: &[Difference]) -> Option<Published> {
        let schemes = ["qcn", "smcc"].iter().all(|wanted| request.schemes.iter().any(|scheme| scheme == wanted));
        if !schemes || !request.families.contains(&FAMILY) || !request.parts.contains(&PART) {
            return None;
        }
        let here = |ours: &&Difference| {
            (ours.family, ours.part) == (FAMILY, PART.name()) && ours.more.0 == "qcn" && ours.less.0 == "smcc"
        };
        Some(Published {
            source: "Jiang 2015b, section 5.1",
            statement: "the number of slice registers used by the RP of SMCC is about 700 less than that used by the RP of QCN",
            family: FAMILY,
            part: PART.name(),
            ports: PORTS,
            slice_registers: 700,
            ours: differences.iter().filter(here).cloned().collect(),
        })
    }
}
