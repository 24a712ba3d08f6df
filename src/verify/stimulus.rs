//! What a circuit is driven with: seeded random values with edges as often as anything else, real frames for a parser,
//! parameters of a scheme and, in one epoch of three, random ones.

use crate::bench::wire::mac_octets;
use crate::emit::Circuit;
use crate::frame::cnm::Cnm;
use crate::registry::{self, Scheme};
use std::collections::{BTreeMap, VecDeque};

/// Cycles after which the parameters change.
const EPOCH: u64 = 4_000;

/// Drives every input of a circuit.
pub struct Stimulus {
    module: &'static str,
    inputs: Vec<(usize, String, usize)>,
    parameters: &'static [&'static str],
    values: BTreeMap<&'static str, u64>,
    random: Random,
    words: VecDeque<(u32, u32, u32, bool)>,
    streams: bool,
}

impl Stimulus {
    /// The stimulus of a circuit of a scheme.
    pub fn new(scheme: &'static Scheme, circuit: &Circuit, seed: u64) -> Stimulus {
        let settings: Vec<(String, String)> =
            settings(circuit.module).iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let parameters = scheme.parameters(&settings).expect("settings that are in range");
        let ports = circuit.ports.iter().enumerate();
        let inputs: Vec<_> = ports
            .filter(|(_, port)| port.input && port.name != "clock")
            .map(|(column, port)| (column, port.name.clone(), port.bits))
            .collect();
        Stimulus {
            module: circuit.module,
            streams: inputs.iter().any(|(_, name, _)| name == "octets"),
            inputs,
            parameters: circuit.parameters,
            values: registry::ports(scheme, &parameters),
            random: Random(circuit.module.bytes().map(u64::from).sum::<u64>().wrapping_add(seed << 32)),
            words: VecDeque::new(),
        }
    }

    /// Puts the inputs of a cycle into its row.
    pub fn drive(&mut self, cycle: u64, row: &mut [u32]) {
        let mut word = None;
        if self.streams && !self.random.one_in(4) {
            if self.words.is_empty() {
                self.refill();
            }
            word = self.words.pop_front();
        }
        let inputs = std::mem::take(&mut self.inputs);
        for (column, name, bits) in &inputs {
            row[*column] = match (name.as_str(), word) {
                ("reset", _) => u32::from(cycle == 0 || self.random.one_in(6000)),
                (name, _) if self.parameters.contains(&name) => {
                    if !cycle.is_multiple_of(EPOCH) {
                        continue;
                    }
                    let keep = name.starts_with("rp_mac") || name.starts_with("allowed_cpid_mask");
                    let random_epoch = (cycle / EPOCH) % 3 == 1;
                    if random_epoch && !keep {
                        self.random.value(*bits)
                    } else {
                        self.values[name] as u32
                    }
                }
                ("valid", word) if self.streams => u32::from(word.is_some()),
                ("data_high", Some((high, ..))) => high,
                ("data_low", Some((_, low, ..))) => low,
                ("octets", Some((_, _, octets, _))) => octets,
                ("last", Some((.., last))) => u32::from(last),
                ("enqueue_bytes" | "dequeue_bytes" | "request_bytes" | "sent_bytes", _) if !self.random.one_in(50) => {
                    (self.random.draw() % 1500) as u32
                }
                ("source_empty", _) => u32::from(self.random.one_in(16)),
                ("feedback_valid", _) if self.module == "calculator_qcn" => u32::from(self.random.one_in(200)),
                _ => self.random.value(*bits),
            };
        }
        self.inputs = inputs;
    }

    /// A frame for a parser: most of them feedback frames for it, and what else a network brings.
    fn refill(&mut self) {
        let random = &mut self.random;
        let mac = registry::rp_mac(0) ^ u64::from(random.one_in(8));
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
            self.words.push_back(((word >> 32) as u32, word as u32, chunk.len() as u32, index + 1 == words));
        }
    }
}

/// Settings with which every output of a module moves soon.
fn settings(module: &str) -> &'static [(&'static str, &'static str)] {
    match module {
        "feedback_qcn" => &[("profile", "8021q")],
        "calculator_qcn" => &[("profile", "8021q"), ("timer_us", "3"), ("byte_cycle_bytes", "20000")],
        "calculator_smcc" => &[("two_stage", "true")],
        "qcn_congestion_point" => &[("sample_packets", "5")],
        "smcc_congestion_point" => &[("sample_packets", "1")],
        "qcn_reaction_point" => {
            &[("profile", "8021q"), ("byte_cycle_bytes", "2500"), ("timer_us", "2"), ("line_rate_mbps", "40000")]
        }
        _ => &[],
    }
}

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
    fn value(&mut self, bits: usize) -> u32 {
        let mask = (1u64 << bits) - 1;
        let value = match self.draw() % 6 {
            _ if bits == 1 => self.draw() & 1,
            0 => 0,
            1 => mask,
            2 => 1 << (bits - 1),
            3 => (self.draw() % 64) & mask,
            _ => self.draw() & mask,
        };
        value as u32
    }
}
