// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ethernet networks with congestion control, event by event and exact to the clock cycle of the hardware: hosts with
//! reaction points, links with rate and delay, switches whose outputs have a queue and perhaps a congestion point.
//!
//! The devices are the integer models with the latencies of their circuits (`model/`). In every cycle the outputs of
//! switches work first, in the order of their numbers, and then the flows. What one does reaches another one cycle
//! later at the earliest, so this order decides nothing but the order of events of one cycle. Work per packet does not
//! grow with the number of flows, and memory grows with flows, with packets in queues and on links, and with feedback
//! frames on their way.

mod agenda;
mod delays;
pub mod flow;
pub mod infiniband;
mod latency;
pub(crate) mod output;
pub mod topology;
pub(crate) mod wheel;

use self::agenda::{Agenda, EXPECTED, Notice, Work};
use self::delays::Delays;
use self::flow::{Expected, Flow, Traffic};
use self::output::Output;
use self::topology::Topology;
use std::iter;
use tidegate_core::units::{Cycles, Rate};
use tidegate_schemes::model::Models;
use tidegate_schemes::model::codec::{Codec, Origin, Payload};
use tidegate_schemes::model::congestion_point::Word;
use tidegate_schemes::model::device::Calculator as _;
use tidegate_schemes::model::reaction_point::ModelReactionPoint;
use tidegate_schemes::model::wire::{Address, mac_value};
use tidegate_schemes::scheme::parameters::Parameters;

/// A packet on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Packet {
    /// Number of its flow.
    pub flow: u32,
    /// How many outputs it has passed.
    pub hop: u16,
    /// A congestion point has marked it.
    pub marked: bool,
}

/// What happens in a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The last byte of a packet is at the first switch of its path: the one of this output.
    Arrived,
    /// A packet enters the queue of an output.
    Enqueued,
    /// A packet has left it.
    Dequeued,
    /// A packet finds no room in it.
    Dropped,
    /// A packet that entered it is marked.
    Marked,
    /// A packet that entered it is a sample: Qoff and ΔQ in bytes.
    Sampled(i32, i32),
    /// The circuit of a congestion point writes the first word of a feedback frame. It leaves the switch when also its
    /// [`Latency`](topology::Latency) is over.
    FeedbackSent(Payload),
    /// This feedback frame leaves the switch of its congestion point, or will when the latency is over, and comes to the link of
    /// its flow in this cycle: the link from the first switch of the flow's path to its host.
    FeedbackReturns(Cycles),
    /// The receiver of a packet that leaves the last output of its path answers it.
    Notified {
        /// The cycle in which the notification leaves the receiver.
        leaves: Cycles,
        /// The cycle in which it comes to the link of its flow, as [`FeedbackReturns`](Event::FeedbackReturns).
        returns: Cycles,
        /// What it carries.
        payload: Payload,
    },
    /// A calculator takes a feedback.
    FeedbackReceived(Payload),
    /// A reaction point has a new rate.
    Rate(Rate),
}

/// Where something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The output of a switch; none if it happens at a host.
    pub output: Option<u32>,
    /// The flow.
    pub flow: u32,
    /// Bytes that wait at the output for its link; 0 at a host.
    pub queue_bytes: u32,
    /// Those that are counted as the length of its queue: all but those in a FIFO behind it.
    pub register_bytes: u32,
}

impl Place {
    fn at(output: &Output, flow: u32) -> Place {
        let (queue_bytes, register_bytes) = (output.queue_bytes(), output.register_bytes());
        Place { output: Some(output.number), flow, queue_bytes, register_bytes }
    }
}

/// Who looks at a run.
pub trait Observer {
    /// Whether all calls come in the order of time. If not, only those of each output and of each flow do, and a run
    /// takes less time: a packet that leaves the last output of its path is no event of its own, and most packets of a
    /// source are none before they arrive at the first switch.
    const IN_ORDER: bool = true;

    /// Something happens in cycle `now`.
    fn event(&mut self, now: Cycles, place: Place, event: Event);
}

/// Nobody looks.
impl Observer for () {
    const IN_ORDER: bool = false;

    fn event(&mut self, _now: Cycles, _place: Place, _event: Event) {}
}

