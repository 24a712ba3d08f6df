// SPDX-License-Identifier: MIT OR Apache-2.0
//! Board files: from TOML to a checked [`Board`]. Errors name the file, the field, and the expected value.

use super::{Board, ConstraintFormat};
use crate::error::suggestion;
use crate::input::toml_fault::{Fault, fault, line};
use anyhow::{Result, anyhow, bail, ensure};
use std::collections::HashMap;

/// Reads and checks a board file; `file` is its name in errors.
///
/// # Errors
/// `<file>: field <path>: <what is wrong, what was expected>` for the first field that is missing, unknown, of the
/// wrong type or violates a rule; `<file>: line <n>: …` if the text is not TOML.
pub fn parse(file: &str, text: &str) -> Result<Board> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let deserializer = toml::Deserializer::parse(text).map_err(|error| {
        let Fault { at, message } = fault(text, &error);
        let message =
            if message.contains("recurs") { "nested too deeply, no board needs that".into() } else { message };
        let kind = if message.starts_with("the key ") { "" } else { "not TOML: " };
        anyhow!("{file}: line {}: {kind}{message}", line(text, at))
    })?;
    let board: Board = serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let path = error.path().to_string();
        match quoted_after(error.inner().message(), "missing field ") {
            Some(field) => {
                let path = if path == "." { field.to_string() } else { format!("{path}.{field}") };
                anyhow!("{file}: field {path}: missing; expected {}", expected(field))
            }
            None => {
                let Fault { at, message } = fault(text, error.inner());
                anyhow!("{file}: field {path}: {message} (line {})", line(text, at))
            }
        }
    })?;
    check(&board).map_err(|error| anyhow!("{file}: {error}"))?;
    Ok(board)
}

fn quoted_after<'a>(message: &'a str, start: &str) -> Option<&'a str> {
    message.strip_prefix(start)?.strip_prefix('`')?.strip_suffix('`')
}

/// The expected value of a field, for the message that it is missing.
fn expected(field: &str) -> &'static str {
    match field {
        "name" => "a name of lower-case letters, digits and _",
        "description" => "one line on what this is",
        "source" => "where the pins were read",
        "constraints" => "\"ucf\" or \"lpf\"",
        "part" => "a table [part] with vendor, family, device, package, speed",
        "vendor" => "the maker of the FPGA, such as \"Lattice\"",
        "family" => "\"ecp5\", \"xc2vp\" or \"xc7\"",
        "device" => "the device, such as \"LFE5U-25F\"",
        "package" => "the package, such as \"CABGA256\"",
        "speed" => "the speed grade, such as \"6\"",
        "clocks" => "at least one [[clocks]] with name, pin, frequency_mhz, io_standard",
        "ports" => "at least one [[ports]] with the pins of an Ethernet port",
        "frequency_mhz" | "rx_clock_mhz" => "a frequency in MHz, 1 to 1000",
        "io_standard" => "an I/O standard, such as \"LVCMOS33\"",
        "direction" => "\"in\", \"out\" or \"inout\"",
        "kind" => "\"rgmii\"",
        "pins" => "a list of package pins from bit 0, such as [\"P3\"]",
        "rxd" | "txd" => "a list of four package pins from bit 0",
        _ => "a package pin, such as \"P3\"",
    }
}

/// The rules that the types do not enforce.
fn check(board: &Board) -> Result<()> {
    check_name("name", &board.name)?;
    for (field, text) in [
        ("description", &board.description),
        ("source", &board.source),
        ("part.vendor", &board.part.vendor),
        ("part.family", &board.part.family),
        ("part.device", &board.part.device),
        ("part.package", &board.part.package),
        ("part.speed", &board.part.speed),
    ] {
        // These are lines in the header of the constraint file.
        ensure!(
            !text.trim().is_empty() && !text.contains(char::is_control),
            "field {field}: {text:?}, expected one line of text"
        );
    }
    check_part(board)?;
    ensure!(!board.clocks.is_empty(), "field clocks: empty, expected at least one clock");
    ensure!(!board.ports.is_empty(), "field ports: empty, expected at least one Ethernet port");
    for (index, clock) in board.clocks.iter().enumerate() {
        check_name(&format!("clocks[{index}].name"), &clock.name)?;
        check_frequency(&format!("clocks[{index}].frequency_mhz"), clock.frequency_mhz)?;
        check_standard(&format!("clocks[{index}].io_standard"), &clock.io_standard)?;
    }
    for (index, resource) in board.resources.iter().enumerate() {
        check_name(&format!("resources[{index}].name"), &resource.name)?;
        check_standard(&format!("resources[{index}].io_standard"), &resource.io_standard)?;
        ensure!(!resource.pins.is_empty(), "field resources[{index}].pins: empty, expected at least one package pin");
    }
    for (index, management) in board.management.iter().enumerate() {
        check_name(&format!("management[{index}].name"), &management.name)?;
        check_standard(&format!("management[{index}].io_standard"), &management.io_standard)?;
    }
    for (index, port) in board.ports.iter().enumerate() {
        check_name(&format!("ports[{index}].name"), &port.name)?;
        check_standard(&format!("ports[{index}].io_standard"), &port.io_standard)?;
        check_frequency(&format!("ports[{index}].rx_clock_mhz"), port.rx_clock_mhz)?;
        for (field, pins) in [("rxd", &port.rxd), ("txd", &port.txd)] {
            ensure!(pins.len() == 4, "field ports[{index}].{field}: {} pins, expected the four of RGMII", pins.len());
        }
        if let Some(name) = &port.management {
            ensure!(
                board.management.iter().any(|management| management.name == *name),
                "field ports[{index}].management: no [[management]] is named {name:?}"
            );
        }
    }
    check_pins_and_names(board)
}

