//! Ethernet networks with congestion control, event by event and exact to the clock cycle of the hardware: hosts with
//! reaction points, links with rate and delay, switches whose outputs have a queue and perhaps a congestion point.
//!
//! The devices are the integer models with the latencies of their circuits (`model/`). In every cycle the outputs of
//! switches work first, in the order of their numbers, and then the flows. What one does reaches another one cycle
//! later at the earliest, so this order decides nothing but the order of events of one cycle. Work per packet does not
//! grow with the number of flows, and memory grows with flows, with packets in queues and on links, and with feedback
//! frames on their way.

mod delays;
pub mod flow;
pub mod infiniband;
mod latency;
pub mod output;
pub mod topology;
pub mod wheel;

use self::delays::Delays;
use self::flow::{Expected, Flow, Traffic};
use self::output::Output;
use self::topology::Topology;
use self::wheel::Wheel;
use crate::model::reaction_point::ModelReactionPoint;
use crate::model::wire::{Address, mac_value};
use crate::model::{Fields, Models};
use crate::scheme::parameters::Parameters;
use crate::units::{Cycles, Rate};

/// A packet on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packet {
    /// Number of its flow.
    pub flow: u32,
    /// How many outputs it has passed.
    pub hop: u32,
}

/// What happens in a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A packet enters the queue of an output.
    Enqueued,
    /// A packet has left it.
    Dequeued,
    /// A packet finds no room in it.
    Dropped,
    /// A packet that entered it is a sample: Qoff and ΔQ in bytes.
    Sampled(i32, i32),
    /// The circuit of a congestion point writes the first word of a feedback frame. It leaves the switch when also its
    /// [`Latency`](topology::Latency) is over.
    FeedbackSent(Fields),
    /// A calculator takes a feedback.
    FeedbackReceived(Fields),
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
    /// Bytes in the queue of the output; 0 at a host.
    pub queue_bytes: u32,
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

/// Who works in a cycle. In the order in which they work: arrivals at an output come in the order of the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Work {
    /// An output, or the number of outputs + a flow.
    component: u32,
    /// The link on which a packet arrives at the output.
    link: u32,
    /// The packet that arrives.
    packet: Option<Packet>,
}

impl Work {
    fn wake(component: u32) -> Self {
        Work { component, link: 0, packet: None }
    }

    /// Whether it is a pause frame, and stops the component.
    #[inline]
    fn pause(&self) -> Option<bool> {
        (self.packet.is_none() && self.link >= STOP).then_some(self.link == STOP)
    }
}

/// Links between outputs have the numbers behind those of the flows' own links.
const FIRST_LINK_OF_OUTPUTS: u32 = 1 << 31;
/// In place of a hop: the packet arrives at the first output of its path if its flow still expects it to.
const EXPECTED: u32 = u32::MAX;
/// In place of a link: a pause frame that stops the component, and one that ends this.
const STOP: u32 = u32::MAX - 1;
const GO: u32 = u32::MAX;

/// A network.
pub struct Network {
    outputs: Vec<Output>,
    flows: Vec<Flow>,
    delays: Delays,
    /// When each output, and then each flow, works next; `Cycles::MAX` if it need not. A flow whose packet is expected
    /// may have work of earlier cycles to do; it is done before anything reaches it that depends on it.
    due: Vec<Cycles>,
    /// Address of the first flow; those of the others follow it.
    first_address: u64,
    /// Of each output, who sends packets to it; empty if it stops nobody.
    senders: Vec<Vec<(u32, Cycles)>>,
    wheel: Wheel<Work>,
    on_links: u64,
    /// The work of one cycle.
    work: Vec<Work>,
}

