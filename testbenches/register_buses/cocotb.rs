//! The emitted files with a master that no one here wrote: that of cocotbext-axi, in Icarus.

use super::registers;
use std::path::Path;
use std::process::{Command, Output};
use tidegate::bus::register_bus::{self, RegisterBus};
use tidegate::emit::PREFIX;
use tidegate::registry;
use tidegate::scheme::Part;
use tidegate::toolchain::find::Tool;

/// Runs `axi4_lite_master.py` on the files of a part, in which a text is replaced.
fn run(part: Part, from: &str, to: &str) -> Option<Output> {
    if Tool::Icarus.needed().is_err() {
        eprintln!("skipped: Icarus is not there");
        return None;
    }
    let python = Tool::Yosys.needed().unwrap().path.with_file_name("python");
    let library = "import find_libpython, sys; sys.exit(find_libpython.find_libpython() is None)";
    if !Command::new(&python).args(["-c", library]).status().unwrap().success() {
        eprintln!("skipped: Python has no shared library, which cocotb needs (on Debian: the package libpython3-dev)");
        return None;
    }
    let registers = registers(part, RegisterBus::Axi4Lite);
    let folder = tempfile::tempdir().unwrap();
    let files = register_bus::files(&registers, RegisterBus::Axi4Lite, registry::find("qcn").unwrap(), PREFIX);
    assert!(from.is_empty() || files.iter().any(|file| file.text.contains(from)), "no file has `{from}`");
    for file in files {
        let text = if from.is_empty() { file.text } else { file.text.replace(from, to) };
        std::fs::write(folder.path().join(file.name), text).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("testbenches/register_buses/axi4_lite_master.py");
    let module = format!("{PREFIX}{}", registers.module);
    let mut command = Command::new(python);
    command.arg(script).arg(folder.path()).args([format!("{module}_axi4_lite"), module]);
    // The script is imported from there: it leaves nothing in the folder of the sources.
    Some(command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(folder.path()).output().unwrap())
}

#[test]
fn the_master_of_cocotbext_axi_reads_and_writes_the_registers() {
    for part in [Part::CongestionPoint, Part::ReactionPoint] {
        let Some(output) = run(part, "", "") else { return };
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    }
}

#[test]
fn it_finds_mistakes() {
    let mistakes = [
        ("responds_error <= refuses", "responds_error <= 1'd0"),
        ("write_whole <= s_axi_wstrb == 4'd15", "write_whole <= 1'd1"),
        ("!returns && !working", "!working"),
    ];
    for (from, to) in mistakes {
        let Some(output) = run(Part::ReactionPoint, from, to) else { return };
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(!output.status.success() && said.contains("of 3 tests failed"), "with `{to}`: {said}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