/// A network.
pub struct Network {
    outputs: Vec<Output>,
    flows: Vec<Flow>,
    delays: Delays,
    codec: Codec,
    /// Address of the first flow; those of the others follow it.
    first_address: u64,
    /// Of each output, who gets its pause frames, with the delay of its link: outputs, and flows from [`join`](Self::join) on
    /// until they are over. Empty if it stops nobody.
    senders: Vec<Vec<(u32, Cycles)>>,
    agenda: Agenda,
    /// What is done in one cycle, if it is more than one.
    work: Vec<Work>,
}

impl Network {
    /// A network at cycle 0. All congestion and reaction points are of one scheme and have the same parameters; each
    /// congestion point has a CPID and a seed of its own, and each reaction point an address and a seed.
    ///
    /// # Panics
    /// If it has pause frames and delays that change, or a path of more than 65,534 outputs.
    pub fn new(models: &Models, parameters: &Parameters, topology: &Topology) -> Self {
        let pauses = topology.outputs.iter().any(|output| output.pause.is_some());
        assert!(!pauses || topology.delay_changes.is_empty(), "pause frames and delays that change");
        let short = |path: &[u32]| path.len() < usize::from(EXPECTED);
        assert!(topology.flows.iter().all(|flow| short(&flow.path)), "a path of too many outputs");
        let outputs: Vec<_> = (0..)
            .zip(&topology.outputs)
            .zip(topology.last_outputs())
            .map(|((number, output), last)| Output::new(models, parameters, number, output, last))
            .collect();
        let reaction_point = |flow: u32| {
            let mut calculator = (models.calculator)(parameters, parameters.seed_of(flow + 1));
            calculator.quantize_itself(parameters);
            let mut reaction_point =
                ModelReactionPoint::new(calculator, models.codec, parameters, Address::of(parameters, flow));
            if let Some(rate) = topology.flows[flow as usize].start_rate {
                reaction_point.start_at(rate);
            }
            reaction_point
        };
        let mut agenda = Agenda::new(outputs.len());
        let mut flows = Vec::with_capacity(topology.flows.len());
        for (number, spec) in (0..).zip(&topology.flows) {
            let mut flow = Flow::new(parameters, number, spec, || reaction_point(number));
            // A reaction point has a timer before its flow has a packet.
            agenda.add_flow(if matches!(spec.traffic, Traffic::Controlled) { 0 } else { flow.look_ahead() });
            if topology.outputs[spec.path[0] as usize].pause.is_some() {
                // A pause frame of this cycle arrives when the flow starts.
                agenda.join(spec.start.saturating_sub(1 + spec.delay), outputs.len() as u32 + number);
            }
            flows.push(flow);
        }
        Network {
            first_address: parameters.rp_mac(0),
            senders: (0..)
                .zip(&topology.outputs)
                .map(|(number, output)| output.pause.map_or(Vec::new(), |_| topology.outputs_before(number)))
                .collect(),
            agenda,
            work: Vec::new(),
            outputs,
            flows,
            delays: Delays::new(topology),
            codec: models.codec,
        }
    }

    /// The outputs, in the order of the topology.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The rate of a flow, which is that of its reaction point.
    pub(crate) fn rate(&self, flow: usize) -> Rate {
        self.flows[flow].rate()
    }

    /// Packets that a flow has sent, and that have reached its receiver.
    pub fn packets_of(&self, flow: usize) -> (u64, u64) {
        (self.flows[flow].sent, self.flows[flow].delivered)
    }

    /// Packets on their way to an output.
    pub fn packets_on_links(&self) -> u64 {
        self.agenda.on_links
    }

    /// Other values of the [`CHANGEABLE`](tidegate_schemes::model::CHANGEABLE) keys in all congestion and reaction points, from
    /// cycle `now` on: the end of the last [`run`](Self::run).
    pub(crate) fn set_parameters(&mut self, now: Cycles, parameters: &Parameters) {
        for output in &mut self.outputs {
            output.set_parameters(now, parameters);
        }
        for flow in &mut self.flows {
            if let Some(reaction_point) = flow.reaction_point() {
                reaction_point.set_parameters(now, parameters);
            }
        }
    }

