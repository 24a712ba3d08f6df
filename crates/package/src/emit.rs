// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that `emit` writes: circuits as Verilog, one module per file, with headers and file lists.

use anyhow::{Result, anyhow};
use std::collections::BTreeMap;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::licence;
use tidegate_hdl::netlist::{Connection, Error, Expression, Instance, Module, Netlist, Signal, SignalKind};
use tidegate_hdl::verilog;
use tidegate_schemes::registry::{self, SCHEMES, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::{BENCH, Parameters, Specification};

/// One block of a part, as a self-contained Verilog source.
pub struct EmittedBlock {
    /// Name of the block, as in `rtl/`: `sampler`, `calculator`, …
    pub block: &'static str,
    /// Name of its top module.
    pub top: String,
    /// Verilog source with every module that it needs.
    pub verilog: String,
    /// The memories of the block and of all modules inside it, in the order of the instances.
    pub memories: Vec<EmittedMemory>,
}

impl EmittedBlock {
    fn new(circuit: &Circuit, top: String, verilog: String) -> Self {
        let modules = with_inner(&circuit.netlist, circuit.netlist.top());
        let memories = modules.iter().flat_map(|module| &module.memories);
        let memories = memories.map(|memory| EmittedMemory { words: memory.words as u32, bits: memory.bits as u32 });
        EmittedBlock { block: circuit.block, top, verilog, memories: memories.collect() }
    }

    /// Bits of all its memories.
    pub fn memory_bits(&self) -> u32 {
        self.memories.iter().map(|memory| memory.words * memory.bits).sum()
    }
}

/// A memory of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmittedMemory {
    /// Number of words.
    pub words: u32,
    /// Width of a word.
    pub bits: u32,
}

/// A module and all modules inside it; a module that has several instances comes several times.
fn with_inner<'a>(netlist: &'a Netlist, module: &'a Module) -> Vec<&'a Module> {
    let inner = module.instances.iter().flat_map(|instance| with_inner(netlist, &netlist.modules[instance.module]));
    std::iter::once(module).chain(inner).collect()
}

/// How the parameters of a scheme reach the hardware.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterStyle {
    /// Constants, fixed when the Verilog is made.
    Fixed,
    /// Input ports, for registers to drive.
    Inputs,
}

/// A module around a circuit. In style `Fixed` every parameter is a constant. In style `Inputs` it is an input, except
/// those that say how CPIDs are compared, because they decide how much is stored.
fn wrapped(
    circuit: &Circuit,
    top: &str,
    meaning: &str,
    values: &BTreeMap<String, u64>,
    style: ParameterStyle,
) -> Result<Netlist, Error> {
    let mut wrapper = Module::empty(top, meaning);
    let mut connections = Vec::new();
    for (_, port) in circuit.netlist.top().ports() {
        let parameter = circuit.parameters.contains(&port.name.as_str());
        let fixed = style == ParameterStyle::Fixed;
        let constant = if parameter && (fixed || HOW_CPIDS_ARE_COMPARED.contains(&port.name.as_str())) {
            Some(values[port.name.as_str()])
        } else {
            only_interval(port, values).filter(|_| fixed)
        };
        if let Some(value) = constant {
            connections.push(Connection::Constant(Expression::constant(value.into(), port.shape)));
            continue;
        }
        let id = if circuit.open.contains(&port.name.as_str()) {
            wrapper.add(Signal { kind: SignalKind::Local, ..port.clone() })
        } else {
            wrapper.add(port.clone())
        };
        connections.push(Connection::Signal(id));
    }
    let module = circuit.netlist.modules.len() - 1;
    wrapper.instances.push(Instance { name: circuit.block.to_string(), module, connections });
    circuit.netlist.with(wrapper)
}

/// The constant for an input of a sampler that says the interval, if all rows of the table of intervals are equal.
fn only_interval(port: &Signal, values: &BTreeMap<String, u64>) -> Option<u64> {
    if !matches!(port.name.as_str(), "interval_low" | "interval_span") || port.kind != SignalKind::Input {
        return None;
    }
    let value = *values.get(&port.name)?;
    let row = format!("{}_", port.name);
    values.iter().filter(|(name, _)| name.starts_with(&row)).all(|(_, &other)| other == value).then_some(value)
}

/// The parameters that decide how much of a CPID is stored.
const HOW_CPIDS_ARE_COMPARED: [&str; 2] = ["cpid_any", "cpid_digest"];

/// Finds the scheme and checks the settings.
fn scheme_with(name: &str, settings: &[(String, String)]) -> Result<(&'static Scheme, Parameters)> {
    let scheme = registry::find(name).map_err(|reason| anyhow!(tidegate_core::error::Usage(reason)))?;
    let parameters =
        scheme.parameters(settings).map_err(|error| anyhow!(tidegate_core::error::Usage(error.to_string())))?;
    Ok((scheme, parameters))
}

