// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts of a switch that come from LiteX and LiteEth: the MAC between its pins and its streams, with drivers that no one
//! here wrote, those of cocotbext-eth and cocotbext-axi, in Icarus.

mod pin_to_pin;
mod wire;

use std::process::Output;
use tidegate::emit::{File, Role};
use tidegate::toolchain::liteeth::{self, Module};
use tidegate_testing::cocotb::{self as drivers, said};

const MAC: Module = Module::RgmiiMac { longest: 1522, rx_delay_ps: 2000, tx_delay_ps: 2000 };
const UART: Module = Module::UartAxi4Lite { clock_hz: 125_000_000, baud: 1_000_000 };
const PLL: Module = Module::Pll { input_hz: 25_000_000, output_hz: 125_000_000 };

/// The name of each module here.
const TOP: &str = "device";

/// Runs a script on a module, in which a text is replaced, and on the primitives of the ECP5.
fn run(script: &str, module: Module, from: &str, to: &str, arguments: &[&str]) -> Option<Output> {
    let text = liteeth::verilog(module, "ecp5", TOP).unwrap();
    assert!(from.is_empty() || text.contains(from), "the module has no `{from}`");
    let text = if from.is_empty() { text } else { text.replace(from, to) };
    let file = |name: &str, text: &str| File { name: name.to_string(), text: text.to_string(), role: Role::Module };
    let files = vec![file("module.v", &text), file("primitives.v", include_str!("primitives.v"))];
    let mut all = vec![TOP];
    all.extend_from_slice(arguments);
    drivers::run(script, files, ["", ""], &all)
}

fn mac(from: &str, to: &str, frames: &str) -> Option<Output> {
    run("testbenches/switch/mac_streams.py", MAC, from, to, &[frames])
}

fn passes(output: Option<Output>) {
    if let Some(output) = output {
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn a_mac_carries_frames_and_marks_bad_ones() {
    passes(mac("", "", "60"));
}

#[test]
#[ignore = "long: Icarus runs 200 frames each way"]
fn so_it_does_with_more_of_them() {
    passes(mac("", "", "200"));
}

#[test]
#[ignore = "long: Icarus runs for each mistake"]
fn the_bench_of_the_mac_finds_mistakes() {
    for (from, to) in [
        // The FCS is not looked at, that of the frame before is not forgotten, nor are its last octets.
        ("(fcscheck_ends & fcscheck_wrong)", "1'd0"),
        ("fcscheck_remainder <= 32'd4294967295;", ""),
        ("fcscheck_present <= 1'd0;", ""),
        // Lengths of good frames.
        ("(limits_count < 6'd59)", "(limits_count < 6'd58)"),
        ("(limits_count == 11'd1518)", "(limits_count == 11'd1519)"),
        // What the PHY has marked.
        ("(lineerrors_before | lineerrors_earlier)", "1'd0"),
        // A frame that finds no room has no end.
        ("if ((limits_count != 1'd0)) begin", "if (1'd0) begin"),
        // The last word to send.
        ("if (s_axis_tkeep[5]) begin", "if (s_axis_tkeep[6]) begin"),
        // A word between the clocks that is read twice, one that is read too early, and more than there is room for.
        ("(send_crossing_waits & (~send_crossing_takes))", "send_crossing_waits"),
        (" & (~send_crossing_source_valid));", ");"),
        ("assign send_crossing_sink_ready = (~send_crossing_full);", "assign send_crossing_sink_ready = 1'd1;"),
    ] {
        let Some(output) = mac(from, to, "40") else { return };
        let said = said(&output);
        assert!(!output.status.success() && said.contains("of 9 tests failed"), "with `{to}`: {said}");
    }
}

#[test]
fn a_serial_line_reads_and_writes_registers() {
    passes(run("testbenches/switch/uart_registers.py", UART, "", "", &[]));
}

#[test]
fn the_same_arguments_give_the_same_bytes() {
    for module in [MAC, UART, PLL] {
        let text = || liteeth::verilog(module, "ecp5", module.name()).unwrap();
        let first = text();
        assert!(first.contains(&format!("\nmodule {} (", module.name())), "{first}");
        assert!(first == text(), "{} differs", module.name());
    }
}

#[test]
fn what_cannot_be_made_is_refused_in_one_line() {
    let refused = |module: Module, family: &str| liteeth::verilog(module, family, TOP).unwrap_err().to_string();
    assert_eq!(refused(MAC, "series7"), "--family series7: unknown, expected ecp5");
    let short = Module::RgmiiMac { longest: 63, rx_delay_ps: 0, tx_delay_ps: 0 };
    assert_eq!(refused(short, "ecp5"), "--longest 63: expected 64 to 16383 octets, the FCS is counted");
    let rate = Module::Pll { input_hz: 27_000_000, output_hz: 125_000_000 };
    assert!(refused(rate, "ecp5").starts_with("--output-hz 125000000: the PLL cannot make it from 27000000 Hz"));
}
