// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the packet generator is told of the rates.

use tidegate::netlist::Netlist;
use tidegate::rtl::bus::netfpga1g::token_increments::TokenIncrements;
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::pins::Pins;
use tidegate_testing::stimulus::Random;

/// All four products, and one more that had begun before.
const LATEST: u64 = 5 * 18;

#[test]
fn increments_are_rate_times_interval_rounded_down() {
    are_rate_times_interval(&Circuit::of::<TokenIncrements>("token_increments", &[]).netlist);
}

/// Checks this of a circuit that has the module.
pub fn are_rate_times_interval(whole: &Netlist) {
    let module = whole.modules.iter().find(|module| module.name == "token_increments").expect("the module is there");
    let mut pins = Pins::new(&Netlist { modules: vec![module.clone()] }, &[]);
    let mut random = Random::new(1);
    pins.set_by_name("reset", 1);
    pins.clock();
    pins.set_by_name("reset", 0);
    let mut rates = [0; 4];
    let (mut full, mut part) = (0, 0);
    for round in 0..2_000 {
        // 1 Gb/s is 2^18; also rates and intervals of any length.
        let interval = [250, 255, 1, 0xffff, random.between(1, 0xffff)][random.below(5) as usize];
        pins.set_by_name("token_interval", interval);
        for _ in 0..random.below(6) {
            let flow = random.below(6);
            let rate = [random.below(1 << 18), 1 << 18, (1 << 18) - 1, random.bus(25)][random.below(4) as usize];
            pins.set_by_name("visited", 1);
            pins.set_by_name("visited_flow", flow);
            pins.set_by_name("visited_rate", rate);
            pins.clock();
            if let Some(known) = rates.get_mut(flow as usize) {
                *known = rate;
            }
        }
        pins.set_by_name("visited", 0);
        (0..LATEST).for_each(|_| pins.clock());
        for (port, rate) in rates.iter().enumerate() {
            let told = pins.get_by_name(&format!("token_inc_{port}"));
            assert_eq!(told, ((rate * interval) >> 18).min(255), "round {round}, port {port}: {rate} × {interval}");
            full += u32::from(told == 255);
            part += u32::from(told > 0 && told < 255);
        }
    }
    assert!(full > 500 && part > 500, "{full} at the most, {part} below");
}
