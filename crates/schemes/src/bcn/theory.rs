// SPDX-License-Identifier: MIT OR Apache-2.0
//! BCN: the size of its steps, and its path (Jiang 2015b, section 2.2).

use crate::analysis::{Analysis, Line, Portrait, extend, overshoot};
use crate::qcn::rule::FEEDBACK_MAX;
use crate::scheme::parameters::Parameters;

/// Number of feedbacks in the portrait.
const FEEDBACKS: usize = 600;

/// The quantities of the model, in bits and seconds.
struct Model {
    /// C.
    link: f64,
    /// Seconds between two samples at line rate.
    interval: f64,
    w: f64,
    /// The offset of the largest feedback, q0·(2w + 1).
    full_scale: f64,
    /// G_d.
    gd: f64,
    /// The increase for Fb = 1, G_i·R_u.
    unit: f64,
}

impl Model {
    fn of(parameters: &Parameters) -> Model {
        let bits = |key: &str| parameters.integer(key) as f64 * 8.0;
        let link = parameters.decimal("line_rate_mbps").to_f64() * 1e6;
        let interval = match parameters.choice("sample_mode") {
            "bytes" => bits("sample_bytes"),
            _ => bits("packet_bytes") * parameters.integer("sample_packets") as f64,
        };
        Model {
            link,
            interval: interval / link,
            w: parameters.integer("w") as f64,
            full_scale: parameters.feedback_full_scale() as f64 * 8.0,
            gd: 0.5f64.powi(parameters.integer("gd_shift") as i32),
            unit: parameters.decimal("gi").to_f64() * parameters.decimal("ru_mbps").to_f64() * 1e6,
        }
    }
}

/// The whole analysis.
pub fn analyze(parameters: &Parameters) -> Analysis {
    let Model { link, interval, gd, unit, .. } = Model::of(parameters);
    let most = f64::from(FEEDBACK_MAX);
    let lines = vec![
        Line::number("feedback, p·C", 1.0 / interval, "1/s", "Jiang 2015b, (6)"),
        Line::number("|Fb_max|, Qoff + w·ΔQ = q0·(2w + 1)", most, "", "Jiang 2015b, (1)"),
        Line::number("largest cut, G_d·|Fb_max|", gd * most, "", "Jiang 2015b, (2)"),
        Line::verdict(
            "G_d·|Fb_max| = 1/2",
            if gd * most < 0.5 && gd * (most + 1.0) >= 0.5 { "holds, with six bits for Fb" } else { "smaller" },
            "Jiang 2015b, (2)",
        ),
        Line::number("increase for Fb = 1, G_i·R_u", unit / 1e6, "Mb/s", "Jiang 2015b, (2)"),
        Line::number("largest increase / C", unit * most / link, "", "Jiang 2015b, (2)"),
        Line::verdict(
            "increase",
            if unit * most > link {
                "one feedback can ask for more than the link carries"
            } else {
                "one feedback never asks for more than the link carries"
            },
            "Jiang 2015b, (2)",
        ),
    ];
    Analysis { lines, portrait }
}

/// The path from (0, overshoot), feedback by feedback, all sources equal.
fn portrait(parameters: &Parameters) -> Result<Portrait, String> {
    let Model { link, interval, w, full_scale, gd, unit } = Model::of(parameters);
    let most = f64::from(FEEDBACK_MAX);
    let flows = parameters.integer("flows") as f64;
    let (mut x, mut y) = (0.0, overshoot(parameters, link));
    let mut pieces = Vec::new();
    for _ in 0..FEEDBACKS {
        let change = y * interval;
        let fb = (-(x + w * change) / full_scale * most).clamp(-most, most);
        extend(&mut pieces, if fb < 0.0 { "decrease" } else { "increase" }, (x, y));
        x += change;
        // Only one of the sources gets this feedback.
        y += if fb < 0.0 { (y + link) / flows * gd * fb } else { unit * fb };
        y = y.max(-link);
    }
    Ok(Portrait { pieces, switching_slope: (w > 0.0).then_some(-1.0 / (w * interval)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn the_largest_cut_is_the_papers() {
        let analysis = analyze(&registry::find("bcn").unwrap().parameters(&[]).unwrap());
        let cut = analysis.lines.iter().find(|line| line.quantity.starts_with("largest cut")).unwrap();
        assert_eq!(cut.value, Some(63.0 / 128.0));
    }
}
