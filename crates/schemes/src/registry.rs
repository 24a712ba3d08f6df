// SPDX-License-Identifier: MIT OR Apache-2.0
//! One row per scheme: its paper, parameters, models and circuits. This is the only list of the schemes.

use crate::analysis::Analysis;
use crate::claims::{Harness, Mistake, Mutation};
use crate::model::Models;
use crate::reference::Reference;
use crate::scheme::Part;
use crate::scheme::bounds::Rule;
use crate::scheme::ethernet::{self, CongestionPointParameters, ReactionPointParameters};
use crate::scheme::last_decrease::CpidParameters;
use crate::scheme::parameters::{BENCH, ETHERNET, Kind, ParameterError, Parameters, Specification};
use crate::scheme::ports::{Port, Ports};
use std::collections::BTreeMap;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::congestion_point::packet_generator::PacketGenerator;
use tidegate_circuits::rtl::congestion_point::queue_monitor::QueueMonitor;
use tidegate_circuits::rtl::congestion_point::sample_queue::SampleQueue;
use tidegate_circuits::rtl::congestion_point::sampler::Sampler;
use tidegate_circuits::rtl::reaction_point::feedback_flow::FeedbackFlow;
use tidegate_circuits::rtl::reaction_point::flow_limiter::FlowLimiter;
use tidegate_circuits::rtl::reaction_point::flow_points::FlowPoints;
use tidegate_circuits::rtl::reaction_point::frame_counters::FrameCounters;
use tidegate_circuits::rtl::reaction_point::parser::Parser;
use tidegate_circuits::rtl::reaction_point::rate_limiter::RateLimiter;
use tidegate_core::error::{quoted, suggestion};
use tidegate_hdl::module::Module;

/// A scheme.
pub struct Scheme {
    /// Name on the command line.
    pub name: &'static str,
    /// Its number in registers, from 1 to 255. Software knows the scheme by it: it never changes, and no other scheme gets it.
    pub number: u32,
    /// Name in full.
    pub title: &'static str,
    /// The papers that define it: first author, title, year, section.
    pub paper: &'static str,
    /// The fields that its feedback frame carries.
    pub frame: &'static str,
    /// Whether reaction points use QntzFb, and not QOffset and QDelta.
    pub sends_quantized_feedback: bool,
    /// Its own keys. An Ethernet scheme also has the keys of all Ethernet schemes and of the dumbbell bench.
    pub parameters: &'static [Specification],
    /// Its own defaults for shared keys.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The profiles whose circuits `compare` counts and `verify` checks; [`profile_names`](Self::profile_names) has all.
    pub profiles: &'static [&'static str],
    /// Checks that concern more than one key.
    pub check: fn(&Parameters) -> Result<(), ParameterError>,
    /// What the theory says about its parameters.
    pub analyze: fn(&Parameters) -> Analysis,
    /// What a block of its own must do at its ports; `None` for a block that it shares.
    pub reference: fn(&Circuit) -> Option<Box<dyn Reference>>,
    /// What is proved of its own blocks and of its parts.
    pub claims: &'static [Harness],
    /// Mistakes in these circuits, each of which must break claims.
    pub mistakes: &'static [Mistake],
    /// Mistakes in their Verilog, each of which `verify` must find; at least one for each module of its own.
    pub mutations: &'static [Mutation],
    /// A whole part. Its parameters are ports, except the keys that make other modules.
    pub circuit: fn(Part, &Parameters) -> Circuit,
    /// The blocks of a part, in the order in which data flows.
    pub blocks: fn(Part, &Parameters) -> Vec<Circuit>,
    /// Other circuits for its calculator, with the same rates: to count, not to build.
    pub other_calculators: &'static [OtherCalculator],
    /// The parameter ports of one of its parts, without those of its family.
    pub ports: fn(&Parameters, Part) -> Vec<Port>,
    /// Conditions between them, for those parts that have them.
    pub rules: &'static [Rule],
    /// The family of schemes that it belongs to.
    pub family: Family,
}

