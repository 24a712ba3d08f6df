// SPDX-License-Identifier: MIT OR Apache-2.0
//! A variant of a scenario, with all that it takes from the scenario: from here on it is what a simulator runs.

use super::scenario::{Ablation, Change, File, Flow, NewDelay, Output, Stated, Variant, merged};
use super::spanned::Spanned;
use crate::network::flow::Traffic;
use crate::network::infiniband;
use crate::network::topology::{DelayChange, FlowSpec, Latency, Link, OnOff, OutputSpec, Pause, Topology};
use anyhow::{Result, anyhow, ensure};
use std::ops::Range;
use tidegate_core::units::{Cycles, Micro, Rate};
use tidegate_schemes::model::CHANGEABLE;
use tidegate_schemes::model::random::Random;
use tidegate_schemes::model::starts::Starts;
use tidegate_schemes::registry::{self, Family, Scheme};
use tidegate_schemes::scheme::parameters::{DEFAULT, ParameterError, Parameters, cycles_of};

/// Keys of the benches that a scenario says with `[[flow]]` and `[[output]]`.
pub(crate) const SAID_ELSEWHERE: [(&str, &str); 7] = [
    ("flows", "[[flow]]"),
    ("background_mbps", "[[flow]] with rate_mbps"),
    ("bottleneck_mbps", "[[output]] with rate_mbps"),
    ("propagation_cycles", "delay_us of [[flow]] and [[output]]"),
    ("seed", "seeds"),
    ("rp_flows", "[[flow]] with count"),
    ("ports", "[[output]] and [[flow]]"),
];

/// Most flows that arrive in a run.
const ARRIVALS_MAX: f64 = 1e5;

/// A variant or an ablation.
pub struct Case<'a> {
    pub(super) file: &'a File,
    /// Its name.
    pub name: String,
    /// The scheme.
    pub scheme: &'static Scheme,
    /// Its settings, the last of a key counts.
    settings: Vec<(&'a Spanned<String>, &'a Stated)>,
    changes: Vec<&'a Change>,
    pub(super) outputs: Vec<Output>,
    pub(super) flows: Vec<Flow>,
}

/// Outputs and flows of a kind of network.
pub enum Wiring {
    /// Of Ethernet.
    Ethernet(Topology),
    /// Of InfiniBand.
    InfiniBand(infiniband::topology::Topology),
}

/// What a simulator runs.
pub struct World {
    /// Parameters at the start.
    pub parameters: Parameters,
    /// Outputs and flows.
    pub wiring: Wiring,
    /// Parameters from a cycle on.
    pub changes: Vec<(Cycles, Parameters)>,
    /// Names of the flows; those that arrive at random come behind them, and have none.
    pub flow_names: Vec<String>,
    /// Groups of flows that are measured together: names, and numbers of their flows.
    pub groups: Vec<(String, Vec<usize>)>,
}

impl World {
    /// Outputs and flows of an Ethernet network.
    ///
    /// # Panics
    /// It is another one.
    pub fn ethernet(&self) -> &Topology {
        match &self.wiring {
            Wiring::Ethernet(topology) => topology,
            Wiring::InfiniBand(_) => panic!("no Ethernet network"),
        }
    }
}

