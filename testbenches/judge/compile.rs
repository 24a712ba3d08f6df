// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles a program of circuits with the crates that this test was built with: they lie beside it, so nothing is
//! built anew but the circuits themselves.

use std::any::TypeId;
use std::path::{Path, PathBuf};
use std::process::Command;
use tidegate::netlist::Netlist;

/// How much time the compiler may use.
const OPTIMIZATION: &str = "opt-level=0";

/// A folder of `testbenches/judge/`.
pub fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("judge")
}

/// The libraries of a crate beside the test, the newest one first. There are several if packages were also built alone, with
/// other features.
fn libraries(name: &str) -> Vec<PathBuf> {
    let test = std::env::current_exe().expect("the test knows where it is");
    let folder = test.parent().expect("the test is in a folder");
    let entries = folder.read_dir().expect("the folder of the test").map(|entry| entry.unwrap());
    let mut libraries: Vec<_> = entries
        .filter(|entry| {
            let file = entry.file_name().to_string_lossy().into_owned();
            file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
        })
        .map(|entry| (entry.metadata().and_then(|data| data.modified()).unwrap(), entry.path()))
        .collect();
    assert!(!libraries.is_empty(), "no lib{name}-*.rlib in {}", folder.display());
    libraries.sort();
    libraries.into_iter().rev().map(|(_, path)| path).collect()
}

/// The platform for which is built, as rustc calls it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let said = String::from_utf8(output.stdout).expect("rustc says text");
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc names its host").to_string()
}

/// The folder of the package `rust-hdl`, with its tests.
pub fn rust_hdl() -> PathBuf {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    cargo.args(["metadata", "--offline", "--format-version", "1", "--manifest-path"]).arg(manifest);
    // The packages of other platforms are not there on a machine that has only built.
    cargo.args(["--filter-platform", &host()]);
    let output = cargo.output().expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo describes the packages");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == "rust-hdl").expect("rust-hdl is used");
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().into()
}

/// Compiles a program; `variables` are read by `env!` in it. The program must say [`identity`] first.
pub fn compile(source: &Path, program: &Path, variables: &[(&str, &Path)]) {
    let tidegate = &libraries("tidegate")[0];
    let mut said = String::new();
    for rust_hdl in libraries("rust_hdl") {
        let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        // The edition of rust-hdl's own tests. No checks of overflow, as in the release build.
        compiler.args(["--edition", "2021", "--crate-type", "bin", "--cap-lints", "allow", "-C", OPTIMIZATION]);
        compiler.args(["-C", "debug-assertions=off", "-C", "overflow-checks=off", "-C", "codegen-units=2"]);
        compiler.arg("-L").arg(format!("dependency={}", tidegate.parent().unwrap().display()));
        compiler.arg("--extern").arg(format!("tidegate={}", tidegate.display()));
        compiler.arg("--extern").arg(format!("rust_hdl={}", rust_hdl.display()));
        compiler.arg("-o").arg(program).arg(source).envs(variables.iter().copied());
        let output = compiler.output().expect("rustc runs");
        said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return;
        }
        // It is not the library that tidegate was built with: another one is.
        if !said.contains("multiple different versions of crate `rust_hdl") {
            break;
        }
    }
    panic!("rustc cannot compile {}:\n{said}", source.display());
}

/// What a program says first: that its netlists are of the same crate as those of this test. A library of another
/// configuration beside it would be another crate.
pub fn identity() -> String {
    format!("{:?}", TypeId::of::<Netlist>())
}
