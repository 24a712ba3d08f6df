// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole congestion point for many queues, at the ports.

use super::{Reference, column, columns, of_block, twos_complement};
use crate::registry::Scheme;
use crate::scheme::Part;
use crate::scheme::jitter::{Jitter, JitterParameters};
use crate::scheme::queue_monitor::QueueMonitor;
use crate::scheme::sampler::seed_of_queue;
use crate::scheme::sampling_exception::SamplingException;
use tidegate_circuits::rtl::circuit::{Circuit, Port};
use tidegate_core::units::Cycles;

columns!(
    reset,
    enqueue,
    enqueue_queue,
    enqueue_bytes,
    source_port,
    dequeue,
    dequeue_queue,
    dequeue_bytes,
    source_mac_high,
    source_mac_low,
    sample_mode,
    seed,
    q0_bytes,
    cpid_low,
    ready,
    dequeue_ready,
    unknown_queue,
    cleared,
    visited_queue,
    counted,
    queue_bytes,
    clamped,
    sample,
    data_ready,
    data_high,
    data_low,
    octets,
    last,
    valid,
    frame_port,
);

/// A block that the single congestion point has too, with its row.
struct Block {
    reference: Box<dyn Reference>,
    ports: Vec<Port>,
    row: Vec<u32>,
    /// Inputs that are ports of the part: here and there.
    inputs: Vec<(usize, usize)>,
}

impl Block {
    fn new(scheme: &Scheme, circuit: &Circuit, part: &[Port]) -> Option<Self> {
        let from = |port: &Port| part.iter().position(|other| other.input && other.name == port.name);
        let inputs = circuit.ports.iter().enumerate().filter(|(_, port)| port.input);
        let inputs = inputs.filter_map(|(column, port)| Some((column, from(port)?))).collect();
        let row = vec![0; circuit.ports.len()];
        Some(Block { reference: of_block(scheme, circuit)?, ports: circuit.ports.clone(), row, inputs })
    }

    fn feed(&mut self, row: &[u32]) {
        for &(here, there) in &self.inputs {
            self.row[here] = row[there];
        }
    }

    fn get(&self, name: &str) -> u32 {
        self.row[column(&self.ports, name)]
    }

    fn set(&mut self, name: &str, value: u32) {
        let column = column(&self.ports, name);
        self.row[column] = value;
    }

    fn outputs(&mut self) {
        self.reference.outputs(&mut self.row);
    }

    fn edge(&mut self) {
        self.reference.edge(&self.row);
    }
}

/// What one queue has for itself.
struct Queue {
    monitor: QueueMonitor,
    /// The level that was told last.
    level: u32,
    jitter: Jitter,
    /// Packets or bytes since the last interval ended; in the mode `time` the cycle in which it did.
    counted: u32,
    exception: SamplingException,
    waiting: bool,
    /// A feedback frame was sent since the last visit for a packet began.
    sent: bool,
    feedback: Block,
}

/// The queue of a packet, and queues with a dequeue and a level, that wait for a visit.
type Waiting = (Option<usize>, Option<(usize, u32)>, Option<(usize, u32)>);

/// A packet that was taken.
#[derive(Clone)]
struct Packet {
    queue: usize,
    bytes: u32,
    source: u64,
    /// The row of its cycle.
    row: Vec<u32>,
}

/// A visit of a queue.
#[derive(Clone, Copy, Default)]
struct Visit {
    step: u32,
    packet: Option<usize>,
    leave: Option<(usize, u32)>,
    level: Option<(usize, u32)>,
    clears: Option<usize>,
    /// The packet completes an interval; it is a sample.
    full: bool,
    sample: bool,
    /// It is from the source of the last feedback; so it is not the sample that is due.
    excepted: bool,
    misses: bool,
    clamped: bool,
}

impl Visit {
    /// Whether the next visit can be chosen in this cycle.
    fn is_last(&self) -> bool {
        self.step == 0 || self.step == if self.packet.is_some() { 4 } else { 3 }
    }
}