    /// Works until the end of the cycle before `end`.
    pub fn run<O: Observer>(&mut self, end: Cycles, observer: &mut O) {
        while let Some(at) = self.delays.next(end) {
            self.run_unchanged(at, observer);
            while let Some((component, delay)) = self.delays.take(at) {
                self.set_delay::<O>(component as usize, delay);
            }
        }
        self.run_unchanged(end, observer);
    }

    /// Another delay of a link, from the end of the last [`run_unchanged`](Self::run_unchanged) on.
    fn set_delay<O: Observer>(&mut self, component: usize, delay: Cycles) {
        let Some(number) = component.checked_sub(self.outputs.len()) else {
            self.outputs[component].delay = delay;
            return;
        };
        let flow = &mut self.flows[number];
        flow.set_delay(delay);
        if flow.arrival != Cycles::MAX {
            self.agenda.plan::<O>(flow);
        }
    }

    /// The same as [`run`](Self::run), without a change of a delay.
    fn run_unchanged<O: Observer>(&mut self, end: Cycles, observer: &mut O) {
        let Network { outputs, flows, agenda, .. } = self;
        if O::IN_ORDER {
            for output in outputs {
                agenda.wake(output, output.departs());
            }
            for flow in flows.iter_mut().filter(|flow| flow.expected != Expected::Nothing) {
                agenda.expect::<O>(flow);
            }
        }
        let mut work = std::mem::take(&mut self.work);
        while let Some((now, first)) = self.agenda.take(end, &mut work) {
            if work.is_empty() {
                if let Some(notice) = first.notice() {
                    self.notice(now, end, first.component, notice, observer);
                }
                self.component(now, end, first.component, iter::once(first), observer);
            } else {
                // In front, where the wheel has it: what comes sorted, or the other way round, is sorted soon.
                work.insert(0, first);
                self.components(now, end, &mut work, observer);
            }
        }
        self.work = work;
        if !O::IN_ORDER {
            let Network { outputs, flows, agenda, .. } = self;
            for output in outputs {
                depart_before(end, output, flows, observer);
            }
            let mut number = 0;
            while let Some(more) = agenda.due[number..].iter().position(|&due| due < end) {
                number += more;
                agenda.flow_before(end, end, &mut flows[number], observer);
                agenda.expect::<O>(&mut flows[number]);
            }
        }
    }

    /// What several components do in cycle `now`, or one to which several things happen.
    #[inline(never)]
    fn components<O: Observer>(&mut self, now: Cycles, end: Cycles, work: &mut [Work], observer: &mut O) {
        work.sort_unstable();
        for mine in work.chunk_by(|one, other| one.component == other.component) {
            for notice in mine.iter().filter_map(|work| work.notice()) {
                self.notice(now, end, mine[0].component, notice, observer);
            }
            self.component(now, end, mine[0].component, mine.iter().copied(), observer);
        }
    }

    /// What one component does in cycle `now`, after what has reached it.
    #[inline(always)]
    fn component<O: Observer>(
        &mut self,
        now: Cycles,
        end: Cycles,
        component: u32,
        work: impl Iterator<Item = Work>,
        observer: &mut O,
    ) {
        match (component as usize).checked_sub(self.outputs.len()) {
            None => self.output(now, end, component, work.filter_map(|work| work.packet), observer),
            Some(number) => self.flow(now, end, number, observer),
        }
    }

    /// A notice reaches a component in cycle `now`, before it works.
    #[cold]
    fn notice<O: Observer>(&mut self, now: Cycles, end: Cycles, component: u32, notice: Notice, observer: &mut O) {
        let Network { outputs, flows, agenda, .. } = self;
        let stops = notice == Notice::Stop;
        match (component as usize).checked_sub(outputs.len()) {
            None => {
                let output = &mut outputs[component as usize];
                if !O::IN_ORDER {
                    depart_before(now, output, flows, observer);
                }
                output.stop(now, stops);
            }
            Some(number) if notice == Notice::Join => self.join(now, number),
            Some(number) => {
                let flow = &mut flows[number];
                agenda.flow_before(now, end, flow, observer);
                flow.stop(now, stops);
                agenda.plan::<O>(flow);
            }
        }
    }