impl<'a> Case<'a> {
    /// A variant, or what an ablation makes of it.
    ///
    /// # Errors
    /// With the place in the file.
    pub(crate) fn new(file: &'a File, variant: &'a Variant, ablation: Option<&'a Ablation>) -> Result<Case<'a>> {
        let scenario = &file.scenario;
        let scheme = registry::find(variant.scheme.get_ref()).map_err(|reason| file.error(&variant.scheme, reason))?;
        let own = ablation.into_iter().flat_map(|ablation| &ablation.parameters);
        let pairs = scenario.parameters.iter().chain(&variant.parameters).chain(own);
        for (key, _) in pairs.clone() {
            if let Some((_, instead)) = SAID_ELSEWHERE.iter().find(|(said, _)| said == key.get_ref()) {
                return Err(
                    file.error(key, format!("`{}` is no parameter of a scenario: use {instead}", key.get_ref()))
                );
            }
        }
        let settings = merged(pairs);
        let mut outputs = scenario.output.clone();
        if outputs.is_empty() {
            outputs.push(Output { name: Some(Spanned::new(0..0, "bottleneck".into())), ..Output::default() });
        }
        let mut flows = scenario.flow.clone();
        let own = ablation.into_iter();
        for (name, patch) in variant.output.iter().chain(own.clone().flat_map(|ablation| &ablation.output)) {
            let at = file.find("output", name, outputs.iter().map(|output| &output.name))?;
            outputs[at] = outputs[at].over(patch);
        }
        for (name, patch) in variant.flow.iter().chain(own.flat_map(|ablation| &ablation.flow)) {
            let at = file.find("flow", name, flows.iter().map(|flow| &flow.name))?;
            flows[at] = flows[at].over(patch);
        }
        let name = ablation.map_or(&variant.name, |ablation| &ablation.name).get_ref().clone();
        let mut changes: Vec<_> = scenario.change.iter().chain(&variant.change).collect();
        changes.sort_by(|one, other| one.at_s.get_ref().total_cmp(other.at_s.get_ref()));
        let case = Case { file, name, scheme, settings, changes, outputs, flows };
        case.refuse_fields()?;
        Ok(case)
    }

    /// The names of the outputs.
    pub fn output_names(&self) -> Vec<String> {
        self.outputs.iter().map(|output| name(&output.name).into()).collect()
    }

    /// Whether its network is InfiniBand.
    pub(super) fn is_infiniband(&self) -> bool {
        matches!(self.scheme.family, Family::InfiniBand)
    }

    /// Refuses what the other kind of network has.
    fn refuse_fields(&self) -> Result<()> {
        let network = if self.is_infiniband() { "InfiniBand" } else { "Ethernet" };
        let refuse = |there: bool, at: &Option<Spanned<String>>, kind: &str, field: &str| {
            let at = at.as_ref().expect("checked with the names");
            ensure!(!there, self.file.error(at, format!("`{field}` is no field of {kind} of an {network} network")));
            Ok(())
        };
        for output in &self.outputs {
            let (ethernet, infiniband) = (
                [
                    (output.rate_mbps.is_some(), "rate_mbps"),
                    (output.delay_us.is_some(), "delay_us"),
                    (output.buffer_bytes.is_some(), "buffer_bytes"),
                    (output.congestion_point.is_some(), "congestion_point"),
                    (output.feedback_us.is_some(), "feedback_us"),
                    (output.feedback_within_us.is_some(), "feedback_within_us"),
                    (output.sample_dropped.is_some(), "sample_dropped"),
                    (output.pause_bytes.is_some(), "pause_bytes"),
                    (output.resume_bytes.is_some(), "resume_bytes"),
                ],
                [(output.switch.is_some(), "switch"), (output.to.is_some(), "to")],
            );
            let refused: &[(bool, &str)] = if self.is_infiniband() { &ethernet } else { &infiniband };
            refused.iter().try_for_each(|&(there, field)| refuse(there, &output.name, "an output", field))?;
        }
        for flow in &self.flows {
            let (ethernet, infiniband) = (
                [
                    (flow.start_rate_mbps.is_some(), "start_rate_mbps"),
                    (flow.size_bytes.is_some(), "size_bytes"),
                    (flow.size_within_bytes.is_some(), "size_within_bytes"),
                    (flow.size_distribution.is_some(), "size_distribution"),
                    (flow.sizes_file.is_some(), "sizes_file"),
                    (flow.size_mean_bytes.is_some(), "size_mean_bytes"),
                    (flow.arrivals_per_s.is_some(), "arrivals_per_s"),
                    (flow.delay_us.is_some(), "delay_us"),
                    (flow.delay_within_us.is_some(), "delay_within_us"),
                ],
                [(flow.control.is_some(), "control")],
            );
            let refused: &[(bool, &str)] = if self.is_infiniband() { &ethernet } else { &infiniband };
            refused.iter().try_for_each(|&(there, field)| refuse(there, &flow.name, "a flow", field))?;
        }
        let change = self.changes.first().filter(|_| self.is_infiniband());
        change.map_or(Ok(()), |change| {
            Err(self.file.error(&change.at_s, "nothing of an InfiniBand network changes while it runs"))
        })
    }

    /// The parameters with where they come from; those that the file does not state have the scheme's defaults.
    ///
    /// # Errors
    /// See [`world`](Self::world).
    pub fn stated(&self) -> Result<Vec<(String, String, String)>> {
        let parameters = self.parameters(1, self.settings.iter().copied())?;
        let of_network = if self.is_infiniband() { Some(self.network_keys()?) } else { None };
        let from = |key: &str| self.settings.iter().find(|(known, _)| known.get_ref() == key);
        let all = parameters.iter().chain(of_network.iter().flat_map(Parameters::iter));
        let rows = all.filter(|(key, _)| SAID_ELSEWHERE.iter().all(|(said, _)| said != key));
        Ok(rows
            .map(|(key, value)| {
                let unstated = || if is_network_key(key) { DEFAULT } else { parameters.default_from(key) };
                let from = from(key).map_or_else(unstated, |(_, stated)| &stated.from);
                (key.to_string(), value.to_string(), from.to_string())
            })
            .collect())
    }

    /// The parameters of a run.
    fn parameters<'b>(
        &self,
        seed: u32,
        settings: impl Iterator<Item = (&'b Spanned<String>, &'b Stated)> + Clone,
    ) -> Result<Parameters> {
        let pairs = settings.clone().map(|(key, stated)| (key.get_ref().clone(), stated.value.clone()));
        if self.is_infiniband() {
            let all: Vec<_> = pairs.filter(|(key, _)| !is_network_key(key)).collect();
            return self
                .scheme
                .parameters(&all)
                .map_err(|error| parameter_error(self.file, &self.name, &error, settings));
        }
        let arrivals = self.arrivals(seed)?.iter().map(|(_, times)| times.len() as u32).sum::<u32>();
        let flows = arrivals.saturating_add(self.named_flows().map(Flow::number).fold(0, u32::saturating_add));
        let ours = [("flows", flows), ("seed", seed)].map(|(key, value)| (key.to_string(), value.to_string()));
        let all: Vec<_> = pairs.chain(ours).collect();
        self.scheme.parameters(&all).map_err(|error| {
            // Of the flows, the largest count is what is wrong.
            let counts = self.named_flows().filter_map(|flow| flow.count.as_ref());
            match counts.max_by_key(|count| *count.get_ref()).filter(|_| error.key == "flows") {
                Some(count) => self.file.error(count, &error),
                None => parameter_error(self.file, &self.name, &error, settings),
            }
        })
    }