/// For each queue the parts of the model, and the rules of the visits: see `VisitSequencer`.
pub struct CongestionPointArray {
    at: Columns,
    queues: Vec<Queue>,
    sample_queue: Block,
    packet_generator: Block,
    /// QCN: QntzFb / 8 selects the interval.
    table: Option<Vec<(usize, usize)>>,
    interval: Option<(usize, usize)>,
    /// ASM: the column that says what becomes of a sample at the source of the last feedback.
    waits: Option<usize>,
    /// The feedback block gets a sample one cycle later, because its state is read first.
    reads_state: bool,
    state_read: bool,
    packet: Option<Packet>,
    leave: Option<(usize, u32)>,
    level: Option<(usize, u32)>,
    level_told: bool,
    packet_last: bool,
    visit: Visit,
    cleared: usize,
    unknown: bool,
    /// The queues and the source ports of the samples that wait.
    owners: std::collections::VecDeque<(usize, u32)>,
    /// Qoff and ΔQ of the sample of the cycle before.
    fields: (i32, i32),
    /// From this cycle on the random numbers have settled.
    settled: Cycles,
    now: Cycles,
}

/// Whether the feedback block of an array keeps something for each queue, which it reads in a cycle of its own.
fn feedback_has_memory(circuit: &Circuit) -> bool {
    let mut instances = circuit.netlist.top().instances.iter();
    let feedback = instances.find(|instance| instance.name == "feedback").expect("an array has a feedback block");
    !circuit.netlist.modules[feedback.module].memories.is_empty()
}

impl CongestionPointArray {
    /// Before the first reset. `None` if a block has no reference.
    pub fn new(scheme: &Scheme, circuit: &Circuit) -> Option<Self> {
        let ports = &circuit.ports;
        let find = |name: &str| ports.iter().position(|port| port.name == name);
        let blocks = scheme.blocks(Part::CongestionPoint);
        let of = |name: &str| blocks.iter().find(|block| block.block == name);
        let feedback = of("feedback")?;
        let &(_, queues) = circuit.generated.iter().find(|(key, _)| *key == "cp_queues")?;
        let jitter = Jitter::of_one(JitterParameters { low: 1, span: 0 }, 1);
        let queue = || {
            Some(Queue {
                monitor: QueueMonitor::default(),
                level: 0,
                jitter,
                counted: 0,
                exception: SamplingException::default(),
                waiting: false,
                sent: false,
                feedback: Block::new(scheme, feedback, ports)?,
            })
        };
        let row =
            |level: usize| Some((find(&format!("interval_low_{level}"))?, find(&format!("interval_span_{level}"))?));
        Some(CongestionPointArray {
            at: Columns::of(ports),
            queues: (0..queues).map(|_| queue()).collect::<Option<_>>()?,
            sample_queue: Block::new(scheme, of("sample_queue")?, ports)?,
            packet_generator: Block::new(scheme, of("packet_generator")?, ports)?,
            table: (0..8).map(row).collect(),
            interval: find("interval_low").zip(find("interval_span")),
            waits: find("exception_waits"),
            reads_state: feedback_has_memory(circuit),
            state_read: false,
            packet: None,
            leave: None,
            level: None,
            level_told: false,
            packet_last: false,
            visit: Visit::default(),
            cleared: 0,
            unknown: false,
            owners: Default::default(),
            fields: (0, 0),
            settled: 0,
            now: 0,
        })
    }

    fn bounds(&self, row: &[u32], level: u32) -> JitterParameters {
        let columns = self.table.as_ref().map(|table| table[level as usize]).or(self.interval);
        let (low, span) = columns.expect("a congestion point has an interval, or a table of them");
        JitterParameters { low: row[low], span: row[span] }
    }

    fn is_cleared(&self) -> bool {
        self.cleared == self.queues.len()
    }

