// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms: both formats show the same, and what they show is what the simulation of `rust-hdl` has.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::machine::{InRustHdl, Machine, Maker, Shown};
use tidegate::bench::trace::Trace;
use tidegate::bench::waveform::Waveform;
use tidegate::bench::{Engine, Reports};
use tidegate::netlist::SignalKind;
use tidegate::output::{OutputFile, commit_all};
use tidegate::registry::{self, find};
use tidegate::scheme::Part;
use tidegate::units::{Cycles, Micro};
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate_testing::cocotb::python;

/// Picoseconds of a clock cycle.
const PERIOD: u64 = 8000;
const CLOCK: Micro = Micro(125_000_000);

/// Changes by time, then by path: the bits of the value, the highest first.
type Changes = BTreeMap<u64, BTreeMap<String, String>>;

fn read_vcd(path: &Path) -> Changes {
    fn paths(items: &[vcd::ScopeItem], prefix: &str, codes: &mut HashMap<vcd::IdCode, String>) {
        for item in items {
            match item {
                vcd::ScopeItem::Var(variable) => {
                    codes.insert(variable.code, format!("{prefix}{}", variable.reference));
                }
                vcd::ScopeItem::Scope(scope) => {
                    paths(&scope.children, &format!("{prefix}{}.", scope.identifier), codes);
                }
            }
        }
    }
    let mut parser = vcd::Parser::new(BufReader::new(File::open(path).unwrap()));
    let header = parser.parse_header().unwrap();
    assert_eq!(header.timescale, Some((1, vcd::TimescaleUnit::PS)));
    let mut codes = HashMap::new();
    paths(&header.items, "", &mut codes);
    let (mut changes, mut time) = (Changes::new(), 0);
    for command in parser {
        let (code, bits) = match command.unwrap() {
            vcd::Command::Timestamp(now) => {
                time = now;
                continue;
            }
            vcd::Command::ChangeScalar(code, bit) => (code, bit.to_string()),
            vcd::Command::ChangeVector(code, bits) => (code, bits.iter().map(|bit| bit.to_string()).collect()),
            other => panic!("{other:?}"),
        };
        changes.entry(time).or_default().insert(codes[&code].clone(), bits);
    }
    changes
}

/// The changes as `read_fst.py` prints them, with the Python of the outside tools.
fn read_fst(path: &Path) -> Changes {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/waveforms/read_fst.py");
    let output = Command::new(python()).arg(script).arg(path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("timescale 1ps"));
    let mut changes = Changes::new();
    for line in lines {
        let [time, path, bits] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        changes.entry(time.parse().unwrap()).or_default().insert(path.to_string(), bits.to_string());
    }
    changes
}

/// The values of all signals at each of these times.
fn states(changes: &Changes, times: impl Iterator<Item = u64>) -> Vec<BTreeMap<String, String>> {
    let mut state = BTreeMap::new();
    let mut changes = changes.iter().peekable();
    let at = |time| {
        while let Some((_, changed)) = changes.next_if(|&(&at, _)| at <= time) {
            state.extend(changed.iter().map(|(path, bits)| (path.clone(), bits.clone())));
        }
        state.clone()
    };
    times.map(at).collect()
}

#[test]
fn both_formats_show_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (vcd, fst) = (folder.path().join("w.vcd"), folder.path().join("w.fst"));
    let scheme = find("smcc").unwrap();
    let parameters = scheme.parameters(&[]).unwrap();
    let window = 500..2500;
    let files = [&vcd, &fst].map(|path| Some(OutputFile::create(path).unwrap()));
    let [of_vcd, of_fst] = files;
    let waveform = Waveform::new(of_vcd, of_fst, window.clone(), None, CLOCK).unwrap();
    let mut trace = Trace::create(None, dumbbell::HEADER).unwrap();
    let reports = Reports { waveform: Some(&waveform), ..Reports::trace(&mut trace) };
    dumbbell::run(scheme, &parameters, Engine::Rtl, 3000, Observation { period: 0 }, reports).unwrap();
    commit_all(waveform.finish().unwrap()).unwrap();

    let (vcd, fst) = (read_vcd(&vcd), read_fst(&fst));
    let first = *vcd.first_key_value().unwrap().0;
    assert_eq!((first, *vcd.last_key_value().unwrap().0), (window.start * PERIOD, (window.end - 1) * PERIOD));
    let times = || window.clone().map(|cycle| cycle * PERIOD);
    let (shown, other) = (states(&vcd, times()), states(&fst, times()));
    assert!(shown[0].len() > 500 && shown[0].contains_key("rp2.calculator.rate"), "{:?}", shown[0].keys());
    for (cycle, (shown, other)) in window.zip(shown.iter().zip(&other)) {
        assert_eq!(shown, other, "cycle {cycle}: VCD (left) and FST");
    }
}

/// The signals of every reaction point, at the ports of its blocks, against `rust-hdl` in every cycle but the first: in it,
/// registers without a value at power-up may have any.
#[test]
fn signals_are_those_of_rust_hdl() {
    const CYCLES: Cycles = 4000;
    for scheme in registry::ethernet() {
        let circuit = scheme.circuit(Part::ReactionPoint);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.vcd");
        let waveform = Waveform::new(Some(OutputFile::create(&path).unwrap()), None, 0..CYCLES, None, CLOCK).unwrap();

        let netlist = &circuit.netlist;
        let ports = netlist.top().instances.iter().flat_map(|instance| {
            let ports = netlist.modules[instance.module].ports().filter(|(_, port)| port.kind != SignalKind::Clock);
            ports.map(|(_, port)| format!("{}.{}", instance.name, port.name))
        });
        let probes: Vec<&'static str> = ports.map(|path| &*path.leak()).collect();
        let mut reference = InRustHdl::of(circuit.clone(), &probes, None).power_up("");
        let mut shown = Shown::of(circuit.clone(), &[], Some(&waveform)).power_up("top");
        waveform.begin().unwrap();
        let mut stimulus = Stimulus::new(scheme, &circuit, seed_of(circuit.module, SEED), Values::Accepted);
        let mut row = vec![0; circuit.ports.len()];
        let mut expected: Vec<Vec<u64>> = Vec::new();
        for cycle in 0..CYCLES {
            stimulus.drive(cycle, &mut row);
            for (column, port) in circuit.ports.iter().enumerate().filter(|(_, port)| port.input) {
                if port.name != "clock" {
                    let (one, other) = (shown.input(&port.name), reference.find_input(&port.name).unwrap());
                    shown.set(one, row[column].into());
                    Machine::set(&mut reference, other, row[column].into());
                }
            }
            shown.step(cycle);
            Machine::step(&mut reference, cycle);
            for (column, port) in circuit.ports.iter().enumerate().filter(|(_, port)| !port.input) {
                row[column] = shown.get(shown.output(&port.name)) as u32;
            }
            let values = probes.iter().map(|path| Machine::get(&reference, reference.find_output(path).unwrap()));
            expected.push(values.collect());
        }
        drop(shown);
        commit_all(waveform.finish().unwrap()).unwrap();
        let states = states(&read_vcd(&path), (0..CYCLES).map(|cycle| cycle * PERIOD));
        for (cycle, (state, expected)) in states.iter().zip(&expected).enumerate().skip(1) {
            for (path, expected) in probes.iter().zip(expected) {
                let found = u64::from_str_radix(&state[&format!("top.{path}")], 2).unwrap();
                assert_eq!(
                    found, *expected,
                    "{}, cycle {cycle}: {path} in the waveform (left) and in rust-hdl",
                    scheme.name
                );
            }
        }
    }
}
