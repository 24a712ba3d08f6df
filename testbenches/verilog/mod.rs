// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emitted Verilog has the same outputs in outside simulators as the circuit in Rust, in every cycle, for both parts of
//! every scheme, and for every block in the long tests. `tidegate verify` does the same with more cycles.

use rayon::prelude::*;
use std::collections::BTreeMap;
use tidegate::bench::vectors::Recording;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate::bus::{axis_cp, axis_rp, axis_tap, netfpga1g, netfpga1g_rp};
use tidegate::netlist::builder::Builder;
use tidegate::netlist::{Connection, Module, Netlist, SignalId, SignalKind, Statement, reads_of, targets_of};
use tidegate::registry::{Family, SCHEMES, Scheme, ethernet};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::toolchain::icarus::Icarus;
use tidegate::toolchain::verilator::Effort;
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate::verilog;
use tidegate_testing::simulators::{Design, VERILATOR};

/// Cycles recorded for each module.
const CYCLES: u64 = 40_000;
/// Number of them that Icarus replays: more than to the first change of the parameters.
const ICARUS_CYCLES: u64 = 6_000;

/// What is replayed.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// The whole parts of all schemes, also the congestion points for many queues.
    Parts,
    /// Their blocks. One that several schemes share is built once, and replayed with the stimulus of each.
    Blocks,
}

/// Replays in each simulator.
fn agrees(part: Part, of: Of) {
    let verilator = Simulator::Verilator(VERILATOR.clone());
    let icarus = Icarus::find().ok().map(Simulator::Icarus);
    if icarus.is_none() {
        eprintln!("skipped: Icarus is not there");
    }
    let mut by_verilog: BTreeMap<String, Vec<(&'static Scheme, Circuit)>> = BTreeMap::new();
    for scheme in SCHEMES {
        let circuits = match (of, part) {
            (Of::Blocks, _) => scheme.blocks(part),
            (Of::Parts, Part::CongestionPoint) => [vec![scheme.circuit(part)], many_queues(scheme)].concat(),
            (Of::Parts, Part::ReactionPoint) => vec![scheme.circuit(part)],
        };
        for circuit in circuits {
            by_verilog.entry(verilog::text(&circuit.netlist)).or_default().push((scheme, circuit));
        }
    }
    for circuits in by_verilog.values() {
        let build = |simulator| Replay::new(simulator, &circuits[0].1, Effort::Quick).unwrap();
        let verilator = build(&verilator);
        let icarus = icarus.as_ref().map(build);
        for (scheme, circuit) in circuits {
            let recording = record(scheme, circuit);
            let at = format!("{} of {}", circuit.module, scheme.name);
            if let Some(mismatch) = verilator.compare(&recording, CYCLES, &[]).unwrap() {
                panic!("{at} in Verilator: {mismatch}");
            }
            let Some(icarus) = &icarus else { continue };
            if let Some(mismatch) = icarus.compare(&recording, ICARUS_CYCLES, &[]).unwrap() {
                panic!("{at} in Icarus: {mismatch}");
            }
        }
    }
}

/// The congestion point of an Ethernet scheme for four queues.
fn many_queues(scheme: &Scheme) -> Vec<Circuit> {
    match scheme.family {
        Family::Ethernet(_) => vec![scheme.circuits_of(Part::CongestionPoint, &[("cp_queues", "4")]).1],
        Family::InfiniBand => Vec::new(),
    }
}

fn record(scheme: &'static Scheme, circuit: &Circuit) -> Recording {
    let mut stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, SEED), Values::Raw);
    let recording = Recording::make(circuit, CYCLES, &mut |cycle, row| stimulus.drive(cycle, row)).unwrap();
    every_output_moves(circuit, &recording);
    recording
}

/// Every output must change, otherwise it is not tested.
fn every_output_moves(circuit: &Circuit, recording: &Recording) {
    let still: Vec<&str> = recording.still().iter().map(|&column| circuit.ports[column].name.as_str()).collect();
    // A scheme leaves open what its block has only so that it fits where another's does.
    let open: &[&str] = if circuit.block == "feedback" { circuit.open } else { &[] };
    assert_eq!(still, open, "{}: outputs that keep one value", circuit.module);
}

#[test]
fn congestion_points_agree() {
    agrees(Part::CongestionPoint, Of::Parts);
}

#[test]
fn reaction_points_agree() {
    agrees(Part::ReactionPoint, Of::Parts);
}

#[test]
#[ignore = "long: compiles each block in Verilator"]
fn each_block_agrees() {
    [Part::CongestionPoint, Part::ReactionPoint].into_iter().for_each(|part| agrees(part, Of::Blocks));
}