    /// The queue of the sample at the head.
    fn head(&self) -> usize {
        self.owners.front().map_or(0, |&(queue, _)| queue)
    }

    /// The cycle from which the numbers have settled, if a search begins so many cycles after this one.
    fn search_ends(&self, begins: Cycles, replaced: u32) -> Cycles {
        self.now + begins + 2 + 2 * Cycles::from(replaced)
    }

    /// What the cycle of this step of a visit changes.
    fn work(&mut self, row: &[u32]) {
        let mut visit = self.visit;
        if let Some(queue) = visit.clears {
            match visit.step {
                1 => {
                    let seed = seed_of_queue(row[self.at.seed] as u16, queue as u16);
                    let mut jitter = Jitter::of_one(self.bounds(row, 0), seed);
                    self.settled = self.search_ends(2, jitter.settle());
                    (self.queues[queue].jitter, self.queues[queue].level) = (jitter, 0);
                }
                3 => self.cleared += 1,
                _ => {}
            }
        }
        if let (1, Some((queue, level))) = (visit.step, visit.level) {
            let bounds = self.bounds(row, level);
            let queue = &mut self.queues[queue];
            queue.level = level;
            queue.jitter.set_bounds_of_settled(bounds);
            let replaced = queue.jitter.settle();
            self.settled = self.search_ends(2, replaced);
            self.level = None;
        }
        let bytes = self.packet.as_ref().filter(|_| visit.packet.is_some()).map_or(0, |packet| packet.bytes);
        match visit.step {
            1 => {
                if let Some(queue) = visit.packet {
                    let bounds = self.bounds(row, self.queues[queue].level);
                    self.queues[queue].jitter.set_bounds_of_settled(bounds);
                }
                if let (Some(queue), Some(packet)) = (visit.packet, &self.packet) {
                    let queue = &mut self.queues[queue];
                    visit.excepted = self.waits.is_some() && !queue.exception.may_be_sampled(packet.source);
                    queue.sent = false;
                }
            }
            2 => {
                if let Some(queue) = visit.packet.or(visit.leave.map(|(queue, _)| queue)) {
                    let leaving = visit.leave.map_or(0, |(_, bytes)| bytes);
                    visit.clamped = !self.queues[queue].monitor.step(bytes, leaving);
                }
                if visit.leave.is_some() {
                    self.leave = None;
                }
            }
            3 => {
                if let Some(queue) = visit.packet {
                    let queue = &mut self.queues[queue];
                    let interval = queue.jitter.interval_of_settled();
                    let count = match row[self.at.sample_mode] {
                        1 => queue.counted + bytes,
                        // From the cycle in which the last interval ended to that of step 4; read in step 2.
                        2 => ((self.now as u32).wrapping_sub(1).wrapping_sub(queue.counted) & 0xff_ffff) + 2,
                        _ => queue.counted + 1,
                    };
                    visit.full = count >= interval;
                    visit.misses = (visit.full || queue.waiting) && visit.excepted;
                    visit.sample = (visit.full || queue.waiting) && !visit.excepted;
                    if row[self.at.sample_mode] != 2 {
                        queue.counted = if visit.full { 0 } else { count & 0xff_ffff };
                    } else if visit.full {
                        queue.counted = (self.now as u32 + 1) & 0xff_ffff;
                    }
                }
            }
            _ => {}
        }
        if let (4, Some(index)) = (visit.step, visit.packet) {
            if visit.full {
                let queue = &mut self.queues[index];
                queue.jitter.draw(self.now);
                let replaced = queue.jitter.settle();
                self.settled = self.search_ends(1, replaced);
            }
            if let Some(waits) = self.waits {
                let queue = &mut self.queues[index];
                queue.waiting = visit.misses && row[waits] != 0;
                if visit.misses && row[waits] == 0 && !queue.sent {
                    queue.exception.forget();
                }
            }
            if visit.sample {
                self.fields = self.queues[index].monitor.sample(row[self.at.q0_bytes]);
                let packet = self.packet.as_ref().expect("its packet is worked on");
                self.owners.push_back((index, packet.row[self.at.source_port]));
            }
            self.packet = None;
        }
        self.visit = visit;
    }

