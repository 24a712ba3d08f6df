// SPDX-License-Identifier: MIT OR Apache-2.0
//! QCN: the phase plane (Jiang 2015a) and the delay at which it becomes unstable (Jiang 2014, Appendix A).

use crate::analysis::{Analysis, Line, Portrait, Times, overshoot, path};
use crate::scheme::parameters::Parameters;
use std::f64::consts::PI;
use std::ops::Range;

/// Packets of one byte cycle and of five byte cycles, in η and ζ of Jiang 2014, Appendix A.
const CYCLE_PACKETS: f64 = 100.0;
/// Where the frequency is sought at which the gain of the loop is 1, in 1/s.
const FREQUENCIES: Range<f64> = 1e-30..1e30;
/// Number of points in one turn of the spiral.
const STEPS_A_TURN: f64 = 2_000.0;
/// Most turns of the spiral in the portrait.
const TURNS: f64 = 12.0;
/// Most steps of the portrait: they take a second, and 16 MB for the rates between two samples.
const STEPS_MAX: f64 = 2_000_000.0;
/// If there would be too many steps, a step may be longer than the best one by this factor. Longer steps would give
/// wrong results.
const COARSER: f64 = 10.0;

/// The quantities of the model, in bits and seconds.
#[derive(Clone, Copy, Debug)]
struct Model {
    /// C.
    link: f64,
    /// N.
    flows: f64,
    /// w.
    weight: f64,
    /// p: samples per packet.
    probability: f64,
    packet: f64,
    /// G_d.
    gain: f64,
    /// T: time to send a byte cycle at line rate.
    cycle: f64,
    /// R_AI.
    active_increase: f64,
    /// q0.
    target: f64,
    /// B.
    buffer: f64,
}

impl Model {
    fn of(parameters: &Parameters) -> Model {
        let rate = |key: &str| parameters.decimal(key).to_f64() * 1e6;
        let bits = |key: &str| parameters.integer(key) as f64 * 8.0;
        let packet = bits("packet_bytes");
        let probability = match parameters.choice("sample_mode") {
            // A packet is sampled at most once.
            "bytes" => (packet / bits("sample_bytes")).min(1.0),
            _ => 1.0 / parameters.integer("sample_packets") as f64,
        };
        Model {
            link: rate("line_rate_mbps"),
            flows: parameters.integer("flows") as f64,
            weight: parameters.integer("w") as f64,
            probability,
            packet,
            gain: 0.5f64.powi(parameters.integer("gd_shift") as i32),
            cycle: bits("byte_cycle_bytes") / rate("line_rate_mbps"),
            active_increase: rate("ai_rate_mbps"),
            target: bits("q0_bytes"),
            buffer: bits("buffer_bytes"),
        }
    }

    /// ζ of equation (16) in one unit: k·w_n/2, with the queue in packets, as k needs it.
    fn damping(&self) -> f64 {
        self.printed_damping() * self.packet.sqrt()
    }

    /// ζ in one unit, with the queue in bits, as w_n and the portrait have it. G_d is a gain for each unit of the
    /// queue, so ζ depends on the unit.
    fn damping_in_bits(&self) -> f64 {
        self.k() * self.frequency() / 2.0
    }

    /// ζ as equation (16) is printed, with C in bits per second: w/p counts packets, so the units are mixed.
    fn printed_damping(&self) -> f64 {
        (self.gain / (4.0 * self.link)).sqrt() * self.weight / self.probability
    }

    /// w_n of equation (16), 1/s.
    fn frequency(&self) -> f64 {
        (self.gain * self.link).sqrt()
    }

    /// k = w / (p·C), in seconds: C in packets.
    fn k(&self) -> f64 {
        self.weight * self.packet / (self.probability * self.link)
    }

    /// e^(−ζπ/√(1−ζ²)), the part of an overshoot that remains half a turn later; 0 without a spiral.
    fn decay(&self) -> f64 {
        let damping = self.damping();
        if damping >= 1.0 {
            return 0.0;
        }
        (-damping * PI / (1.0 - damping * damping).sqrt()).exp()
    }

