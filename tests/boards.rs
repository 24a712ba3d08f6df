// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board files that are imported are those that the importer writes today.

use std::path::Path;
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
    let names = |folder: &Path| {
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let mut known = names(&repository.join("boards"));
    known.retain(|name| !OURS.contains(&name.as_str()));
    assert_eq!(names(folder.path()), known);
    for name in known {
        let [imported, ours] = [folder.path(), &repository.join("boards")]
            .map(|folder| std::fs::read_to_string(folder.join(&name)).unwrap());
        assert_eq!(imported, ours, "{name}: scripts/import-boards boards");
    }
}