    /// The visit after this cycle; `before` are the packet, the dequeue and the level that waited in it.
    fn choose(&mut self, before: Waiting, settled: bool) {
        if !self.visit.is_last() {
            self.visit.step += 1;
            return;
        }
        let (packet, leave, level) = before;
        let packet = packet.filter(|_| self.visit.step != 4 && settled && !(level.is_some() && self.packet_last));
        let level = level.filter(|_| settled);
        self.visit = Visit::default();
        if let Some(queue) = packet {
            let leave = leave.filter(|&(leaving, _)| leaving == queue);
            self.visit = Visit { step: 1, packet, leave, ..Visit::default() };
            self.packet_last = true;
        } else if leave.is_some() || level.is_some() {
            self.visit = Visit { step: 1, leave, level, ..Visit::default() };
            self.packet_last &= level.is_none();
        } else if !self.is_cleared() && settled {
            self.visit = Visit { step: 1, clears: Some(self.cleared), ..Visit::default() };
        }
    }
}

impl Reference for CongestionPointArray {
    fn outputs(&mut self, row: &mut [u32]) {
        let visit = self.visit;
        let packet = self.packet.as_ref().map_or_else(|| row.to_vec(), |packet| packet.row.clone());
        self.sample_queue.feed(&packet);
        let samples = visit.step == 4 && visit.sample;
        self.sample_queue.set("reset", row[self.at.reset]);
        self.sample_queue.set("sample", u32::from(samples));
        self.sample_queue.set("q_offset", twos_complement(self.fields.0, 25));
        self.sample_queue.set("q_delta", twos_complement(self.fields.1, 25));
        self.sample_queue.outputs();

        let head = self.head();
        let valid = self.sample_queue.get("head_valid") != 0;
        let given = valid && self.level.is_none() && (self.state_read || !self.reads_state);
        let feedback = &mut self.queues[head].feedback;
        feedback.feed(row);
        feedback.set("sample_valid", u32::from(given));
        for field in ["controlled", "q_offset", "q_delta"] {
            feedback.set(field, self.sample_queue.get(&format!("head_{field}")));
        }
        feedback.set("frame_done", 0);
        feedback.outputs();
        let generator = &mut self.packet_generator;
        generator.feed(row);
        for field in ["feedback_valid", "quantized_feedback", "q_offset_units", "q_delta_units"] {
            generator.set(field, feedback.get(field));
        }
        for field in [
            "source_mac_high",
            "source_mac_low",
            "destination_mac_high",
            "destination_mac_low",
            "has_tag",
            "vlan_tci",
            "has_cn_tag",
            "flow_id",
        ] {
            generator.set(field, self.sample_queue.get(&format!("head_{field}")));
        }
        generator.set("cpid_low", row[self.at.cpid_low] | head as u32);
        generator.set("ready", row[self.at.data_ready]);
        generator.outputs();
        feedback.set("frame_done", generator.get("frame_done"));
        feedback.outputs();
        self.sample_queue.set("pop", feedback.get("pop"));

        let at = &self.at;
        let cleared = self.is_cleared();
        row[at.ready] = u32::from(cleared && self.packet.is_none() && self.sample_queue.get("ready") != 0);
        row[at.dequeue_ready] = u32::from(cleared && self.leave.is_none());
        row[at.unknown_queue] = u32::from(self.unknown);
        row[at.cleared] = u32::from(cleared);
        let counts = visit.packet.or(visit.leave.map(|(queue, _)| queue)).filter(|_| visit.step == 3);
        row[at.counted] = u32::from(counts.is_some());
        row[at.visited_queue] = counts.unwrap_or(0) as u32;
        row[at.queue_bytes] = counts.map_or(0, |queue| self.queues[queue].monitor.queue_bytes);
        row[at.clamped] = u32::from(counts.is_some() && visit.clamped);
        row[at.sample] = u32::from(samples);
        row[at.frame_port] = self.owners.front().map_or(0, |&(_, port)| port);
        for (name, column) in [
            ("data_high", at.data_high),
            ("data_low", at.data_low),
            ("octets", at.octets),
            ("last", at.last),
            ("valid", at.valid),
        ] {
            row[column] = self.packet_generator.get(name);
        }
    }

