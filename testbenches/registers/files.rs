// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files for software: each compiles, and its addresses and values are those of the description.

use super::registers;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tidegate::bus::netfpga1g;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::register_bus::RegisterBus;
use tidegate::emit::PREFIX;
use tidegate::registers::files::files;
use tidegate::registers::{Access, Registers};
use tidegate::registry::{self, SCHEMES};
use tidegate::scheme::Part;
use tidegate::toolchain::find::Tool;
use tidegate_testing::REPOSITORY;

/// The register files whose outputs are checked.
fn chosen() -> Vec<Registers> {
    let qcn = registry::find("qcn").unwrap();
    vec![
        registers(qcn, Part::ReactionPoint, &[]),
        registers(qcn, Part::CongestionPoint, &[("cp_queues", "8")]),
        registers(registry::find("bcn").unwrap(), Part::ReactionPoint, &[("rp_flows", "4")]),
        registers(registry::find("infiniband").unwrap(), Part::CongestionPoint, &[]),
        // On buses, which add registers of their own.
        RegisterBus::Axi4Lite.registers(registers(qcn, Part::ReactionPoint, &[])),
        RegisterBus::Ring.registers(registers(qcn, Part::ReactionPoint, &[])),
        netfpga1g::congestion_point(
            qcn,
            &netfpga1g::parameters(qcn, &[], QueueInput::Events).unwrap(),
            &[],
            QueueInput::Events,
        )
        .registers,
    ]
}

/// Writes the files into a folder.
fn write(registers: &Registers, folder: &Path) {
    for file in files(registers, PREFIX) {
        std::fs::write(folder.join(file.name), file.text).unwrap();
    }
}

/// Name of the files, without the ending.
fn name(registers: &Registers) -> String {
    format!("{PREFIX}{}", registers.module)
}

/// Runs a program in a folder. Returns what it prints.
fn run(command: &mut Command, folder: &Path) -> String {
    let output = command.current_dir(folder).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// All constants: name and value.
fn constants(registers: &Registers) -> Vec<(String, u32)> {
    let mut constants = Vec::new();
    for register in &registers.list {
        constants.push((register.constant(), u32::from(register.address)));
        if register.access == Access::ReadWrite {
            constants.push((format!("{}_DEFAULT", register.constant()), register.reset));
        }
    }
    constants
}

/// The lines that a program prints which knows the constants.
fn printed(registers: &Registers) -> String {
    constants(registers).iter().map(|(name, value)| format!("{name} {value}\n")).collect()
}

#[test]
fn the_c_header_compiles_and_has_the_addresses_of_the_description() {
    for registers in chosen() {
        let folder = tempfile::tempdir().unwrap();
        write(&registers, folder.path());
        let prefix = registers.prefix().to_ascii_uppercase();
        let mut source = format!("#include <stdio.h>\n#include \"{}.h\"\nint main(void) {{\n", name(&registers));
        for (name, _) in constants(&registers) {
            writeln!(source, "    printf(\"{name} %u\\n\", {prefix}_{name});").unwrap();
        }
        std::fs::write(folder.path().join("main.c"), source + "    return 0;\n}\n").unwrap();
        for (compiler, language) in [("cc", ["-std=c99", "main.c"]), ("g++", ["-std=c++11", "main.c"])] {
            let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "main"];
            run(Command::new(compiler).args(strict).args(language), folder.path());
            assert_eq!(run(&mut Command::new("./main"), folder.path()), printed(&registers));
        }
    }
}

#[test]
fn the_rust_constants_compile_and_are_those_of_the_description() {
    for registers in chosen() {
        let folder = tempfile::tempdir().unwrap();
        write(&registers, folder.path());
        let mut source = format!("#[path = \"{}.rs\"]\nmod registers;\nfn main() {{\n", name(&registers));
        for (name, _) in constants(&registers) {
            writeln!(source, "    println!(\"{name} {{}}\", registers::{name});").unwrap();
        }
        std::fs::write(folder.path().join("main.rs"), source + "}\n").unwrap();
        run(Command::new("rustc").args(["--edition", "2021", "-Dwarnings", "main.rs", "-o", "main"]), folder.path());
        assert_eq!(run(&mut Command::new("./main"), folder.path()), printed(&registers));
    }
}

#[test]
fn the_python_constants_are_those_of_the_description() {
    for registers in chosen() {
        let folder = tempfile::tempdir().unwrap();
        write(&registers, folder.path());
        let script = format!(
            "import {} as registers\nfor name, value in vars(registers).items():\n    if name.isupper(): print(name, value)",
            name(&registers)
        );
        assert_eq!(run(Command::new("python3").args(["-c", &script]), folder.path()), printed(&registers));
    }
}

/// The page leaves out parameters, and shows the others as they are.
#[test]
fn the_page_shows_the_table_as_it_is_made() {
    let registers = registers(registry::find("qcn").unwrap(), Part::ReactionPoint, &[]);
    let page = std::fs::read_to_string(format!("{REPOSITORY}/docs/registers.md")).unwrap();
    let files = files(&registers, PREFIX);
    let made = &files.iter().find(|file| file.name.ends_with(".md")).unwrap().text;
    let shown: Vec<&str> = page.lines().filter(|line| line.starts_with("| 0x")).collect();
    assert!(shown.len() > 20, "{}", shown.len());
    for row in shown {
        assert!(made.lines().any(|line| line == row), "docs/registers.md shows {row}, which is not in\n{made}");
    }
}

/// PeakRDL reads the SystemRDL, and its C header has the registers at the addresses of ours.
#[test]
fn peakrdl_finds_the_addresses_of_the_description() {
    let yosys = Tool::Yosys.needed().unwrap().path;
    let peakrdl = yosys.with_file_name("peakrdl");
    assert!(peakrdl.exists(), "scripts/setup-tools installs {}", peakrdl.display());
    let all = SCHEMES
        .iter()
        .flat_map(|scheme| [Part::CongestionPoint, Part::ReactionPoint].map(|part| registers(scheme, part, &[])));
    for registers in all.chain(chosen()) {
        let folder = tempfile::tempdir().unwrap();
        write(&registers, folder.path());
        let rdl = format!("{}.rdl", name(&registers));
        run(Command::new(&peakrdl).args(["c-header", &rdl, "-o", "peak.h"]), folder.path());
        let upper = registers.prefix().to_ascii_uppercase();
        let mut source = format!("#include <stddef.h>\n#include \"peak.h\"\n#include \"{}.h\"\n", name(&registers));
        for register in &registers.list {
            let (own, constant, part) = (&register.name, register.constant(), registers.prefix());
            writeln!(source, "static_assert(offsetof({part}_t, {own}) == {upper}_{constant}, \"{own}\");").unwrap();
            let peak = format!("{upper}__{}__WORD", own.to_ascii_uppercase());
            writeln!(
                source,
                "static_assert({peak}_reset == {:#x} && {peak}_bw == {}, \"{own}\");",
                register.reset, register.bits
            )
            .unwrap();
        }
        std::fs::write(folder.path().join("main.c"), source).unwrap();
        run(Command::new("cc").args(["-std=c11", "-Wall", "-Werror", "-c", "main.c"]), folder.path());
    }
}