    /// The parameters of an InfiniBand network that are not those of the scheme.
    pub(super) fn network_keys(&self) -> Result<Parameters> {
        let pairs = self.settings.iter().map(|(key, stated)| (key.get_ref().clone(), stated.value.clone()));
        let all: Vec<_> = pairs.filter(|(key, _)| is_network_key(key)).collect();
        let keys = infiniband::topology::KEYS.iter().copied();
        let settings = self.settings.iter().copied();
        Parameters::new(self.scheme.name, keys, &all)
            .map_err(|error| parameter_error(self.file, &self.name, &error, settings))
    }

    /// Names of the flows, and of the groups with the numbers of their flows.
    fn names(&self) -> (Vec<String>, Vec<(String, Vec<usize>)>) {
        let (mut names, mut groups): (Vec<String>, Vec<(String, Vec<usize>)>) = Default::default();
        for flow in self.named_flows() {
            let (count, own) = (flow.number(), name(&flow.name));
            let group = flow.group.as_ref().map_or(own, |group| group.get_ref());
            let at = groups.iter().position(|(known, _)| known == group).unwrap_or_else(|| {
                groups.push((group.into(), Vec::new()));
                groups.len() - 1
            });
            for number in 1..=count {
                groups[at].1.push(names.len());
                names.push(if count == 1 { own.into() } else { format!("{own}{number}") });
            }
        }
        (names, groups)
    }

