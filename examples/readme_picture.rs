// SPDX-License-Identifier: MIT OR Apache-2.0
//! The picture at the top of README.md: the way of a packet and of its feedback, and the queue under QCN and under SMCC.
//!
//! Run it with `cargo run --release --example readme_picture`: it writes `docs/pictures/loop-light.svg` and `loop-dark.svg`. The
//! curves are those of the closed loop of the models with their default parameters and seed 1.

use anyhow::Result;
use std::fmt::Write;
use std::path::Path;
use tidegate::bench::dumbbell::{self, HEADER, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::output::write_file;
use tidegate::registry;
use tidegate::units::Cycles;

/// Where the pictures are, from the root of the repository.
pub const FOLDER: &str = "docs/pictures";

/// Clock cycles in a millisecond, at 125 MHz.
const MILLISECOND: Cycles = 125_000;
/// Length of the run, ms.
const LENGTH: Cycles = 400;
/// The queue is sampled four times in each px of the curve.
const SAMPLING: Cycles = LENGTH * MILLISECOND / (4 * (RIGHT - LEFT) as Cycles);
const KB: f64 = 1024.0;

/// Narrow, so that its text is still legible when a phone shows all of it.
const WIDTH: u32 = 780;
const HEIGHT: u32 = 388;
/// Left and right end of the curves, px.
const LEFT: u32 = 466;
const RIGHT: u32 = 766;
/// Height of a panel, px.
const PANEL: f64 = 100.0;

/// Width and height of a block, px.
const BLOCK: (f64, f64) = (132.0, 54.0);
/// Distance of two lines of text in a block, px.
const LINE: f64 = 22.0;

/// The colours of a picture.
struct Theme {
    name: &'static str,
    paper: &'static str,
    ink: &'static str,
    quiet: &'static str,
    rule: &'static str,
    block: &'static str,
    frame: &'static str,
    /// Of QCN and of SMCC.
    curves: [&'static str; 2],
}

const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        paper: "#ffffff",
        ink: "#1f2328",
        quiet: "#59636e",
        rule: "#d1d9e0",
        block: "#f0f3f6",
        frame: "#8c959f",
        curves: ["#0072b2", "#b84f00"],
    },
    Theme {
        name: "dark",
        paper: "#0d1117",
        ink: "#f0f6fc",
        quiet: "#aab3bd",
        rule: "#3d444d",
        block: "#1c232c",
        frame: "#7d8590",
        curves: ["#58b4f0", "#f0a040"],
    },
];

/// The queue of a scheme, in bytes, at regular times; target and buffer in bytes.
struct Queue {
    name: &'static str,
    lengths: Vec<f64>,
    target: f64,
    buffer: f64,
}

fn queue(name: &'static str, scheme: &str) -> Result<Queue> {
    let row = registry::find(scheme).map_err(anyhow::Error::msg)?;
    let parameters = row.parameters(&[("seed".to_string(), "1".to_string())])?;
    let mut trace = Trace::create(None, HEADER)?;
    let observation = Observation { period: SAMPLING };
    let reports = Reports::trace(&mut trace);
    let summary = dumbbell::run(row, &parameters, Engine::Model, LENGTH * MILLISECOND, observation, reports)?;
    Ok(Queue {
        name,
        lengths: summary.queue.iter().map(|&(_, bytes)| f64::from(bytes)).collect(),
        target: parameters.integer("q0_bytes") as f64,
        buffer: parameters.integer("buffer_bytes") as f64,
    })
}

/// A picture that grows by elements of SVG.
struct Drawing<'a> {
    theme: &'a Theme,
    svg: String,
}