/// Another circuit for the calculator of a scheme. No part contains it.
pub struct OtherCalculator {
    /// Its name in scenarios.
    pub name: &'static str,
    /// The circuit.
    pub circuit: fn() -> Circuit,
}

/// A family of schemes, which share keys, ports and benches.
#[derive(Clone, Copy)]
pub enum Family {
    /// A congestion point measures an output queue and sends frames to reaction points, which limit rates in bytes per
    /// cycle.
    Ethernet(Models),
    /// A switch marks packets that contend for an output, and sources react to marked ACKs.
    InfiniBand,
}

/// Every scheme.
pub const SCHEMES: &[Scheme] =
    &[crate::qcn::ROW, crate::bcn::ROW, crate::smcc::ROW, crate::asm::ROW, crate::dsm::ROW, crate::infiniband::ROW];

/// The schemes of the Ethernet family.
pub fn ethernet() -> impl Iterator<Item = &'static Scheme> {
    SCHEMES.iter().filter(|scheme| matches!(scheme.family, Family::Ethernet(_)))
}

/// Finds a scheme by its name; the error lists the known names.
pub fn find(name: &str) -> Result<&'static Scheme, String> {
    SCHEMES.iter().find(|scheme| scheme.name == name).ok_or_else(|| {
        let known: Vec<_> = SCHEMES.iter().map(|scheme| scheme.name).collect();
        let hint = suggestion(name, known.iter().copied());
        format!("unknown scheme {}: expected one of {}{hint}", quoted(name), known.join(", "))
    })
}

impl Scheme {
    /// All its keys, its own first, with its own defaults.
    pub fn specifications(&self) -> impl Iterator<Item = Specification> + Clone + '_ {
        let (ethernet, bench) = match self.family {
            Family::Ethernet(_) => (ETHERNET, BENCH),
            Family::InfiniBand => (&[][..], &[][..]),
        };
        self.parameters.iter().chain(ethernet).chain(bench).map(|specification| {
            let own = self.defaults.iter().find(|(key, _)| *key == specification.key);
            Specification { default: own.map_or(specification.default, |(_, default)| default), ..*specification }
        })
    }

    /// Every profile of defaults, the usual one first; none if the scheme has only one set of defaults.
    pub fn profile_names(&self) -> &'static [&'static str] {
        match self.parameters.iter().find(|known| known.key == "profile") {
            Some(Specification { kind: Kind::Choice(names), .. }) => names,
            _ => &[],
        }
    }

    /// The defaults of the profile, overridden by the settings, checked.
    pub fn parameters(&self, settings: &[(String, String)]) -> Result<Parameters, ParameterError> {
        let mut parameters = Parameters::new(self.name, self.specifications(), settings)?;
        (self.check)(&parameters)?;
        parameters.forget_reads();
        Ok(parameters)
    }

    /// A whole part with its parameters as ports. Keys that make other modules have their defaults.
    pub fn circuit(&self, part: Part) -> Circuit {
        (self.circuit)(part, &self.defaults())
    }

    /// The blocks of [`circuit`](Self::circuit), in the order in which data flows.
    pub fn blocks(&self, part: Part) -> Vec<Circuit> {
        (self.blocks)(part, &self.defaults())
    }

    fn defaults(&self) -> Parameters {
        self.parameters(&[]).expect("the defaults are accepted")
    }

    /// Settings that make other modules than the defaults, one of each kind. `verify` checks them too.
    pub fn variants(&self) -> &'static [&'static [(&'static str, &'static str)]] {
        match self.family {
            Family::Ethernet(_) => &[&[("cp_queues", "4")], &[("rp_flows", "4")]],
            Family::InfiniBand => crate::infiniband::VARIANTS,
        }
    }

    /// The blocks of a part, and the whole part, with some settings.
    ///
    /// # Panics
    /// If the settings are refused.
    pub fn circuits_of(&self, part: Part, settings: &[(&str, &str)]) -> (Vec<Circuit>, Circuit) {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let parameters = self.parameters(&settings).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        ((self.blocks)(part, &parameters), (self.circuit)(part, &parameters))
    }

    /// The circuits of [`other_calculators`](Self::other_calculators); none for a congestion point.
    pub fn other_circuits(&self, part: Part) -> impl Iterator<Item = Circuit> + '_ {
        let others = if part == Part::ReactionPoint { self.other_calculators } else { &[] };
        others.iter().map(|other| (other.circuit)())
    }

    /// The models of an Ethernet scheme.
    ///
    /// # Panics
    /// If it is not an Ethernet scheme. [`benches`](Self::benches) lists no bench that calls this for another scheme.
    pub fn models(&self) -> Models {
        match self.family {
            Family::Ethernet(models) => models,
            Family::InfiniBand => panic!("{} is no Ethernet scheme", self.name),
        }
    }

    /// The benches of `tidegate sim` that can run it.
    pub fn benches(&self) -> &'static [&'static str] {
        match self.family {
            Family::Ethernet(_) => &["dumbbell", "rp", "cp", "switch"],
            Family::InfiniBand => &["rp", "marking"],
        }
    }
}

