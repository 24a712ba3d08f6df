// SPDX-License-Identifier: MIT OR Apache-2.0
//! The switch: packets from three ports, an arbiter, `tidegate_cp`, and output queues in SRAM as the reference has them.

use super::wire::{Frame, Wire, Word, octets_of, words_of};
use std::collections::VecDeque;
use tidegate_core::units::Cycles;
use tidegate_hdl::engine::{Input, Output, Program, Simulation};
use tidegate_package::bus::netfpga1g;
use tidegate_package::bus::queue_input::QueueInput;
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::parameters::Parameters;

/// Output queues.
const QUEUES: usize = 8;
/// The port of the bottleneck.
pub const BOTTLENECK: usize = 6;

/// An output queue, and the wire behind it.
struct Queue {
    /// Words with the module header, and the octets.
    packets: VecDeque<(u64, Frame)>,
    words: u64,
    wire: Wire,
    /// The packet that is read out of the SRAM, and when it is out of it.
    leaves: Option<Cycles>,
}

pub struct Switch {
    simulation: Simulation,
    inputs: Inputs,
    outputs: Outputs,
    /// Packets that have come in whole, of each port.
    received: [VecDeque<Frame>; QUEUES],
    /// The port whose turn it is.
    turn: usize,
    entering: VecDeque<Word>,
    /// `in_rdy` of the cycle before: the arbiter sees it late.
    ready: bool,
    leaving: Vec<Word>,
    queues: Vec<Queue>,
    capacity: u64,
    dropped: VecDeque<(u64, u64)>,
    removed: VecDeque<(u64, u64)>,
    pub drops: u64,
    pub frames: u64,
    /// Length of the controlled queue as the congestion point knows it, bytes.
    pub queue_bytes: u32,
}

struct Inputs {
    data: Input,
    ctrl: Input,
    write: Input,
    removed: [Input; 3],
    dropped: [Input; 3],
}

struct Outputs {
    ready: Output,
    data: Output,
    ctrl: Output,
    write: Output,
    counted: Output,
    visited: Output,
    bytes: Output,
}

impl Switch {
    pub fn new(scheme: &'static Scheme, settings: &[(String, String)], parameters: &Parameters) -> Switch {
        let of_bus = netfpga1g::parameters(scheme, settings, QueueInput::Events).unwrap();
        let part = netfpga1g::congestion_point(scheme, &of_bus, settings, QueueInput::Events);
        let inner = |name: &str| format!("congestion_point.{name}");
        let probes = ["counted", "visited_queue", "queue_bytes"].map(inner);
        let probes: Vec<&str> = probes.iter().map(String::as_str).collect();
        let program = Program::with_probes(&part.netlist, &probes).unwrap();
        let input = |name: &str| program.input(name).unwrap();
        let output = |name: &str| program.output(name).unwrap();
        let mut simulation = program.start(1);
        let [reset, out_rdy] = ["reset", "out_rdy"].map(input);
        simulation.set(out_rdy, 1);
        simulation.set(reset, 1);
        simulation.step();
        simulation.set(reset, 0);
        let rate = parameters.rate("line_rate_mbps");
        let queue = |port: usize| Queue {
            packets: VecDeque::new(),
            words: 0,
            wire: Wire::new(if port == BOTTLENECK { parameters.bottleneck() } else { rate }),
            leaves: None,
        };
        Switch {
            inputs: Inputs {
                data: input("in_data"),
                ctrl: input("in_ctrl"),
                write: input("in_wr"),
                removed: ["pkt_removed", "removed_oq", "removed_pkt_total_word_length"].map(input),
                dropped: ["pkt_dropped", "dst_oq", "stored_pkt_total_word_length"].map(input),
            },
            outputs: Outputs {
                ready: output("in_rdy"),
                data: output("out_data"),
                ctrl: output("out_ctrl"),
                write: output("out_wr"),
                counted: output(probes[0]),
                visited: output(probes[1]),
                bytes: output(probes[2]),
            },
            simulation,
            received: Default::default(),
            turn: 0,
            entering: VecDeque::new(),
            ready: false,
            leaving: Vec::new(),
            queues: (0..QUEUES).map(queue).collect(),
            capacity: parameters.integer("buffer_bytes") / 8,
            dropped: VecDeque::new(),
            removed: VecDeque::new(),
            drops: 0,
            frames: 0,
            queue_bytes: 0,
        }
    }

