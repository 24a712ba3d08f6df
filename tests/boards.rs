// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board files that are imported are those that the importer writes today, and each format of constraints is written.

use crate::common::{files_below, refused, tidegate};
use std::path::{Path, PathBuf};
use std::process::Command;
use tidegate::toolchain::find::Tool;

/// Written by hand, because litex-boards does not have them.
const OURS: [&str; 4] = ["netfpga_10g.toml", "netfpga_1g.toml", "netfpga_1g_cml.toml", "netfpga_sume.toml"];

#[test]
fn the_importer_writes_the_same_board_files_again() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The Python of the tools stands beside each of them.
    let python = Tool::Yosys.find().unwrap().path.with_file_name("python");
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(&python)
        .arg(repository.join("scripts/import-boards"))
        .arg(folder.path())
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let imported = files_below(folder.path());
    let mut ours = files_below(&repository.join("boards"));
    ours.retain(|(name, _)| !OURS.contains(&name.to_str().unwrap()));
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&imported), names(&ours));
    for ((name, imported), (_, ours)) in imported.into_iter().zip(ours) {
        let [imported, ours] = [imported, ours].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(imported, ours, "{}: scripts/import-boards boards", name.display());
    }
}

/// Each board with a constraint file gets it, by the program.
#[test]
fn each_format_of_constraints_is_written() {
    for (board, file, line) in [
        ("ecp5_versa", "ecp5_versa.lpf", "LOCATE COMP \"rgmii_0_rxc\" SITE \"L20\";"),
        ("digilent_atlys", "digilent_atlys.ucf", "NET \"gmii_0_rx_clk\" LOC = \"K15\" | IOSTANDARD = LVCMOS33;"),
        (
            "xilinx_kc705",
            "xilinx_kc705.xdc",
            "set_property -dict {PACKAGE_PIN U27 IOSTANDARD LVCMOS25} [get_ports {gmii_0_rx_clk}]",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        tidegate(folder.path(), &["emit", "--board", board, "--out", "out"]).assert().success();
        let text = std::fs::read_to_string(folder.path().join("out").join(file)).unwrap();
        assert!(text.lines().any(|found| found == line), "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    refused(folder.path(), &["emit", "--board", "terasic_deca", "--out", "out"], 1, &["max10", "tidegate boards"]);
}