/// The blocks of a part of a scheme for `compare` to synthesize: for each block a top module with one instance of it.
///
/// # Errors
/// An unknown scheme or a wrong setting.
pub fn blocks(
    scheme: &str,
    part: Part,
    settings: &[(String, String)],
    style: ParameterStyle,
) -> Result<Vec<EmittedBlock>> {
    let (scheme, parameters) = scheme_with(scheme, settings)?;
    let values = registry::ports(scheme, &parameters);
    (scheme.blocks)(part, &parameters).iter().map(|circuit| block(circuit, &values, style)).collect()
}

/// A circuit as [`blocks`] has them.
///
/// # Errors
/// A parameter that has no value.
pub fn block(circuit: &Circuit, values: &BTreeMap<String, u64>, style: ParameterStyle) -> Result<EmittedBlock> {
    let top = format!("{}_top", circuit.module);
    let netlist = wrapped(circuit, &top, "", values, style)?;
    Ok(EmittedBlock::new(circuit, top, verilog::text(&netlist)))
}

/// A whole part of a scheme with fixed parameters and with flip-flops at its ports: one before each input, one after
/// each output. The clock rate of this circuit then includes the paths from and to the ports, independent of the
/// surrounding design.
///
/// # Errors
/// An unknown scheme or a wrong setting.
pub fn between_registers(scheme: &str, part: Part, settings: &[(String, String)]) -> Result<EmittedBlock> {
    let (scheme, parameters) = scheme_with(scheme, settings)?;
    let circuit = (scheme.circuit)(part, &parameters);
    let values = registry::ports(scheme, &parameters);
    let core = format!("{}_fixed", circuit.module);
    let netlist = wrapped(&circuit, &core, "", &values, ParameterStyle::Fixed)?;
    let top = format!("{}_held", circuit.module);
    let verilog = with_registers_at_ports(&netlist, &top);
    Ok(EmittedBlock::new(&circuit, top, verilog))
}

/// The Verilog of a circuit inside a module `top`, with a flip-flop before each input and after each output.
pub fn with_registers_at_ports(netlist: &Netlist, top: &str) -> String {
    let core = &netlist.top().name;
    let (mut ports, mut registers, mut clocked, mut connections) =
        (Vec::new(), String::new(), String::new(), Vec::new());
    for (_, port) in netlist.top().ports() {
        let (name, last) = (&port.name, port.shape.bits - 1);
        match port.kind {
            SignalKind::Clock => {
                ports.push(format!("input wire {name}"));
                connections.push(format!(".{name}({name})"));
            }
            SignalKind::Output => {
                ports.push(format!("output reg [{last}:0] {name}"));
                registers += &format!("    wire [{last}:0] {name}_unheld;\n");
                clocked += &format!("        {name} <= {name}_unheld;\n");
                connections.push(format!(".{name}({name}_unheld)"));
            }
            _ => {
                ports.push(format!("input wire [{last}:0] {name}"));
                registers += &format!("    reg [{last}:0] {name}_held;\n");
                clocked += &format!("        {name}_held <= {name};\n");
                connections.push(format!(".{name}({name}_held)"));
            }
        }
    }
    let clock = netlist.top().ports().find(|(_, port)| port.kind == SignalKind::Clock);
    let clock = clock.map_or("", |(_, port)| &port.name);
    let wrapper = format!(
        "module {top} ({});\n{registers}    {core} part ({});\n    always @(posedge {clock}) begin\n{clocked}    end\nendmodule\n",
        ports.join(", "),
        connections.join(", "),
    );
    verilog::text(netlist) + "\n" + &wrapper
}

/// A file to be written: its name below the output folder, and its text.
pub struct File {
    /// Path below the output folder.
    pub name: String,
    /// Contents.
    pub text: String,
    /// Its role.
    pub role: Role,
}

impl File {
    /// A file with the licence at the head of its text.
    ///
    /// # Panics
    /// If the name has an ending that no emitted file has: a mistake in this program.
    pub fn new(name: String, text: &str, role: Role) -> File {
        File { text: licence::with_line(&name, text), name, role }
    }

    /// A file with a module.
    pub(crate) fn verilog(name: String, header: &str, module: &str, role: Role) -> File {
        File::new(name, &in_file(header, module), role)
    }
}