    /// The x0 in bits up to which inequality (24) holds if N·R(0) is 2 C: (2T − k)·x0 ≤ k²·(N·R(0) − C). `None`: it holds for
    /// any.
    fn largest_sliding_offset(&self) -> Option<f64> {
        let excess = 2.0 * self.cycle - self.k();
        (excess > 0.0).then(|| self.k() * self.k() * self.link / excess)
    }

    /// The largest queue from (0, ν) on: q0 + ν/√(G_d·C).
    fn largest_queue(&self, overshoot: f64) -> f64 {
        self.target + overshoot / self.frequency()
    }
}

/// The loop of QCN with a delay: G(s) of equation (18) of Jiang 2014, in packets and seconds.
#[derive(Clone, Copy, Debug)]
struct Loop {
    a3: f64,
    a4: f64,
    b: f64,
    alpha: f64,
    beta: f64,
    gamma: f64,
}

impl Loop {
    fn of(model: &Model) -> Loop {
        let Model { flows, weight, probability, gain, .. } = *model;
        let share = model.link / model.packet / flows;
        let eta = probability / ((1.0 - probability).powf(-CYCLE_PACKETS) - 1.0);
        let zeta = eta * (1.0 - probability).powf(5.0 * CYCLE_PACKETS);
        let a1 = eta * share / 2.0 + eta * zeta * (model.active_increase / model.packet) / (2.0 * probability);
        let a2 = eta * share / 2.0;
        let a3 = gain * weight * share;
        let a4 = probability * share * gain;
        let b = probability * share;
        Loop { a3, a4, b, alpha: b * (a1 - a2), beta: b + a1, gamma: flows * a4 / a3 }
    }

    /// The delay above which QCN is unstable by inequality (17), in seconds. `reading` is the power of a3 or a4 in ω*.
    fn delay_bound(&self, reading: Reading) -> f64 {
        let Loop { a3, a4, b, alpha, beta, gamma } = *self;
        let sum = a3.powi(2) + 2.0 * alpha - beta.powi(2);
        let bar = ((sum + (sum.powi(2) + 4.0 * (a3.powi(2) * gamma.powi(2) - alpha.powi(2))).sqrt()) / 2.0).sqrt();
        let term = match reading {
            Reading::Printed => a4.powi(3) / 4.0,
            Reading::Likely => a3.powi(4) / 4.0,
        };
        let star = (a3.powi(2) / 2.0 + (term + gamma.powi(2) * a3.powi(2)).sqrt()).sqrt();
        ((star / b).atan() + (star / gamma).atan() - (bar / beta - alpha / (beta * bar)).atan()) / bar
    }

    /// |G(jω)|².
    fn gain_squared(&self, frequency: f64) -> f64 {
        let squared = frequency * frequency;
        let above = self.a3.powi(2) * (squared + self.b.powi(2)) * (squared + self.gamma.powi(2));
        above / (squared * ((squared - self.alpha).powi(2) + squared * self.beta.powi(2)))
    }

    /// The frequency at which the gain is 1, in 1/s; not a number if there is none.
    ///
    /// There is one at most: |G| = 1 is a cubic in ω², and three roots would need β² − 2α < a3² and α² > a3²(b² + γ²),
    /// so α > a3·b. But β² − 2α = b² + a1² + 2b·a2 > (a1 − a2)² = (α/b)² > a3².
    fn crossover(&self) -> f64 {
        let (mut low, mut high) = (FREQUENCIES.start, FREQUENCIES.end);
        if !(self.gain_squared(low) > 1.0 && self.gain_squared(high) < 1.0) {
            return f64::NAN;
        }
        // Halves the exponent first, then the mantissa.
        while high / low > 1.0 + 4.0 * f64::EPSILON {
            let middle = (low * high).sqrt();
            if self.gain_squared(middle) > 1.0 { low = middle } else { high = middle }
        }
        low
    }

    /// The delay above which QCN is unstable, in seconds: that which makes the phase −π where the gain is 1.
    fn delay_margin(&self) -> f64 {
        let at = self.crossover();
        let lag = (at / self.beta - self.alpha / (self.beta * at)).atan();
        ((at / self.b).atan() + (at / self.gamma).atan() - lag) / at
    }
}

/// The two forms of ω*: with a4³/4 as printed, or with a3⁴/4, which follows from |G(jω)| = 1 without β and α.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Printed,
    Likely,
}

