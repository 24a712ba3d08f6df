// SPDX-License-Identifier: MIT OR Apache-2.0
//! ASM: the condition for sliding (inequality (15)), and the distance from the target with delay (Jiang 2014, section
//! 4, appendix D).

use crate::analysis::{Analysis, Line, Portrait, extend, overshoot};
use crate::asm::rule::Quantiser;
use crate::scheme::parameters::Parameters;

/// Number of feedbacks in the portrait.
const FEEDBACKS: usize = 600;

/// The coefficients of one set: change of the aggregated rate for each bit, times feedbacks per second, 1/s².
#[derive(Clone, Copy)]
struct Set {
    /// N·a⁺.
    a_plus: f64,
    /// N·a⁻.
    a_minus: f64,
    /// N·b⁺.
    b_plus: f64,
    /// N·b⁻.
    b_minus: f64,
}

/// The quantities of the model, in bits and seconds.
struct Model {
    /// C.
    link: f64,
    w: f64,
    /// Feedbacks per second, p·C.
    feedback: f64,
    approach: Set,
    sliding: Set,
    /// B_σ and B_0 in bits.
    b_sigma: f64,
    b_zero: f64,
    /// Delay of the feedback: the link in both directions.
    delay: f64,
    /// Whether a⁺, b⁺ apply between the lines Fb = 0 and q = q0, as in equations (4) and (12).
    as_equation: bool,
}

impl Model {
    fn of(parameters: &Parameters) -> Model {
        let bits = |key: &str| parameters.integer(key) as f64 * 8.0;
        let link = parameters.decimal("line_rate_mbps").to_f64() * 1e6;
        let interval = match parameters.choice("sample_mode") {
            "bytes" => bits("sample_bytes"),
            _ => bits("packet_bytes") * parameters.integer("sample_packets") as f64,
        };
        let feedback = link / interval;
        let quantiser = Quantiser::new(parameters);
        let full_scale = f64::from(u32::from(quantiser.limit) + 1) * 512.0;
        let unit = 512.0 * f64::from(1u32 << quantiser.mask.trailing_zeros());
        let set = |key: &str| {
            let [a_plus, a_minus, b_plus, b_minus] = parameters.shares(key).map(|(numerator, denominator)| {
                f64::from(numerator) / f64::from(denominator) * link / full_scale * feedback
            });
            Set { a_plus, a_minus, b_plus, b_minus }
        };
        let cycle = 1e-6 / parameters.decimal("clock_mhz").to_f64();
        Model {
            link,
            w: parameters.integer("w") as f64,
            feedback,
            approach: set("approach"),
            sliding: set("sliding"),
            b_sigma: parameters.integer("b_sigma") as f64 * unit,
            b_zero: parameters.integer("b_zero") as f64 * unit,
            delay: 2.0 * parameters.integer("propagation_cycles") as f64 * cycle,
            as_equation: parameters.choice("fb_sign") == "equation",
        }
    }

    /// Left sides of both lines of (15).
    fn sliding_conditions(&self, set: Set) -> (f64, f64) {
        let side = |a: f64, b: f64| (self.w * self.w * a - self.w * b) / (self.feedback * self.feedback) + 1.0;
        (side(set.a_minus, set.b_minus), side(set.a_plus, set.b_plus))
    }

    /// Width D of H0, inequality (46), for |x₁| + |x₂| = L, divided by L.
    fn width(&self, set: Set) -> f64 {
        let k = 1.0 / self.feedback;
        let (a, k_a) = ((set.a_plus + set.a_minus) / 2.0, (set.a_plus - set.a_minus) / 2.0);
        let (b, k_b) = ((set.b_plus + set.b_minus) / 2.0, (set.b_plus - set.b_minus) / 2.0);
        // x₂ is replaced by ΔQ = x₂/(p·C), so that both coordinates have the same unit: (33) to (35) with p·C instead
        // of 1.
        let (a, k_a, b, k_b) = (a * k, k_a * k, b * k, k_b * k);
        let change = a.hypot(b) + k_a.hypot(k_b);
        let growth = self.delay * ((self.feedback + change) * self.delay).exp();
        let (nu_1, nu_2) = (growth * self.feedback, growth * change);
        let error = a * nu_1 + b * nu_2;
        let (minus, plus) = self.sliding_conditions(set);
        self.w * self.w * error * k / minus.abs().min(plus.abs())
    }
}

fn verdict((minus, plus): (f64, f64)) -> &'static str {
    match (minus < 0.0, plus > 0.0) {
        (true, true) => "it slides: both lines of (15) hold",
        (false, true) => "not ensured: w·a⁻ is too large for b⁻, the first line of (15) does not hold",
        (true, false) => "not ensured: b⁺ is too large for w·a⁺, the second line of (15) does not hold",
        (false, false) => "not ensured: neither line of (15) holds",
    }
}

