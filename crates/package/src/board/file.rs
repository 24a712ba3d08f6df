// SPDX-License-Identifier: MIT OR Apache-2.0
//! Board files: from TOML to a checked [`Board`]. Errors name the file, the field, and the expected value.

use super::family::{self, FAMILIES, Family};
use super::{Board, Port, PortKind};
use anyhow::{Result, anyhow, bail, ensure};
use std::collections::HashMap;
use tidegate_core::error::suggestion;
use tidegate_core::input::toml_fault::{Fault, fault, line};

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
        "part" => "a table [part] with vendor, family, device, package, speed",
        "vendor" => "the maker of the FPGA, such as \"Lattice\"",
        "family" => "a family of FPGAs, such as \"ecp5\"",
        "device" => "the device, such as \"LFE5U-25F\"",
        "package" => "the package, such as \"CABGA256\"",
        "speed" => "the speed grade, such as \"6\"",
        "clocks" => "at least one [[clocks]] with name, pin, frequency_mhz, io_standard",
        "ports" => "at least one [[ports]] with the pins of an Ethernet port",
        "frequency_mhz" | "rx_clock_mhz" => "a frequency in MHz, 1 to 1000",
        "io_standard" => "an I/O standard, such as \"LVCMOS33\"",
        "kind" => "what it is, such as \"led\" for a resource and \"rgmii\" for a port",
        "pins" => "package pins: of a resource a list, such as [\"P3\"], of a port a table of its lines",
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
    let family = check_part(board)?;
    ensure!(!board.clocks.is_empty(), "field clocks: empty, expected at least one clock");
    ensure!(!board.ports.is_empty(), "field ports: empty, expected at least one Ethernet port");
    for (index, clock) in board.clocks.iter().enumerate() {
        check_name(&format!("clocks[{index}].name"), &clock.name)?;
        check_frequency(&format!("clocks[{index}].frequency_mhz"), clock.frequency_mhz)?;
        let is_pair = check_standard(family, &format!("clocks[{index}].io_standard"), &clock.io_standard)?;
        let (field, standard) = (format!("clocks[{index}].pin_n"), &clock.io_standard);
        match clock.pin_n.is_some() {
            false if is_pair && family.names_pairs => {
                bail!("field {field}: missing; expected the negative pin of the pair, because of {standard}")
            }
            true if !is_pair => bail!("field {field}: expected none, because {standard} is not for pairs"),
            true if !family.names_pairs => {
                bail!("field {field}: expected none: the tools of the family {} find it", family.name)
            }
            _ => {}
        }
    }
    for (index, resource) in board.resources.iter().enumerate() {
        check_name(&format!("resources[{index}].name"), &resource.name)?;
        check_standard(family, &format!("resources[{index}].io_standard"), &resource.io_standard)?;
        ensure!(!resource.pins.is_empty(), "field resources[{index}].pins: empty, expected at least one package pin");
    }
    for (index, management) in board.management.iter().enumerate() {
        check_name(&format!("management[{index}].name"), &management.name)?;
        check_standard(family, &format!("management[{index}].io_standard"), &management.io_standard)?;
    }
    for (index, port) in board.ports.iter().enumerate() {
        check_port(board, family, index, port)?;
    }
    check_pins_and_names(board)
}

/// The longest delay of RGMII: a quarter of a period at 1 Gb/s is 2,000 ps, and boards have lines of some length.
const DELAY_MAX_PS: u32 = 3_000;