/// The motion in the phase plane with this ζ.
fn case(damping: f64) -> &'static str {
    if damping < 1.0 { "case 2: spirals (ζ < 1)" } else { "case 1: parabolas (ζ ≥ 1)" }
}

/// k / T for condition 3 of Theorem 1; from the end on it is condition 2.
const RATIOS_3: Range<f64> = 2.5..3.5;

/// The relation of T and k, and its meaning (Theorem 1 and the conclusion below it).
fn ratio_verdict(ratio: f64) -> &'static str {
    match ratio {
        ratio if ratio >= RATIOS_3.end => "k ≥ 3.5 T: condition 2 of Theorem 1",
        ratio if RATIOS_3.contains(&ratio) => "2.5 T ≤ k < 3.5 T: condition 3 of Theorem 1, if N·R_AI is large enough",
        ratio if ratio >= 2.0 => {
            "2 T ≤ k < 2.5 T: sliding mode where M ≥ 0 (Proposition 1, case 1); Theorem 1 is silent"
        }
        ratio if ratio >= 1.0 => "T ≤ k < 2 T: stable where M ≥ 0 (Conclusion); Theorem 1 is silent",
        _ => "k < T: no condition of the paper holds",
    }
}

/// Whether the loop is strongly stable from (0, ν) on by Theorem 1.
fn theorem_1(model: &Model, overshoot: f64) -> String {
    let queue = model.largest_queue(overshoot);
    if queue > model.buffer {
        return format!(
            "not shown: the queue may reach {:.0} KB, the buffer has {:.0}",
            queue / 8192.0,
            model.buffer / 8192.0
        );
    }
    let (ratio, damping) = (model.k() / model.cycle, model.damping());
    if damping >= 1.0 {
        return "strongly stable: condition 1".into();
    }
    if ratio >= RATIOS_3.end {
        return "strongly stable: condition 2".into();
    }
    if RATIOS_3.contains(&ratio) {
        let least = least_increase(model);
        let given = model.flows * model.active_increase;
        let (verdict, sign) = if given >= least { ("strongly stable: condition 3", "≥") } else { ("not shown", "<") };
        return format!("{verdict}, N·R_AI = {:.3} Mb/s {sign} {:.3}", given / 1e6, least / 1e6);
    }
    "not shown: k < 2.5 T".into()
}

/// The least N·R_AI of condition 3, in bits per second.
fn least_increase(model: &Model) -> f64 {
    let (k, cycle) = (model.k(), model.cycle);
    2.0 * cycle * cycle * model.target * model.decay() / ((2.0 * k - 5.0 * cycle).powi(2) * k)
}

/// The steps of the path from (0, ν): short in comparison with all time constants of the path.
fn times(model: &Model, overshoot: f64) -> Result<Times, String> {
    let turn = 2.0 * PI / model.frequency();
    let end = (TURNS * turn).max(20.0 * model.cycle);
    // Without w the rules change at x = 0, and a decrease takes as long as a turn.
    let (k, decrease) = match model.k() {
        0.0 => (f64::INFINITY, f64::INFINITY),
        k => (k, 1.0 / (model.gain * k * (overshoot + model.link))),
    };
    let shortest = [
        ("a turn of the spiral", turn / STEPS_A_TURN),
        ("a byte cycle", model.cycle / 50.0),
        ("k", k / 20.0),
        ("a rate decrease", decrease / 20.0),
    ];
    let (what, best) = shortest.into_iter().min_by(|one, other| one.1.total_cmp(&other.1)).expect("four of them");
    let step = best.max(end / STEPS_MAX);
    if step > COARSER * best {
        return Err(format!(
            "the path lasts {end:.2e} s, and {what} is so short that {:.0} million steps are needed: expected at most {:.0}",
            end / best / 1e6,
            COARSER * STEPS_MAX / 1e6
        ));
    }
    Ok(Times { step, end })
}