    /// A packet that has come in whole at a port.
    pub fn receive(&mut self, port: usize, frame: Frame) {
        self.received[port].push_back(frame);
    }

    /// One cycle; appends the frames that end on the wires of the ports.
    pub fn cycle(&mut self, now: Cycles, out: &mut Vec<(usize, Frame)>) {
        self.arbitrate();
        let word = if self.ready { self.entering.pop_front() } else { None };
        let (ctrl, data) = word.unwrap_or((0, 0));
        let simulation = &mut self.simulation;
        simulation.set(self.inputs.data, data);
        simulation.set(self.inputs.ctrl, ctrl.into());
        simulation.set(self.inputs.write, word.is_some().into());
        for (event, inputs) in
            [(self.removed.pop_front(), self.inputs.removed), (self.dropped.pop_front(), self.inputs.dropped)]
        {
            let (queue, words) = event.unwrap_or((0, 0));
            let values = [event.is_some().into(), queue, words];
            inputs.into_iter().zip(values).for_each(|(input, value)| simulation.set(input, value));
        }
        simulation.step();
        self.ready = simulation.get(self.outputs.ready) == 1;
        if simulation.get(self.outputs.counted) == 1 && simulation.get(self.outputs.visited) == BOTTLENECK as u64 {
            self.queue_bytes = simulation.get(self.outputs.bytes) as u32;
        }
        if simulation.get(self.outputs.write) == 1 {
            let word = (simulation.get(self.outputs.ctrl) as u8, simulation.get(self.outputs.data));
            self.leaving.push(word);
            // The last word of a packet has a ctrl, as the module header before it.
            if self.leaving.len() > 1 && word.0 != 0 {
                self.store();
            }
        }
        for port in 0..QUEUES {
            self.drain(now, port, out);
        }
    }

    /// One packet after the other, from the ports in turns.
    fn arbitrate(&mut self) {
        if !self.entering.is_empty() {
            return;
        }
        let next = (0..QUEUES).map(|next| (self.turn + next) % QUEUES).find(|&port| !self.received[port].is_empty());
        let Some(port) = next else { return };
        self.turn = port + 1;
        let frame = self.received[port].pop_front().expect("it has one");
        self.entering.extend(words_of(&frame, port, 1 << BOTTLENECK));
    }

    /// A packet that has come out whole goes into its output queue, or is dropped.
    fn store(&mut self) {
        let words = std::mem::take(&mut self.leaving);
        let destinations = words[0].1 >> 48;
        let port = destinations.trailing_zeros() as usize;
        assert_eq!(destinations, 1 << port, "one destination");
        if port != BOTTLENECK {
            self.frames += 1;
        }
        let queue = &mut self.queues[port];
        let length = words.len() as u64;
        if queue.words + length > self.capacity {
            self.drops += 1;
            self.dropped.push_back((port as u64, length));
            return;
        }
        queue.words += length;
        queue.packets.push_back((length, octets_of(&words)));
    }

    /// The packet at the head leaves the SRAM, a word a cycle, when the wire can take it; then it is on the wire.
    fn drain(&mut self, now: Cycles, port: usize, out: &mut Vec<(usize, Frame)>) {
        let queue = &mut self.queues[port];
        if let Some(frame) = queue.wire.ended(now) {
            out.push((port, frame));
        }
        match queue.leaves {
            None if queue.wire.takes() => {
                queue.leaves = queue.packets.front().map(|(words, _)| now + words);
            }
            Some(at) if at <= now => {
                let (words, frame) = queue.packets.pop_front().expect("it leaves");
                queue.words -= words;
                queue.wire.send(now, frame);
                queue.leaves = None;
                self.removed.push_back((port as u64, words));
            }
            _ => {}
        }
    }
}
