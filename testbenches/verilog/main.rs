//! One truth, second half: what is emitted does in Verilator what the circuit did in Rust, port by port and cycle by cycle,
//! on directed frames and on seeded random stimulus with edge values, for every block and both parts of every scheme.

use std::collections::BTreeMap;
use tidegate::bench::vectors::Vectors;
use tidegate::bench::wire::mac_octets;
use tidegate::emit::Circuit;
use tidegate::frame::cnm::Cnm;
use tidegate::registry::{self, SCHEMES};
use tidegate::rtl::congestion_point::feedback_qcn::QcnFeedback;
use tidegate::rtl::congestion_point::feedback_smcc::SmccFeedback;
use tidegate::rtl::congestion_point::packet_generator::PacketGenerator;
use tidegate::rtl::congestion_point::queue_monitor::QueueMonitor;
use tidegate::rtl::congestion_point::sample_queue::SampleQueue;
use tidegate::rtl::congestion_point::sampler::Sampler;
use tidegate::rtl::congestion_point::{QcnCongestionPoint, SmccCongestionPoint};
use tidegate::rtl::reaction_point::calculator_qcn::QcnCalculator;
use tidegate::rtl::reaction_point::calculator_smcc::SmccCalculator;
use tidegate::rtl::reaction_point::parser::Parser;
use tidegate::rtl::reaction_point::rate_limiter::RateLimiter;
use tidegate::rtl::reaction_point::{QcnReactionPoint, SmccReactionPoint};
use tidegate::rtl::ParameterInputs;
use tidegate::scheme::Part;
use tidegate::toolchain::verilator::Verilator;

/// Cycles recorded for each module.
const CYCLES: u64 = 40_000;
/// Cycles after which the parameters change.
const EPOCH: u64 = 4_000;

/// splitmix64.
struct Random(u64);

impl Random {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.draw().is_multiple_of(n)
    }

    /// A value of some bits: edges as often as anything else.
    fn value(&mut self, bits: usize) -> u64 {
        let mask = (1u64 << bits) - 1;
        match self.draw() % 6 {
            0 => 0,
            1 => mask,
            2 => 1 << (bits - 1),
            3 => (self.draw() % 64) & mask,
            _ => self.draw() & mask,
        }
    }
}

/// Words of frames for a parser: feedback frames for it, most of them whole, and what else a network brings.
struct Words {
    queue: std::collections::VecDeque<(u32, u32, u64, u64)>,
}

impl Words {
    fn refill(&mut self, random: &mut Random) {
        let mac = registry::rp_mac(0) ^ if random.one_in(8) { 1 } else { 0 };
        let mut frame = Cnm {
            destination: mac_octets(mac),
            source: mac_octets(registry::CP_MAC),
            vlan: random.one_in(3).then(|| random.value(16) as u16),
            quantized_feedback: random.value(6) as u8,
            cpid: registry::CPID ^ if random.one_in(4) { random.draw() } else { 0 },
            q_offset: random.value(16) as i16,
            q_delta: random.value(16) as i16,
            priority: 0,
            encapsulated_destination: mac_octets(random.draw() >> 16),
            msdu: vec![0xa5; if random.one_in(3) { (random.draw() % 65) as usize } else { 0 }],
        }
        .to_frame();
        if random.one_in(4) {
            // Break one octet of the headers.
            let at = (random.draw() % 42) as usize;
            frame[at] ^= 1 << (random.draw() % 8);
        }
        if random.one_in(6) {
            frame.resize((1 + random.draw() % 140) as usize, 0x5a);
        }
        let words = frame.len().div_ceil(8);
        for (index, chunk) in frame.chunks(8).enumerate() {
            let mut octets = [0; 8];
            octets[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_be_bytes(octets);
            self.queue.push_back(((word >> 32) as u32, word as u32, chunk.len() as u64, u64::from(index + 1 == words)));
        }
    }
}

/// Records a module under stimulus and replays it in Verilator. Parameters are those of a scheme, in one epoch
/// of three random.
fn agrees<C: ParameterInputs>(scheme: &str, settings: &[(&str, &str)]) {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let scheme = registry::find(scheme).unwrap();
    let ports: BTreeMap<&str, u64> = registry::ports(scheme, &scheme.parameters(&settings).unwrap());
    let mut random = Random(C::MODULE.bytes().map(u64::from).sum());
    let mut words = Words { queue: Default::default() };
    let mut word = None;
    let mut held: BTreeMap<String, u64> = BTreeMap::new();
    let streams = C::INPUTS.contains(&"octets");
    let mut stimulus = |cycle: u64, name: &str, bits: usize| -> u64 {
        if name == "reset" {
            // Called once a cycle, before the other inputs: the moment to choose the word of the stream. The bench cannot
            // see `ready` here, so a word may be lost to back-pressure; the circuit and its Verilog must agree all the same.
            word = None;
            if streams && !random.one_in(4) {
                if words.queue.is_empty() {
                    words.refill(&mut random);
                }
                word = words.queue.pop_front();
            }
            return u64::from(random.one_in(6000));
        }
        if C::PARAMETERS.contains(&name) {
            if cycle.is_multiple_of(EPOCH) {
                let random_epoch = (cycle / EPOCH) % 3 == 1;
                let keep = name.starts_with("rp_mac") || name.starts_with("allowed_cpid_mask");
                let value = if random_epoch && !keep { random.value(bits) } else { ports[name] };
                held.insert(name.to_string(), value);
            }
            return held[name];
        }
        match (name, word) {
            ("valid", word) if streams => u64::from(word.is_some()),
            ("data_high", Some((high, ..))) => u64::from(high),
            ("data_low", Some((_, low, ..))) => u64::from(low),
            ("octets", Some((_, _, octets, _))) => octets,
            ("last", Some((.., last))) => last,
            ("enqueue_bytes" | "dequeue_bytes" | "request_bytes" | "sent_bytes", _) if !random.one_in(50) => {
                random.draw() % 1500
            }
            ("source_empty", _) => u64::from(random.one_in(16)),
            ("feedback_valid", _) if C::MODULE == "calculator_qcn" => u64::from(random.one_in(200)),
            _ if bits == 1 => random.draw() & 1,
            _ => random.value(bits),
        }
    };
    let vectors = Vectors::record::<C>(Circuit::of::<C>("", &[]), CYCLES, &mut stimulus);
    every_output_moves::<C>(&vectors);
    let verilator = Verilator::find().expect("scripts/setup-tools installs Verilator");
    let scratch = tempfile::tempdir().unwrap();
    let model = verilator
        .build_model(scratch.path(), &vectors.circuit.verilog, C::MODULE, &vectors.verilator_main(), &[])
        .unwrap();
    let values = scratch.path().join("vectors");
    std::fs::write(&values, vectors.bytes()).unwrap();
    let output = std::process::Command::new(model).arg(&values).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}: {said}", C::MODULE);
    assert_eq!(said.trim(), CYCLES.to_string(), "{}: cycles that agreed", C::MODULE);
}

