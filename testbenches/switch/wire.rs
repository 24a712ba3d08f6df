// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole switch from wire to wire at the speed of Verilator, as `tidegate build` makes its Verilog: `wire.cpp` moves its pins, with a
//! clock for each port; `wire_traffic.py` and `wire_feedback.py` are the stations.

use super::pin_to_pin::BOARD;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::board;
use tidegate::build::switch;
use tidegate::emit::{File, PREFIX, Role};
use tidegate::registry::{self, Scheme};
use tidegate::switch::core::core;
use tidegate::toolchain::verilator::Effort;
use tidegate_testing::cocotb::{has_places, python, replaced, said};
use tidegate_testing::simulators::VERILATOR;
use tidegate_testing::tshark::dissect;

const PORTS: usize = 3;
/// The functions of `wire_traffic.py`.
const ALL: [&str; 5] = ["all_lengths", "shortest", "damages", "stopped", "overload"];
/// Octets of a frame without FCS in `wire_feedback.py`.
const OCTETS: u32 = 1514;
/// At 100 MHz.
const CYCLES_A_MS: u64 = 100_000;
/// What is not a default of the switch.
const MODEL: [(&str, &str); 6] = [
    ("flows", "2"),
    ("packet_bytes", "1514"),
    ("clock_mhz", "100"),
    ("buffer_bytes", "16384"),
    ("q0_bytes", "8192"),
    ("include_overhead", "true"),
];

/// A switch whose congestion points sample one of so many packets, as a program.
struct Wired {
    folder: TempDir,
    model: PathBuf,
    scheme: &'static Scheme,
    sample_packets: u64,
}

