// SPDX-License-Identifier: MIT OR Apache-2.0
//! InfiniBand scenarios: their topology, and their runs.
//!
//! An output belongs to a switch and leads to another one or to a host. Each flow has a host of its own at the switch of its
//! first output. Inputs follow: first those of links between switches, then those of hosts.

use super::case::{Case, Clock, World, name};
use super::run::{Gauge, Gauges, Looks, Outcome, Tally, bytes_per_cycle};
use super::scenario::{Control, Flow};
use crate::network::infiniband::topology::{Fabric, FlowSpec, OutputSpec, Topology, Traffic};
use crate::network::infiniband::{Event, Network, Observer, OutputCount, Place};
use anyhow::{Result, ensure};
use tidegate_core::units::{Cycles, Rate};
use tidegate_schemes::model::random::Random;
use tidegate_schemes::scheme::parameters::Parameters;

/// Ports of a switch: inputs and outputs that are taken.
#[derive(Clone, Copy, Default)]
struct Ports {
    inputs: u32,
    outputs: u32,
}

/// The next number.
fn take(count: &mut u32) -> u32 {
    *count += 1;
    *count - 1
}

impl Case<'_> {
    /// The topology of an InfiniBand network.
    pub(super) fn infiniband(&self, parameters: &Parameters, seed: u32) -> Result<Topology> {
        let fabric = Fabric::new(parameters, &self.network_keys()?);
        let mut names: Vec<&str> = Vec::new();
        for output in &self.outputs {
            let own = output.name.as_ref().expect("checked with the names");
            let Some(switch) = &output.switch else {
                return Err(self.file.error(own, "expected the switch of this output: `switch`"));
            };
            if !names.contains(&switch.get_ref().as_str()) {
                names.push(switch.get_ref());
            }
        }
        let find = |wanted| self.file.find_name("switch", wanted, names.iter().copied());
        let mut ports = vec![Ports::default(); names.len()];
        let mut outputs = Vec::new();
        for output in &self.outputs {
            let switch = find(output.switch.as_ref().expect("found above"))?;
            let to = match &output.to {
                None => None,
                Some(to) => {
                    let next = find(to)?;
                    Some((next as u32, take(&mut ports[next].inputs)))
                }
            };
            outputs.push(OutputSpec { switch: switch as u32, port: take(&mut ports[switch].outputs), to });
        }
        let clock = Clock(parameters.decimal("clock_mhz"));
        let mut flows = Vec::new();
        for flow in &self.flows {
            let path = self.path(flow)?;
            self.check_path(flow, &path, &outputs)?;
            for _ in 0..flow.number() {
                let switch = outputs[path[0] as usize].switch;
                let at = (switch, take(&mut ports[switch as usize].inputs));
                let mut random = Random::new(u64::from(seed) << 32 | flows.len() as u64);
                flows.push(self.infiniband_flow(parameters, &fabric, clock, flow, (at, &path), &mut random)?);
            }
        }
        let switches = ports.iter().map(|ports| ports.inputs.max(ports.outputs) as usize).collect();
        Ok(Topology { fabric, switches, outputs, flows })
    }

    /// Checks that the links of a path follow each other and end at a host.
    fn check_path(&self, flow: &Flow, path: &[u32], outputs: &[OutputSpec]) -> Result<()> {
        let at = flow.name.as_ref().expect("checked with the names");
        for (hop, &output) in path.iter().enumerate() {
            let next = path.get(hop + 1).map(|&next| outputs[next as usize].switch);
            let to = outputs[output as usize].to.map(|(switch, _)| switch);
            let output = name(&self.outputs[output as usize].name);
            ensure!(
                next == to,
                self.file.error(at, format!("its path goes on after `{output}` where that link does not lead"))
            );
        }
        Ok(())
    }

    fn infiniband_flow(
        &self,
        parameters: &Parameters,
        fabric: &Fabric,
        clock: Clock,
        flow: &Flow,
        (at, path): ((u32, u32), &[u32]),
        random: &mut Random,
    ) -> Result<FlowSpec> {
        let traffic = match (&flow.rate_mbps, flow.control.as_ref().map(|control| *control.get_ref())) {
            (None, None) => Traffic::Controlled,
            (None, Some(Control::Continuous)) => Traffic::Continuous,
            (None, Some(Control::Window)) => Traffic::Window(1),
            (None, Some(Control::None)) => Traffic::Window(u32::MAX),
            (Some(rate), None | Some(Control::Fixed)) => {
                let packet_times = parameters.decimal("line_rate_mbps").to_f64() / rate.get_ref();
                let reason = "expected a rate above 0 and up to the line rate";
                ensure!((1.0..1e6).contains(&packet_times), self.file.error(rate, reason));
                Traffic::Fixed(packet_times)
            }
            (None, Some(Control::Fixed)) => {
                let at = flow.control.as_ref().expect("it is there");
                return Err(self.file.error(at, "expected `rate_mbps` beside it"));
            }
            (Some(rate), Some(_)) => return Err(self.file.error(rate, "expected no rate beside this `control`")),
        };
        // As with Ethernet, within a packet time: else all packets of a run come at the same times.
        let offset = random.number() % fabric.packet;
        let [start, stop] = self.times(clock, flow, offset, random)?;
        let on_off = self.on_off(clock, flow, random)?;
        Ok(FlowSpec { traffic, at, path: path.to_vec(), start, stop, on_off })
    }
}

