// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bus of the register files, alone: each access comes to the register file of its address, and its answer back.

use super::{alone, made};
use tidegate::engine::{Input, Output, Simulation};
use tidegate::netlist::Netlist;
use tidegate_testing::stimulus::Random;

const FILES: usize = 8;
const DECERR: u64 = 3;

/// What a register file answers: a number that depends on all that it was told.
fn answer(file: usize, address: u64, value: u64) -> (u64, u64) {
    let mixed = (address + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value.wrapping_mul(0x85eb_ca6b) ^ file as u64;
    (mixed & 0xffff_ffff, [0, 2][(mixed >> 40) as usize & 1])
}

/// A channel of a register file: its valid and ready, and what was taken.
struct Channel {
    valid: Output,
    ready: Input,
    is_ready: bool,
    taken: bool,
}

impl Channel {
    fn begin(&mut self, simulation: &mut Simulation, random: &mut Random) {
        self.is_ready = !self.taken && random.chance(40);
        simulation.set(self.ready, u64::from(self.is_ready));
    }

    /// Whether something is taken in this cycle.
    fn end(&mut self, simulation: &Simulation) -> bool {
        let takes = self.is_ready && simulation.get(self.valid) == 1;
        self.taken |= takes;
        takes
    }
}

/// Random accesses, of which each must come to its register file once.
pub fn each_access_has_its_answer(switch: &Netlist, accesses: usize) {
    let program = alone(switch, "switch_register_split");
    let input = |name: &str| program.input(name).unwrap();
    let output = |name: &str| program.output(name).unwrap();
    let channel = |name: String| Channel {
        valid: output(&format!("file_{name}")),
        ready: input(&format!("file_{name}").replace("valid", "ready")),
        is_ready: false,
        taken: false,
    };
    let of = |name: &str| (0..FILES).map(|file| channel(format!("{name}_{file}"))).collect::<Vec<_>>();
    let (mut addresses, mut values, mut reads) = (of("awvalid"), of("wvalid"), of("arvalid"));
    let answers = |name: &str| (0..FILES).map(|file| input(&format!("file_{name}_{file}"))).collect::<Vec<_>>();
    let [bvalid, bresp, rvalid, rresp, rdata] = ["bvalid", "bresp", "rvalid", "rresp", "rdata"].map(answers);
    let [file_address, file_wdata, file_wstrb] = ["file_address", "file_wdata", "file_wstrb"].map(output);
    let [reset, present] = ["reset", "present"].map(input);
    let [awaddr, araddr, wdata, wstrb] =
        ["awaddr", "araddr", "wdata", "wstrb"].map(|name| input(&format!("s_axi_{name}")));
    let valid = ["awvalid", "wvalid", "arvalid"].map(|name| input(&format!("s_axi_{name}")));
    let ready = ["awready", "wready", "arready"].map(|name| output(&format!("s_axi_{name}")));
    let [bready, rready] = ["bready", "rready"].map(|name| input(&format!("s_axi_{name}")));
    let answered = ["bvalid", "rvalid"].map(|name| output(&format!("s_axi_{name}")));
    let responses = ["bresp", "rresp"].map(|name| output(&format!("s_axi_{name}")));
    let read = output("s_axi_rdata");

    let mut simulation = program.start(1);
    let mut random = Random::new(3);
    let mut absent = 0;
    let mut chosen = Vec::new();
    for number in 0..accesses {
        let there = random.below(256);
        simulation.set(present, there);
        // Now and then a reset, in the middle of what was said to nobody.
        if number % 500 == 0 {
            simulation.set(reset, 1);
            simulation.step();
            simulation.step();
            simulation.set(reset, 0);
        }
        // A write, a read, or both at once: then the read goes first.
        let asks = [(true, false), (false, true), (true, true)][random.below(3) as usize];
        let place =
            |random: &mut Random| random.below(0x8000) + if random.chance(10) { 0x8000 << random.below(17) } else { 0 };
        let (to, from) = (place(&mut random), place(&mut random));
        let (value, octets) = (random.below(1 << 32), random.below(16));
        simulation.set(awaddr, to);
        simulation.set(araddr, from);
        simulation.set(wdata, value);
        simulation.set(wstrb, octets);
        let mut waits = [asks.0, asks.0, asks.1];
        let mut order: Vec<(bool, u64)> = Vec::new();
        order.extend(asks.1.then_some((true, from)));
        order.extend(asks.0.then_some((false, to)));
        // A write may show its address and its value later than the read, and one later than the other.
        let late = [random.below(4), random.below(4), 0];
        for (reads_now, address) in order {
            let file = (address >> 12) as usize & 7;
            let is_there = address >> 15 == 0 && there >> file & 1 == 1;
            absent += usize::from(!is_there);
            let (mut seen, mut delay, mut done, mut cycle) = (0, random.below(5), false, 0);
            let is = usize::from(reads_now);
            while !done {
                cycle += 1;
                assert!(cycle < 400, "access {number} has no answer");
                for (place, &waits) in waits.iter().enumerate() {
                    // While a read is in work, the write stands beside it.
                    let shows = waits && (place == 2 || cycle > late[place]);
                    simulation.set(valid[place], u64::from(shows));
                }
                for channel in addresses.iter_mut().chain(&mut values).chain(&mut reads) {
                    channel.begin(&mut simulation, &mut random);
                }
                let whole = seen == if reads_now { 1 } else { 2 };
                let answers = is_there && whole && delay == 0;
                delay = if whole { delay.saturating_sub(1) } else { delay };
                let (result, response) =
                    answer(file, address & 0xfff, if reads_now { 0 } else { value ^ octets << 32 });
                for other in 0..FILES {
                    // What a register file says that was not asked does not matter.
                    let (data, code) = (random.below(1 << 32), random.below(4));
                    let own = other == file && answers;
                    simulation.set(rdata[other], if own { result } else { data });
                    simulation.set(bresp[other], if own { response } else { code });
                    simulation.set(rresp[other], if own { response } else { code });
                    simulation.set(bvalid[other], u64::from(own && !reads_now || other != file && random.chance(20)));
                    simulation.set(rvalid[other], u64::from(own && reads_now || other != file && random.chance(20)));
                }
                let takes = random.chance(50);
                simulation.set(bready, u64::from(takes));
                simulation.set(rready, u64::from(takes));
                simulation.step();
                for (place, waits) in waits.iter_mut().enumerate() {
                    let shown = *waits && (place == 2 || cycle > late[place]);
                    if shown && simulation.get(ready[place]) == 1 {
                        assert_eq!(place == 2, reads_now, "access {number}: in its order");
                        *waits = false;
                    }
                }
                for (kind, channels) in [&mut addresses, &mut values, &mut reads].into_iter().enumerate() {
                    for (other, channel) in channels.iter_mut().enumerate() {
                        if !channel.end(&simulation) {
                            continue;
                        }
                        assert!(
                            is_there && other == file && (kind == 2) == reads_now,
                            "access {number} comes to {other}"
                        );
                        assert_eq!(simulation.get(file_address), address & 0xfff, "access {number}");
                        if kind == 1 {
                            assert_eq!((simulation.get(file_wdata), simulation.get(file_wstrb)), (value, octets));
                        }
                        seen += 1;
                    }
                }
                assert_eq!(simulation.get(answered[1 - is]), 0, "access {number}: an answer to the other one");
                if simulation.get(answered[is]) == 1 {
                    let expected = if is_there { response } else { DECERR };
                    assert!(!is_there || whole, "access {number}: answered before it was whole");
                    assert_eq!(simulation.get(responses[is]), expected, "access {number}");
                    if reads_now {
                        assert_eq!(simulation.get(read), if is_there { result } else { 0 }, "access {number}");
                    }
                    done = takes;
                }
            }
            for channel in addresses.iter_mut().chain(&mut values).chain(&mut reads) {
                channel.taken = false;
            }
            chosen.push(file);
        }
    }
    assert!(absent > accesses / 4 && (0..FILES).all(|file| chosen.contains(&file)));
}

#[test]
fn accesses_come_to_the_register_file_of_their_address() {
    each_access_has_its_answer(&made("qcn", 2, &[]).netlist, 5000);
}