fn owned(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

fn settings(sample_packets: u64) -> Vec<(String, String)> {
    owned(&[("sample_packets", &sample_packets.to_string()), ("clock_mhz", "100")])
}

/// All files of the switch.
fn files(scheme: &'static Scheme, settings: &[(String, String)]) -> Vec<File> {
    let folder = tempfile::tempdir().unwrap();
    // The PLL of a simulation without delays has an output with the rate of its input.
    let board = std::fs::read_to_string(BOARD).unwrap();
    let faster = board.replace("clk25", "clk100").replace("frequency_mhz = 25", "frequency_mhz = 100");
    let path = folder.path().join("three_ports.toml");
    std::fs::write(&path, faster).unwrap();
    let board = board::load(path.to_str().unwrap()).unwrap();
    let design = switch::design(&board, scheme, settings, "tidegate build".to_string()).unwrap();
    design.files.into_iter().map(|(name, text)| File { name, text, role: Role::Module }).collect()
}

impl Wired {
    /// Of a design in which a text is replaced.
    fn new(scheme: &str, sample_packets: u64, change: [&str; 2]) -> Wired {
        let scheme = registry::find(scheme).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(sample_packets);
        let mut text = "`define WITHOUT_DELAYS\n".to_string();
        text.extend(replaced(files(scheme, &settings), change).into_iter().map(|file| file.text));
        text += include_str!("primitives.v");
        let top = format!("{PREFIX}top");
        let main = include_str!("wire.cpp");
        let model = VERILATOR.build_model(folder.path(), &text, &top, main, Effort::Quick).unwrap();
        let core = core(scheme, PORTS, &settings).unwrap();
        let mut addresses = serde_json::Map::new();
        for (file, registers) in core.registers.iter().enumerate() {
            for register in &registers.list {
                let address = core.address(file, &register.name).unwrap();
                let name = register.name.strip_suffix("_low").unwrap_or(&register.name);
                addresses.insert(format!("{file}.{name}"), address.into());
            }
        }
        let addresses = serde_json::to_string(&addresses).unwrap();
        std::fs::write(folder.path().join("registers.json"), addresses).unwrap();
        Wired { folder, model, scheme, sample_packets }
    }

    fn run(&self, script: &str, arguments: &[&str]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("switch").join(script);
        let mut command = Command::new(python());
        command.arg(script).arg(&self.model).args(arguments);
        // The scripts leave nothing in the folder of the sources, and say how far they are on the standard error.
        command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(self.folder.path());
        command.stderr(Stdio::inherit()).output().unwrap()
    }

    /// Runs some of the functions of `wire_traffic.py` with so many frames a station.
    fn traffic(&self, frames: u64, which: &[&str]) -> Output {
        // QCN sends none without congestion.
        let feedback_each = if self.scheme.name == "qcn" { 0 } else { self.sample_packets };
        let (frames, feedback_each) = (frames.to_string(), feedback_each.to_string());
        self.run("wire_traffic.py", &[&[frames.as_str(), feedback_each.as_str()], which].concat())
    }

    /// What is to be expected of the queue by `sim dumbbell` with the same parameters and as many ms: the mean of several seeds, and
    /// half of their spread.
    fn simulated(&self, ms: u64) -> (f64, f64) {
        let cycles = ms * CYCLES_A_MS;
        let means = (1..=5).map(|seed: u32| {
            let own = [("sample_packets", self.sample_packets.to_string()), ("seed", seed.to_string())];
            let own = own.map(|(key, value)| (key.to_string(), value));
            let parameters = self.scheme.parameters(&[owned(&MODEL), own.to_vec()].concat()).unwrap();
            let mut trace = Trace::create(None, dumbbell::HEADER).unwrap();
            let (period, reports) = (Observation { period: 100 }, Reports::trace(&mut trace));
            let summary = dumbbell::run(self.scheme, &parameters, Engine::Model, cycles, period, reports).unwrap();
            let half = &summary.queue[summary.queue.len() / 2..];
            half.iter().map(|look| f64::from(look.1)).sum::<f64>() / half.len() as f64
        });
        let means: Vec<f64> = means.collect();
        let [least, most] = [f64::min, f64::max].map(|of| means.iter().copied().reduce(of).unwrap());
        (means.iter().sum::<f64>() / means.len() as f64, (most - least) / 2.0)
    }

    /// Runs the reaction points of a kind for so many ms; `Err` says what is not as it should be.
    fn feedback(&self, kind: &str, ms: u64) -> Result<(), String> {
        let parameters = self.scheme.parameters(&owned(&MODEL)).unwrap();
        let keys = ["ra_mbps", "rb_mbps", "ai_rate_mbps", "min_rate_mbps"].iter().filter(|key| parameters.has(key));
        let values = keys.map(|key| (key.to_string(), parameters.decimal(key).to_f64()));
        let keys = ["q0_bytes", "byte_cycle_bytes", "gd_shift"].iter().filter(|key| parameters.has(key));
        let values = values.chain(keys.map(|key| (key.to_string(), parameters.integer(key) as f64)));
        let values = serde_json::Value::Object(values.map(|(key, value)| (key, value.into())).collect());
        let output = self.run("wire_feedback.py", &[kind, &values.to_string(), &ms.to_string()]);
        if !output.status.success() {
            return Err(said(&output));
        }
        let text = String::from_utf8(output.stdout).unwrap();
        let result: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let (expected, spread) = self.simulated(ms);
        println!("{kind}: {result}; sim dumbbell: a queue of {expected:.0} octets, ± {spread:.0} by the seed");
        self.dissected();
        let number = |key: &str| result[key].as_f64().unwrap();
        // The simulator takes a frame out of the queue when its last octet is out, the switch beat by beat; and a frame is in the queue of
        // the switch after it has waited for its last octet before the bridge. Either moves the mean by less than one frame.
        let tolerance = f64::from(OCTETS) + spread;
        let queue = number("queue");
        if (queue - expected).abs() > tolerance {
            return Err(format!("a queue of {queue:.0} octets, expected {expected:.0} ± {tolerance:.0}"));
        }
        Ok(())
    }

    /// What came on the wire is for tshark what it is for the reaction points.
    fn dissected(&self) {
        let text = std::fs::read_to_string(self.folder.path().join("feedback.txt")).unwrap();
        let rows: Vec<(&str, &str)> = text.lines().map(|line| line.split_once(' ').unwrap()).collect();
        let octets = |hex: &str| -> Vec<u8> {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        };
        let frames: Vec<Vec<u8>> = rows.iter().map(|(hex, _)| octets(hex)).collect();
        assert!(!frames.is_empty());
        let fields =
            ["eth.dst", "cnm.quantized_feedback", "cnm.cpid", "cnm.q_offset", "cnm.q_delta", "cnm.destination"];
        if let Some(found) = dissect(&frames, &fields) {
            assert_eq!(found.len(), rows.len());
            for (found, (hex, read)) in found.iter().zip(rows) {
                assert_eq!(found, read, "{hex}");
            }
        }
    }
}

fn passes(output: Output) {
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    println!("{said}");
}

#[test]
fn frames_and_feedback_go_from_wire_to_wire() {
    let wired = Wired::new("smcc", 10, ["", ""]);
    passes(wired.traffic(200, &ALL));
    wired.feedback("smcc", 25).unwrap();
}

#[test]
#[ignore = "long: 60,000 frames of all lengths and damaged ones for each of two schemes, and a million of the shortest"]
fn a_million_frames_and_damaged_ones_go_from_wire_to_wire() {
    for scheme in ["smcc", "qcn"] {
        let wired = Wired::new(scheme, 100, ["", ""]);
        passes(wired.traffic(10_000, &["all_lengths", "damages", "stopped", "overload"]));
        // At line rate: feedback of SMCC would not find room beside it.
        if scheme == "qcn" {
            passes(wired.traffic(333_334, &["shortest"]));
        }
    }
}

#[test]
#[ignore = "long: 200 ms of a whole switch, for two schemes"]
fn two_stations_that_obey_hold_the_queue() {
    for (scheme, sample_packets) in [("smcc", 10), ("qcn", 20)] {
        let wired = Wired::new(scheme, sample_packets, ["", ""]);
        wired.feedback(scheme, 200).unwrap();
    }
}

/// What is replaced, by what, and what is said then.
const MISTAKES: [(&str, &str, &str); 6] = [
    // Frames go back to the port from which they came.
    ("others = ports & (~own_port);", "others = ports;", "port 0"),
    // Bad frames pass.
    (".m_axis_tuser(rx_0_tuser)", ".m_axis_tuser()", "AssertionError"),
    // They are not counted.
    (".mac_bad({bad_2, bad_1, bad_0})", ".mac_bad({bad_2, bad_1, 1'b0})", "mac_bad_frames"),
    // An output takes nothing.
    (".tx_1_tready(tx_1_tready)", ".tx_1_tready(1'b0)", "port 1"),
    // An output gives more than its MAC takes.
    (".tx_2_tready(tx_2_tready)", ".tx_2_tready(1'b1)", "port 2"),
    // The receiver does not forget the last octets of the frame before.
    ("fcscheck_present <= 1'd0;", "", "AssertionError"),
];

/// The same for feedback, and what the stations do.
const OF_FEEDBACK: [([&str; 2], &str); 3] = [
    // Stations that do not obey.
    (["", ""], "deaf"),
    // The sign of the offset.
    (["q_offset = {1'd0, length} - {1'd0, q0_bytes};", "q_offset = {1'd0, q0_bytes} - {1'd0, length};"], "smcc"),
    // The change of the queue is forgotten.
    (["q_delta = {1'd0, length} - {1'd0, queue_old};", "q_delta = 25'd0;"], "smcc"),
];

#[test]
fn mistakes_have_their_places() {
    let files = files(registry::find("smcc").unwrap(), &settings(100));
    has_places(&files, MISTAKES.map(|(from, ..)| from));
    has_places(&files, OF_FEEDBACK.map(|([from, _], _)| from));
}

#[test]
#[ignore = "long: Verilator builds a switch for each mistake"]
fn mistakes_are_found_from_wire_to_wire() {
    for (from, to, expected) in MISTAKES {
        let wired = Wired::new("smcc", 100, [from, to]);
        let output = wired.traffic(200, &ALL);
        let said = said(&output);
        assert!(!output.status.success() && said.contains(expected), "with `{to}`: {said}");
    }
}

#[test]
#[ignore = "long: Verilator builds a switch for each mistake"]
fn feedback_that_is_wrong_or_not_obeyed_is_found() {
    for (change, kind) in OF_FEEDBACK {
        let said = Wired::new("smcc", 10, change).feedback(kind, 25).expect_err("it was not found");
        assert!(said.contains("a queue of"), "{said}");
    }
}
