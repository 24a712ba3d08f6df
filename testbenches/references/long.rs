// SPDX-License-Identifier: MIT OR Apache-2.0
//! Long epochs: timers expire in them, and the check finds what goes wrong only then.

use std::cell::Cell;
use tidegate::bench::vectors;
use tidegate::registry::{Scheme, find};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::verify::Verdict;
use tidegate::verify::model::{Run, SEED, check_long_run, check_run, seed_of};
use tidegate::verify::stimulus::Stimulus;
use tidegate::verify::stimulus::long::LongEpoch;
use tidegate_testing::circuits::{circuits, circuits_of_flows};

/// A circuit of a scheme by the name of its module.
fn circuit(scheme: &Scheme, part: Part, module: &str) -> Circuit {
    let mut all = circuits(scheme, part).into_iter().chain(circuits_of_flows(scheme, part));
    all.find(|circuit| circuit.module == module).expect("the scheme has it")
}

/// Its long epochs.
fn epochs(scheme: &'static Scheme, circuit: &Circuit) -> impl Iterator<Item = LongEpoch> {
    LongEpoch::of_profiles(scheme, circuit).into_iter().chain(LongEpoch::of_longest(scheme, circuit))
}

fn column(circuit: &Circuit, name: &str) -> usize {
    circuit.ports.iter().position(|port| port.name == name).expect("it has this port")
}

/// A timer expires twice in each, as an output shows by its value before and now, without a reset between.
#[test]
fn timers_expire_twice() {
    type Expires = fn(u32, u32) -> bool;
    let timers: [(_, _, _, _, Expires); 4] = [
        ("qcn", Part::ReactionPoint, "calculator_qcn", "time_stage", |before, now| now > before),
        ("qcn", Part::ReactionPoint, "flow_stages", "start_time", |_, now| now > 0),
        ("bcn", Part::ReactionPoint, "calculator_bcn", "current_rate", |before, now| before == 0 && now > 0),
        ("dsm", Part::CongestionPoint, "sampler", "sample", |_, now| now > 0),
    ];
    for (scheme, part, module, output, expires) in timers {
        let scheme = find(scheme).unwrap();
        let circuit = circuit(scheme, part, module);
        let (reset, output) = (column(&circuit, "reset"), column(&circuit, output));
        let epochs: Vec<_> = epochs(scheme, &circuit).collect();
        assert_eq!(epochs.len(), 2, "{module}: defaults, and the longest");
        for epoch in epochs {
            let mut stimulus = Stimulus::long(scheme, &circuit, seed_of(module, SEED), &epoch);
            let (mut before, mut resets, mut expired) = (0, 0, 0);
            vectors::run(&circuit, &mut |cycle, row| stimulus.drive(cycle, row), &mut |cycle, row| {
                resets += u64::from(row[reset] != 0);
                expired += u64::from(row[reset] == 0 && expires(before, row[output]));
                before = row[output];
                cycle + 1 < epoch.cycles()
            });
            println!("{module}, {:?}: {expired} in {} cycles", epoch.settings, epoch.cycles());
            assert!(expired >= 2, "{module}, {:?}: {expired}", epoch.settings);
            assert!((1..=3).contains(&resets), "{module}, {:?}: {resets} cycles of reset", epoch.settings);
        }
    }
}

/// The other epochs do not see the mistake, a long one does.
fn only_a_long_epoch_finds(scheme: &'static Scheme, circuit: &Circuit, wrong: Run) {
    let (part, module) = (Part::ReactionPoint, circuit.module);
    let (short, _) = check_run(scheme, part, circuit, 1_000_000, SEED, wrong);
    assert_eq!(short.verdict, Verdict::Passed, "{module}");
    let found = epochs(scheme, circuit).find_map(|epoch| check_long_run(scheme, part, circuit, &epoch, SEED, wrong).1);
    let difference = found.unwrap_or_else(|| panic!("{module}: the mistake is not found"));
    println!("{module}: {} differs in cycle {}", difference.port, difference.cycle);
}

/// A timer with a counter of 14 bits, which never reaches a period of 2^14 cycles or more.
#[test]
fn a_timer_that_is_cut_off() {
    let scheme = find("qcn").unwrap();
    let circuit = circuit(scheme, Part::ReactionPoint, "calculator_qcn");
    let timer = column(&circuit, "timer_low");
    only_a_long_epoch_finds(scheme, &circuit, &|drive, see| {
        let asked = Cell::new(0);
        let mut drive = |cycle: u64, row: &mut [u32]| {
            row[timer] = asked.get();
            drive(cycle, row);
            asked.set(row[timer]);
            row[timer] = if row[timer] >> 14 == 0 { row[timer] } else { 0 };
        };
        let mut seen = Vec::new();
        vectors::run(&circuit, &mut drive, &mut |cycle, row| {
            seen.clear();
            seen.extend_from_slice(row);
            seen[timer] = asked.get();
            see(cycle, &seen)
        })
    });
}

/// A source that never starts again, if it was stopped for more than 2^18 cycles.
#[test]
#[ignore = "long: 125 million cycles"]
fn a_stop_without_an_end() {
    let scheme = find("bcn").unwrap();
    let circuit = circuit(scheme, Part::ReactionPoint, "calculator_bcn");
    let (reset, rate) = (column(&circuit, "reset"), column(&circuit, "current_rate"));
    only_a_long_epoch_finds(scheme, &circuit, &|drive, see| {
        let (mut seen, mut stopped) = (Vec::new(), 0);
        vectors::run(&circuit, drive, &mut |cycle, row| {
            seen.clear();
            seen.extend_from_slice(row);
            let stays = row[reset] == 0 && (row[rate] == 0 || stopped > 1 << 18);
            stopped = if stays { stopped + 1 } else { 0 };
            seen[rate] = if stopped > 0 { 0 } else { row[rate] };
            see(cycle, &seen)
        })
    });
}
