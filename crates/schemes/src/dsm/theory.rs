// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSM: the bounds of its parameters (31), and the largest delay for which m is sufficient (Cheng, section IV).

use crate::analysis::{Analysis, Line, Portrait, extend, overshoot};
use crate::scheme::parameters::Parameters;

/// Number of sampling periods in the portrait.
const PERIODS: usize = 600;
/// p·max(Qf) and p·max(Qv) from the network of the paper (section V.A); with them (31) is H < 2/T.
const OFFSET_IN_SAMPLES: f64 = 1.0;
const CHANGE_IN_SAMPLES: f64 = 1.5;

/// The quantities of the model, in bits and seconds.
struct Model {
    /// C.
    link: f64,
    /// T.
    period: f64,
    m: f64,
    omega: f64,
    /// a, b, c, 1/s.
    a: f64,
    b: f64,
    c: f64,
    /// Largest step, bit/s.
    step_max: f64,
    /// Delay of the feedback loop: the link in both directions.
    delay: f64,
}

impl Model {
    fn of(parameters: &Parameters) -> Model {
        let link = parameters.decimal("line_rate_mbps").to_f64() * 1e6;
        let m = parameters.integer("m") as f64;
        let cycle = 1e-6 / parameters.decimal("clock_mhz").to_f64();
        let hertz = |key: &str| parameters.decimal(key).to_f64() * 1e3;
        let share = parameters.decimal("u_max_percent").to_f64() / 100.0;
        Model {
            link,
            period: parameters.sample_period() as f64 * cycle,
            m,
            omega: parameters.integer("omega") as f64,
            a: hertz("h_a_khz") / (m * m + 4.0 * m + 2.0),
            b: hertz("h_b_khz") / (2.0 * m + 3.0),
            c: hertz("h_c_khz") / 2.0,
            step_max: if share == 0.0 { link } else { link * share },
            delay: 2.0 * parameters.integer("propagation_cycles") as f64 * cycle,
        }
    }
}

/// A bound, and whether the value satisfies it.
fn below(name: &str, value: f64, bound: f64) -> [Line; 2] {
    [
        Line::number(name, value, "1/s", "Cheng, (22)"),
        Line::number(
            format!("its bound: {}", if value < bound { "kept" } else { "NOT kept" }),
            bound,
            "1/s",
            "Cheng, (31)",
        ),
    ]
}

/// The whole analysis.
pub fn analyze(parameters: &Parameters) -> Analysis {
    let model = Model::of(parameters);
    let (m, period) = (model.m, model.period);
    let sum = OFFSET_IN_SAMPLES + m * CHANGE_IN_SAMPLES + m * (m + 1.0) / 2.0;
    let mut lines = vec![
        Line::number("sampling period T at line rate", period * 1e6, "µs", "Cheng, section III.B"),
        Line::number("2/T", 2.0 / period / 1e3, "kHz", "Cheng, section V.A"),
    ];
    lines.extend(below("a = H_a/(m² + 4m + 2)", model.a, 1.0 / (sum * period)));
    lines.extend(below("b = H_b/(2m + 3)", model.b, 1.0 / ((CHANGE_IN_SAMPLES + m) * period)));
    lines.extend(below("c = H_c/2", model.c, (1.0 / OFFSET_IN_SAMPLES).min(2.0) / period));
    lines.push(Line::verdict(
        "ω",
        if model.omega > m + CHANGE_IN_SAMPLES - 1.0 {
            "above m + p·max(Qv) − 1: kept"
        } else {
            "NOT above m + p·max(Qv) − 1"
        },
        "Cheng, (31)",
    ));
    let needed = (model.delay / period).ceil().max(1.0);
    lines.push(Line::number("delay of the loop, 2 × propagation_cycles", model.delay * 1e6, "µs", "Cheng, (6)"));
    lines.push(Line::number("m that this delay needs", needed, "", "Cheng, (31)"));
    lines.push(Line::number("largest delay for this m, m·T", m * period * 1e6, "µs", "Cheng, (31)"));
    lines.push(Line::verdict(
        "m",
        match m {
            m if m < needed => "too small: delays beyond it are not compensated",
            m if m > needed + 1.0 => "larger than needed: stable, but slower",
            _ => "as needed, or one more",
        },
        "Cheng, section IV.C",
    ));
    lines.push(Line::number("largest step of one feedback / C", model.step_max / model.link, "", "Cheng, (27)"));
    Analysis { lines, portrait }
}