impl Drawing<'_> {
    fn element(&mut self, element: std::fmt::Arguments) {
        writeln!(self.svg, "{element}").expect("a String takes all");
    }

    /// One line of text. `anchor` is `start`, `middle` or `end`; `class` is `strong`, `plain` or `quiet`.
    fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        self.element(format_args!(r#"<text x="{x}" y="{y}" text-anchor="{anchor}" class="{class}">{text}</text>"#));
    }

    /// A block of the circuit, around its centre; a line for each word.
    fn block(&mut self, (x, y): (f64, f64), name: &str) {
        let Theme { block, frame, .. } = self.theme;
        let (left, top) = (x - BLOCK.0 / 2.0, y - BLOCK.1 / 2.0);
        self.element(format_args!(
            r#"<rect x="{left}" y="{top}" width="{}" height="{}" rx="8" fill="{block}" stroke="{frame}"/>"#,
            BLOCK.0, BLOCK.1
        ));
        let words: Vec<&str> = name.split(' ').collect();
        for (index, word) in words.iter().enumerate() {
            let below = 7.0 + LINE * (index as f64 - (words.len() - 1) as f64 / 2.0);
            self.text((x, y + below), "middle", "plain", word);
        }
    }

    fn arrow(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str, width: f64) {
        let length = (x2 - x1).hypot(y2 - y1);
        let (along, across) = ((x2 - x1) / length, (y2 - y1) / length);
        // The head is a triangle, and the line ends inside it.
        let head = 3.0 + 3.0 * width;
        let (bx, by) = (x2 - along * head, y2 - across * head);
        let (wx, wy) = (across * head * 0.55, along * head * 0.55);
        self.element(format_args!(
            r#"<path d="M{x1:.1} {y1:.1}L{bx:.1} {by:.1}" stroke="{colour}" stroke-width="{width}"/><path d="M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z" fill="{colour}"/>"#,
            bx + wx,
            by - wy,
            bx - wx,
            by + wy
        ));
    }

    /// Blocks and ways, on the left.
    fn circuits(&mut self) {
        let Theme { ink, frame, .. } = *self.theme;
        let (rp, cp) = (86.0, 318.0);
        for (x, name, place) in [(rp, "reaction point", "in the NIC"), (cp, "congestion point", "in the switch")] {
            self.text((x, 28.0), "middle", "strong", name);
            self.text((x, 52.0), "middle", "quiet", place);
        }
        let rows = [98.0, 180.0, 262.0, 344.0];
        let down = ["sampler", "queue monitor", "feedback", "packet generator"];
        for (y, name) in rows.into_iter().zip(down) {
            self.block((cp, y), name);
        }
        let middle = (rows[0] + rows[3]) / 2.0;
        for (y, name) in [(rows[0], "rate limiter"), (middle, "calculator"), (rows[3], "parser")] {
            self.block((rp, y), name);
        }
        let half = BLOCK.1 / 2.0;
        for pair in rows.windows(2) {
            self.arrow((cp, pair[0] + half), (cp, pair[1] - half), frame, 2.0);
        }
        self.arrow((rp, rows[3] - half), (rp, middle + half), frame, 2.0);
        self.arrow((rp, middle - half), (rp, rows[0] + half), frame, 2.0);
        let (from, to) = (rp + BLOCK.0 / 2.0 + 2.0, cp - BLOCK.0 / 2.0 - 2.0);
        self.arrow((from, rows[0]), (to, rows[0]), ink, 3.0);
        self.arrow((to, rows[3]), (from, rows[3]), ink, 3.0);
        self.text(((from + to) / 2.0, rows[0] - 12.0), "middle", "plain", "packets");
        self.text(((from + to) / 2.0, rows[3] - 12.0), "middle", "plain", "feedback");
        self.text(((from + to) / 2.0, rows[3] + 27.0), "middle", "plain", "frame");
    }

    /// The queue of a scheme over time, in a panel that begins at `top`.
    fn panel(&mut self, top: f64, queue: &Queue, colour: &str) {
        let Theme { quiet, rule, .. } = *self.theme;
        let (left, right) = (f64::from(LEFT), f64::from(RIGHT));
        let bottom = top + PANEL;
        let y_of = |bytes: f64| bottom - bytes / queue.buffer * PANEL;
        self.text((left, top - 9.0), "start", "strong", &format!(r#"<tspan fill="{colour}">{}</tspan>"#, queue.name));
        for bytes in [0.0, queue.target, queue.buffer] {
            let y = y_of(bytes);
            self.element(format_args!(r#"<path d="M{left} {y}H{right}" stroke="{rule}"/>"#));
            self.text((left - 8.0, y + 7.0), "end", "quiet", &format!("{}", bytes / KB));
        }
        let step = (right - left) / queue.lengths.len() as f64;
        let mut path = String::new();
        for (index, length) in queue.lengths.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            write!(path, "{command}{:.1} {:.1}", left + index as f64 * step, y_of(*length))
                .expect("a String takes all");
        }
        self.element(format_args!(
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>"#
        ));
        let y = y_of(queue.target);
        self.element(format_args!(r#"<path d="M{left} {y}H{right}" stroke="{quiet}" stroke-dasharray="7 6"/>"#));
    }

    /// Both queues, on the right.
    fn queues(&mut self, queues: &[Queue; 2]) {
        let (left, right) = (f64::from(LEFT), f64::from(RIGHT));
        self.text(((left + right) / 2.0, 28.0), "middle", "strong", "queue in the switch, KB");
        self.text((right, 67.0), "end", "quiet", "- - target");
        let curves = self.theme.curves;
        for (index, queue) in queues.iter().enumerate() {
            self.panel(78.0 + index as f64 * (PANEL + 42.0), queue, curves[index]);
        }
        let bottom = 78.0 + 2.0 * PANEL + 42.0;
        for tick in 0..=4 {
            let x = left + f64::from(tick) / 4.0 * (right - left);
            let anchor = if tick == 4 { "end" } else { "middle" };
            self.text((x, bottom + 26.0), anchor, "quiet", &format!("{}", LENGTH * tick as Cycles / 4));
        }
        self.text(((left + right) / 2.0, bottom + 52.0), "middle", "quiet", "time, ms");
    }
}

fn picture(theme: &Theme, queues: &[Queue; 2]) -> String {
    let Theme { paper, ink, quiet, .. } = *theme;
    let mut drawing = Drawing { theme, svg: String::new() };
    drawing.element(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="The way of packets and feedback frames, and the queue under QCN and SMCC">"#
    ));
    drawing.element(format_args!(
        "<style>text{{font-family:sans-serif;font-size:20px}}.plain{{fill:{ink}}}.strong{{fill:{ink};font-weight:bold}}.quiet{{fill:{quiet};font-size:19px}}</style>"
    ));
    drawing.element(format_args!(r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="{paper}"/>"#));
    drawing.circuits();
    drawing.queues(queues);
    drawing.element(format_args!("</svg>"));
    drawing.svg
}

/// Name and text of each picture: the same whenever and wherever they are made.
///
/// # Errors
/// A parameter or a model that the bench refuses.
pub fn pictures() -> Result<[(String, String); 2]> {
    let queues = [queue("QCN", "qcn")?, queue("SMCC", "smcc")?];
    Ok([0, 1].map(|index| (format!("loop-{}.svg", THEMES[index].name), picture(&THEMES[index], &queues))))
}

fn main() -> Result<()> {
    pictures()?.into_iter().try_for_each(|(name, text)| write_file(Path::new(FOLDER).join(name), text))
}