    fn edge(&mut self, row: &[u32]) {
        let at = &self.at;
        if row[at.reset] != 0 {
            for queue in &mut self.queues {
                queue.monitor = QueueMonitor::default();
                (queue.counted, queue.exception, queue.waiting) = (0, SamplingException::default(), false);
                queue.feedback.feed(row);
                queue.feedback.outputs();
                queue.feedback.edge();
            }
            self.sample_queue.edge();
            self.packet_generator.edge();
            (self.packet, self.leave, self.level) = (None, None, None);
            (self.level_told, self.packet_last, self.unknown, self.state_read) = (false, false, false, false);
            (self.visit, self.cleared, self.settled, self.now) = (Visit::default(), 0, 0, 0);
            self.owners.clear();
            return;
        }
        let head = self.head();
        let waiting = (self.packet.as_ref().map(|packet| packet.queue), self.leave, self.level);
        let settled = self.now >= self.settled && self.visit.step != 4;
        self.work(row);

        let at = &self.at;
        let known = |queue: usize| (row[queue] as usize) < self.queues.len();
        let enters = row[at.enqueue] != 0 && row[at.ready] != 0;
        let leaves = row[at.dequeue] != 0 && row[at.dequeue_ready] != 0;
        self.unknown = enters && !known(at.enqueue_queue) || leaves && !known(at.dequeue_queue);
        if enters && known(at.enqueue_queue) {
            self.packet = Some(Packet {
                queue: row[at.enqueue_queue] as usize,
                bytes: row[at.enqueue_bytes],
                source: u64::from(row[at.source_mac_high]) << 32 | u64::from(row[at.source_mac_low]),
                row: row.to_vec(),
            });
        }
        if leaves && known(at.dequeue_queue) {
            self.leave = Some((row[at.dequeue_queue] as usize, row[at.dequeue_bytes]));
        }

        let feedback = &mut self.queues[head].feedback;
        let (sent, pop) = (feedback.get("feedback_valid") != 0, feedback.get("pop") != 0);
        if self.table.is_some() && (sent || pop) && !self.level_told {
            self.level = Some((head, feedback.get("quantized_feedback") >> 3));
        }
        self.level_told = sent && !pop;
        self.state_read = self.sample_queue.get("head_valid") != 0 && !pop;
        if self.packet_generator.get("frame_done") != 0 {
            let [high, low] = ["head_source_mac_high", "head_source_mac_low"].map(|name| self.sample_queue.get(name));
            let queue = &mut self.queues[head];
            queue.exception.sent_to(u64::from(high) << 32 | u64::from(low));
            queue.sent = true;
        }
        self.queues[head].feedback.edge();
        self.sample_queue.edge();
        self.packet_generator.edge();
        if pop {
            self.owners.pop_front();
        }
        self.choose(waiting, settled);
        self.now += 1;
    }

    fn settled(&self) -> bool {
        let rests = self.packet.is_none() && self.leave.is_none() && self.level.is_none() && self.visit.step == 0;
        rests && self.now >= self.settled && self.owners.is_empty()
    }

    fn only_while(&self, output: &str) -> Option<&'static str> {
        match output {
            "data_high" | "data_low" | "frame_port" => Some("valid"),
            "visited_queue" | "queue_bytes" => Some("counted"),
            _ => None,
        }
    }
}