/// The path from (0, ν): rate decrease while Fb < 0, else fast recovery for five cycles, then active increase.
fn path_of(model: &Model, overshoot: f64) -> Result<Portrait, String> {
    let times = times(model, overshoot)?;
    // A decrease is for one sample: the target of fast recovery is the rate one sampling interval before the last
    // sample.
    let interval = ((model.packet / (model.probability * model.link)) / times.step).ceil().max(1.0) as u64;
    let mut before = std::collections::VecDeque::new();
    let (mut since, mut target) = (0.0, overshoot);
    let k = model.k();
    let pieces = path(overshoot, -model.link, times, |x, y| {
        // During the first interval, the rate is the initial one.
        let earlier = if before.len() as u64 == interval { before.pop_front().unwrap_or(y) } else { overshoot };
        before.push_back(y);
        if x + k * y > 0.0 {
            (since, target) = (0.0, earlier);
            return ("rate decrease", -model.gain * (x + k * y) * (y + model.link));
        }
        since += times.step;
        let recovery = 5.0 * model.cycle;
        if since < recovery {
            return ("fast recovery", (target - y) / (2.0 * model.cycle));
        }
        let raised = target + 2.0 * model.flows * model.active_increase * (since - recovery) / model.cycle;
        ("active increase", (raised - y) / model.cycle)
    });
    Ok(Portrait { pieces, switching_slope: (k > 0.0).then_some(-1.0 / k) })
}

fn portrait(parameters: &Parameters) -> Result<Portrait, String> {
    let model = Model::of(parameters);
    path_of(&model, overshoot(parameters, model.link))
}

/// For the largest x0 of Theorem 2.
const LARGEST_SLIDING: &str = "largest x0 from which QCN slides, if N·R(0) = 2 C";

