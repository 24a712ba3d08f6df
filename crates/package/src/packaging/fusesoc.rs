// SPDX-License-Identifier: MIT OR Apache-2.0
//! A core file for FuseSoC (CAPI2): the Verilog of a part, and targets for lint and for the smoke test.

use super::{Device, Package};

/// The core file of a device.
pub(super) fn core(package: &Package, device: &Device) -> String {
    let (top, scheme) = (package.top(device), package.scheme);
    let files: String = package.verilog(device).iter().map(|name| format!("      - {name}\n")).collect();
    format!(
        r#"CAPI=2:
# {made}

name: "{name}"
description: "The {part} of {title}"

filesets:
  rtl:
    files:
{files}    file_type: verilogSource-2001
  smoke:
    files:
      - {smoke_file}
    file_type: systemVerilogSource

targets:
  default:
    filesets: [rtl]
    toplevel: {top}
  lint:
    description: "All warnings of Verilator; none is expected"
    filesets: [rtl]
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall, "--language 1364-2001"]
    toplevel: {top}
  sim:
    description: "The smoke test in Icarus"
    filesets: [rtl, smoke]
    flow: sim
    flow_options:
      tool: icarus
    toplevel: {smoke}
"#,
        made = package.made(),
        name = name(package, device),
        part = device.part.title(),
        title = scheme.title.replace(['"', '\\'], "'"),
        smoke_file = package.smoke_file(device),
        smoke = package.smoke(device),
    )
}

/// Its name: vendor, library, name, version.
pub(super) fn name(package: &Package, device: &Device) -> String {
    format!("tidegate:{}:{}:{}", package.scheme.name, package.top(device), crate::emit::VERSION)
}