/// A family of FPGAs for boards.
struct Family {
    name: &'static str,
    /// Beginning of the name of its vendor.
    vendors: &'static [&'static str],
    constraints: ConstraintFormat,
    /// A device, as an example in messages.
    device: &'static str,
    is_device: fn(&str) -> bool,
}

/// The families with a supported format of constraint files.
const FAMILIES: [Family; 3] = [
    Family {
        name: "ecp5",
        vendors: &["Lattice"],
        constraints: ConstraintFormat::Lpf,
        device: "LFE5U-25F",
        is_device: is_ecp5,
    },
    Family {
        name: "xc2vp",
        vendors: &["Xilinx", "AMD"],
        constraints: ConstraintFormat::Ucf,
        device: "xc2vp50",
        is_device: |device| number_after(device, &["xc2vp", "xc2vpx"]).is_some_and(str::is_empty),
    },
    Family {
        name: "xc7",
        vendors: &["Xilinx", "AMD"],
        constraints: ConstraintFormat::Ucf,
        device: "xc7a100t",
        is_device: |device| {
            number_after(device, &["xc7a", "xc7k", "xc7s", "xc7v", "xc7vx", "xc7vh", "xc7z"])
                .is_some_and(|rest| rest.bytes().all(|letter| letter.is_ascii_lowercase()))
        },
    },
];

/// Such as `LFE5U-25F` and `LFE5UM5G-45F`.
fn is_ecp5(device: &str) -> bool {
    let Some((series, size)) = device.split_once('-') else { return false };
    match series {
        "LFE5U" => ["12F", "25F", "45F", "85F"].contains(&size),
        "LFE5UM" | "LFE5UM5G" => ["25F", "45F", "85F"].contains(&size),
        _ => false,
    }
}

/// The text after one of these beginnings and a number.
fn number_after<'a>(device: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    let digits = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count();
    let rests = beginnings.iter().filter_map(|beginning| device.strip_prefix(beginning));
    rests.map(|rest| (rest, digits(rest))).find(|&(_, digits)| digits > 0).map(|(rest, digits)| &rest[digits..])
}

/// Checks that family, device, vendor and constraint format match.
fn check_part(board: &Board) -> Result<()> {
    let part = &board.part;
    let Some(family) = FAMILIES.iter().find(|family| family.name == part.family) else {
        let hint = suggestion(&part.family, FAMILIES.iter().map(|family| family.name));
        bail!("field part.family: {:?}, expected {}{hint}", part.family, expected("family"));
    };
    let of = format!("of the family {}", family.name);
    ensure!(
        family.constraints == board.constraints,
        "field constraints: {:?}, expected {:?} for a part {of}",
        board.constraints.name(),
        family.constraints.name()
    );
    ensure!(
        family.vendors.iter().any(|vendor| part.vendor.starts_with(vendor)),
        "field part.vendor: {:?}, expected {:?} for a part {of}",
        part.vendor,
        family.vendors[0]
    );
    ensure!(
        (family.is_device)(&part.device),
        "field part.device: {:?}, expected a device {of}, such as {:?}",
        part.device,
        family.device
    );
    Ok(())
}

/// Checks that every pin has the right form and belongs to one signal, and that every signal has a unique name.
fn check_pins_and_names(board: &Board) -> Result<()> {
    let signals = board.signals();
    let mut owners: HashMap<&str, String> = HashMap::new();
    for (index, signal) in signals.iter().enumerate() {
        if signals[..index].iter().any(|other| other.name == signal.name) {
            let field = &signal.pins[0].1;
            bail!("field {field}: a second signal named {}, expected each name once", signal.name);
        }
        for (bit, (pin, field)) in signal.pins.iter().enumerate() {
            ensure!(
                is_pin(pin),
                "field {field}: {pin:?} is no package pin, expected such as \"P3\", \"AL26\" or \"17\""
            );
            let name = signal.bit_name(bit, '[', ']');
            if let Some(owner) = owners.get(pin) {
                bail!("field {field}: pin {pin} of {name} is taken by {owner}, expected each pin once");
            }
            owners.insert(pin, name);
        }
    }
    Ok(())
}

/// Up to two letters (the row of a grid array, or the P of a flat pack), then a number from 1.
fn is_pin(pin: &str) -> bool {
    let number = pin.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    pin.len() - number.len() <= 2
        && (1..=4).contains(&number.len())
        && number.bytes().all(|digit| digit.is_ascii_digit())
        && !number.starts_with('0')
}

/// Names become Verilog identifiers and file names.
fn check_name(field: &str, name: &str) -> Result<()> {
    let well_formed = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_');
    ensure!(well_formed, "field {field}: {name:?}, expected {} and a letter first", expected("name"));
    Ok(())
}

fn check_standard(field: &str, standard: &str) -> Result<()> {
    let well_formed = standard.starts_with(|first: char| first.is_ascii_uppercase())
        && standard.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == b'_');
    ensure!(well_formed, "field {field}: {standard:?}, expected {}", expected("io_standard"));
    Ok(())
}

fn check_frequency(field: &str, megahertz: f64) -> Result<()> {
    ensure!((1.0..=1000.0).contains(&megahertz), "field {field}: {megahertz}, expected {}", expected("frequency_mhz"));
    Ok(())
}