    /// What a simulator runs with a seed.
    ///
    /// # Errors
    /// With the place in the file.
    pub fn world(&self, seed: u32) -> Result<World> {
        let parameters = self.parameters(seed, self.settings.iter().copied())?;
        let clock = Clock(parameters.decimal("clock_mhz"));
        let (flow_names, groups) = self.names();
        if self.is_infiniband() {
            let wiring = Wiring::InfiniBand(self.infiniband(&parameters, seed)?);
            return Ok(World { parameters, wiring, changes: Vec::new(), flow_names, groups });
        }
        let mut topology = Topology::default();
        for (number, output) in (0..).zip(&self.outputs) {
            let buffer_bytes = output.buffer_bytes.unwrap_or(parameters.integer("buffer_bytes") as u32);
            topology.outputs.push(OutputSpec {
                rate: self.rate(clock, output.rate_mbps.as_ref())?.unwrap_or(parameters.rate("line_rate_mbps")),
                delay: self.time(clock, 1.0, output.delay_us.as_ref())?.unwrap_or(0),
                buffer_bytes,
                pause: self.pause(output, buffer_bytes)?,
                samples_dropped: output.sample_dropped.unwrap_or(false),
                congestion_point: output.congestion_point.unwrap_or(true).then_some(number),
                latency: self.latency(clock, output, u64::from(seed) << 32 | 3 << 30 | u64::from(number))?,
            });
        }
        let mut starts = Starts::new(&parameters);
        let named = self.named_flows().map(|flow| (flow, vec![None; flow.number() as usize]));
        let arriving = self.arrivals(seed)?.into_iter();
        let arriving = arriving.map(|(flow, times)| (flow, times.into_iter().map(Some).collect()));
        // The numbers of the flows that a name stands for.
        let mut numbers = Vec::new();
        for (flow, arrivals) in named.chain(arriving) {
            let first = topology.flows.len() as u32;
            for arrival in arrivals {
                let mut random = Random::new(u64::from(seed) << 32 | topology.flows.len() as u64);
                let times = match arrival {
                    Some(time_s) => [clock.cycles(time_s * 1e6), Cycles::MAX],
                    None => self.times(clock, flow, starts.start(), &mut random)?,
                };
                topology.flows.push(self.flow(&parameters, clock, flow, times, &mut random)?);
            }
            numbers.push((name(&flow.name), first..topology.flows.len() as u32));
        }
        let mut changes = Vec::new();
        let mut settings = self.settings.clone();
        for change in &self.changes {
            let at = self.time(clock, 1e6, Some(&change.at_s))?.unwrap_or(0);
            topology.delay_changes.extend(self.delay_changes(clock, at, change, &numbers)?);
            if change.parameters.is_empty() {
                let empty = change.output.is_empty() && change.flow.is_empty();
                ensure!(!empty, self.file.error(&change.at_s, "nothing changes: expected parameters, output or flow"));
                continue;
            }
            for (key, stated) in &change.parameters {
                let word: &str = key.get_ref();
                ensure!(
                    CHANGEABLE.contains(&word),
                    self.file.error(
                        key,
                        format!("`{word}` does not change while it runs: expected {}", CHANGEABLE.join(", "))
                    )
                );
                settings.retain(|(known, _)| known.get_ref() != word);
                settings.push((key, stated));
            }
            changes.push((at, self.parameters(seed, settings.iter().copied())?));
        }
        Ok(World { parameters, wiring: Wiring::Ethernet(topology), changes, flow_names, groups })
    }

    /// The delays that change in a cycle; `numbers` are those of the flows of each name.
    fn delay_changes(
        &self,
        clock: Clock,
        at: Cycles,
        change: &Change,
        numbers: &[(&str, Range<u32>)],
    ) -> Result<Vec<DelayChange>> {
        let mut all = Vec::new();
        let cycles = |new: &NewDelay| {
            ensure!(
                self.outputs.iter().all(|output| output.pause_bytes.is_none()),
                self.file
                    .error(&new.delay_us, "no delay changes in a network with pause frames: leave out pause_bytes")
            );
            Ok(self.time(clock, 1.0, Some(&new.delay_us))?.unwrap_or(0))
        };
        for (wanted, new) in &change.output {
            let number = self.file.find("output", wanted, self.outputs.iter().map(|output| &output.name))?;
            all.push(DelayChange { at, link: Link::Output(number as u32), delay: cycles(new)? });
        }
        for (wanted, new) in &change.flow {
            let of_flow = self.file.find_name("flow", wanted, numbers.iter().map(|(name, _)| *name))?;
            let delay = cycles(new)?;
            all.extend(numbers[of_flow].1.clone().map(|number| DelayChange { at, link: Link::Flow(number), delay }));
        }
        Ok(all)
    }