/// The queue of an output are the packets in its switch that wait for it; not the one that is being sent.
impl Observer for Gauges {
    #[inline]
    fn event(&mut self, now: Cycles, place: Place, _event: Event) {
        if let Some(output) = place.output {
            let packet_bytes = self.packet_bytes;
            let gauge = &mut self.outputs[output as usize];
            gauge.advance(now, packet_bytes);
            gauge.bytes = place.waiting * packet_bytes;
        }
    }
}

/// Runs a world to the last look. In the tallies, a mark is a feedback.
pub(super) fn run(world: &World, topology: &Topology, looks: &Looks, progress: &dyn Fn()) -> Outcome {
    let mut network = Network::of_models(&world.parameters, topology);
    let (outputs, flows) = (topology.outputs.len(), topology.flows.len());
    let packet_bytes = world.parameters.integer("packet_bytes") as u32;
    let mut gauges = Gauges { outputs: vec![Gauge::default(); outputs], packet_bytes };
    let line_rate = world.parameters.rate("line_rate_mbps");
    let has_rate = |flow: &usize| matches!(topology.flows[*flow].traffic, Traffic::Controlled | Traffic::Continuous);
    let controlled = (0..flows).filter(has_rate).collect();
    let mut outcome = Outcome::new(world, looks, vec![bytes_per_cycle(line_rate); outputs], controlled);
    let mut before = vec![OutputCount::default(); outputs];
    let mut cut = 0;
    let delivered = |network: &Network<_, _>| (0..flows).map(|flow| network.packets_of(flow).1).collect();
    for look in 0..looks.count {
        if looks.cuts.contains(&look) {
            outcome.delivered.insert(look, delivered(&network));
            cut = look;
        }
        let end = (look + 1) as Cycles * looks.cycles;
        network.run(end, &mut gauges);
        for (number, (gauge, count)) in gauges.outputs.iter_mut().zip(network.outputs()).enumerate() {
            gauge.advance(end, packet_bytes);
            let before = std::mem::replace(&mut before[number], *count);
            outcome.lengths[number].push(gauge.bytes);
            outcome.looks[number].push(Tally {
                bytes_out: (count.left - before.left) * u64::from(packet_bytes),
                enqueued: count.entered - before.entered,
                feedback: count.marked - before.marked,
                ..std::mem::take(&mut gauge.tally)
            });
        }
        if looks.rates {
            let rate = |flow| Rate((f64::from(line_rate.0) * network.rate(flow)).round() as u32);
            outcome.rates.push((0..flows).map(rate).collect());
        }
        if looks.cuts.contains(&(look + 1)) {
            let histograms = gauges.outputs.iter_mut().map(|gauge| std::mem::take(&mut gauge.histogram)).collect();
            outcome.histograms.push((cut, histograms));
        }
        progress();
    }
    outcome.delivered.insert(looks.count, delivered(&network));
    outcome.sent = network.check();
    outcome
}
