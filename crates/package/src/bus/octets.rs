// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which octets of a beat are valid.

use tidegate_hdl::netlist::Expression;
use tidegate_hdl::netlist::builder::{Builder, and, any, assign, join, not, or, target, when};

/// The place of the highest octet that is valid; 0 if none is.
pub fn last_octet(builder: &mut Builder, keep: &Expression) -> Expression {
    let (mut rest, mut bits) = (keep.clone(), Vec::new());
    while rest.shape.bits > 1 {
        let half = rest.shape.bits / 2;
        let upper = rest.clone().slice(half, half);
        let in_upper = builder.wire(&format!("in_upper_{half}"), any(upper.clone()));
        bits.push(in_upper.clone());
        if half > 1 {
            let chosen = builder.wire(&format!("keep_{half}"), upper);
            builder.statement("", when(not(in_upper), vec![assign(target(&chosen), rest.slice(0, half))]));
            rest = chosen;
        } else {
            break;
        }
    }
    join(bits)
}

/// For each octet whether the one behind it is valid.
pub fn above(builder: &mut Builder, keep: &Expression) -> Expression {
    let octets = keep.shape.bits;
    builder.wire("keep_above", keep.clone().slice(1, octets - 1).extend(octets))
}

/// Whether the valid octets are not as they must be: the first ones, and all if the beat is not the last one. `above` is
/// [`above()`] of them.
pub fn malformed(keep: &Expression, above: Expression, last: &Expression) -> Expression {
    let octets = keep.shape.bits;
    let holes = any(and(above, not(keep.clone())));
    let partial = and(not(last.clone()), not(keep.clone().slice(octets - 1, 1)));
    or(or(holes, not(keep.clone().slice(0, 1))), partial)
}