impl Network {
    /// A network at cycle 0. All congestion and reaction points are of one scheme and have the same parameters; each
    /// congestion point has a CPID and a seed of its own, and each reaction point an address and a seed.
    ///
    /// # Panics
    /// If it has pause frames and delays that change.
    pub fn new(models: &Models, parameters: &Parameters, topology: &Topology) -> Self {
        let pauses = topology.outputs.iter().any(|output| output.pause.is_some());
        assert!(!pauses || topology.delay_changes.is_empty(), "pause frames and delays that change");
        let outputs: Vec<_> = topology
            .outputs
            .iter()
            .zip(topology.last_outputs())
            .map(|(output, last)| Output::new(models, parameters, output, last))
            .collect();
        let reaction_point = |flow: u32| {
            let calculator = (models.calculator)(parameters, parameters.seed_of(flow + 1));
            let mut reaction_point =
                ModelReactionPoint::new(calculator, parameters, Address::any_cpid(parameters.rp_mac(flow)));
            if let Some(rate) = topology.flows[flow as usize].start_rate {
                reaction_point.start_at(rate);
            }
            reaction_point
        };
        let flows: Vec<_> = (0..)
            .zip(&topology.flows)
            .map(|(number, flow)| Flow::new(parameters, number, flow, || reaction_point(number)))
            .collect();
        let components = outputs.len() + flows.len();
        let mut network = Network {
            due: vec![Cycles::MAX; components],
            first_address: parameters.rp_mac(0),
            senders: (0..)
                .zip(&topology.outputs)
                .map(|(number, output)| output.pause.map_or(Vec::new(), |_| topology.senders(number)))
                .collect(),
            wheel: Wheel::new(),
            on_links: 0,
            work: Vec::new(),
            outputs,
            flows,
            delays: Delays::new(topology),
        };
        for (number, flow) in topology.flows.iter().enumerate() {
            let component = network.outputs.len() + number;
            // A reaction point has a timer before its flow has a packet.
            let first =
                if matches!(flow.traffic, Traffic::Controlled) { 0 } else { network.flows[number].look_ahead() };
            network.wake(component, first);
        }
        network
    }

    /// The outputs, in the order of the topology.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The rate of a flow, which is that of its reaction point.
    pub fn rate(&self, flow: usize) -> Rate {
        self.flows[flow].rate()
    }

    /// Packets that a flow has sent, and that have reached its receiver.
    pub fn packets_of(&self, flow: usize) -> (u64, u64) {
        (self.flows[flow].sent, self.flows[flow].delivered)
    }

    /// Packets on their way to an output.
    pub fn packets_on_links(&self) -> u64 {
        self.on_links
    }

