// SPDX-License-Identifier: MIT OR Apache-2.0
//! The closed loop through the buses: three cards with `tidegate_rp`, and a switch with `tidegate_cp`.

use super::card::Card;
use super::switch::{BOTTLENECK, Switch};
use tidegate_core::units::{Cycles, Rate};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::parameters::Parameters;

/// The ports of the switch with a card.
const PORTS: [usize; 3] = [0, 2, 4];

/// What happened in a run.
#[derive(Default)]
pub struct Outcome {
    /// Length of the controlled queue at regular times, bytes.
    pub queue: Vec<(Cycles, u32)>,
    /// Rate of each source at the same times.
    pub rates: Vec<Vec<Rate>>,
    /// Octets that went out of the bottleneck.
    pub bytes_out: u64,
    /// Packets that the controlled queue dropped.
    pub dropped: u64,
    /// Feedback frames that the switch sent.
    pub feedback_sent: u64,
    /// From a whole feedback frame in a card to the new rate, cycles.
    pub latencies: Vec<Cycles>,
}

/// Runs it for some cycles, and looks each `period` cycles. `tags`: feedback names a flow by its CN-TAG.
pub fn run(
    scheme: &'static Scheme,
    settings: &[(String, String)],
    parameters: &Parameters,
    cycles: Cycles,
    period: Cycles,
    tags: bool,
) -> Outcome {
    let mut switch = Switch::new(scheme, settings, parameters);
    let packet = parameters.integer("packet_bytes");
    let seed = parameters.integer("seed");
    let card = |source: u32| {
        let from = packet + (seed * 7919 + u64::from(source) * 104_729) % packet;
        Card::new(scheme, settings, parameters, source, from, tags)
    };
    let mut cards: Vec<_> = (0..PORTS.len() as u32).map(card).collect();
    let mut outcome = Outcome::default();
    let mut ended = Vec::new();
    for now in 0..cycles {
        if now.is_multiple_of(period) {
            outcome.queue.push((now, switch.queue_bytes));
            outcome.rates.push(cards.iter().map(|card| card.rate).collect());
        }
        switch.cycle(now, &mut ended);
        for (port, frame) in ended.drain(..) {
            match PORTS.iter().position(|&known| known == port) {
                Some(source) => cards[source].receive(now, &frame),
                None if port == BOTTLENECK => outcome.bytes_out += frame.len() as u64,
                None => panic!("a frame at port {port}"),
            }
        }
        for (card, port) in cards.iter_mut().zip(PORTS) {
            if let Some(frame) = card.cycle(now) {
                switch.receive(port, frame);
            }
        }
    }
    outcome.dropped = switch.drops;
    outcome.feedback_sent = switch.frames;
    outcome.latencies = cards.iter().flat_map(|card| card.latencies.iter().copied()).collect();
    outcome
}
