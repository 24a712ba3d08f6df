//! What the module costs, and how fast it can be clocked: area and clock rate on an ECP5, with flip-flops at its ports.
//! Run with `cargo test --locked --test netfpga1g_cp -- --ignored --nocapture cost`.

use crate::world::made;
use tidegate::emit::with_registers_at_ports;
use tidegate::netlist::Netlist;
use tidegate::rtl::bus::netfpga1g::tap::Tap;
use tidegate::rtl::circuit::Circuit;
use tidegate::toolchain::nextpnr::{Mapped, Nextpnr};
use tidegate::toolchain::yosys::Yosys;

/// Prints what it costs; returns the clock rate of the slowest of three runs, MHz.
fn cost(name: &str, netlist: &Netlist) -> f64 {
    let (yosys, nextpnr) = (Yosys::find().unwrap(), Nextpnr::find().unwrap());
    let mapped = Mapped::new(&yosys, "held", &with_registers_at_ports(netlist, "held")).unwrap();
    let mut slowest = f64::INFINITY;
    for seed in 1..=3 {
        let routed = nextpnr.route(&mapped, seed).unwrap();
        let (luts, flip_flops, fmax) = (routed.luts, routed.flip_flops, routed.fmax_mhz);
        println!("{name}, seed {seed}: {luts} LUTs, {flip_flops} flip-flops, {fmax:.1} MHz");
        println!("  from {} to {}", routed.from, routed.to);
        slowest = slowest.min(fmax);
    }
    slowest
}

#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_the_tap() {
    let slowest = cost("tap", &Circuit::of::<Tap>("tap", &[]).netlist);
    assert!(slowest >= 125.0, "{slowest} MHz: the user data path has 125 MHz");
}

#[test]
#[ignore = "places and routes for minutes"]
fn cost_of_the_whole() {
    for scheme in ["qcn", "smcc"] {
        cost(&format!("tidegate_cp of {scheme}"), &made(scheme, &[]).netlist);
    }
}