/// The congestion point for one queue or, with `cp_queues`, for many.
pub(crate) fn congestion_point_of<One: Module>(parameters: &Parameters, many: fn(u64) -> Circuit) -> Circuit {
    match parameters.cp_queues() {
        1 => Circuit::of::<One>("congestion_point", &[]),
        queues => many(queues),
    }
}

/// The blocks of a congestion point: of one for many queues the whole, because its blocks share its visits.
pub(crate) fn congestion_point_blocks(
    parameters: &Parameters,
    whole: impl Fn() -> Circuit,
    blocks: impl Fn() -> Vec<Circuit>,
) -> Vec<Circuit> {
    if parameters.cp_queues() == 1 { blocks() } else { vec![whole()] }
}

/// The blocks of a congestion point with this feedback block.
pub(crate) fn congestion_point(feedback: Circuit) -> Vec<Circuit> {
    vec![
        Circuit::of::<Sampler>("sampler", &[]),
        Circuit::of::<QueueMonitor>("queue_monitor", &[]),
        Circuit::of::<SampleQueue>("sample_queue", &[]),
        feedback,
        Circuit::of::<PacketGenerator>("packet_generator", &[]),
    ]
}

/// The blocks of a reaction point whose calculator reads Qoff and ΔQ and compares congestion points.
pub(crate) fn reaction_point(calculator: Circuit) -> Vec<Circuit> {
    const UNREAD: [&str; 14] = [
        "quantized_feedback",
        "has_flow_id",
        "flow_id",
        "frame_start",
        "frame_flow",
        "frame_cpid_high",
        "frame_cpid_low",
        "frame_cpid_high_valid",
        "frame_cpid_low_valid",
        "frame_taken",
        "frame_malformed",
        "frame_refused",
        "frame_elsewhere",
        "frame_dropped",
    ];
    reaction_point_of(calculator, &UNREAD)
}

/// The blocks of a reaction point around a calculator, with the outputs of the parser that neither it reads nor a part
/// that does not count frames.
pub(crate) fn reaction_point_of(calculator: Circuit, unread: &'static [&'static str]) -> Vec<Circuit> {
    vec![
        Circuit::of::<Parser>("parser", unread),
        Circuit::of::<FrameCounters>("frame_counters", &FRAME_COUNTS),
        calculator,
        Circuit::of::<RateLimiter>("rate_limiter", &[]),
    ]
}

/// The reaction point of an Ethernet scheme: of one flow, or with `rp_flows` of many.
pub(crate) fn reaction_point_circuit<One: Module, Many: Module>(
    parameters: &Parameters,
    many: fn(usize) -> Many,
) -> Circuit {
    let block = "reaction_point";
    match parameters.rp_flows() {
        1 => Circuit::of::<One>(block, &[]),
        flows => of_flows(block, &[], flows, many),
    }
}