/// Every warning of `-Wall` counts, none is switched off.
#[test]
fn every_emitted_module_passes_lint() {
    let queues = |queues: &str| vec![("cp_queues".to_string(), queues.to_string())];
    let ethernet = |scheme: &&Scheme| matches!(scheme.family, Family::Ethernet(_));
    let many = SCHEMES.iter().filter(ethernet).flat_map(|scheme| [(scheme, queues("4")), (scheme, queues("64"))]);
    for (scheme, settings) in SCHEMES.iter().map(|scheme| (scheme, Vec::new())).chain(many) {
        let parameters = scheme.parameters(&settings).unwrap();
        let parts = [Part::CongestionPoint, Part::ReactionPoint];
        let files = tidegate::emit::files(scheme, &parameters, &settings, &parts, tidegate::emit::PREFIX);
        let files: Vec<_> = files.iter().filter(|file| file.name.ends_with(".v")).collect();
        for file in &files {
            let top = file.name.trim_end_matches(".v");
            let needed =
                needed(top, &|name| files.iter().find(|file| file.name == format!("{name}.v")).unwrap().text.as_str());
            VERILATOR.lint(&needed, top, true).unwrap_or_else(|messages| panic!("{top}: {messages}"));
        }
    }
}

/// What `emit --bus` makes a module of.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Bus {
    Axis(Part),
    Tap(QueueInput),
    Netfpga1gCp(QueueInput),
    Netfpga1gRp,
}