    /// The flows that are there from the beginning.
    fn named_flows(&self) -> impl Iterator<Item = &Flow> {
        self.flows.iter().filter(|flow| flow.arrivals_per_s.is_none())
    }

    /// The flows that arrive at random, with their times in seconds.
    fn arrivals(&self, seed: u32) -> Result<Vec<(&Flow, Vec<f64>)>> {
        let mut all = Vec::new();
        for (number, flow) in (0..).zip(&self.flows) {
            let Some(per_s) = &flow.arrivals_per_s else { continue };
            let rate = *per_s.get_ref();
            let end = flow.stop_s.as_ref().unwrap_or(&self.file.scenario.duration_s);
            let end = end.get_ref().min(*self.file.scenario.duration_s.get_ref());
            let start = flow.start_s.as_ref().map_or(0.0, |start| *start.get_ref());
            ensure!(
                rate >= 0.0 && rate * (end - start).max(0.0) <= ARRIVALS_MAX,
                self.file.error(per_s, format!("expected arrivals a second, at most {ARRIVALS_MAX} in a run"))
            );
            let distributed = flow.size_distribution.is_some() || flow.sizes_file.is_some();
            let finite = flow.size_bytes.is_some() || flow.size_within_bytes.is_some() || distributed;
            ensure!(
                finite,
                self.file.error(
                    per_s,
                    "flows that arrive need a size: expected size_bytes, size_within_bytes, size_distribution or sizes_file"
                )
            );
            ensure!(
                flow.count.is_none() && flow.start_within_s.is_none() && flow.last_s.is_none(),
                self.file.error(per_s, "flows that arrive have no count, start_within_s and last_s")
            );
            // Numbers of other flows are below 2³¹, and the seeds of latencies begin at 3 · 2³⁰.
            let mut random = Random::new(u64::from(seed) << 32 | 1 << 31 | number);
            let gap = |random: &mut Random| if rate > 0.0 { random.exponential(1.0 / rate) } else { f64::INFINITY };
            let first = start + gap(&mut random);
            let times = std::iter::successors(Some(first), |time| Some(time + gap(&mut random)));
            all.push((flow, times.take_while(|&time| time < end).collect()));
        }
        Ok(all)
    }

    /// When an output stops the links to it.
    fn pause(&self, output: &Output, buffer_bytes: u32) -> Result<Option<Pause>> {
        match (&output.pause_bytes, &output.resume_bytes) {
            (None, None) => Ok(None),
            (Some(at), Some(resume)) => {
                let (at_bytes, resume_bytes) = (*at.get_ref(), *resume.get_ref());
                ensure!(
                    resume_bytes < at_bytes && at_bytes <= buffer_bytes,
                    self.file
                        .error(at, format!("expected more than resume_bytes, and at most the buffer, {buffer_bytes}"))
                );
                Ok(Some(Pause { at_bytes, resume_bytes }))
            }
            (Some(alone), None) | (None, Some(alone)) => {
                Err(self.file.error(alone, "expected pause_bytes and resume_bytes, both"))
            }
        }
    }

    /// How much longer it takes an output to make feedback frames.
    fn latency(&self, clock: Clock, output: &Output, seed: u64) -> Result<Option<Latency>> {
        let range = match (&output.feedback_us, &output.feedback_within_us) {
            (None, None) => return Ok(None),
            (Some(time), None) => Spanned::new(time.span(), [*time.get_ref(); 2]),
            (None, Some(range)) => range.clone(),
            (Some(time), Some(_)) => {
                return Err(self.file.error(time, "expected one of feedback_us and feedback_within_us"));
            }
        };
        let [least, most] =
            self.range(&range, |time| self.time(clock, 1.0, Some(time)))?.map(Option::unwrap_or_default);
        Ok(Some(Latency { least, most, seed }))
    }

    /// What is read from the two numbers of a range, the smaller of which comes first.
    fn range<T>(&self, range: &Spanned<[f64; 2]>, read: impl Fn(&Spanned<f64>) -> Result<T>) -> Result<[T; 2]> {
        let [low, high] = *range.get_ref();
        let read = |number| read(&Spanned::new(range.span(), number));
        let ends = [read(low)?, read(high)?];
        ensure!(low <= high, self.file.error(range, "expected the smaller number first"));
        Ok(ends)
    }