/// The blocks of a reaction point of many flows whose calculator reads Qoff and ΔQ and compares congestion points.
pub(crate) fn flow_reaction_point(flows: u64, calculator: Circuit, limiter: fn(usize) -> FlowLimiter) -> Vec<Circuit> {
    const UNREAD: [&str; 6] =
        ["quantized_feedback", "same_point", "frame_malformed", "frame_refused", "frame_elsewhere", "frame_dropped"];
    let points = of_flows("flow_points", &[], flows, FlowPoints::new);
    flow_reaction_point_of(flows, &UNREAD, points, calculator, limiter)
}

/// The blocks of a reaction point of many flows around a calculator and what it has with each flow, with the outputs of
/// the parser that nothing reads but what counts frames.
pub(crate) fn flow_reaction_point_of(
    flows: u64,
    unread: &'static [&'static str],
    memories: Circuit,
    calculator: Circuit,
    limiter: fn(usize) -> FlowLimiter,
) -> Vec<Circuit> {
    vec![
        Circuit::of::<Parser>("parser", unread),
        Circuit::of::<FrameCounters>("frame_counters", &FRAME_COUNTS),
        Circuit::of::<FeedbackFlow>("feedback_flow", &["unknown_frames"]),
        memories,
        calculator,
        of_flows("flow_limiter", &["rate_waits", "visited", "visited_flow", "visited_rate"], flows, limiter),
    ]
}

/// A circuit for so many flows.
pub(crate) fn of_flows<C: Module>(
    block: &'static str,
    open: &'static [&'static str],
    flows: u64,
    make: fn(usize) -> C,
) -> Circuit {
    Circuit::generated(block, open, vec![("rp_flows", flows)], move || make(flows.ilog2() as usize))
}

/// Outputs that cost something only where they are connected.
const FRAME_COUNTS: [&str; 5] =
    ["taken_frames", "malformed_frames", "refused_frames", "elsewhere_frames", "dropped_frames"];

/// The value of every parameter port of the circuits of a scheme, by port name.
pub fn ports(scheme: &Scheme, parameters: &Parameters) -> BTreeMap<String, u64> {
    let mut ports = part_ports(scheme, parameters, Part::CongestionPoint);
    ports.extend(part_ports(scheme, parameters, Part::ReactionPoint));
    ports
}

/// The value of every parameter port of one part of a scheme, by port name. It reads the keys of that part only.
pub fn part_ports(scheme: &Scheme, parameters: &Parameters, part: Part) -> BTreeMap<String, u64> {
    table(scheme, parameters, part).into_iter().map(|(name, port)| (name, port.value)).collect()
}

/// Every parameter port of one part of a scheme, by its name. It reads the keys of that part only.
pub fn table(scheme: &Scheme, parameters: &Parameters, part: Part) -> BTreeMap<String, Port> {
    let shared = match (scheme.family, part) {
        (Family::Ethernet(_), Part::CongestionPoint) => CongestionPointParameters::new(parameters).ports(""),
        (Family::Ethernet(_), Part::ReactionPoint) => {
            let cpid = CpidParameters::new(parameters).ports("");
            ReactionPointParameters::new(parameters).ports("").into_iter().chain(cpid).collect()
        }
        (Family::InfiniBand, _) => Vec::new(),
    };
    shared.into_iter().chain((scheme.ports)(parameters, part)).map(|port| (port.name.clone(), port)).collect()
}

/// The conditions between the parameters of a scheme, for those parts that have them.
pub fn rules(scheme: &Scheme) -> impl Iterator<Item = &'static Rule> {
    ethernet::RULES.iter().chain(scheme.rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_and_numbers_are_those_of_one_scheme() {
        let (names, numbers): (BTreeSet<_>, BTreeSet<_>) =
            SCHEMES.iter().map(|scheme| (scheme.name, scheme.number)).unzip();
        assert_eq!((names.len(), numbers.len()), (SCHEMES.len(), SCHEMES.len()));
        assert!(numbers.iter().all(|number| (1..256).contains(number)), "{numbers:?}");
    }
}
