// SPDX-License-Identifier: MIT OR Apache-2.0
//! SMCC: slopes of the phase plane, and the granularity of one adjustment (Jiang 2015b, section 4.3).

use crate::analysis::{Analysis, Line, Portrait, extend, overshoot};
use crate::scheme::parameters::Parameters;

/// Number of feedbacks in the portrait.
const FEEDBACKS: usize = 400;

/// The quantities of the model, in bits and seconds.
struct Model {
    /// C.
    link: f64,
    /// a = R_a / q0, 1/s.
    a: f64,
    /// b = R_b / q0, 1/s.
    b: f64,
    /// Feedbacks per second: p·C.
    feedback: f64,
    packet: f64,
}

impl Model {
    fn of(parameters: &Parameters) -> Model {
        let rate = |key: &str| parameters.decimal(key).to_f64() * 1e6;
        let bits = |key: &str| parameters.integer(key) as f64 * 8.0;
        let link = rate("line_rate_mbps");
        let interval = match parameters.choice("sample_mode") {
            "bytes" => bits("sample_bytes"),
            _ => bits("packet_bytes") * parameters.integer("sample_packets") as f64,
        };
        Model {
            link,
            a: rate("ra_mbps") / bits("q0_bytes"),
            b: rate("rb_mbps") / bits("q0_bytes"),
            feedback: link / interval,
            packet: bits("packet_bytes"),
        }
    }
}

/// Axis ratio of the ellipses: dy/dt = −p·C·a·x, because each feedback changes one source by a·x.
fn axis_ratio(model: &Model) -> f64 {
    (model.feedback * model.a).sqrt()
}

/// The whole analysis.
pub fn analyze(parameters: &Parameters) -> Analysis {
    let model = Model::of(parameters);
    let mbps = |key: &str| parameters.decimal(key).to_f64();
    let (line_rate, background) = (mbps("line_rate_mbps"), mbps("background_mbps"));
    let available = line_rate - background;
    let mut lines = vec![
        Line::number("a = R_a / q0", model.a, "1/s", "Jiang 2015b, (25)"),
        Line::number("b = R_b / q0", model.b, "1/s", "Jiang 2015b, (25)"),
        Line::number("feedback, p·C", model.feedback, "1/s", "Jiang 2015b, (6)"),
        Line::number("slope of the lines of State B, −b", -model.b, "1/s", "Jiang 2015b, section 4.3"),
        Line::number("axis ratio of the ellipses of State A, √(p·C·a)", axis_ratio(&model), "1/s", "Jiang 2015b, (26)"),
        Line::verdict(
            "sliding regime y = 0",
            if model.a > 0.0 { "is hit from everywhere: a > 0, b₁ = 0" } else { "is not hit: a = 0" },
            "Jiang 2015b, (30), Theorem 3",
        ),
        Line::number(
            "bandwidth for the controlled sources, C − background",
            available,
            "Mb/s",
            "Jiang 2015b, section 5.3",
        ),
        Line::number(
            "largest change in State A / that bandwidth",
            mbps("ra_mbps") / available,
            "",
            "Jiang 2015b, section 4.4",
        ),
        Line::number(
            "largest change in State B / that bandwidth",
            mbps("rb_mbps") / available,
            "",
            "Jiang 2015b, section 4.4",
        ),
        Line::verdict(
            "granularity",
            if mbps("ra_mbps") > available {
                "too coarse: one adjustment can exceed what there is, the queue may oscillate"
            } else {
                "one adjustment is never more than what there is"
            },
            "Jiang 2015b, section 4.4",
        ),
    ];
    if parameters.flag("two_stage") {
        let small = mbps("ra_small_mbps") / available;
        lines.push(Line::number(
            "the same of R_small, where |ΔQ| ≤ T1",
            small,
            "",
            "Jiang 2015b, section 4.4, two stages",
        ));
    }
    Analysis { lines, portrait }
}

/// The path from (0, overshoot), feedback by feedback, of a queue that changes by whole packets. In continuous time it
/// would end at its first point with y = 0. Here ΔQ is 0 there, which counts as positive, so the loop moves along that
/// line to the origin.
fn portrait(parameters: &Parameters) -> Result<Portrait, String> {
    let model = Model::of(parameters);
    let interval = 1.0 / model.feedback;
    let measured = |x: f64| (x / model.packet).round() * model.packet;
    let (mut x, mut y) = (0.0, overshoot(parameters, model.link));
    let mut pieces = Vec::new();
    for _ in 0..FEEDBACKS {
        let before = measured(x);
        let next = x + y * interval;
        let (offset, change) = (measured(next), measured(next) - before);
        let state_b = (offset < 0.0) != (change < 0.0);
        extend(&mut pieces, if state_b { "State B" } else { "State A" }, (x, y));
        x = next;
        // The incoming rate is never negative.
        y = (y - if state_b { model.b * change } else { model.a * offset }).max(-model.link);
    }
    Ok(Portrait { pieces, switching_slope: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn analysis(settings: &[(&str, &str)]) -> Analysis {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        analyze(&registry::find("smcc").unwrap().parameters(&settings).unwrap())
    }

    #[test]
    fn a_change_is_too_coarse_for_the_background_at_which_the_paper_sees_oscillation() {
        let verdict = |background: &str| {
            let analysis = analysis(&[("background_mbps", background)]);
            analysis.lines.iter().find(|line| line.quantity == "granularity").unwrap().verdict.clone().unwrap()
        };
        // Jiang 2015b, figure 18: at 750 Mb/s R_a is above the available bandwidth, at 500 Mb/s it is not.
        assert!(verdict("750").starts_with("too coarse") && verdict("875").starts_with("too coarse"));
        assert!(verdict("500").starts_with("one adjustment is never"));
    }

    #[test]
    fn slopes_are_those_of_the_rule() {
        let parameters = registry::find("smcc").unwrap().parameters(&[]).unwrap();
        let (analysis, portrait) = (analyze(&parameters), portrait(&parameters).unwrap());
        let value = |quantity: &str| {
            analysis.lines.iter().find(|line| line.quantity.starts_with(quantity)).unwrap().value.unwrap()
        };
        assert!((value("b =") - 64e6 / (8.0 * 65536.0)).abs() < 1e-9);
        assert_eq!(value("slope of the lines"), -value("b ="));
        // On a line of State B, dy/dx = −b between any two points.
        let (_, line) = portrait.pieces.iter().find(|(name, _)| *name == "State B").unwrap();
        let (first, last) = (line[0], line[1]);
        let slope = (last.1 - first.1) / (last.0 - first.0);
        // The queue changes by whole packets.
        assert!((slope / value("slope of the lines") - 1.0).abs() < 0.05, "{slope}");
    }
}