fn check_port(board: &Board, family: &Family, index: usize, port: &Port) -> Result<()> {
    let (at, kind) = (format!("field ports[{index}]"), port.kind.name());
    check_name(&format!("ports[{index}].name"), &port.name)?;
    if let Some(name) = &port.management {
        ensure!(
            board.management.iter().any(|management| management.name == *name),
            "{at}.management: no [[management]] is named {name:?}"
        );
    }
    let lines = port.kind.lines();
    let has_clock = lines.iter().any(|line| line.is_clock);
    match port.rx_clock_mhz {
        Some(frequency) if has_clock => check_frequency(&format!("ports[{index}].rx_clock_mhz"), frequency)?,
        Some(_) => bail!("{at}.rx_clock_mhz: expected none, because {kind} has no clock at a pin"),
        None if has_clock => bail!("{at}.rx_clock_mhz: missing; expected {}", expected("rx_clock_mhz")),
        None => {}
    }
    for (name, delay) in [("rx_delay_ps", port.rx_delay_ps), ("tx_delay_ps", port.tx_delay_ps)] {
        let Some(delay) = delay else { continue };
        ensure!(port.kind == PortKind::Rgmii, "{at}.{name}: expected none, because {kind} has no delays");
        ensure!(delay <= DELAY_MAX_PS, "{at}.{name}: {delay}, expected 0 to {DELAY_MAX_PS} ps");
    }
    for (name, pins) in &port.pins {
        let Some(line) = lines.iter().find(|line| line.name == name) else {
            let hint = suggestion(name, lines.iter().map(|line| line.name));
            bail!("{at}.pins.{name}: {kind} has no such line{hint}");
        };
        let count = pins.list().len();
        ensure!(count == line.bits, "{at}.pins.{name}: {count} pins, expected {} for {kind}", line.bits);
        let standard = port.other_standards.get(name).or(port.io_standard.as_ref());
        ensure!(
            line.serial || standard.is_some(),
            "{at}.io_standard: missing; expected {}, because of the line {name}",
            expected("io_standard")
        );
    }
    if let Some(line) = lines.iter().find(|line| line.required && !port.pins.contains_key(line.name)) {
        bail!(
            "{at}.pins.{}: missing; expected {} for {kind}",
            line.name,
            if line.bits == 1 { "a pin" } else { "pins" }
        );
    }
    // Two lines of a pair.
    for (one, other) in [("rx_p", "rx_n"), ("rx_n", "rx_p"), ("tx_p", "tx_n"), ("tx_n", "tx_p")] {
        let whole = !port.pins.contains_key(one) || port.pins.contains_key(other);
        ensure!(whole, "{at}.pins.{other}: missing; expected the other half of the pair {one}");
    }
    for name in port.other_standards.keys() {
        ensure!(port.pins.contains_key(name), "{at}.other_standards.{name}: expected a line that is in pins");
    }
    let standards = port.io_standard.iter().map(|standard| (format!("ports[{index}].io_standard"), standard, false));
    let is_serial = |name: &str| lines.iter().any(|line| line.name == name && line.serial);
    let other = port.other_standards.iter();
    let other =
        other.map(|(name, standard)| (format!("ports[{index}].other_standards.{name}"), standard, is_serial(name)));
    for (field, standard, pair) in standards.chain(other) {
        let is_pair = check_standard(family, &field, standard)?;
        ensure!(is_pair || !pair, "field {field}: {standard:?} is for single pins, expected one for pairs");
        ensure!(!is_pair || pair, "field {field}: {standard:?} is for pairs, expected one for single pins");
    }
    Ok(())
}

/// Checks that family, device and vendor match.
fn check_part(board: &Board) -> Result<&'static Family> {
    let part = &board.part;
    let Some(family) = family::find(&part.family) else {
        let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        let hint = suggestion(&part.family, names.iter().copied());
        bail!("field part.family: {:?}, expected one of {}{hint}", part.family, names.join(", "));
    };
    let of = format!("of the family {}", family.name);
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
    Ok(family)
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

/// Whether an I/O standard is one of pairs.
fn check_standard(family: &Family, field: &str, standard: &str) -> Result<bool> {
    let [single, pairs] = family.standards;
    let (is_single, is_pair) = (single.contains(&standard), pairs.contains(&standard));
    if !is_single && !is_pair {
        let known: Vec<&str> = single.iter().chain(pairs).copied().collect();
        let hint = suggestion(standard, known.iter().copied());
        bail!("field {field}: {standard:?}, expected one of the family {}: {}{hint}", family.name, known.join(", "));
    }
    Ok(is_pair)
}

fn check_frequency(field: &str, megahertz: f64) -> Result<()> {
    ensure!((1.0..=1000.0).contains(&megahertz), "field {field}: {megahertz}, expected {}", expected("frequency_mhz"));
    Ok(())
}