    /// A flow in cycle `now`.
    fn flow<O: Observer>(&mut self, now: Cycles, end: Cycles, number: usize, observer: &mut O) {
        let Network { flows, agenda, .. } = self;
        let flow = &mut flows[number];
        // If it is due in another cycle, it has another time since.
        if agenda.due[number] == now {
            agenda.flow(now, end, flow, observer);
            agenda.expect::<O>(flow);
        }
    }

    /// A flow begins to get the pause frames of its first output, so early that it is at its start as if it had got those
    /// before. So the work of a pause grows with the flows that are there, and not with those before and behind them.
    #[cold]
    fn join(&mut self, now: Cycles, number: usize) {
        let flow = &self.flows[number];
        let component = (self.outputs.len() + number) as u32;
        if self.outputs[flow.first_output as usize].stops() {
            self.agenda.pause(now + 1 + flow.delay, component, true);
        }
        self.senders[flow.first_output as usize].push((component, flow.delay));
    }

    /// An output stops its senders, or not any more; to flows that are over it makes no difference.
    #[cold]
    fn pause(&mut self, now: Cycles, number: u32, stops: bool) {
        let Network { outputs, flows, agenda, senders, .. } = self;
        senders[number as usize].retain(|&(component, delay)| {
            let flow = (component as usize).checked_sub(outputs.len());
            let stays = flow.is_none_or(|flow| !flows[flow].is_over(now));
            if stays {
                agenda.pause(now + 1 + delay, component, stops);
            }
            stays
        });
    }

    #[inline(always)]
    fn output<O: Observer>(
        &mut self,
        now: Cycles,
        end: Cycles,
        number: u32,
        packets: impl Iterator<Item = Packet>,
        observer: &mut O,
    ) {
        let Network { outputs, flows, agenda, .. } = self;
        let output = &mut outputs[number as usize];
        if !O::IN_ORDER {
            depart_before(now, output, flows, observer);
        }
        let (mut left, notified) =
            if output.departs() <= now { depart(now, output, flows, agenda, observer) } else { (0, None) };
        let tell = |observer: &mut O, flow: u32, output: &Output, event: Event| {
            observer.event(now, Place::at(output, flow), event)
        };
        // Those that came in earlier cycles enter the queue before those of this one.
        let mut enters = output.entering.pop_front();
        for mut packet in packets {
            let flow = &mut flows[packet.flow as usize];
            if packet.hop == EXPECTED {
                if !agenda.arrives(now, end, flow, observer) {
                    continue;
                }
                packet.hop = 0;
            }
            agenda.on_links -= 1;
            if packet.hop == 0 {
                tell(observer, packet.flow, output, Event::Arrived);
            }
            if !output.place(packet, flow.frame.bytes, &mut enters) {
                tell(observer, packet.flow, output, Event::Dropped);
            }
        }
        if let Some((packet, bytes)) = enters {
            left += output.enqueue(now, packet, bytes);
            if bytes > 0 {
                tell(observer, packet.flow, output, Event::Enqueued);
            }
        }
        output.count(enters.map_or(0, |(_, bytes)| bytes), left);
        if let Some((packet, bytes)) = enters {
            let answer = output.arrival(now, &flows[packet.flow as usize].frame, bytes > 0);
            if answer.marked {
                output.mark();
                tell(observer, packet.flow, output, Event::Marked);
            }
            if let Some((q_offset, q_delta)) = answer.sample {
                tell(observer, packet.flow, output, Event::Sampled(q_offset, q_delta));
            }
        }
        let mut frame = None;
        match output.word(now) {
            None => {}
            Some(Word::First(source, payload)) => {
                let flow = (source - self.first_address) as u32;
                tell(observer, flow, output, Event::FeedbackSent(payload));
            }
            Some(Word::Last(whole)) => frame = Some((whole, output.feedback_leaves(now, whole.words()))),
        }
        let mut next = output.next(now + 1);
        if O::IN_ORDER || !output.last {
            next = next.min(output.departs().max(now + 1));
        }
        if output.due <= now {
            output.due = Cycles::MAX;
        }
        agenda.wake(output, next);
        if let Some(stops) = output.pauses() {
            self.pause(now, number, stops);
        }
        if let Some((frame, leaves)) = frame {
            self.feed_back(now, number, leaves, &frame, observer);
        }
        if let Some(notified) = notified {
            self.notify(now, number, notified, observer);
        }
    }

