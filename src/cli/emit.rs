// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate emit`: Verilog, file lists and constraints.

use super::{Force, completions, folder, load_board, print_json, refuse_repeats, say, setting, shown};
use anyhow::{Result, bail};
use clap_complete::{ArgValueCandidates, ArgValueCompleter};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::error::Usage;
use tidegate_core::output::folder::{Claim, ResultFolder, write_folder};
use tidegate_core::output::manifest::{MANIFEST, Manifest};
use tidegate_core::units::Micro;
use tidegate_hdl::netlist::Netlist;
use tidegate_package::board;
use tidegate_package::bus::register_bus::{self, RegisterBus};
use tidegate_package::bus::width::Width;
use tidegate_package::bus::{
    self, axis_cp, axis_rp, axis_tap, limits, netfpga1g, netfpga1g_rp, queue_input, with_registers,
};
use tidegate_package::emit::{self, File, Role};
use tidegate_package::packaging::{Device, Package};
use tidegate_package::registers::{self, Registers};
use tidegate_schemes::registry::{self, SCHEMES, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_toolchain::find::Places;

/// Write the Verilog of a scheme and a file list for tools, or the constraint file of a board
///
/// Each part has two top modules: tidegate_SCHEME_congestion_point.v and tidegate_SCHEME_reaction_point.v have the
/// parameters as inputs; the modules with _fixed in their names have the values of this command as constants.
#[derive(clap::Args)]
#[command(
    override_usage = "tidegate emit [OPTIONS] --scheme SCHEME --out DIR\n       tidegate emit [OPTIONS] --board BOARD --out DIR\n       tidegate emit --check | --update"
)]
#[command(group = clap::ArgGroup::new("what").args(["scheme", "board", "check", "update"]).required(true).multiple(true))]
pub struct Arguments {
    /// The scheme; `tidegate schemes` lists them
    #[arg(long, value_name = "SCHEME", add = ArgValueCandidates::new(completions::schemes), conflicts_with_all = ["check", "update"])]
    scheme: Option<String>,
    /// Only the congestion point or only the reaction point [default: both]
    #[arg(long, value_enum, requires = "scheme")]
    part: Option<Parts>,
    /// Write a register file for each part too, which drives its parameters from a bus, and its registers as C header,
    /// Rust and Python constants, SystemRDL and Markdown. Keys that choose modules, such as rp_flows, are no registers: docs/registers.md
    #[arg(long, requires = "scheme")]
    registers: bool,
    /// What the register files are connected to. axi4-lite and ring add a module around each register file, with the ports
    /// of the bus: docs/registers.md
    #[arg(long, value_enum, value_name = "BUS", default_value = "native", requires = "registers")]
    register_bus: RegisterPort,
    /// The bus of the top module. netfpga1g and axis write `tidegate_cp` or `tidegate_rp`, which has the part and its register
    /// file inside, for the user data path of the NetFPGA-1G or between AXI4-Streams: docs/integrate.md
    #[arg(long, value_enum, value_name = "BUS", default_value = "native", requires = "scheme")]
    bus: Bus,
    /// Bits of the data of each AXI4-Stream [default: 64; with --tuser netfpga: 256]
    #[arg(long, value_name = "BITS", value_parser = width, requires = "scheme")]
    width: Option<Width>,
    /// What the TUSER of each AXI4-Stream carries; it depends on the place of `tidegate_cp` [default: mac]
    #[arg(long, value_enum, value_name = "USER", requires = "bus")]
    tuser: Option<User>,
    /// From what `tidegate_cp` computes how many octets leave the output queues of a NetFPGA [default: events]
    #[arg(long, value_enum, value_name = "INPUT", requires = "bus")]
    queue_input: Option<QueueInput>,
    /// Write the constraint file of all signals of this board: a name from `tidegate boards`, or the path of a board file.
    /// `tidegate build` makes a whole design for a board
    #[arg(long, value_name = "BOARD", add = ArgValueCompleter::new(completions::boards), conflicts_with_all = ["check", "update"])]
    board: Option<String>,
    /// Set a parameter of the scheme; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting, add = ArgValueCompleter::new(completions::settings), requires = "scheme")]
    settings: Vec<(String, String)>,
    /// Text before the names of modules and of their files: letters, digits and underscores; may be empty
    #[arg(long, value_name = "TEXT", default_value = emit::PREFIX, value_parser = prefix, requires = "scheme")]
    prefix: String,
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR", value_parser = folder("--json prints the list of the files"), required_unless_present_any = ["check", "update"], conflicts_with_all = ["check", "update"])]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print the list of the files as a JSON object
    #[arg(long, conflicts_with_all = ["check", "update"])]
    json: bool,
    /// In tidegate's source folder: compare hdl/ and constraints/ with what would be emitted; exit 1 if anything
    /// differs
    #[arg(long)]
    check: bool,
    /// In tidegate's source folder: write hdl/ and constraints/ anew
    #[arg(long, conflicts_with = "check")]
    update: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Parts {
    /// The congestion point, in the switch
    Cp,
    /// The reaction point, in the source of traffic
    Rp,
    Both,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Bus {
    /// The ports of the part
    Native,
    /// The user data path of the NetFPGA-1G, 64 bits wide
    Netfpga1g,
    /// AXI4-Stream of --width bits, and AXI4-Lite for the registers
    Axis,
}

/// The width of a stream.
fn width(text: &str) -> Result<Width, String> {
    let found = Width::ALL.into_iter().find(|width| width.bits().to_string() == text);
    found.ok_or_else(|| "an AXI4-Stream has 64, 128, 256 or 512 bits here".to_string())
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum User {
    /// One bit, as MACs have it: the frame is bad. The part has an output queue of its own
    Mac,
    /// 128 bits with length, source and destination ports, as in the NetFPGA-SUME, 10G, 1G-CML and PLUS. The place of the
    /// part is between output_port_lookup and output_queues
    Netfpga,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum QueueInput {
    /// A pulse of a queue for each packet that it has sent or dropped, as sram_rr_output_queues of the NetFPGA-1G and
    /// output_queues of the NetFPGA-SUME have it
    Events,
    /// The levels of the queues: in words, as bram_output_queues of the NetFPGA-1G has them, or in octets, with --tuser
    /// netfpga
    Level,
}

impl QueueInput {
    fn of_bus(self) -> queue_input::QueueInput {
        match self {
            QueueInput::Events => queue_input::QueueInput::Events,
            QueueInput::Level => queue_input::QueueInput::Level,
        }
    }
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum RegisterPort {
    /// The port of the register file
    Native,
    /// AXI4-Lite, 32 bits wide
    #[value(name = "axi4-lite")]
    Axi4Lite,
    /// The register ring of the NetFPGA-1G
    Ring,
}

impl RegisterPort {
    /// The bus; `None` for the port of the register file itself.
    fn bus(self) -> Option<RegisterBus> {
        match self {
            RegisterPort::Native => None,
            RegisterPort::Axi4Lite => Some(RegisterBus::Axi4Lite),
            RegisterPort::Ring => Some(RegisterBus::Ring),
        }
    }

    /// The files of a part with a register file, and what a design instantiates.
    fn files(self, circuit: &Circuit, registers: Registers, scheme: &Scheme, prefix: &str) -> (Vec<File>, Device) {
        let (registers, mut files) = match self.bus() {
            None => {
                let files = registers::files::files(&registers, prefix);
                (registers, files)
            }
            Some(bus) => {
                let registers = bus.registers(registers);
                let files = register_bus::files(&registers, bus, scheme, prefix);
                (registers, files)
            }
        };
        let netlist = with_registers::with_registers(circuit, &registers, self.bus());
        files.push(with_registers::file(&netlist, &registers, scheme, prefix));
        (files, Device::with_registers(netlist, registers))
    }
}

impl Parts {
    fn list(self) -> &'static [Part] {
        match self {
            Parts::Cp => &[Part::CongestionPoint],
            Parts::Rp => &[Part::ReactionPoint],
            Parts::Both => &[Part::CongestionPoint, Part::ReactionPoint],
        }
    }
}

/// Checks that the name of a Verilog module can begin with a text.
fn prefix(text: &str) -> Result<String, String> {
    let plain = text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    if plain && !text.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(text.to_string());
    }
    Err("the name of a Verilog module has letters, digits and underscores, and does not begin with a digit".into())
}

/// A part on a bus: its parameters, the module, and its registers.
fn on_bus(scheme: &'static Scheme, parts: Parts, arguments: &Arguments) -> Result<(Parameters, Netlist, Registers)> {
    let settings = &arguments.settings;
    let queues = arguments.queue_input.unwrap_or(QueueInput::Events).of_bus();
    let of_netfpga = arguments.tuser == Some(User::Netfpga);
    let width = arguments.width.unwrap_or(if of_netfpga { Width::W256 } else { Width::W64 });
    match (arguments.bus == Bus::Axis, parts == Parts::Rp) {
        (false, false) => {
            let parameters = netfpga1g::parameters(scheme, settings, queues)?;
            let whole = netfpga1g::congestion_point(scheme, &parameters, settings, queues);
            limits::check_line_rate(&parameters, limits::NETFPGA1G_BITS, &[])?;
            Ok((parameters, whole.netlist, whole.registers))
        }
        (false, true) => {
            let parameters = netfpga1g_rp::parameters(scheme, settings)?;
            let whole = netfpga1g_rp::reaction_point(scheme, &parameters, settings);
            limits::check_line_rate(&parameters, limits::NETFPGA1G_BITS, &[])?;
            Ok((parameters, whole.netlist, whole.registers))
        }
        (true, false) if of_netfpga => {
            let parameters = axis_tap::parameters(scheme, &limits::of_stream(scheme, settings, width.bits()))?;
            let whole = axis_tap::congestion_point(scheme, &parameters, settings, width, queues);
            limits::check_line_rate(&parameters, width.bits(), &Width::ALL)?;
            Ok((parameters, whole.netlist, whole.registers))
        }
        (true, false) => {
            let parameters = axis_cp::parameters(scheme, &limits::of_stream(scheme, settings, width.bits()))?;
            let whole = axis_cp::congestion_point(scheme, &parameters, settings, width);
            limits::check_line_rate(&parameters, width.bits(), &Width::ALL)?;
            Ok((parameters, whole.netlist, whole.registers))
        }
        (true, true) => {
            let parameters = axis_rp::parameters(scheme, &limits::of_stream(scheme, settings, width.bits()))?;
            let whole = axis_rp::reaction_point(scheme, &parameters, settings, width);
            limits::check_line_rate(&parameters, width.bits(), &Width::ALL)?;
            Ok((parameters, whole.netlist, whole.registers))
        }
    }
}

/// What a bus makes of the defaults of a scheme, where they are too fast for it: whoever has another clock must see it.
fn adapted(scheme: &Scheme, settings: &[(String, String)], parameters: &Parameters) -> String {
    let of = |key: &str| {
        let default = scheme.specifications().find(|known| known.key == key)?.default;
        let value = parameters.decimal(key);
        let is_set = settings.iter().any(|(set, _)| set == key);
        (!is_set && Micro::parse(default) != Some(value)).then(|| {
            format!("{key} is {value} here, because {default} is too little or too much for this bus; set it with --set {key}=…\n")
        })
    };
    ["clock_mhz", "line_rate_mbps"].into_iter().filter_map(of).collect()
}

pub fn run(arguments: Arguments) -> Result<()> {
    if arguments.force.force && arguments.out.is_none() {
        return Err(Usage("--force has no effect: it is about the folder of --out".into()).into());
    }
    if arguments.check {
        return check(source_folder()?);
    }
    if arguments.update {
        return update(source_folder()?);
    }
    refuse_repeats(&arguments.settings)?;
    let (mut files, mut devices) = (Vec::new(), Vec::new());
    let mut note = String::new();
    let scheme = arguments.scheme.as_deref().map(registry::find).transpose().map_err(Usage)?;
    if let (Some(scheme), Some(board)) = (scheme, &arguments.board) {
        return Err(Usage(both(scheme, board)).into());
    }
    if let Some(scheme) = scheme {
        let name = scheme.name;
        let parts = arguments.part.unwrap_or(Parts::Both);
        let parameters;
        refuse_for_bus(&arguments, parts)?;
        if arguments.bus == Bus::Native {
            parameters = scheme.parameters(&arguments.settings)?;
            files = emit::files(scheme, &parameters, &arguments.settings, parts.list(), &arguments.prefix);
            for &part in parts.list() {
                let circuit = (scheme.circuit)(part, &parameters);
                if arguments.registers {
                    let registers = Registers::of(scheme, part, &parameters, &arguments.settings);
                    let (made, device) = arguments.register_bus.files(&circuit, registers, scheme, &arguments.prefix);
                    emit::add_registers(&mut files, made);
                    devices.push(device);
                } else {
                    devices.push(Device::fixed(scheme, part, &parameters, &circuit));
                }
            }
        } else {
            let (netlist, registers);
            (parameters, netlist, registers) = on_bus(scheme, parts, &arguments)?;
            files = bus::files(&netlist, &registers, scheme, &arguments.prefix);
            devices.push(Device::with_registers(netlist, registers));
        }
        let part = match parts.list() {
            [part] => format!(" --part {}", part.name()),
            _ => String::new(),
        };
        parameters.refuse_unread(&format!("emit --scheme {name}{part}"))?;
        if arguments.bus != Bus::Native {
            note = adapted(scheme, &arguments.settings, &parameters);
        }
    }
    if let Some(name) = &arguments.board {
        let (name, text) = board::constraints::constraints(&load_board(name)?)?;
        files.push(File::new(name, &text, Role::Constraints));
    }
    if let Some(scheme) = scheme {
        let Arguments { settings, prefix, .. } = &arguments;
        let tools = &Places::of_process().for_shell();
        let package = Package { scheme, settings, prefix, devices: &devices, files: &files, tools };
        let packaging = package.files();
        files.extend(packaging);
    }
    let folder = arguments.out.expect("clap asks for it");
    write_folder(&folder, arguments.force.claim("emit", &[]), files.iter().map(|file| (&file.name, &file.text)))?;
    if arguments.json {
        return print_json(&json!({
            "format_version": 1,
            "scheme": arguments.scheme,
            "files": files.iter().map(|file| as_json(&folder, file)).collect::<Vec<_>>(),
        }));
    }
    // Not a table, because a path must not be broken into lines.
    let paths: Vec<String> = files.iter().map(|file| shown(&folder.join(&file.name))).collect();
    let width = paths.iter().map(|path| path.chars().count()).max().unwrap_or(0);
    let lines = paths.iter().zip(&files).map(|(path, file)| format!("{path:width$}  {}\n", file.role.meaning()));
    say(&(lines.collect::<String>() + &note))
}

/// What `--bus` cannot make.
fn refuse_for_bus(arguments: &Arguments, parts: Parts) -> Result<()> {
    if arguments.width.is_some() && arguments.bus != Bus::Axis {
        return Err(Usage("--width is that of an AXI4-Stream: add --bus axis, or leave it out".to_string()).into());
    }
    if arguments.tuser.is_some() && (arguments.bus != Bus::Axis || parts != Parts::Cp) {
        let reason =
            "--tuser is about the congestion point between AXI4-Streams: add --bus axis and --part cp, or leave it out";
        return Err(Usage(reason.to_string()).into());
    }
    let before_queues = arguments.bus == Bus::Netfpga1g || arguments.tuser == Some(User::Netfpga);
    if arguments.queue_input.is_some() && (!before_queues || parts != Parts::Cp) {
        let reason = "--queue-input is about the output queues of a NetFPGA: add --part cp and --bus netfpga1g, or --bus axis \
                      --tuser netfpga, or leave it out";
        return Err(Usage(reason.to_string()).into());
    }
    let (bus, registers) = match arguments.bus {
        Bus::Native => return Ok(()),
        Bus::Netfpga1g => ("netfpga1g", "the register ring"),
        Bus::Axis => ("axis", "AXI4-Lite"),
    };
    let reason = if parts == Parts::Both {
        format!(
            "--bus {bus} makes one part at a time, because each has settings of its own: add --part cp or --part rp"
        )
    } else if arguments.register_bus != RegisterPort::Native {
        format!("--bus {bus} has its registers on {registers}: leave --register-bus out")
    } else {
        return Ok(());
    };
    Err(Usage(reason).into())
}

/// Why there is no constraint file beside the Verilog of a scheme, and what to do.
fn both(scheme: &Scheme, board: &str) -> String {
    format!(
        "--scheme with --board: the modules of a scheme have no pins. `tidegate build --board {board} --scheme {} --design cp --out \
         DIR` makes a design for the board, with its constraint file; `emit --board {board}` alone writes that of all signals of \
         the board",
        scheme.name
    )
}

fn as_json(folder: &Path, file: &File) -> serde_json::Value {
    let (role, part) = match file.role {
        Role::Top(part) => ("top", Some(part)),
        Role::BusTop(part) => ("bus_top", Some(part)),
        Role::FixedTop(part) => ("fixed_top", Some(part)),
        Role::Module => ("module", None),
        Role::FileList => ("file_list", None),
        Role::WithRegisters(part) => ("with_registers", Some(part)),
        Role::RegisterFile(part) => ("register_file", Some(part)),
        Role::RegisterMap(part) => ("register_map", Some(part)),
        Role::Constraints => ("constraints", None),
        Role::Core(part) => ("core", Some(part)),
        Role::SmokeTest(part) => ("smoke_test", Some(part)),
        Role::IpXact(part) => ("ip_xact", Some(part)),
        Role::Readme => ("readme", None),
    };
    json!({
        "path": folder.join(&file.name),
        "role": role,
        "part": part.map(Part::name),
        "module": file.name.strip_suffix(".v"),
    })
}

/// The current folder, if it is tidegate's source folder.
fn source_folder() -> Result<&'static Path> {
    let folder = Path::new(".");
    let missing = COMMITTED.into_iter().find(|name| !folder.join(name).exists());
    match missing {
        None => Ok(folder),
        Some(missing) => Err(Usage(format!(
            "there is no {missing} in this folder: --check and --update work in tidegate's source folder, \
             --scheme SCHEME --out DIR writes to any other"
        ))
        .into()),
    }
}

/// The folders of the repository that tidegate writes.
const COMMITTED: [&str; 2] = ["hdl", "constraints"];

/// Writes hdl/ and constraints/ anew; a file that is not emitted any more goes.
fn update(folder: &Path) -> Result<()> {
    let files = committed();
    let mut results = Vec::new();
    for name in COMMITTED {
        // What is emitted may be over files that a merge has brought and the list does not have yet.
        let claim = Claim { verb: "emit", keeps: &[], force: true };
        let mut result = ResultFolder::open(&folder.join(name), claim)?;
        for file in &files {
            if let Some(below) = file.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('/')) {
                result.write(below, &file.text)?;
            }
        }
        results.push(result);
    }
    results.into_iter().try_for_each(ResultFolder::commit)?;
    say(&format!("wrote {} files of hdl/ and constraints/\n", files.len()))
}

/// The files of hdl/ and constraints/ in the repository: every scheme with its defaults, every board.
fn committed() -> Vec<File> {
    let mut files = Vec::new();
    for scheme in SCHEMES {
        let parameters = scheme.parameters(&[]).expect("defaults are good");
        for file in emit::files(scheme, &parameters, &[], Parts::Both.list(), emit::PREFIX) {
            let name = format!("hdl/{}", file.name);
            // Schemes share modules, and their files are the same.
            match files.iter().find(|known: &&File| known.name == name) {
                Some(known) => assert_eq!(known.text, file.text, "{name} must not depend on the scheme"),
                None => files.push(File { name, ..file }),
            }
        }
    }
    for name in board::COMMITTED {
        let board = board::load(name).expect("it is in the binary");
        let (name, text) = board::constraints::constraints(&board).expect("its format is written here");
        files.push(File::new(format!("constraints/{name}"), &text, Role::Constraints));
    }
    files
}

/// Most differences in the list.
const MOST_FAULTS: usize = 20;

fn check(folder: &Path) -> Result<()> {
    let expected = committed();
    let mut faults = Vec::new();
    for file in &expected {
        match std::fs::read_to_string(folder.join(&file.name)) {
            Ok(text) if text == file.text => {}
            Ok(_) => faults.push(format!("{} differs", file.name)),
            Err(error) => faults.push(format!("{}: {error}", file.name)),
        }
    }
    for name in COMMITTED {
        let listed = Manifest::read(&folder.join(name))?
            .map(|list| list.files().map(|file| Path::new(name).join(file)).collect());
        let emitted = expected.iter().map(|file| PathBuf::from(&file.name)).filter(|file| file.starts_with(name));
        if listed.unwrap_or(BTreeSet::new()) != emitted.collect() {
            faults.push(format!("{name}/{MANIFEST} is not the list of what is emitted"));
        }
    }
    for stray in strays(folder, &expected)? {
        faults.push(format!("{stray} is not emitted any more"));
    }
    if faults.is_empty() {
        return say(&format!("all {} files are as they would be emitted\n", expected.len()));
    }
    let count = faults.len();
    faults.truncate(MOST_FAULTS);
    let listed: String = faults.iter().map(|fault| format!("\n  {fault}")).collect();
    bail!("{count} of {} files are not as emitted; `tidegate emit --update` writes them anew:{listed}", expected.len())
}

/// Files below hdl/ and constraints/ that nothing emits.
fn strays(folder: &Path, expected: &[File]) -> Result<Vec<String>> {
    let mut folders: Vec<PathBuf> = COMMITTED.map(PathBuf::from).into();
    let mut strays = Vec::new();
    while let Some(below) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder.join(&below)) else { continue };
        for entry in entries {
            let entry = entry?;
            let path = below.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if !name.ends_with("README.md")
                && !name.ends_with(MANIFEST)
                && !expected.iter().any(|file| file.name == name)
            {
                strays.push(name);
            }
        }
    }
    strays.sort();
    Ok(strays)
}