/// A module for a bus.
type OnBus = (&'static Scheme, Bus, Width, u64);

fn on_bus((scheme, bus, width, flows): OnBus) -> Netlist {
    let settings = match bus {
        Bus::Axis(Part::ReactionPoint) | Bus::Netfpga1gRp => vec![("rp_flows".to_string(), flows.to_string())],
        _ => Vec::new(),
    };
    macro_rules! made {
        ($module:ident :: $make:ident $(, $more:expr)*) => {{
            let parameters = $module::parameters(scheme, &settings).unwrap();
            $module::$make(scheme, &parameters, &settings $(, $more)*).netlist
        }};
    }
    match bus {
        Bus::Axis(Part::CongestionPoint) => made!(axis_cp::congestion_point, width),
        Bus::Axis(Part::ReactionPoint) => made!(axis_rp::reaction_point, width),
        Bus::Tap(queues) => made!(axis_tap::congestion_point, width, queues),
        Bus::Netfpga1gCp(queues) => {
            let parameters = netfpga1g::parameters(scheme, &settings, queues).unwrap();
            netfpga1g::congestion_point(scheme, &parameters, &settings, queues).netlist
        }
        Bus::Netfpga1gRp => made!(netfpga1g_rp::reaction_point),
    }
}

/// Each bus, with its widths and numbers of flows.
fn buses() -> Vec<(Bus, &'static [Width], &'static [u64])> {
    use QueueInput::{Events, Level};
    vec![
        (Bus::Axis(Part::CongestionPoint), &Width::ALL, &[1]),
        (Bus::Axis(Part::ReactionPoint), &Width::ALL, &[1, 4, 64, 4096]),
        (Bus::Tap(Events), &Width::ALL, &[1]),
        (Bus::Tap(Level), &Width::ALL, &[1]),
        (Bus::Netfpga1gCp(Events), &[Width::W64], &[1]),
        (Bus::Netfpga1gCp(Level), &[Width::W64], &[1]),
        (Bus::Netfpga1gRp, &[Width::W64], &[4, 64, 4096]),
    ]
}

fn pass_lint(modules: &[OnBus]) {
    modules.par_iter().for_each(|&module| Design::of(&on_bus(module)).lint(&[]));
}

/// Each scheme on each bus, with one flow and with several; the widths and larger numbers of flows take turns.
#[test]
fn modules_on_each_bus_pass_lint() {
    let mut modules = Vec::new();
    for (place, scheme) in ethernet().enumerate() {
        for (bus, widths, flows) in buses() {
            let (one, several) = flows.split_at(usize::from(flows.len() > 1 && flows[0] == 1));
            let chosen = one.iter().chain([&several[place % several.len()]]);
            modules.extend(chosen.zip(place..).map(|(&flows, at)| (scheme, bus, widths[at % widths.len()], flows)));
        }
    }
    pass_lint(&modules);
}

#[test]
#[ignore = "long: some 180 modules"]
fn modules_of_each_width_and_number_of_flows_pass_lint() {
    let mut modules = Vec::new();
    for scheme in ethernet() {
        for (bus, widths, flows) in buses() {
            modules
                .extend(widths.iter().flat_map(|&width| flows.iter().map(move |&flows| (scheme, bus, width, flows))));
        }
    }
    pass_lint(&modules);
}

/// The registers that store a signal as it is, and how many other readers it has, in the module and in all that it instantiates.
fn readers(netlist: &Netlist, module: &Module, signal: SignalId) -> (usize, usize) {
    let mut found = (0, 0);
    let mut add = |(registers, others)| found = (found.0 + registers, found.1 + others);
    for statement in &module.statements {
        if !reads_of(std::slice::from_ref(statement)).contains(&signal) {
            continue;
        }
        match statement {
            Statement::Assign { target, low: 0, value } if value.as_signal() == Some(signal) => {
                match module.registers.iter().any(|register| register.d == *target) {
                    true => add((1, 0)),
                    false => add(readers(netlist, module, *target)),
                }
            }
            _ => add((0, 1)),
        }
    }
    for instance in &module.instances {
        let inner = &netlist.modules[instance.module];
        for ((port, _), connection) in inner.ports().zip(&instance.connections) {
            if *connection == Connection::Signal(signal) {
                add(readers(netlist, inner, port));
            }
        }
    }
    found
}

/// Whoever stands behind may compute its ready late in a cycle: it ends in a register, and nothing else depends on it.
#[test]
fn each_ready_of_a_stream_ends_in_one_register() {
    let smcc = ethernet().find(|scheme| scheme.name == "smcc").unwrap();
    for (bus, widths, flows) in buses() {
        for &width in widths {
            let netlist = on_bus((smcc, bus, width, flows[0]));
            let is_ready =
                |name: &str| name.starts_with("m_axis") && name.ends_with("tready") || name.contains("out_rdy");
            let readies =
                netlist.top().ports().filter(|(_, port)| port.kind == SignalKind::Input && is_ready(&port.name));
            let readies: Vec<_> = readies.collect();
            assert!(!readies.is_empty(), "{bus:?}");
            for (ready, port) in readies {
                let found = readers(&netlist, netlist.top(), ready);
                assert_eq!(found, (1, 0), "{bus:?}, {width:?}, {}: registers, others", port.name);
            }
        }
    }
}

/// Words of Verilog and C++ that are ports of a circuit: each gets an underscore, and the tools take the text.
#[test]
fn ports_with_the_names_of_keywords_pass_lint() {
    let words = "alignas asm auto bool catch char class concept delete double explicit export float friend goto inline long \
                 mutable namespace new noexcept nullptr operator private public register requires short sizeof switch template \
                 this thread_local throw try typeid typename using volatile wchar_t xor_eq reg tagged priority wreal end";
    let mut builder = Builder::new("keywords", "A register for each.");
    for word in words.split_whitespace() {
        let value = builder.input(word, 1, "");
        let kept = builder.delayed(&format!("kept_{word}"), value);
        builder.output(&format!("{word}_out"), "", kept);
    }
    let text = verilog::text(&builder.finish());
    assert!(text.contains(" switch_,") && text.contains(" reg_,"), "{text}");
    VERILATOR.lint(&[("keywords.v", text.as_str())], "keywords", false).unwrap();
}

/// Whether a signal is computed from what a memory reads, within a cycle. `above` are the modules around it, each with the
/// instance in it.
fn is_of_memory(netlist: &Netlist, above: &[(&Module, usize)], module: &Module, signal: SignalId) -> bool {
    if module.registers.iter().any(|register| register.q == signal) {
        return false;
    }
    let reads = module.memories.iter().map(|memory| memory.read_data).chain(module.roms.iter().map(|rom| rom.data));
    if reads.into_iter().any(|data| data == signal) {
        return true;
    }
    if matches!(module.signals[signal].kind, SignalKind::Input | SignalKind::Clock) {
        let Some((&(outer, instance), around)) = above.split_last() else { return false };
        let inner = &outer.instances[instance];
        let place = netlist.modules[inner.module].ports().position(|(port, _)| port == signal).unwrap();
        return match inner.connections[place] {
            Connection::Signal(from) => is_of_memory(netlist, around, outer, from),
            _ => false,
        };
    }
    let of_instance = module.instances.iter().enumerate().any(|(instance, inner)| {
        let inside = &netlist.modules[inner.module];
        let above = [above, &[(module, instance)]].concat();
        inside.ports().zip(&inner.connections).any(|((port, declared), connection)| {
            declared.kind == SignalKind::Output
                && *connection == Connection::Signal(signal)
                && is_of_memory(netlist, &above, inside, port)
        })
    });
    let drives = |statement: &&Statement| targets_of(std::slice::from_ref(statement)).contains(&signal);
    of_instance
        || module.statements.iter().filter(drives).any(|statement| {
            reads_of(std::slice::from_ref(statement)).into_iter().any(|read| is_of_memory(netlist, above, module, read))
        })
}

/// A memory of an FPGA answers late in a cycle: a register stands between it and each output of a stream.
#[test]
fn no_output_of_a_stream_is_that_of_a_memory() {
    let smcc = ethernet().find(|scheme| scheme.name == "smcc").unwrap();
    let is_stream = |name: &str| name.starts_with("m_axis") || name.contains("out_data") || name.contains("out_ctrl");
    for (bus, widths, flows) in buses() {
        for &width in widths {
            let netlist = on_bus((smcc, bus, width, flows[0]));
            let top = netlist.top();
            let outputs = top.ports().filter(|(_, port)| port.kind == SignalKind::Output && is_stream(&port.name));
            let outputs: Vec<_> = outputs.collect();
            assert!(outputs.len() > 1, "{bus:?}");
            for (output, port) in outputs {
                assert!(!is_of_memory(&netlist, &[], top, output), "{bus:?}, {width:?}, {}", port.name);
            }
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
