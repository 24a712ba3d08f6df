// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of a switch that come from LiteX and LiteEth, as Verilog: its scripts in Python are beside this file, and run with
//! the Python of the tools.

use super::find::Places;
use super::{MissingTool, NO_FOLDER};
use anyhow::{Context, Result, anyhow};
use std::process::{Command, Stdio};
use tidegate_core::error::Usage;
use tidegate_core::interrupt::{self, Scratch};

/// The scripts; the first one is run.
const SCRIPTS: [(&str, &str); 6] = [
    ("generate.py", include_str!("liteeth/generate.py")),
    ("refused.py", include_str!("liteeth/refused.py")),
    ("rgmii_mac.py", include_str!("liteeth/rgmii_mac.py")),
    ("receive.py", include_str!("liteeth/receive.py")),
    ("uart_axi4_lite.py", include_str!("liteeth/uart_axi4_lite.py")),
    ("pll.py", include_str!("liteeth/pll.py")),
];

/// Exit codes of the script.
const REFUSED: i32 = 1;
const MISSING: i32 = 3;

/// A module that is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Module {
    /// A MAC of 1 Gb/s between the pins of RGMII and AXI4-Streams of 64 bits.
    RgmiiMac {
        /// Octets of the longest good frame, with its FCS.
        longest: u32,
        /// Delay of the data that arrives, 0 if the PHY delays its clock; in steps of 25 ps, up to 3175.
        rx_delay_ps: u32,
        /// Delay of the clock to the PHY, 0 if the PHY delays it; as above.
        tx_delay_ps: u32,
    },
    /// A master on AXI4-Lite that a serial line drives.
    UartAxi4Lite {
        /// Rate of its clock.
        clock_hz: u32,
        /// Bits a second on the line.
        baud: u32,
    },
    /// A clock of another rate and its reset.
    Pll {
        /// Rate of the clock of the board.
        input_hz: u32,
        /// Rate of the clock that it makes.
        output_hz: u32,
    },
}

impl Module {
    /// Its name for the script.
    pub fn name(self) -> &'static str {
        match self {
            Module::RgmiiMac { .. } => "rgmii_mac",
            Module::UartAxi4Lite { .. } => "uart_axi4_lite",
            Module::Pll { .. } => "pll",
        }
    }

    fn arguments(self) -> Vec<(&'static str, u32)> {
        match self {
            Module::RgmiiMac { longest, rx_delay_ps, tx_delay_ps } => {
                vec![("--longest", longest), ("--rx-delay-ps", rx_delay_ps), ("--tx-delay-ps", tx_delay_ps)]
            }
            Module::UartAxi4Lite { clock_hz, baud } => vec![("--clock-hz", clock_hz), ("--baud", baud)],
            Module::Pll { input_hz, output_hz } => vec![("--input-hz", input_hz), ("--output-hz", output_hz)],
        }
    }
}

/// The Verilog of a module for a family of FPGAs, under a name. The same arguments give the same text.
///
/// # Errors
/// [`Usage`] for an argument that cannot be used, and [`MissingTool`] if LiteX or LiteEth is not there.
pub fn verilog(module: Module, family: &str, name: &str) -> Result<String> {
    let python = Places::of_process().python_for_builds()?;
    let scratch = Scratch::new("liteeth").context(NO_FOLDER)?;
    let folder = scratch.path();
    for (file, text) in SCRIPTS {
        std::fs::write(folder.join(file), text).context(NO_FOLDER)?;
    }
    let (script, out) = (folder.join(SCRIPTS[0].0), folder.join("out.v"));
    let mut command = Command::new(&python);
    command.arg("-B").arg(script).arg(module.name()).arg("--out").arg(&out);
    command.args(["--family", family, "--name", name]);
    for (flag, value) in module.arguments() {
        command.arg(flag).arg(value.to_string());
    }
    command.current_dir(folder).env("TMPDIR", folder).stdin(Stdio::null());
    let output = interrupt::output(&mut command).with_context(|| format!("cannot run {}", python.display()))?;
    if output.status.success() {
        return std::fs::read_to_string(&out).with_context(|| format!("LiteX has not written {}", module.name()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let last = last.strip_prefix("generate.py: ").unwrap_or(last).to_string();
    match output.status.code() {
        Some(REFUSED) if said.starts_with("generate.py: ") => Err(Usage(last).into()),
        Some(MISSING) => Err(MissingTool(last).into()),
        _ => Err(anyhow!(last).context(format!("LiteX cannot make {}, {}", module.name(), output.status))),
    }
}