/// The role of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The top module of a part, with the parameters as inputs.
    Top(Part),
    /// The top module of a part with the ports of a bus.
    BusTop(Part),
    /// A module around the top module, with the parameters as constants.
    FixedTop(Part),
    /// A module inside these.
    Module,
    /// The list of the Verilog files, for a tool's `-f`.
    FileList,
    /// The top module of a part with its register file inside.
    WithRegisters(Part),
    /// The register file of a part.
    RegisterFile(Part),
    /// The registers of a part, for software or for people.
    RegisterMap(Part),
    /// The constraint file of a board.
    Constraints,
    /// The description of a part for FuseSoC.
    Core(Part),
    /// A test bench or test that shows that a part works where it was put.
    SmokeTest(Part),
    /// The description of a part in IP-XACT.
    IpXact(Part),
    /// What the files are, and how to use them.
    Readme,
}

impl Role {
    /// The role in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Role::Top(_) => "top, parameters as inputs",
            Role::BusTop(_) => "top, for the bus",
            Role::FixedTop(_) => "top, parameters fixed",
            Role::Module => "module",
            Role::FileList => "file list, for -f",
            Role::WithRegisters(_) => "top, with its registers",
            Role::RegisterFile(_) => "register file",
            Role::RegisterMap(_) => "registers, for software and people",
            Role::Constraints => "constraints",
            Role::Core(_) => "core, for FuseSoC",
            Role::SmokeTest(_) => "smoke test",
            Role::IpXact(_) => "component, in IP-XACT",
            Role::Readme => "how to use the files",
        }
    }
}

/// Default text before the name of each module, because other designs may have a module `parser` too.
pub const PREFIX: &str = "tidegate_";

/// All files of a scheme: one for each module of its parts, with parameters as ports; for each part a top module with
/// fixed parameters; a list of the files for the option `-f` of a tool, inner modules first. The names of modules and
/// of their files begin with `prefix`.
pub fn files(
    scheme: &'static Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    parts: &[Part],
    prefix: &str,
) -> Vec<File> {
    let users = users_of_modules();
    let option = prefix_option(prefix);
    let chosen = settings.iter().filter(|(key, _)| makes_modules(scheme, key));
    let chosen: String = chosen.map(|(key, value)| format!(" --set {key}={value}")).collect::<String>() + &option;
    let alone = vec![scheme];
    let mut files: Vec<File> = Vec::new();
    for &part in parts {
        let circuit = (scheme.circuit)(part, parameters);
        for module in &circuit.netlist.modules {
            let name = format!("{prefix}{}.v", module.name);
            if files.iter().all(|file| file.name != name) {
                // A module that the defaults do not have belongs to this scheme only.
                let users = users.get(&module.name).unwrap_or(&alone);
                let names: Vec<&str> = users.iter().map(|scheme| scheme.name).collect();
                let command = format!("tidegate emit --scheme {}{chosen} --out DIR", names.join("|"));
                let role = if module.name == circuit.module { Role::Top(part) } else { Role::Module };
                let is_top = role != Role::Module;
                let header = header(module, users, is_top, parameters_are_inputs(module, scheme), &command);
                files.push(File::verilog(name, &header, &verilog::prefixed(module, &circuit.netlist, prefix), role));
            }
        }
        let netlist = fixed(scheme, part, parameters, &circuit);
        let top = netlist.top();
        let header = fixed_header(&top.meaning, scheme, parameters, settings, parts, &option);
        let (name, text) = (format!("{prefix}{}.v", top.name), verilog::prefixed(top, &netlist, prefix));
        files.push(File::verilog(name, &header, &text, Role::FixedTop(part)));
    }
    files.push(list(scheme, &files));
    files
}

/// A part of a scheme with its parameters as constants.
///
/// # Panics
/// If the circuit is not that part: a mistake in this program.
pub(crate) fn fixed(scheme: &Scheme, part: Part, parameters: &Parameters, circuit: &Circuit) -> Netlist {
    let values = registry::part_ports(scheme, parameters, part);
    let top = format!("{}_fixed", circuit.module);
    let meaning = format!("The {} of {} with fixed parameters.", part.title(), scheme.title);
    wrapped(circuit, &top, &meaning, &values, ParameterStyle::Fixed).unwrap_or_else(|error| panic!("{error}"))
}

/// The file list of a scheme, for the option `-f` of a tool, with the names of these files.
pub(crate) fn list(scheme: &Scheme, files: &[File]) -> File {
    let names: String = files.iter().map(|file| format!("{}\n", file.name)).collect();
    File::new(format!("{}.f", scheme.name), &names, Role::FileList)
}

/// Adds the files of register files, and their Verilog to the file list. What connects them to a bus may come several
/// times, and is the same.
pub fn add_registers(files: &mut Vec<File>, registers: Vec<File>) {
    for file in registers {
        if files.iter().any(|known| known.name == file.name) {
            continue;
        }
        if file.name.ends_with(".v") {
            let lists = files.iter_mut().filter(|file| file.role == Role::FileList);
            lists.for_each(|list| list.text += &format!("{}\n", file.name));
        }
        files.push(file);
    }
}

