//! Ethernet networks with congestion control, event by event and exact to the clock cycle of the hardware: hosts with
//! reaction points, links with rate and delay, switches whose outputs have a queue and perhaps a congestion point.
//!
//! The devices are the integer models with the latencies of their circuits (`model/`). In every cycle the outputs of
//! switches work first, in the order of their numbers, and then the flows. What one does reaches another one cycle later at
//! the earliest, so this order decides nothing but the order of events of one cycle. Work per packet does not grow with
//! the number of flows, and memory grows with flows and with packets in queues and on links.

pub mod flow;
pub mod infiniband;
pub mod output;
pub mod topology;
pub mod wheel;

use self::flow::{Flow, Traffic};
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
    /// The first word of a feedback frame leaves the congestion point.
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
    /// takes less time: a packet that leaves the last output of its path is no event of its own.
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
/// In place of a link: a pause frame that stops the component, and one that ends this.
const STOP: u32 = u32::MAX - 1;
const GO: u32 = u32::MAX;

/// A network.
pub struct Network {
    outputs: Vec<Output>,
    flows: Vec<Flow>,
    /// When each output, and then each flow, works next; `Cycles::MAX` if it need not.
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
    pub fn new(models: &Models, parameters: &Parameters, topology: &Topology) -> Self {
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
            .map(|(number, flow)| Flow::new(parameters, number, flow, topology.back(flow), || reaction_point(number)))
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
        };
        for (number, flow) in topology.flows.iter().enumerate() {
            let component = network.outputs.len() + number;
            // A reaction point has a timer before its flow has a packet.
            let first = if matches!(flow.traffic, Traffic::Controlled) { 0 } else { network.flows[number].next(0) };
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

    /// Other values of the [`CHANGEABLE`](crate::model::CHANGEABLE) keys in all congestion and reaction points, from cycle
    /// `now` on: the end of the last [`run`](Self::run).
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
        if O::IN_ORDER {
            for number in 0..self.outputs.len() {
                self.wake(number, self.outputs[number].departs());
            }
        }
        let mut work = std::mem::take(&mut self.work);
        while let Some(now) = self.wheel.take(end, &mut work) {
            if work.len() > 1 {
                work.sort_unstable();
            }
            for mine in work.chunk_by(|one, other| one.component == other.component) {
                let component = mine[0].component;
                match (component as usize).checked_sub(self.outputs.len()) {
                    None => self.output(now, component, mine, observer),
                    Some(flow) => {
                        let mut pauses = mine.iter().filter_map(Work::pause);
                        if let Some(stops) = pauses.next_back() {
                            self.flows[flow].stop(now, stops);
                            let next = self.flows[flow].next(now);
                            self.wake(component as usize, next);
                        }
                        // If it is due in another cycle, it has another time since.
                        if self.due[component as usize] == now {
                            self.flow(now, end, flow, observer);
                        }
                    }
                }
            }
        }
        self.work = work;
        if !O::IN_ORDER {
            (0..self.outputs.len()).for_each(|number| self.depart_before(end, number, observer));
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

    /// The packet that is out in cycle `now` leaves its output, on its way to the next one if its path goes on. Returns its
    /// bytes, or 0.
    #[inline]
    fn depart<O: Observer>(&mut self, now: Cycles, number: usize, observer: &mut O) -> u32 {
        let output = &mut self.outputs[number];
        let Some((packet, bytes)) = output.dequeue(now) else { return 0 };
        let place = Place { output: Some(number as u32), flow: packet.flow, queue_bytes: output.queue_bytes() };
        observer.event(now, place, Event::Dequeued);
        let flow = &mut self.flows[packet.flow as usize];
        let next = Packet { hop: packet.hop + 1, ..packet };
        match flow.path.get(next.hop as usize) {
            None => flow.delivered += 1,
            Some(&target) => {
                let link = FIRST_LINK_OF_OUTPUTS + number as u32;
                self.on_links += 1;
                self.wheel.put(now + 1 + output.delay, Work { component: target, link, packet: Some(next) });
            }
        }
        bytes
    }

    /// The packets that left a last output before cycle `now`, each in its own cycle. Nothing else happened there in
    /// these.
    #[inline]
    fn depart_before<O: Observer>(&mut self, now: Cycles, number: usize, observer: &mut O) {
        while self.outputs[number].last && self.outputs[number].departs() < now {
            let at = self.outputs[number].departs();
            let bytes = self.depart(at, number, observer);
            self.outputs[number].congestion_point(at, None, 0, bytes);
        }
    }

    fn output<O: Observer>(&mut self, now: Cycles, number: u32, work: &[Work], observer: &mut O) {
        let arrivals = work.iter().filter_map(|work| work.packet);
        let component = number as usize;
        if !O::IN_ORDER {
            self.depart_before(now, component, observer);
        }
        let output = &mut self.outputs[component];
        let mut works = self.due[component] == now;
        for work in work {
            works |= work.packet.is_some();
            if let Some(stops) = work.pause() {
                output.stop(now, stops);
                works = true;
            }
        }
        if !works {
            return;
        }
        let dequeued = self.depart(now, component, observer);
        let output = &mut self.outputs[component];
        let tell = |observer: &mut O, flow: u32, queue_bytes: u32, event: Event| {
            observer.event(now, Place { output: Some(number), flow, queue_bytes }, event)
        };
        for packet in arrivals {
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
                let flow = &mut self.flows[number];
                let hop = flow.path.iter().position(|&output| output as usize == component);
                flow.deliver(now + 1 + flow.back[hop.expect("a flow gets feedback from its path")], &frame);
                delivered = Some(number);
            }
        }
        let mut next = output.next(now + 1);
        if O::IN_ORDER || !output.last {
            next = next.min(output.departs().max(now + 1));
        }
        self.worked(now, component, next);
        if let Some(flow) = delivered {
            let next = self.flows[flow].next(now);
            self.wake(self.outputs.len() + flow, next);
        }
    }

    fn flow<O: Observer>(&mut self, now: Cycles, end: Cycles, number: usize, observer: &mut O) {
        let component = self.outputs.len() + number;
        let flow = &mut self.flows[number];
        let outcome = flow.cycle(now, end);
        if let Some(arrival) = outcome.arrives {
            let packet = Some(Packet { flow: number as u32, hop: 0 });
            self.on_links += 1;
            self.wheel.put(arrival, Work { component: flow.path[0], link: number as u32, packet });
        }
        let place = Place { output: None, flow: number as u32, queue_bytes: 0 };
        if let Some(fields) = outcome.feedback {
            observer.event(now, place, Event::FeedbackReceived(fields));
        }
        if let Some(rate) = outcome.rate {
            observer.event(now, place, Event::Rate(rate));
        }
        let next = flow.next(now + 1);
        self.worked(now, component, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::parameters::{BENCH, ETHERNET};
    use crate::scheme::qcn::KEYS;

    /// What happens at each output.
    #[derive(Default)]
    struct Log<const IN_ORDER: bool>([Vec<(Cycles, Place, Event)>; 2]);

    impl<const IN_ORDER: bool> Observer for Log<IN_ORDER> {
        const IN_ORDER: bool = IN_ORDER;

        fn event(&mut self, now: Cycles, place: Place, event: Event) {
            if let Some(output) = place.output {
                self.0[output as usize].push((now, place, event));
            }
        }
    }

    /// A network of QCN, perhaps with more outputs and other paths than a dumbbell.
    fn network(settings: &[(&str, &str)], change: impl FnOnce(&mut Topology)) -> Network {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let keys = KEYS.iter().chain(ETHERNET).chain(BENCH).copied();
        let parameters = Parameters::new("qcn", keys, &settings).expect("the settings are accepted");
        let mut topology = Topology::dumbbell(&parameters);
        change(&mut topology);
        Network::new(&Models::QCN, &parameters, &topology)
    }

    /// What is counted at an output.
    fn counts(output: &Output) -> [u64; 5] {
        [output.dequeued, output.bytes_out, output.dropped, output.samples, u64::from(output.queue_bytes())]
    }

    /// Two outputs, behind the first of which half of the flows end: what happens there, and what is counted after
    /// each piece.
    fn observed<const IN_ORDER: bool>(buffer_bytes: u32) -> (Log<IN_ORDER>, Vec<[u64; 5]>) {
        let settings = [("flows", "4"), ("buffer_bytes", &buffer_bytes.to_string())];
        let mut network = network(&settings, |topology| {
            let first = topology.outputs[0].clone();
            let slower = Rate(first.rate.0 / 10 * 4);
            topology.outputs.push(topology::OutputSpec { rate: slower, congestion_point: Some(1), ..first });
            topology.flows.iter_mut().step_by(2).for_each(|flow| flow.path = vec![0, 1]);
        });
        let (mut log, mut all) = (Log::default(), Vec::new());
        for piece in 1..600 {
            network.run(piece * 7001, &mut log);
            all.extend(network.outputs().iter().map(counts));
        }
        (log, all)
    }

    #[test]
    fn departures_out_of_order_are_the_same_at_each_output() {
        for buffer_bytes in [40_000, 300_000] {
            let (in_order, counts) = observed::<true>(buffer_bytes);
            let (by_output, same_counts) = observed::<false>(buffer_bytes);
            assert!(in_order.0 == by_output.0 && counts == same_counts, "{buffer_bytes}");
            for events in &in_order.0 {
                let left = events.iter().filter(|(.., event)| *event == Event::Dequeued).count();
                assert!(left > 500, "{left} packets left");
            }
        }
    }

    /// A piece of a run that ends in the cycle before a packet leaves, in this cycle, or in the one after.
    #[test]
    fn a_run_is_cut_at_a_departure() {
        const END: Cycles = 2_000_000;
        fn cut(at: &[Cycles]) -> (Log<false>, [u64; 5]) {
            let (mut network, mut log) = (network(&[("flows", "4")], |_| ()), Log::default());
            at.iter().chain([&END]).for_each(|&end| network.run(end, &mut log));
            (log, counts(&network.outputs()[0]))
        }
        let (whole, last) = cut(&[]);
        let left: Vec<_> =
            whole.0[0].iter().filter(|(.., event)| *event == Event::Dequeued).map(|&(at, ..)| at).collect();
        assert!(left.len() > 1000 && left.last().is_some_and(|&at| at + 2 < END), "{} packets left", left.len());
        for &at in [left[0], left[left.len() / 2]].iter().chain(&left[left.len() - 3..]) {
            for cuts in [&[at][..], &[at + 1], &[at + 2], &[at, at + 1, at + 2]] {
                let (log, counts) = cut(cuts);
                assert!(log.0 == whole.0 && counts == last, "{cuts:?}");
            }
        }
        // Before the end of the cycle the packet is in the queue, and then it has left.
        let left_by = |end| {
            let mut network = network(&[("flows", "4")], |_| ());
            network.run(end, &mut ());
            network.outputs()[0].dequeued
        };
        let at = left[left.len() - 1];
        assert_eq!([at, at + 1].map(left_by), [left.len() as u64 - 1, left.len() as u64]);
    }
}
