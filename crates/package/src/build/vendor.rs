// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scripts for the tools of the maker of the FPGA. No open tool was found that places and routes for the families of Xilinx
//! here: with Vivado or ISE, a script makes the bitstream from the files beside it.

use super::Design;
use crate::board::{Board, ConstraintFormat};
use tidegate_core::licence;

/// What makes the bitstream of a board: files beside the Verilog, and the command to run in their folder.
pub struct Scripts {
    /// Names and texts.
    pub files: Vec<(String, String)>,
    /// The command.
    pub command: String,
}

/// The scripts for a board whose constraint file is `constraints`; `None` if open tools do it.
pub fn scripts(board: &Board, design: &Design, format: ConstraintFormat, constraints: &str) -> Option<Scripts> {
    match format {
        ConstraintFormat::Lpf => None,
        ConstraintFormat::Xdc => Some(vivado(board, design, constraints)),
        ConstraintFormat::Ucf => Some(ise(board, design, constraints)),
    }
}

/// The part as Vivado names it: only in the 7 series, the package follows without a dash.
fn vivado_part(board: &Board) -> String {
    let part = &board.part;
    let dash = if part.family == "xc7" { "" } else { "-" };
    format!("{}{dash}{}-{}", part.device, part.package, part.speed)
}

fn vivado(board: &Board, design: &Design, constraints: &str) -> Scripts {
    let (name, top, part) = (&board.name, &design.top.module, vivado_part(board));
    let read: String = design.files.iter().map(|(file, _)| format!("read_verilog {file}\n")).collect();
    let command = "vivado -mode batch -source build.tcl";
    let text = format!(
        "# {} on {name}, by Vivado without a project: {command}
{read}read_xdc {constraints}
synth_design -top {top} -part {part}
opt_design
place_design
phys_opt_design
route_design
report_utilization -hierarchical -file utilization.txt
report_timing_summary -file timing.txt
write_bitstream -force {name}.bit
",
        design.title
    );
    let text = licence::with_line("build.tcl", &text);
    Scripts { files: vec![("build.tcl".to_string(), text)], command: command.to_string() }
}

fn ise(board: &Board, design: &Design, constraints: &str) -> Scripts {
    let (name, top, part) = (&board.name, &design.top.module, board.part.to_string());
    let list: String = design.files.iter().map(|(file, _)| format!("verilog work \"{file}\"\n")).collect();
    let synthesis = format!(
        "run\n-ifn {name}.prj\n-ifmt mixed\n-top {top}\n-p {part}\n-ofn {name}.ngc\n-ofmt NGC\n-opt_mode Speed\n-opt_level 1\n"
    );
    let command = "sh build.sh";
    let text = format!(
        "#!/bin/sh
# {} on {name}, by ISE: {command}
set -e
xst -ifn {name}.xst -ofn {name}.syr
ngdbuild -p {part} -uc {constraints} {name}.ngc {name}.ngd
map -p {part} -w -o {name}_map.ncd {name}.ngd {name}.pcf
par -w {name}_map.ncd {name}.ncd {name}.pcf
trce -v 10 -o {name}.twr {name}.ncd {name}.pcf
bitgen -w {name}.ncd {name}.bit {name}.pcf
",
        design.title
    );
    let files = vec![
        (format!("{name}.prj"), list),
        (format!("{name}.xst"), synthesis),
        ("build.sh".to_string(), licence::with_line("build.sh", &text)),
    ];
    Scripts { files, command: command.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::constraints::format;
    use crate::board::load;
    use crate::build::part::design;
    use tidegate_schemes::registry;
    use tidegate_schemes::scheme::Part;

    fn made(board: &str) -> Option<Scripts> {
        let board = load(board).unwrap();
        let scheme = registry::find("qcn").unwrap();
        let made = design(&board, scheme, Part::CongestionPoint, &[], String::new()).unwrap();
        scripts(&board, &made, format(&board).unwrap(), "pins")
    }

    #[test]
    fn vivado_reads_each_file_and_names_the_part() {
        let scripts = made("xilinx_kc705").unwrap();
        let text = &scripts.files[0].1;
        for line in
            ["read_verilog tidegate_top.v", "read_xdc pins", "synth_design -top tidegate_top -part xc7k325tffg900-2"]
        {
            assert!(text.lines().any(|found| found == line), "no line {line} in\n{text}");
        }
        assert_eq!(vivado_part(&load("xilinx_kcu105").unwrap()), "xcku040-ffva1156-2-e");
    }

    #[test]
    fn ise_has_its_lists_and_open_tools_need_no_script() {
        let scripts = made("netfpga_1g").unwrap();
        let names: Vec<&str> = scripts.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["netfpga_1g.prj", "netfpga_1g.xst", "build.sh"]);
        assert!(scripts.files[0].1.ends_with("verilog work \"tidegate_top.v\"\n"), "{}", scripts.files[0].1);
        assert!(scripts.files[1].1.contains("-p xc2vp50-ff1152-7\n"), "{}", scripts.files[1].1);
        assert!(scripts.files[2].1.starts_with("#!/bin/sh\n# SPDX"), "{}", scripts.files[2].1);
        assert!(made("ecp5_versa").is_none());
    }
}