    /// Other values of the [`CHANGEABLE`](crate::model::CHANGEABLE) keys in all congestion and reaction points, from
    /// cycle `now` on: the end of the last [`run`](Self::run).
    pub fn set_parameters(&mut self, now: Cycles, parameters: &Parameters) {
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
            self.plan::<O>(number);
        }
    }

    /// The same as [`run`](Self::run), without a change of a delay.
    fn run_unchanged<O: Observer>(&mut self, end: Cycles, observer: &mut O) {
        if O::IN_ORDER {
            for number in 0..self.outputs.len() {
                self.wake(number, self.outputs[number].departs());
            }
            for number in 0..self.flows.len() {
                if self.flows[number].expected != Expected::Nothing {
                    self.expect::<O>(number);
                }
            }
        }
        let mut work = std::mem::take(&mut self.work);
        while let Some(now) = self.wheel.take(end, &mut work) {
            if work.len() > 1 {
                work.sort_unstable();
            }
            for mine in work.chunk_by_mut(|one, other| one.component == other.component) {
                let component = mine[0].component;
                match (component as usize).checked_sub(self.outputs.len()) {
                    None => self.output(now, end, component, mine, observer),
                    Some(flow) => {
                        let mut pauses = mine.iter().filter_map(Work::pause);
                        if let Some(stops) = pauses.next_back() {
                            self.flow_before(now, end, flow, observer);
                            self.flows[flow].stop(now, stops);
                            self.plan::<O>(flow);
                        }
                        // If it is due in another cycle, it has another time since.
                        if self.due[component as usize] == now {
                            self.flow(now, end, flow, observer);
                            self.expect::<O>(flow);
                        }
                    }
                }
            }
        }
        self.work = work;
        if !O::IN_ORDER {
            (0..self.outputs.len()).for_each(|number| self.depart_before(end, number, observer));
            for number in 0..self.flows.len() {
                if self.due[self.outputs.len() + number] < end {
                    self.flow_before(end, end, number, observer);
                    self.expect::<O>(number);
                }
            }
        }
    }

    /// The component has worked in cycle `now`, and works next in another one.
    #[inline]
    fn worked(&mut self, now: Cycles, component: usize, next: Cycles) {
        if self.due[component] <= now {
            self.due[component] = Cycles::MAX;
        }
        self.wake(component, next);
    }

    /// The component works in a cycle at the latest.
    #[inline]
    fn wake(&mut self, component: usize, cycle: Cycles) {
        if cycle < self.due[component] {
            self.due[component] = cycle;
            self.wheel.put(cycle, Work::wake(component as u32));
        }
    }

    /// The packet that is out in cycle `now` leaves its output, on its way to the next one if its path goes on. Returns
    /// its bytes.
    #[inline]
    fn depart<O: Observer>(&mut self, now: Cycles, number: usize, observer: &mut O) -> u32 {
        let output = &mut self.outputs[number];
        let (packet, bytes) = output.dequeue();
        let place = Place { output: Some(number as u32), flow: packet.flow, queue_bytes: output.queue_bytes() };
        observer.event(now, place, Event::Dequeued);
        let flow = &mut self.flows[packet.flow as usize];
        let next = Packet { hop: packet.hop + 1, ..packet };
        match flow.path.get(next.hop as usize) {
            None => flow.delivered += 1,
            Some(&target) => {
                let link = FIRST_LINK_OF_OUTPUTS + number as u32;
                self.on_links += 1;
                let arrives = output.arrives(now, bytes);
                self.wheel.put(arrives, Work { component: target, link, packet: Some(next) });
            }
        }
        bytes
    }

    /// The packets that left a last output before cycle `now`, each in its own cycle. Nothing else happened there in
    /// these.
    #[inline]
    fn depart_before<O: Observer>(&mut self, now: Cycles, number: usize, observer: &mut O) {
        if !self.outputs[number].last {
            return;
        }
        loop {
            let at = self.outputs[number].departs();
            if at >= now {
                return;
            }
            let bytes = self.depart(at, number, observer);
            self.outputs[number].congestion_point(at, None, 0, bytes);
        }
    }

    fn output<O: Observer>(&mut self, now: Cycles, end: Cycles, number: u32, work: &mut [Work], observer: &mut O) {
        let component = number as usize;
        if !O::IN_ORDER {
            self.depart_before(now, component, observer);
        }
        let mut works = self.due[component] == now;
        for work in work.iter_mut() {
            if let Some(Packet { flow, hop: EXPECTED }) = work.packet {
                let arrives = self.arrives(now, end, flow as usize, observer);
                work.packet = arrives.then_some(Packet { flow, hop: 0 });
            }
            if let Some(stops) = work.pause() {
                self.outputs[component].stop(now, stops);
                works = true;
            }
            works |= work.packet.is_some();
        }
        if !works {
            return;
        }
        let out = self.outputs[component].departs() <= now;
        let dequeued = if out { self.depart(now, component, observer) } else { 0 };
        let output = &mut self.outputs[component];
        let tell = |observer: &mut O, flow: u32, queue_bytes: u32, event: Event| {
            observer.event(now, Place { output: Some(number), flow, queue_bytes }, event)
        };
        for packet in work.iter().filter_map(|work| work.packet) {
            self.on_links -= 1;
            let bytes = self.flows[packet.flow as usize].frame.bytes;
            if !output.place(packet, bytes) {
                tell(observer, packet.flow, output.queue_bytes(), Event::Dropped);
            }
        }
        if let Some(stops) = output.pauses() {
            let link = if stops { STOP } else { GO };
            for &(component, delay) in &self.senders[component] {
                self.wheel.put(now + 1 + delay, Work { component, link, packet: None });
            }
        }
        let (mut entered, mut enqueued) = (None, 0);
        if let Some((packet, bytes)) = output.enqueue(now) {
            if bytes > 0 {
                tell(observer, packet.flow, output.queue_bytes(), Event::Enqueued);
            }
            entered = Some((packet.flow, &self.flows[packet.flow as usize].frame));
            enqueued = bytes;
        }
        let outcome = output.congestion_point(now, entered.map(|(_, frame)| frame), enqueued, dequeued);
        let mut delivered = None;
        if let Some(outcome) = outcome {
            if let (Some((q_offset, q_delta)), Some((flow, _))) = (outcome.sample, entered) {
                tell(observer, flow, output.queue_bytes(), Event::Sampled(q_offset, q_delta));
            }
            if let Some((source, fields)) = outcome.feedback_sent {
                let flow = (source - self.first_address) as u32;
                tell(observer, flow, output.queue_bytes(), Event::FeedbackSent(fields));
            }
            if let Some(frame) = outcome.frame {
                let source = mac_value(frame[..6].try_into().expect("six octets"));
                let number = (source - self.first_address) as usize;
                let leaves = output.feedback_leaves(now);
                let arrives = self.back(number, component, leaves);
                self.flows[number].deliver(arrives, &frame);
                delivered = Some(number);
            }
        }
        let output = &self.outputs[component];
        let mut next = output.next(now + 1);
        if O::IN_ORDER || !output.last {
            next = next.min(output.departs().max(now + 1));
        }
        self.worked(now, component, next);
        if let Some(flow) = delivered {
            self.plan::<O>(flow);
        }
    }

    /// When a feedback frame that leaves an output in cycle `leaves` arrives at the source of a flow: over the link of the
    /// flow and those between, each a cycle and its delay.
    fn back(&self, number: usize, from: usize, leaves: Cycles) -> Cycles {
        let flow = &self.flows[number];
        let hop = flow.path.iter().position(|&output| output as usize == from);
        let between = flow.path[..hop.expect("a flow gets feedback from its path")].iter().rev();
        let arrives = between
            .fold(leaves, |enters, &output| self.delays.arrives(output, enters, self.outputs[output as usize].delay));
        self.delays.arrives((self.outputs.len() + number) as u32, arrives, flow.delay)
    }

    /// Whether the packet that the flow was expected to send arrives at the first switch in cycle `now`.
    #[inline]
    fn arrives<O: Observer>(&mut self, now: Cycles, end: Cycles, number: usize, observer: &mut O) -> bool {
        let (Expected::Planned(arrival) | Expected::Started(arrival)) = self.flows[number].expected else {
            return false;
        };
        if arrival != now {
            return false;
        }
        self.flow_before(now, end, number, observer);
        self.flows[number].expected = Expected::Nothing;
        self.expect::<O>(number);
        true
    }

    /// Something has reached the flow, or its link, that can change what it does next.
    #[inline]
    fn plan<O: Observer>(&mut self, number: usize) {
        self.due[self.outputs.len() + number] = self.flows[number].look_ahead();
        self.expect::<O>(number);
    }

    /// Puts into the wheel what the flow does next: its next packet at the first switch, if all that it does before is
    /// to start it. While a packet is on its way there, nothing that the flow does can reach the switch earlier.
    #[inline]
    fn expect<O: Observer>(&mut self, number: usize) {
        let component = self.outputs.len() + number;
        let flow = &mut self.flows[number];
        let started = matches!(flow.expected, Expected::Started(_));
        if !O::IN_ORDER && (started || flow.expected == Expected::Planned(flow.arrival)) {
            return;
        }
        if !O::IN_ORDER && flow.arrival != Cycles::MAX {
            flow.expected = Expected::Planned(flow.arrival);
            let packet = Some(Packet { flow: number as u32, hop: EXPECTED });
            self.wheel.put(flow.arrival, Work { component: flow.path[0], link: number as u32, packet });
            return;
        }
        if !started {
            flow.expected = Expected::Nothing;
        }
        self.wheel.put(self.due[component], Work::wake(component as u32));
    }

    /// The flow works in all its cycles before cycle `now`.
    #[inline]
    fn flow_before<O: Observer>(&mut self, now: Cycles, end: Cycles, number: usize, observer: &mut O) {
        let component = self.outputs.len() + number;
        while self.due[component] < now {
            self.flow(self.due[component], end, number, observer);
        }
    }

    #[inline]
    fn flow<O: Observer>(&mut self, now: Cycles, end: Cycles, number: usize, observer: &mut O) {
        let component = self.outputs.len() + number;
        let flow = &mut self.flows[number];
        let outcome = flow.cycle(now, end);
        match (outcome.arrives, flow.expected) {
            (Some(arrival), Expected::Planned(planned)) if arrival == planned => {
                self.on_links += 1;
                flow.expected = Expected::Started(arrival);
            }
            (Some(arrival), _) => {
                self.on_links += 1;
                let packet = Some(Packet { flow: number as u32, hop: 0 });
                self.wheel.put(arrival, Work { component: flow.path[0], link: number as u32, packet });
            }
            (None, Expected::Planned(_)) => flow.expected = Expected::Nothing,
            (None, _) => {}
        }
        let place = Place { output: None, flow: number as u32, queue_bytes: 0 };
        if let Some(fields) = outcome.feedback {
            observer.event(now, place, Event::FeedbackReceived(fields));
        }
        if let Some(rate) = outcome.rate {
            observer.event(now, place, Event::Rate(rate));
        }
        self.due[component] = flow.look_ahead();
    }
}

#[cfg(test)]
mod tests;