/// A stimulus that leaves an output still proves nothing of it.
fn every_output_moves<C: ParameterInputs>(vectors: &Vectors) {
    /// Outputs that are constant in one scheme so that its blocks fit where another's do.
    const CONSTANT: [(&str, &str); 3] = [
        ("feedback_smcc", "quantized_feedback"),
        ("calculator_smcc", "feedback_ready"),
        ("smcc_reaction_point", "ready"),
    ];
    let columns = vectors.circuit.ports.len();
    for (column, port) in vectors.circuit.ports.iter().enumerate().filter(|(_, port)| !port.input) {
        let mut values = vectors.values[column..].iter().step_by(columns);
        let first = values.next();
        let moves = values.any(|value| Some(value) != first);
        let constant = CONSTANT.contains(&(C::MODULE, port.name.as_str()));
        assert_eq!(moves, !constant, "{}: output {}", C::MODULE, port.name);
    }
}

#[test]
fn sampler() {
    agrees::<Sampler>("qcn", &[]);
}

#[test]
fn queue_monitor() {
    agrees::<QueueMonitor>("qcn", &[]);
}

#[test]
fn sample_queue() {
    agrees::<SampleQueue>("qcn", &[]);
}

#[test]
fn feedback_qcn() {
    agrees::<QcnFeedback>("qcn", &[("profile", "8021q")]);
}

#[test]
fn feedback_smcc() {
    agrees::<SmccFeedback>("smcc", &[]);
}

#[test]
fn packet_generator() {
    agrees::<PacketGenerator>("qcn", &[]);
}

#[test]
fn parser() {
    agrees::<Parser>("qcn", &[]);
}

#[test]
fn calculator_qcn() {
    agrees::<QcnCalculator>("qcn", &[("profile", "8021q"), ("timer_us", "3"), ("byte_cycle_bytes", "20000")]);
}

#[test]
fn calculator_smcc() {
    agrees::<SmccCalculator>("smcc", &[("two_stage", "true")]);
}

#[test]
fn rate_limiter() {
    agrees::<RateLimiter>("qcn", &[]);
}

#[test]
fn qcn_congestion_point() {
    agrees::<QcnCongestionPoint>("qcn", &[("sample_packets", "5")]);
}

#[test]
fn smcc_congestion_point() {
    agrees::<SmccCongestionPoint>("smcc", &[("sample_packets", "1")]);
}

#[test]
fn qcn_reaction_point() {
    agrees::<QcnReactionPoint>(
        "qcn",
        &[("profile", "8021q"), ("byte_cycle_bytes", "2500"), ("timer_us", "2"), ("line_rate_mbps", "40000")],
    );
}

#[test]
fn smcc_reaction_point() {
    agrees::<SmccReactionPoint>("smcc", &[]);
}

/// Every warning of `-Wall` counts, none is switched off.
#[test]
fn every_emitted_module_passes_lint() {
    let verilator = Verilator::find().expect("scripts/setup-tools installs Verilator");
    for scheme in SCHEMES {
        let parameters = scheme.parameters(&[]).unwrap();
        let parts = [Part::CongestionPoint, Part::ReactionPoint];
        let files = tidegate::emit::files(scheme, &parameters, &[], &parts);
        let files: Vec<_> = files.iter().filter(|file| file.name.ends_with(".v")).collect();
        for file in &files {
            let top = file.name.trim_end_matches(".v");
            let needed =
                needed(top, &|name| files.iter().find(|file| file.name == format!("{name}.v")).unwrap().text.as_str());
            verilator.lint_only(&needed, top, true).unwrap_or_else(|messages| panic!("{top}: {messages}"));
        }
    }
}

/// The files of a module and of all that it instantiates.
fn needed<'a>(top: &str, text: &dyn Fn(&str) -> &'a str) -> Vec<(String, &'a str)> {
    let mut files = vec![(format!("{top}.v"), text(top))];
    let instance = regex::Regex::new(r"(?m)^    (\w+) \w+ \($").unwrap();
    let mut next = 0;
    while let Some((_, source)) = files.get(next).cloned() {
        for inner in instance.captures_iter(source) {
            let name = format!("{}.v", &inner[1]);
            if files.iter().all(|(known, _)| *known != name) {
                files.push((name, text(&inner[1])));
            }
        }
        next += 1;
    }
    files
}
