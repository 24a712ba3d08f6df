//! Area and clock rate on an ECP5, with flip-flops at all ports; area on FPGAs without open place and route.
#![allow(dead_code)] // not each bench asks for all of it

use rayon::prelude::*;
use tidegate::emit::with_registers_at_ports;
use tidegate::netlist::Netlist;
use tidegate::toolchain::cells::{Family, SmallMemories};
use tidegate::toolchain::nextpnr::{Mapped, Nextpnr};
use tidegate::toolchain::yosys::{Job, Yosys};
use tidegate::verilog;

/// Prints what it costs; returns the clock rate of the slowest of three runs, MHz.
pub fn cost(name: &str, netlist: &Netlist) -> f64 {
    let (yosys, nextpnr) = (Yosys::find().unwrap(), Nextpnr::find().unwrap());
    let mapped = Mapped::new(&yosys, "held", &with_registers_at_ports(netlist, "held")).unwrap();
    let runs: Vec<_> = (1..=3).into_par_iter().map(|seed| nextpnr.route(&mapped, seed).unwrap()).collect();
    let mut slowest = f64::INFINITY;
    for (routed, seed) in runs.into_iter().zip(1..) {
        let (luts, flip_flops, fmax) = (routed.luts, routed.flip_flops, routed.fmax_mhz);
        println!("{name}, seed {seed}: {luts} LUTs, {flip_flops} flip-flops, {fmax:.1} MHz");
        println!("  from {} to {}", routed.from, routed.to);
        slowest = slowest.min(fmax);
    }
    slowest
}

/// Prints what each module costs, and then fails if one of them does not reach 125 MHz in each run.
pub fn reach_125_mhz(modules: impl IntoIterator<Item = (String, Netlist)>) {
    let slowest = modules.into_iter().map(|(name, netlist)| {
        let slowest = cost(&name, &netlist);
        (name, slowest)
    });
    let slow: Vec<_> = slowest.filter(|(_, slowest)| *slowest < 125.0).collect();
    assert!(slow.is_empty(), "MHz: {slow:?}");
}

/// Prints the area on the Virtex-II Pro, on a 7-series FPGA and on an ECP5, by synthesis alone.
pub fn area(name: &str, netlist: &Netlist) {
    let job = |family| Job {
        family,
        top: netlist.top().name.clone(),
        verilog: verilog::text(netlist),
        small_memories: SmallMemories::LutRam,
    };
    let families = [Family::Xc2vp, Family::Xc7, Family::Ecp5];
    let found = Yosys::find().unwrap().synthesize(&families.map(job), |_| {}).unwrap();
    for (family, resources) in families.iter().zip(found) {
        let (luts, flip_flops, carries) = (resources.luts, resources.flip_flops, resources.carries);
        let (rams, multipliers) = (resources.lut_rams, resources.multipliers);
        let family = family.name();
        println!(
            "{name}, {family}: {luts} LUTs, {flip_flops} flip-flops, {carries} carries, {rams} LUT RAMs, \
             {multipliers} multipliers"
        );
    }
}
