//! Circuits to Verilog text, with the traps of `rust-hdl`'s own emission taken out where text allows it.

use crate::bench::vectors::{self, Run};
use crate::registry::{self, Scheme};
use crate::rtl::ParameterInputs;
use crate::scheme::parameters::Parameters;
use crate::scheme::Part;
use anyhow::{anyhow, Result};
use regex::Regex;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::check_error::check_all;
use rust_hdl::core::module_defines::ModuleDefines;
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::Block;
use std::collections::BTreeMap;
use std::fmt::Write;

/// One block of a part, as a self-contained Verilog source.
pub struct EmittedBlock {
    /// Name of the block, as in `rtl/`: `sampler`, `calculator`, …
    pub block: &'static str,
    /// Name of its top module.
    pub top: String,
    /// Verilog source with every module that it needs.
    pub verilog: String,
}

/// How the parameters of a scheme reach the hardware.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterStyle {
    /// Constants, fixed when the Verilog is made.
    Fixed,
    /// Input ports, for registers to drive.
    Inputs,
}

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub bits: usize,
    /// Whether it is an input.
    pub input: bool,
}

/// A circuit as Verilog, its parameters still ports.
#[derive(Clone)]
pub struct Circuit {
    /// Name of the block, as in `rtl/`.
    pub block: &'static str,
    /// Name of its module.
    pub module: &'static str,
    /// Source of the module and of all that it instantiates.
    pub verilog: String,
    /// Ports in the order of the module.
    pub ports: Vec<Port>,
    /// Those ports that are parameters.
    pub parameters: &'static [&'static str],
    /// Outputs that this scheme leaves open.
    pub open: &'static [&'static str],
    /// Clocks the circuit.
    pub run: Run,
}

