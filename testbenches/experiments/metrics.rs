// SPDX-License-Identifier: MIT OR Apache-2.0
//! Metrics against sums over all events, cycle by cycle.

use super::{Log, text};
use tidegate::experiment::Experiment;
use tidegate::experiment::metric::{Metric, Scope, measure};
use tidegate::experiment::scenario::File;
use tidegate::network::{Event, Network};

/// The length of the queue in each cycle, and what is counted in the cycles of a window.
struct Plain {
    queue: Vec<u32>,
    register: Vec<u32>,
    dequeued: f64,
    enqueued: f64,
    dropped: f64,
    feedback: f64,
    delivered: [f64; 3],
}

fn plain(log: &Log, from: usize, to: usize) -> Plain {
    let mut queue = vec![0; to];
    let mut register = vec![0; to];
    let mut plain = Plain {
        queue: Vec::new(),
        register: Vec::new(),
        dequeued: 0.0,
        enqueued: 0.0,
        dropped: 0.0,
        feedback: 0.0,
        delivered: [0.0; 3],
    };
    for (now, place, event) in log.0.iter().filter(|(now, place, _)| (*now as usize) < to && place.output.is_some()) {
        queue[*now as usize..].fill(place.queue_bytes);
        register[*now as usize..].fill(place.register_bytes);
        if *now as usize >= from {
            let counter = match event {
                Event::Dequeued => {
                    plain.delivered[place.flow as usize] += 1.0;
                    &mut plain.dequeued
                }
                Event::Enqueued => &mut plain.enqueued,
                Event::Dropped => &mut plain.dropped,
                Event::FeedbackSent(_) => &mut plain.feedback,
                _ => continue,
            };
            *counter += 1.0;
        }
    }
    plain.queue = queue[from..].to_vec();
    plain.register = register[from..].to_vec();
    plain
}

#[test]
fn metrics_are_what_the_events_say() {
    // A queue that is empty at times and full at times.
    let more = "[[variant]]\nname = \"small\"\nscheme = \"smcc\"\nparameters = { buffer_bytes = 9000, q0_bytes = 3008, tx_fifo_bytes = 3500 }\n";
    let file = File::parse("t", "t", &text(more)).unwrap();
    let experiment = Experiment::new(&file).unwrap();
    let results = experiment.run(&|_, _| ()).unwrap();
    let case = &experiment.cases[2];
    let (outcome, world) = (&results.runs[2].outcomes[0], case.world(1).unwrap());
    let mut log = Log::default();
    Network::new(&case.scheme.models(), &world.parameters, world.ethernet()).run(2_500_000, &mut log);
    let (from, to, cycles) = (0, 40, 2_500_000.0);
    let plain = plain(&log, 0, 2_500_000);
    let share =
        |holds: &dyn Fn(u32) -> bool| 100.0 * plain.queue.iter().filter(|&&bytes| holds(bytes)).count() as f64 / cycles;
    let mean = plain.queue.iter().map(|&bytes| f64::from(bytes)).sum::<f64>() / cycles;
    let variance = plain.queue.iter().map(|&bytes| (f64::from(bytes) - mean).powi(2)).sum::<f64>() / cycles;
    let seconds = cycles / 125e6;
    let settled = plain.queue.iter().rposition(|&bytes| !(1024..8000).contains(&bytes)).unwrap();
    let jain = {
        let (sum, squares) =
            plain.delivered.iter().fold((0.0, 0.0), |(sum, squares), share| (sum + share, squares + share * share));
        sum * sum / (3.0 * squares)
    };
    // Three packets of 1,000 bytes are in the FIFO.
    assert!(plain.queue.iter().zip(&plain.register).all(|(queue, register)| *register == queue.saturating_sub(3000)));
    let register_mean = plain.register.iter().map(|&bytes| f64::from(bytes)).sum::<f64>() / cycles;
    let register_empty = plain.register.iter().filter(|&&bytes| bytes == 0).count() as f64;
    let expected = [
        (Metric::QueueMeanKb, mean / 1024.0),
        (Metric::QueueDeviationKb, variance.sqrt() / 1024.0),
        (Metric::QueueMinKb, f64::from(*plain.queue.iter().min().unwrap()) / 1024.0),
        (Metric::QueueMaxKb, f64::from(*plain.queue.iter().max().unwrap()) / 1024.0),
        (Metric::EmptyPercent, share(&|bytes| bytes == 0)),
        (Metric::NearEmptyPercent, share(&|bytes| bytes <= 1000)),
        (Metric::RegisterMeanKb, register_mean / 1024.0),
        (Metric::RegisterEmptyPercent, 100.0 * register_empty / cycles),
        (Metric::WithinPercent, share(&|bytes| (1024..8000).contains(&bytes))),
        (Metric::UtilisationPercent, 100.0 * 1000.0 * plain.dequeued / cycles),
        (Metric::DroppedPackets, plain.dropped),
        (Metric::DroppedPercent, 100.0 * plain.dropped / (plain.dropped + plain.enqueued)),
        (Metric::FeedbackPerS, plain.feedback / seconds),
        (Metric::ThroughputMbps, plain.delivered[1] * 8e3 / seconds / 1e6),
        (Metric::JainIndex, jain),
    ];
    for (metric, value) in expected {
        let measured = measure(outcome, metric, Scope { output: 0, flow: 1, from, to, between: [1024, 8000] });
        println!("{metric:?}: {measured}");
        assert!((measured - value).abs() <= 1e-9 * value.abs(), "{metric:?}: {measured}, events say {value}");
        let exact_zero = [Metric::QueueMinKb].contains(&metric);
        assert!(exact_zero || measured > 0.0, "{metric:?} tests nothing");
    }
    let settle = measure(outcome, Metric::SettleMs, Scope { output: 0, flow: 0, from, to, between: [1024, 8000] });
    let look = settled / 62_500;
    let expected = if look + 1 == to { f64::INFINITY } else { (look + 1) as f64 * 0.5 };
    assert_eq!(settle, expected);
}