/// The path of the predictions from (0, overshoot), sample by sample, by (17) without disturbance: x is the predicted
/// offset, y the predicted rate less C. The queue stays between empty and full.
fn portrait(parameters: &Parameters) -> Result<Portrait, String> {
    let model = Model::of(parameters);
    let (mut x, mut y) = (0.0, overshoot(parameters, model.link));
    // Offset of the empty and of the full queue.
    let (q0, buffer) = (parameters.integer("q0_bytes"), parameters.integer("buffer_bytes"));
    let (empty, full) = (-(q0 as f64) * 8.0, buffer.saturating_sub(q0) as f64 * 8.0);
    let mut pieces = Vec::new();
    for _ in 0..PERIODS {
        let change = y * model.period;
        let delta = x + model.omega * change;
        let (state, step) = if (x < 0.0) == (change < 0.0) {
            ("State C", -model.c * x)
        } else if (change < 0.0) != (delta < 0.0) {
            ("State A", -model.a * x)
        } else {
            ("State B", -model.b * change)
        };
        extend(&mut pieces, state, (x, y));
        // The incoming rate is never negative.
        y = (y + step.clamp(-model.step_max, model.step_max)).max(-model.link);
        x = (x + y * model.period).clamp(empty, full);
    }
    let switching_slope = (model.omega > 0.0).then_some(-1.0 / (model.omega * model.period));
    Ok(Portrait { pieces, switching_slope })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn of(settings: &[(&str, &str)]) -> Analysis {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        analyze(&registry::find("dsm").unwrap().parameters(&settings).unwrap())
    }

    fn value(analysis: &Analysis, quantity: &str) -> f64 {
        analysis.lines.iter().find(|line| line.quantity.starts_with(quantity)).unwrap().value.unwrap()
    }

    #[test]
    fn the_papers_network() {
        // Packets of 1 KiB instead of 1 KB in the paper: T = 81.92 µs instead of 80.
        let analysis = of(&[("packet_bytes", "1000")]);
        assert!((value(&analysis, "sampling period T") - 80.0).abs() < 1e-9);
        assert!((value(&analysis, "2/T") - 25.0).abs() < 1e-9);
        assert!((value(&analysis, "a = ") - 20e3 / 34.0).abs() < 1e-6);
        // The bound of a is 2/T·1/(m² + 4m + 2).
        let bounds: Vec<_> = analysis.lines.iter().filter(|line| line.quantity.starts_with("its bound")).collect();
        let expected = [25e3 / 34.0, 25e3 / 11.0, 12.5e3];
        for (bound, expected) in bounds.iter().zip(expected) {
            assert!((bound.value.unwrap() / expected - 1.0).abs() < 1e-9, "{bound:?}");
            assert_eq!(bound.quantity, "its bound: kept");
        }
        assert_eq!(bounds.len(), 3);
        let too_much = of(&[("packet_bytes", "1000"), ("h_a_khz", "26")]);
        assert!(too_much.lines.iter().any(|line| line.quantity == "its bound: NOT kept"));
    }

    #[test]
    fn m_follows_the_delay() {
        // 300 µs are 3.75 periods of 80 µs.
        let analysis = of(&[("packet_bytes", "1000"), ("propagation_cycles", "18750")]);
        assert_eq!(value(&analysis, "m that this delay needs"), 4.0);
    }

    #[test]
    fn the_path_ends_at_the_target() {
        let portrait = portrait(&registry::find("dsm").unwrap().parameters(&[]).unwrap()).unwrap();
        let (x, y) = *portrait.pieces.last().unwrap().1.last().unwrap();
        // Within 1 KB of q0 and 1 % of C.
        assert!(x.abs() < 8.0 * 1024.0 && y.abs() < 1e8, "{x} {y}");
    }
}