impl Circuit {
    /// The circuit of a type.
    ///
    /// # Panics
    /// If `rust-hdl`'s own checks find an unconnected signal or a loop: a mistake in `rtl/`.
    pub fn of<C: ParameterInputs>(block: &'static str, open: &'static [&'static str]) -> Self {
        let mut circuit = C::default();
        circuit.connect_all();
        check_all(&circuit).unwrap_or_else(|error| panic!("{}: {error:?}", C::MODULE));
        let mut modules = ModuleDefines::default();
        circuit.accept(C::MODULE, &mut modules);
        Circuit {
            block,
            module: C::MODULE,
            verilog: tidy(&modules.defines()),
            ports: ports(&circuit),
            parameters: C::PARAMETERS,
            open,
            run: vectors::run::<C>,
        }
    }
}

/// The ports of a circuit, in the order of its module.
pub fn ports(circuit: &dyn Block) -> Vec<Port> {
    let mut ports = Ports { depth: 0, ports: Vec::new() };
    circuit.accept("", &mut ports);
    ports.ports
}

/// Collects the ports of the outermost module.
struct Ports {
    depth: usize,
    ports: Vec<Port>,
}

impl Probe for Ports {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let input = match signal.kind() {
            AtomKind::InputParameter => true,
            AtomKind::OutputParameter => false,
            _ => return,
        };
        if self.depth == 1 {
            self.ports.push(Port { name: name.to_string(), bits: signal.bits(), input });
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}

/// Connects every clock straight to the clock of its parent. `rust-hdl` copies it through a variable at each level of the
/// hierarchy, so that in a simulator a register deep down is clocked a step after the data of one above has changed.
fn tidy(verilog: &str) -> String {
    let declaration = Regex::new(r"^\s*reg\s+[\w$]+\$clock;$").expect("a valid pattern");
    let copy = Regex::new(r"^\s*[\w$]+\$(?:\w+_)?clock = clock;$").expect("a valid pattern");
    let memory = Regex::new(r"^\s*reg\s+[\w$]+\$(?:read|write)_clock;$").expect("a valid pattern");
    let pin = Regex::new(r"\.(clock|read_clock|write_clock)\([\w$]+\)").expect("a valid pattern");
    let mut text = String::with_capacity(verilog.len());
    for line in verilog.lines().map(str::trim_end) {
        if declaration.is_match(line) || copy.is_match(line) || memory.is_match(line) {
            continue;
        }
        text.push_str(&pin.replace_all(line, ".$1(clock)"));
        text.push('\n');
    }
    text.trim_start().to_string()
}

/// A module with `count` instances of a circuit side by side. In style `Fixed` every parameter is a constant; in style
/// `Inputs` it is an input that the instances share, but for the CPID mask, which chooses how many registers there are.
pub fn wrapper(
    circuit: &Circuit,
    top: &str,
    values: &BTreeMap<&'static str, u64>,
    style: ParameterStyle,
    count: u32,
) -> String {
    let parameter = |port: &Port| circuit.parameters.contains(&port.name.as_str());
    let fixed = |port: &Port| style == ParameterStyle::Fixed || port.name.starts_with("cpid_mask_");
    let shared = |port: &Port| port.name == "clock" || port.name == "reset" || parameter(port);
    let name = |port: &Port, instance: u32| match count {
        1 => port.name.clone(),
        _ if shared(port) => port.name.clone(),
        _ => format!("{}_{instance}", port.name),
    };
    let open = |port: &Port| circuit.open.contains(&port.name.as_str());
    // Bits of a CPID that the scheme does not store are not read where they come out of the parser.
    let read_bits = |port: &Port| match port.name.as_str() {
        "cpid_high" if !port.input => values.get("cpid_mask_high").copied(),
        "cpid_low" if !port.input => values.get("cpid_mask_low").copied(),
        _ => None,
    };
    let mut masks = String::new();
    let mut declarations = Vec::new();
    for instance in 0..count {
        for port in &circuit.ports {
            let constant = parameter(port) && fixed(port);
            if constant || open(port) || (instance > 0 && shared(port)) {
                continue;
            }
            let direction = if port.input { "input" } else { "output" };
            let range = if port.bits == 1 { String::new() } else { format!(" [{}:0]", port.bits - 1) };
            declarations.push(format!("    {direction} wire{range} {}", name(port, instance)));
        }
    }
    let mut text = format!("module {top} (\n{}\n);\n", declarations.join(",\n"));
    for instance in 0..count {
        let connections: Vec<String> = circuit
            .ports
            .iter()
            .map(|port| {
                let to = if open(port) {
                    String::new()
                } else if parameter(port) && fixed(port) {
                    format!("{}'d{}", port.bits, values[port.name.as_str()])
                } else if let Some(read) = read_bits(port) {
                    let (port_name, bits) = (name(port, instance), port.bits);
                    let all = format!("{port_name}_all");
                    writeln!(masks, "    wire [{}:0] {all};", bits - 1).expect("text grows");
                    writeln!(masks, "    assign {port_name} = {all} & {bits}'d{read};").expect("text grows");
                    all
                } else {
                    name(port, instance)
                };
                format!("        .{}({to})", port.name)
            })
            .collect();
        let label = if count == 1 { circuit.block.to_string() } else { format!("{}_{instance}", circuit.block) };
        text += &std::mem::take(&mut masks);
        writeln!(text, "    {} {label} (\n{}\n    );", circuit.module, connections.join(",\n")).expect("text grows");
    }
    text.push_str("endmodule\n");
    text
}

/// Finds the scheme and checks the settings.
fn scheme_with(name: &str, settings: &[(String, String)]) -> Result<(&'static Scheme, Parameters)> {
    let scheme = registry::find(name).map_err(|reason| anyhow!(crate::cli::Usage(reason)))?;
    let parameters = scheme.parameters(settings).map_err(|error| anyhow!(crate::cli::Usage(error.to_string())))?;
    Ok((scheme, parameters))
}

/// The blocks of a part of a scheme, each `ports` times in one top module: what `compare` synthesizes.
///
/// # Errors
/// An unknown scheme or a wrong setting.
pub fn blocks(
    scheme: &str,
    part: Part,
    settings: &[(String, String)],
    style: ParameterStyle,
    ports: u32,
) -> Result<Vec<EmittedBlock>> {
    let (scheme, parameters) = scheme_with(scheme, settings)?;
    let values = registry::ports(scheme, &parameters);
    Ok(scheme
        .blocks(part)
        .into_iter()
        .map(|circuit| {
            let top = format!("{}_top", circuit.module);
            let wrapper = wrapper(&circuit, &top, &values, style, ports);
            EmittedBlock { block: circuit.block, top, verilog: format!("{}\n{wrapper}", circuit.verilog) }
        })
        .collect())
}

/// A file to be written: its name below the output folder, and its text.
pub struct File {
    /// Path below the output folder.
    pub name: String,
    /// Contents.
    pub text: String,
}

/// Every file of a scheme: each part with its parameters as ports and, around it, with its parameters fixed; its blocks; a
/// list of the files for a tool's `-f`.
pub fn files(scheme: &Scheme, parameters: &Parameters, settings: &[(String, String)], parts: &[Part]) -> Vec<File> {
    let values = registry::ports(scheme, parameters);
    let mut files = Vec::new();
    let mut command = format!("tidegate emit --scheme {}", scheme.name);
    if let [part] = parts {
        write!(command, " --part {}", part.name()).expect("text grows");
    }
    for (key, value) in settings {
        write!(command, " --set {key}={value}").expect("text grows");
    }
    let header = |what: &str, listed: &str| {
        format!(
            "// {what}\n// Scheme: {} ({}). {}\n// Made by tidegate {} with: {command} --out DIR\n{listed}\n",
            scheme.title,
            scheme.name,
            scheme.paper,
            env!("CARGO_PKG_VERSION"),
        )
    };
    for &part in parts {
        let circuit = scheme.circuit(part);
        let what = match part {
            Part::CongestionPoint => "Congestion point, for the switch",
            Part::ReactionPoint => "Reaction point, for the traffic source",
        };
        let note = "// Parameters of the scheme are inputs: drive them from registers or with constants.\n";
        let text = header(&format!("{what}; parameters are ports."), note) + &circuit.verilog;
        files.push(File { name: format!("{}.v", circuit.module), text });

        let top = format!("{}_fixed", circuit.module);
        let mut listed = String::from("// Parameters:\n");
        for (key, value) in parameters.iter().filter(|(key, _)| !is_bench(key)) {
            writeln!(listed, "//   {key} = {value}").expect("text grows");
        }
        let body = wrapper(&circuit, &top, &values, ParameterStyle::Fixed, 1);
        files.push(File {
            name: format!("{top}.v"),
            text: header(&format!("{what}; parameters are fixed."), &listed) + &body,
        });
    }
    let listed: Vec<String> = files.iter().map(|file| format!("{}\n", file.name)).collect();
    for &part in parts {
        for circuit in scheme.blocks(part) {
            let what = format!("Block {} alone, as it stands in the {}.", circuit.block, part.name());
            files.push(File {
                name: format!("blocks/{}.v", circuit.module),
                text: header(&what, "") + &circuit.verilog,
            });
        }
    }
    files.push(File { name: format!("{}.f", scheme.name), text: listed.concat() });
    files
}

/// Whether a key means something to the benches only.
fn is_bench(key: &str) -> bool {
    crate::scheme::parameters::BENCH.iter().any(|specification| specification.key == key)
}