/// The whole analysis.
pub fn analyze(parameters: &Parameters) -> Analysis {
    let model = Model::of(parameters);
    let ratio = model.k() / model.cycle;
    let all_at_line_rate = (model.flows - 1.0) * model.link;
    let from_shares = model.link;
    let microseconds = |seconds: f64| seconds * 1e6;
    let kilobytes = |bits: f64| bits / 8192.0;
    let delayed = Loop::of(&model);
    let mut lines = vec![
        Line::number("ζ = k·w_n/2, queue in packets", model.damping(), "", "Jiang 2015a, (16)"),
        Line::number("ζ = k·w_n/2, queue in bits", model.damping_in_bits(), "", "Jiang 2015a, (16)"),
        Line::number("ζ as printed, C in bit/s", model.printed_damping(), "", "Jiang 2015a, (16)"),
        Line::verdict(
            "why three of ζ",
            "G_d is a gain for each unit of the queue, and the unit is not stated; as printed, w/p counts packets and C \
             bits: ζ lacks the length of a packet",
            "Jiang 2015a, (16)",
        ),
        Line::number("w_n = √(G_d·C), queue in bits", model.frequency(), "1/s", "Jiang 2015a, (16)"),
        Line::verdict("phase plane, queue in packets", case(model.damping()), "Jiang 2015a, section IV.B"),
        Line::verdict("the same in bits, as the portrait", case(model.damping_in_bits()), "Jiang 2015a, section IV.B"),
        Line::number("k = w/(p·C)", microseconds(model.k()), "µs", "Jiang 2015a, (13)"),
        Line::number("T, a byte cycle at line rate", microseconds(model.cycle), "µs", "Jiang 2015a, (9)"),
        Line::number("k / T", ratio, "", "Jiang 2015a, section V"),
        Line::verdict("T against k", ratio_verdict(ratio), "Jiang 2015a, Theorem 1"),
        Line::number("2 T / k: up to 1, QCN slides from any x0 > 0", 2.0 / ratio, "", "Jiang 2015b, (24)"),
        match model.largest_sliding_offset() {
            None => Line::verdict(LARGEST_SLIDING, "any", "Jiang 2015b, (24)"),
            Some(offset) => Line::number(LARGEST_SLIDING, kilobytes(offset), "KB", "Jiang 2015b, (24)"),
        },
        Line::number("overshoot left after half a turn", model.decay(), "", "Jiang 2015a, (41)"),
    ];
    if RATIOS_3.contains(&ratio) {
        let given = model.flows * model.active_increase;
        lines.push(Line::number(
            "N·R_AI / least N·R_AI of condition 3",
            given / least_increase(&model),
            "",
            "Jiang 2015a, Theorem 1",
        ));
    }
    lines.extend([
        Line::verdict(
            "N sources from line rate, ν = (N − 1)·C",
            theorem_1(&model, all_at_line_rate),
            "Jiang 2015a, Theorem 1",
        ),
        Line::verdict("from C/N each, ν = C", theorem_1(&model, from_shares), "Jiang 2015a, Theorem 1"),
        Line::number(
            "buffer, from line rate: q0 + N·√(C/G_d)",
            kilobytes(model.largest_queue(model.flows * model.link)),
            "KB",
            "Jiang 2015a, section V.C.2",
        ),
        Line::number(
            "buffer, from C/N each: q0 + √(C/G_d)",
            kilobytes(model.largest_queue(model.link)),
            "KB",
            "Jiang 2015a, section V.C.2",
        ),
        Line::number(
            "unstable from this delay on, ω* as printed (a4³/4)",
            microseconds(delayed.delay_bound(Reading::Printed)),
            "µs",
            "Jiang 2014, (17)",
        ),
        Line::number(
            "the same with a3⁴/4, a likely misprint",
            microseconds(delayed.delay_bound(Reading::Likely)),
            "µs",
            "Jiang 2014, (17)",
        ),
        Line::number(
            "unstable from this delay on, phase at gain 1",
            microseconds(delayed.delay_margin()),
            "µs",
            "Jiang 2014, (18)",
        ),
    ]);
    Analysis { lines, portrait }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn model(settings: &[(&str, &str)]) -> Model {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Model::of(&registry::find("qcn").unwrap().parameters(&settings).unwrap())
    }

    /// One source at 10 Gb/s with R_AI of 5 Mb/s, as in appendix A of Jiang 2014.
    fn delayed(line_rate_mbps: &str, packet_bytes: &str) -> Loop {
        Loop::of(&model(&[
            ("line_rate_mbps", line_rate_mbps),
            ("flows", "1"),
            ("ai_rate_mbps", "5"),
            ("packet_bytes", packet_bytes),
        ]))
    }

    #[test]
    fn the_delay_bound_is_what_the_page_says_of_both_readings() {
        // Jiang 2014 says 271 µs and 27 µs: exactly with 1518 bytes and a3⁴/4; as printed its ω* gives less.
        for (rate, packet, printed, likely) in
            [("10000", "1500", 245.1, 267.7), ("100000", "1500", 24.5, 26.8), ("10000", "1518", 248.1, 270.9)]
        {
            let bound = |reading| 1e6 * delayed(rate, packet).delay_bound(reading);
            assert!((bound(Reading::Printed) - printed).abs() < 0.05, "{}", bound(Reading::Printed));
            assert!((bound(Reading::Likely) - likely).abs() < 0.05, "{}", bound(Reading::Likely));
        }
    }

    #[test]
    fn the_loop_begins_to_swing_at_its_delay_margin() {
        for (packet, expected) in [("1500", 143.7), ("1518", 145.5)] {
            let delayed = delayed("10000", packet);
            let margin = delayed.delay_margin();
            assert!((margin * 1e6 - expected).abs() < 0.05, "{}", margin * 1e6);
            // The loop in the time domain, in units of the margin: it dies out a little below it, and grows above it.
            let [below, above] = [0.97, 1.03].map(|part| swing(&delayed, part * margin));
            assert!(below < 0.7 && above > 1.4, "{packet}: {below}, {above}");
        }
    }

    /// By how much the amplitude of y′ changes in a loop with `delay`, from its second quarter to its last one: an independent calculation, step by
    /// step in time, of 1 + G(s) = 0, that is y‴ + β·y″ + α·y′ = −a3·(x″ + (b + γ)·x′ + b·γ·x), x = y(t − delay).
    fn swing(delayed: &Loop, delay: f64) -> f64 {
        const STEPS: usize = 2_000;
        let step = delay / STEPS as f64;
        let Loop { a3, b, alpha, beta, gamma, .. } = *delayed;
        let mut past = std::collections::VecDeque::from(vec![[0.0; 3]; STEPS]);
        let [mut y, mut first, mut second] = [0.0, 1.0, 0.0];
        let mut peaks = [0.0f64; 2];
        let all = 120 * STEPS;
        for at in 0..all {
            let [x, x_first, x_second] = past.pop_front().unwrap();
            let third = -beta * second - alpha * first - a3 * (x_second + (b + gamma) * x_first + b * gamma * x);
            second += third * step;
            first += second * step;
            y += first * step;
            past.push_back([y, first, second]);
            for (peak, range) in peaks.iter_mut().zip([all / 4..all / 2, all * 3 / 4..all]) {
                if range.contains(&at) {
                    *peak = peak.max(first.abs());
                }
            }
        }
        peaks[1] / peaks[0]
    }

    #[test]
    fn zeta_is_that_of_the_linear_equation_in_each_unit() {
        // The default parameters of Jiang 2015a, section VI: 1 Gb/s, w = 2, p = 0.01, G_d = 1/128, packets of 1 KB.
        let model =
            model(&[("line_rate_mbps", "1000"), ("w", "2"), ("sample_packets", "100"), ("packet_bytes", "1024")]);
        // x″ + (G_d·k·C)·x′ + G_d·C·x = 0 with C and x in the unit, k in seconds: ζ = half of the second coefficient by
        // the root of the third.
        let of_unit = |bits: f64| {
            let link = 1e9 / bits;
            let k = 200.0 * 8192.0 / 1e9;
            k * link / 128.0 / 2.0 / (link / 128.0).sqrt()
        };
        assert!((model.damping() / of_unit(8192.0) - 1.0).abs() < 1e-12);
        assert!((model.damping_in_bits() / of_unit(1.0) - 1.0).abs() < 1e-12);
        let rounded = [model.damping(), model.damping_in_bits(), model.printed_damping()];
        for (value, expected) in rounded.iter().zip([0.0253, 2.29, 0.00028]) {
            assert!((value / expected - 1.0).abs() < 0.005, "{value} is not {expected}");
        }
    }

    #[test]
    fn t_stands_to_k_as_the_paper_says_of_its_figure_12() {
        let of = |settings: &[(&str, &str)]| {
            let model = model(&[settings, &[("q0_bytes", "98304"), ("buffer_bytes", "262144")]].concat());
            ratio_verdict(model.k() / model.cycle).split(':').next().unwrap().to_string()
        };
        let expected = ["k ≥ 3.5 T", "2.5 T ≤ k < 3.5 T", "T ≤ k < 2 T", "k < T"];
        for (bytes, expected) in [50_000, 75_000, 150_000, 300_000].iter().zip(expected) {
            assert_eq!(of(&[("byte_cycle_bytes", &bytes.to_string())]), expected, "T_b = {bytes}");
        }
        for (packets, expected) in [400, 200, 100, 50].iter().zip(expected) {
            assert_eq!(of(&[("sample_packets", &packets.to_string())]), expected, "p = 1/{packets}");
        }
    }

    #[test]
    fn the_buffer_example_is_the_papers() {
        // q0 = 33 kb, G_d = 1/128, N = 50, C = 10 Gb/s: 56 Mb, and 1.2 Mb from C/N each, in bits.
        let model = Model { target: 33e3, link: 1e10, flows: 50.0, ..model(&[]) };
        assert!((model.largest_queue(50.0 * 1e10) / 56.6e6 - 1.0).abs() < 0.01);
        assert!((model.largest_queue(1e10) / 1.16e6 - 1.0).abs() < 0.01);
    }

    #[test]
    fn a_path_that_spirals_comes_to_rest_and_changes_its_rule_on_the_switching_line() {
        let model = model(&[("byte_cycle_bytes", "50000"), ("buffer_bytes", "262144")]);
        let portrait = path_of(&model, 2e9).unwrap();
        let all: Vec<_> = portrait.pieces.iter().flat_map(|(_, points)| points.iter().copied()).collect();
        let late = &all[all.len() * 9 / 10..];
        let most = |points: &[(f64, f64)]| points.iter().map(|(x, _)| x.abs()).fold(0.0, f64::max);
        assert!(most(late) < most(&all) / 10.0, "{} of {}", most(late), most(&all));
        let largest = all.iter().map(|(x, _)| *x).fold(0.0, f64::max);
        assert!(largest < 2e9 / model.frequency(), "x_max < ν / w_n, (40)");
        assert!(portrait.pieces.len() > 2);
    }
}
