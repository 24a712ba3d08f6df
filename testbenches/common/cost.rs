//! Area and clock rate on an ECP5, with flip-flops at all ports.

use tidegate::emit::with_registers_at_ports;
use tidegate::netlist::Netlist;
use tidegate::toolchain::nextpnr::{Mapped, Nextpnr};
use tidegate::toolchain::yosys::Yosys;

/// Prints what it costs; returns the clock rate of the slowest of three runs, MHz.
pub fn cost(name: &str, netlist: &Netlist) -> f64 {
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