    /// A number of a range, if there is one. Both its ends can be [read](Self::range).
    fn within<T>(
        &self,
        random: &mut Random,
        range: &Option<Spanned<[f64; 2]>>,
        read: impl Fn(&Spanned<f64>) -> Result<T>,
    ) -> Result<Option<Spanned<f64>>> {
        let Some(range) = range else { return Ok(None) };
        self.range(range, read)?;
        let [low, high] = *range.get_ref();
        Ok(Some(Spanned::new(range.span(), low + random.fraction() * (high - low))))
    }

    /// When a flow that is there from the beginning starts and stops.
    pub(super) fn times(&self, clock: Clock, flow: &Flow, offset: Cycles, random: &mut Random) -> Result<[Cycles; 2]> {
        let time = |value: &Option<Spanned<f64>>| self.time(clock, 1e6, value.as_ref());
        let start_within = self.within(random, &flow.start_within_s, |start| self.time(clock, 1e6, Some(start)))?;
        let start = time(&start_within.or(flow.start_s.clone()))?.unwrap_or(0) + offset;
        let stop = match (time(&flow.stop_s)?, time(&flow.last_s)?) {
            (Some(stop), _) => stop,
            (None, Some(last)) => start + last,
            (None, None) => Cycles::MAX,
        };
        Ok([start, stop])
    }

    /// How much a flow sends, in bytes, if it ends.
    fn size(&self, flow: &Flow, random: &mut Random) -> Result<Option<f64>> {
        let checked = |size: &Spanned<f64>| {
            let bytes = *size.get_ref();
            ensure!((0.0..1e18).contains(&bytes), self.file.error(size, "expected a size in bytes, from 0"));
            Ok(bytes)
        };
        let size = self.within(random, &flow.size_within_bytes, checked)?.or(flow.size_bytes.clone());
        let (at, sizes) = match (&flow.size_distribution, &flow.sizes_file) {
            (Some(distribution), None) => (distribution.span(), distribution.get_ref().sizes()),
            (None, Some(name)) => (name.span(), &self.file.data()[name.get_ref()].sizes),
            (Some(_), Some(name)) => {
                return Err(self.file.error(name, "expected one of size_distribution and sizes_file"));
            }
            (None, None) => {
                if let Some(mean) = &flow.size_mean_bytes {
                    return Err(self.file.error(mean, "expected size_distribution or sizes_file beside it"));
                }
                return size.as_ref().map(checked).transpose();
            }
        };
        ensure!(
            size.is_none(),
            self.file.error(
                &Spanned::new(at, ()),
                "expected one of size_distribution, sizes_file, size_bytes and size_within_bytes"
            )
        );
        let scale = match &flow.size_mean_bytes {
            Some(mean) => {
                let bytes = checked(mean)?;
                ensure!(bytes > 0.0, self.file.error(mean, "expected a mean size above 0, in bytes"));
                bytes / sizes.mean()
            }
            None => 1.0,
        };
        Ok(Some(sizes.bytes(random.fraction()) * scale))
    }

    /// The ON and OFF times of a flow.
    pub(super) fn on_off(&self, clock: Clock, flow: &Flow, random: &mut Random) -> Result<Option<OnOff>> {
        let length = |value: &Spanned<f64>| {
            let cycles = self.time(clock, 1e3, Some(value))?.unwrap_or(0);
            ensure!(cycles > 0, self.file.error(value, "expected a mean length above 0, in ms"));
            Ok(cycles as f64)
        };
        match (&flow.on_ms, &flow.off_ms) {
            (None, None) => Ok(None),
            (Some(on), Some(off)) => Ok(Some(OnOff { on: length(on)?, off: length(off)?, seed: random.number() })),
            (Some(alone), None) | (None, Some(alone)) => Err(self.file.error(alone, "expected on_ms and off_ms, both")),
        }
    }