/// The whole analysis.
pub fn analyze(parameters: &Parameters) -> Analysis {
    let model = Model::of(parameters);
    let mut lines = vec![
        Line::number("feedback, p·C", model.feedback, "1/s", "Jiang 2014, (5)"),
        Line::number(
            "time constant of the sliding queue, w/(p·C)",
            model.w / model.feedback * 1e6,
            "µs",
            "Jiang 2014, (16)",
        ),
    ];
    for (name, set) in [("approach", model.approach), ("sliding", model.sliding)] {
        let (minus, plus) = model.sliding_conditions(set);
        lines.push(Line::number(
            format!("{name}: (w²·N·a⁻ − w·N·b⁻)/(p·C)² + 1, to be < 0"),
            minus,
            "",
            "Jiang 2014, (15)",
        ));
        lines.push(Line::number(
            format!("{name}: (w²·N·a⁺ − w·N·b⁺)/(p·C)² + 1, to be > 0"),
            plus,
            "",
            "Jiang 2014, (15)",
        ));
        lines.push(Line::verdict(format!("{name}: sliding mode"), verdict((minus, plus)), "Jiang 2014, (15)"));
    }
    if model.as_equation {
        lines.push(Line::verdict(
            "fb_sign = equation",
            "a⁺, b⁺ act between Fb = 0 and q = q0: there (15), which is of a⁻, b⁻, says nothing",
            "Jiang 2014, (4), (12)",
        ));
    }
    let microseconds = model.delay * 1e6;
    lines.push(Line::number(
        "delay of the feedback, 2 × propagation_cycles",
        microseconds,
        "µs",
        "Jiang 2014, appendix D",
    ));
    for (name, set) in [("approach", model.approach), ("sliding", model.sliding)] {
        let width = model.width(set);
        lines.push(Line::number(format!("{name}: half width of H0 / (|Qf| + |ΔQ|)"), width, "", "Jiang 2014, (46)"));
    }
    lines.push(Line::verdict(
        "H0",
        match model.width(model.sliding) {
            width if width.is_nan() => "not defined for these parameters",
            width if width < 1.0 => {
                "the error of the delay is smaller than the offset that makes it: the path is drawn in"
            }
            _ => "the error of the delay can be as large as the offset that makes it: (46) bounds nothing",
        },
        "Jiang 2014, (46)",
    ));
    Analysis { lines, portrait }
}

/// The path from (0, overshoot), feedback by feedback, with both sets of coefficients.
fn portrait(parameters: &Parameters) -> Result<Portrait, String> {
    let model = Model::of(parameters);
    let interval = 1.0 / model.feedback;
    let (mut x, mut y) = (0.0, overshoot(parameters, model.link));
    let mut slides = false;
    let mut pieces = Vec::new();
    for _ in 0..FEEDBACKS {
        let change = y * interval;
        let sum = x + model.w * change;
        let near = x.abs() + change.abs() < model.b_zero;
        slides = !near && (slides || sum.abs() < model.b_sigma);
        let set = if slides { model.sliding } else { model.approach };
        let between = (x < 0.0) != (sum < 0.0);
        let (a, b) = if between == model.as_equation { (set.a_plus, set.b_plus) } else { (set.a_minus, set.b_minus) };
        extend(&mut pieces, if slides { "sliding" } else { "approach" }, (x, y));
        x += y * interval;
        // The incoming rate is never negative.
        y = (y - (a * x + b * change) * interval).max(-model.link);
    }
    Ok(Portrait { pieces, switching_slope: (model.w > 0.0).then_some(-model.feedback / model.w) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn of(settings: &[(&str, &str)]) -> Analysis {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        analyze(&registry::find("asm").unwrap().parameters(&settings).unwrap())
    }

    fn value(analysis: &Analysis, quantity: &str) -> f64 {
        analysis.lines.iter().find(|line| line.quantity.starts_with(quantity)).unwrap().value.unwrap()
    }

    #[test]
    fn the_papers_coefficients_stand_on_the_edge_of_15() {
        // w²·a⁻ and w·b⁻ are equal: 32²/64 = 32/2. Only the 1 is left.
        let analysis = of(&[("min_rate_mbps", "10")]);
        assert!((value(&analysis, "approach: (w²·N·a⁻") - 1.0).abs() < 1e-9);
        assert!((value(&analysis, "sliding: (w²·N·a⁻") - 1.0).abs() < 1e-9);
        assert!(value(&analysis, "approach: (w²·N·a⁺") > 0.0);
        let smaller = of(&[("w", "16")]);
        assert!(value(&smaller, "approach: (w²·N·a⁻") < 0.0, "a smaller w is well inside");
    }

    #[test]
    fn h0_grows_with_the_delay() {
        let width = |cycles: &str| value(&of(&[("w", "16"), ("propagation_cycles", cycles)]), "sliding: half width");
        assert_eq!(width("0"), 0.0);
        assert!(width("250") < width("1250"));
    }
}