/// For each module name, the schemes that use the module.
fn users_of_modules() -> BTreeMap<String, Vec<&'static Scheme>> {
    let mut users: BTreeMap<String, Vec<&'static Scheme>> = BTreeMap::new();
    for scheme in SCHEMES {
        for part in [Part::CongestionPoint, Part::ReactionPoint] {
            for module in scheme.circuit(part).netlist.modules {
                let users = users.entry(module.name).or_default();
                if users.iter().all(|user| user.name != scheme.name) {
                    users.push(scheme);
                }
            }
        }
    }
    users
}

/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The text of a file with a module. A name that is not declared is an error in it; in the files behind it, it is what it was before.
pub(crate) fn in_file(header: &str, module: &str) -> String {
    format!("{header}`default_nettype none\n\n{}\n`default_nettype wire\n", verilog::wrapped(module))
}

/// Where the parameters of a scheme are in a module that has some of them as inputs; nothing for one that has none.
pub(crate) fn parameters_are_inputs(module: &Module, scheme: &Scheme) -> &'static str {
    let parameters = scheme.parameters(&[]).expect("the defaults are accepted");
    let parameters = registry::ports(scheme, &parameters);
    let has_some =
        module.ports().any(|(_, port)| port.kind == SignalKind::Input && parameters.contains_key(&port.name));
    if has_some { "Parameters of the scheme are inputs: drive them from registers or with constants." } else { "" }
}

/// The header of a module that a command has made. It is the same for all schemes that use the module; a top module names
/// the papers, too. `parameters` says where those of the scheme are.
pub(crate) fn header(module: &Module, users: &[&Scheme], is_top: bool, parameters: &str, command: &str) -> String {
    let mut text = String::new();
    let meaning = if module.meaning.is_empty() { &module.name } else { &module.meaning };
    for paragraph in meaning.split("\n\n") {
        comment_lines(paragraph, "", &mut text);
        text += "//\n";
    }
    if is_top {
        users.iter().for_each(|scheme| comment_lines(&source(scheme), "  ", &mut text));
    } else if !users.is_empty() {
        let names: Vec<&str> = users.iter().map(|scheme| scheme.name).collect();
        comment_lines(&format!("Part of: {}.", names.join(", ")), "  ", &mut text);
    }
    if !parameters.is_empty() {
        comment_lines(parameters, "  ", &mut text);
    }
    text += &format!("// Made by tidegate {VERSION} with: {command}\n\n");
    text
}

/// The option for this prefix; empty for the default prefix.
pub(crate) fn prefix_option(prefix: &str) -> String {
    match prefix {
        PREFIX => String::new(),
        "" => " --prefix \"\"".to_string(),
        other => format!(" --prefix {other}"),
    }
}

/// Whether the modules depend on the value of this key.
fn makes_modules(scheme: &Scheme, key: &str) -> bool {
    scheme.specifications().any(|specification| specification.key == key && specification.makes_modules)
}

/// The header of a module with fixed parameters.
fn fixed_header(
    meaning: &str,
    scheme: &Scheme,
    parameters: &Parameters,
    settings: &[(String, String)],
    parts: &[Part],
    option: &str,
) -> String {
    let mut text = format!("// {meaning}\n");
    comment_lines(&source(scheme), "  ", &mut text);
    let mut command = format!("tidegate emit --scheme {}", scheme.name);
    if let [part] = parts {
        command += &format!(" --part {}", part.name());
    }
    for (key, value) in settings {
        command += &format!(" --set {key}={value}");
    }
    text += &format!("// Made by tidegate {VERSION} with: {command}{option} --out DIR\n// Parameters:\n");
    for (key, value) in parameters.iter().filter(|(key, _)| !is_bench(scheme, key)) {
        text += &format!("//   {key} = {value}\n");
    }
    text.push('\n');
    text
}

/// Longest line of a header comment, in characters.
const LINE: usize = 100;

/// Adds a text as comment lines; lines after the first one start with `indent`.
pub(crate) fn comment_lines(meaning: &str, indent: &str, to: &mut String) {
    let mut line = String::from("//");
    for word in verilog::ascii(meaning).split_whitespace() {
        if line.len() + 1 + word.len() > LINE {
            *to += &format!("{line}\n");
            line = format!("//{indent}");
        }
        line.push(' ');
        line.push_str(word);
    }
    *to += &format!("{line}\n");
}

/// The line of a header that names a scheme and its papers.
fn source(scheme: &Scheme) -> String {
    format!("Scheme: {} ({}). {}.", scheme.title, scheme.name, scheme.paper)
}

/// Whether only the benches use a key.
fn is_bench(scheme: &Scheme, key: &str) -> bool {
    let is = |specification: &Specification| specification.key == key;
    BENCH.iter().any(is) && !scheme.parameters.iter().any(is)
}