    fn flow(
        &self,
        parameters: &Parameters,
        clock: Clock,
        flow: &Flow,
        [start, stop]: [Cycles; 2],
        random: &mut Random,
    ) -> Result<FlowSpec> {
        let packet_bytes = parameters.integer("packet_bytes") as u32;
        let size = self.size(flow, random)?;
        let packets = size.map_or(u64::MAX, |bytes| (bytes / f64::from(packet_bytes)).ceil() as u64);
        let delay_within = self.within(random, &flow.delay_within_us, |delay| self.time(clock, 1.0, Some(delay)))?;
        let on_off = self.on_off(clock, flow, random)?;
        let rate = self.rate(clock, flow.rate_mbps.as_ref())?;
        let start_rate = self.rate(clock, flow.start_rate_mbps.as_ref())?;
        for (rate, field) in [(rate, &flow.rate_mbps), (start_rate, &flow.start_rate_mbps)] {
            if let (Some(rate), Some(field)) = (rate, field) {
                let fits = rate <= parameters.rate("line_rate_mbps");
                ensure!(fits, self.file.error(field, "expected at most the line rate"));
            }
        }
        let path = self.path(flow)?;
        Ok(FlowSpec {
            traffic: rate.map_or(Traffic::Controlled, Traffic::Fixed),
            packet_bytes,
            start,
            stop,
            packets,
            on_off,
            start_rate,
            delay: self.time(clock, 1.0, delay_within.or(flow.delay_us.clone()).as_ref())?.unwrap_or(0),
            path,
        })
    }

    /// The outputs that a flow passes.
    pub(super) fn path(&self, flow: &Flow) -> Result<Vec<u32>> {
        let outputs = self.outputs.iter().map(|output| &output.name);
        Ok(match &flow.path {
            None if self.outputs.len() == 1 => vec![0],
            None => {
                let flow = flow.name.as_ref().expect("checked with the names");
                return Err(self.file.error(flow, "expected a path: there are several outputs"));
            }
            Some(path) if path.is_empty() => {
                let flow = flow.name.as_ref().expect("checked with the names");
                return Err(self.file.error(flow, "expected at least one output in path"));
            }
            Some(path) => path
                .iter()
                .map(|output| Ok(self.file.find("output", output, outputs.clone())? as u32))
                .collect::<Result<_>>()?,
        })
    }

    /// A rate in Mb/s.
    fn rate(&self, Clock(clock): Clock, value: Option<&Spanned<f64>>) -> Result<Option<Rate>> {
        let Some(value) = value else { return Ok(None) };
        let mbps = *value.get_ref();
        let rate =
            (0.0..1e6).contains(&mbps).then(|| Rate::from_mbps(Micro((mbps * 1e6).round() as u64), clock)).flatten();
        let most = clock.0 as u128 * 1024 / 1_000_000;
        let reason = format!("expected a rate above 0 and below {most} Mb/s: 128 bytes a cycle at {clock} MHz");
        rate.filter(|rate| rate.0 > 0).map(Some).ok_or_else(|| self.file.error(value, reason))
    }

    /// A time, in units of so many µs.
    pub(super) fn time(&self, clock: Clock, unit: f64, value: Option<&Spanned<f64>>) -> Result<Option<Cycles>> {
        let Some(value) = value else { return Ok(None) };
        let time = *value.get_ref();
        ensure!((0.0..1e9).contains(&time), self.file.error(value, "expected a time from 0 to 10⁹"));
        Ok(Some(clock.cycles(time * unit)))
    }
}

/// The clock of the hardware.
#[derive(Clone, Copy)]
pub(crate) struct Clock(pub Micro);

impl Clock {
    /// A time in µs, rounded to the nearest cycle.
    pub(crate) fn cycles(self, time_us: f64) -> Cycles {
        cycles_of(Micro((time_us * 1e6).round() as u64), self.0)
    }
}

/// An error about a key of some settings, with its place if they have the key; otherwise with the name of the variant.
pub(super) fn parameter_error<'b, S>(
    file: &File<S>,
    variant: &str,
    error: &ParameterError,
    mut settings: impl Iterator<Item = (&'b Spanned<String>, &'b Stated)>,
) -> anyhow::Error {
    match settings.find(|(key, _)| *key.get_ref() == error.key) {
        Some((key, _)) => file.error(key, error),
        None => anyhow!("{}: {variant}: {error}", file.name),
    }
}

/// Whether a key is one of an InfiniBand network and not of the scheme.
fn is_network_key(key: &str) -> bool {
    infiniband::topology::KEYS.iter().any(|known| known.key == key)
}

/// The text of a name that the checks have found.
pub(super) fn name(name: &Option<Spanned<String>>) -> &str {
    name.as_ref().map_or("", |name| name.get_ref())
}