    /// The last word of a feedback frame is written in cycle `now`, and the frame leaves the output in cycle `leaves`.
    #[cold]
    fn feed_back<O: Observer>(&mut self, now: Cycles, from: u32, leaves: Cycles, frame: &[u8], observer: &mut O) {
        let source = mac_value(frame[..6].try_into().expect("six octets"));
        let number = (source - self.first_address) as usize;
        let path = &self.flows[number].path;
        let hop = path.iter().position(|&output| output == from).expect("a flow gets feedback from its path");
        let returns = self.back(&path[..hop], leaves);
        let place = Place::at(&self.outputs[from as usize], number as u32);
        observer.event(now, place, Event::FeedbackReturns(returns));
        self.deliver::<O>(number, returns, frame);
    }

    /// A packet leaves its last output in cycle `now`, and its receiver answers it.
    #[cold]
    fn notify<O: Observer>(&mut self, now: Cycles, from: u32, notified: Notified, observer: &mut O) {
        let Notified { flow: number, leaves, payload } = notified;
        let flow = &self.flows[number as usize];
        let frame = (self.codec.write)(&flow.frame, &payload, &Origin::receiver_of(&flow.frame));
        let returns = self.back(&flow.path, leaves);
        let place = Place::at(&self.outputs[from as usize], number);
        observer.event(now, place, Event::Notified { leaves, returns, payload });
        self.deliver::<O>(number as usize, returns, &frame);
    }

    /// When a frame that enters the last of these links in cycle `leaves` comes out of the first: on each a cycle and its
    /// delay.
    fn back(&self, links: &[u32], leaves: Cycles) -> Cycles {
        let links = links.iter().rev();
        links.fold(leaves, |enters, &output| self.delays.arrives(output, enters, self.outputs[output as usize].delay))
    }

    /// A frame for a flow comes to its link in cycle `returns`.
    fn deliver<O: Observer>(&mut self, number: usize, returns: Cycles, frame: &[u8]) {
        let flow = &mut self.flows[number];
        let arrives = self.delays.arrives((self.outputs.len() + number) as u32, returns, flow.delay);
        flow.deliver(arrives, frame);
        self.agenda.plan::<O>(flow);
    }
}

/// The answer of a receiver to a packet.
struct Notified {
    flow: u32,
    /// The cycle in which it leaves the receiver.
    leaves: Cycles,
    payload: Payload,
}

/// The packet that is out in cycle `now` leaves its output, on its way to the next one if its path goes on, or else to its
/// receiver. Returns the bytes that leave the queue, and the answer of the receiver.
fn depart<O: Observer>(
    now: Cycles,
    output: &mut Output,
    flows: &mut [Flow],
    agenda: &mut Agenda,
    observer: &mut O,
) -> (u32, Option<Notified>) {
    let (packet, bytes, left) = output.dequeue();
    observer.event(now, Place::at(output, packet.flow), Event::Dequeued);
    let flow = &mut flows[packet.flow as usize];
    let next = Packet { hop: packet.hop + 1, ..packet };
    match flow.path.get(next.hop as usize) {
        None => {
            flow.delivered += 1;
            if let Some((leaves, payload)) = output.receive(now, bytes, &flow.frame, packet.marked) {
                return (left, Some(Notified { flow: packet.flow, leaves, payload }));
            }
        }
        Some(&to) => agenda.forward(output.arrives(now, bytes), output.number, to, next),
    }
    (left, None)
}

/// The packets that left a last output before cycle `now`, each in its own cycle. Nothing else happened there in these.
#[inline(always)]
fn depart_before<O: Observer>(now: Cycles, output: &mut Output, flows: &mut [Flow], observer: &mut O) {
    while output.last && output.departs() < now {
        let at = output.departs();
        let (Packet { flow, .. }, _, left) = output.dequeue();
        output.count(0, left);
        observer.event(at, Place::at(output, flow), Event::Dequeued);
        flows[flow as usize].delivered += 1;
    }
}

#[cfg(test)]
mod tests;
