//! What a module takes of FPGAs for which nothing places and routes here.

use tidegate::netlist::Netlist;
use tidegate::toolchain::cells::{Family, SmallMemories};
use tidegate::toolchain::yosys::{Job, Yosys};
use tidegate::verilog;

/// LUTs of an xc2vp50, the FPGA of the NetFPGA-1G.
const XC2VP50: f64 = 47_232.0;
/// LUTs of an LFE5U-25F.
const LFE5U_25F: f64 = 24_288.0;

/// Prints flip-flops, LUTs and memories of each module in three families.
pub fn areas(modules: &[(String, Netlist)]) {
    let families = [(Family::Xc2vp, Some(XC2VP50)), (Family::Xc7, None), (Family::Ecp5, Some(LFE5U_25F))];
    let job = |netlist: &Netlist, family| Job {
        family,
        top: netlist.top().name.clone(),
        verilog: verilog::text(netlist),
        small_memories: SmallMemories::LutRam,
    };
    let all = || families.iter().flat_map(|family| modules.iter().map(move |module| (family, module)));
    let jobs: Vec<Job> = all().map(|((family, _), (_, netlist))| job(netlist, *family)).collect();
    let counts = Yosys::find().unwrap().synthesize(&jobs, |_| {}).unwrap();
    for (((family, luts), (name, _)), count) in all().zip(counts) {
        let share =
            luts.map_or(String::new(), |luts| format!(", {:.1} % of the LUTs", 100.0 * f64::from(count.luts) / luts));
        println!("{name}, {}: {count:?}{share}", family.name());
    }
}
