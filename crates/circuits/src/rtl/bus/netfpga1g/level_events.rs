// SPDX-License-Identifier: MIT OR Apache-2.0
//! What leaves output queues whose levels are known.

use super::queue_levels::QueueLevels;
use super::words_in_flight::WordsInFlight;
use tidegate_hdl::prelude::*;

module! {
    /// Makes the lengths in a congestion point follow the levels of eight output queues in block RAM.
    ///
    /// It counts the words of each queue as the congestion point does. One queue after the other, it compares what it has
    /// counted with the level and the words in flight: what is too much has left the queue, and is an event. A queue is
    /// looked at in four cycles, one more if there is an event, and as long as the congestion point does not take it.
    /// So a length is never less than the level and what is in flight, except for words that nothing announced: packets
    /// without an event, and module headers after the first. It is more by what has left since the last look, and by
    /// 25 words while packets pass. An event never takes more than was counted.
    pub struct LevelEvents: "level_events" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        pub queue_words_0: Signal<In, Bits<11>>,
        pub queue_words_1: Signal<In, Bits<11>>,
        pub queue_words_2: Signal<In, Bits<11>>,
        pub queue_words_3: Signal<In, Bits<11>>,
        pub queue_words_4: Signal<In, Bits<11>>,
        pub queue_words_5: Signal<In, Bits<11>>,
        pub queue_words_6: Signal<In, Bits<11>>,
        pub queue_words_7: Signal<In, Bits<11>>,
        pub packet_known: Signal<In, Bit>,
        pub packet_words: Signal<In, Bits<8>>,
        pub packet_queues: Signal<In, Bits<8>>,
        pub next_wr: Signal<In, Bit>,
        pub out_of_packet: Signal<In, Bit>,
        pub buffered: Signal<In, Bit>,
        pub boundary: Signal<In, Bit>,
        /// A packet or frame enters an output queue; counted if `ready` is high.
        pub enqueue: Signal<In, Bit>,
        /// Number of this queue; valid with `enqueue`.
        pub enqueue_queue: Signal<In, Bits<6>>,
        /// What the queue stores of it, bytes; valid with `enqueue`.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// The congestion point takes it in this cycle.
        pub ready: Signal<In, Bit>,
        /// Words have left an output queue; taken if `dequeue_ready` is high.
        pub dequeue: Signal<Out, Bit>,
        /// Number of this queue; valid with `dequeue`.
        pub dequeue_queue: Signal<Out, Bits<6>>,
        /// What has left, bytes; valid with `dequeue`.
        pub dequeue_bytes: Signal<Out, Bits<24>>,
        /// The congestion point takes the event in this cycle.
        pub dequeue_ready: Signal<In, Bit>,
        queue_levels: QueueLevels,
        words_in_flight: WordsInFlight,
        /// Words of each queue that were counted and have not left.
        counts: LutRam<Bits<13>, 3>,
        /// Queues whose count was cleared after a reset, 0 to 8.
        cleared: Register<Bits<4>>,
        /// A packet or frame was counted in the cycle before: its words must be added.
        came: Register<Bit>,
        /// Its queue.
        came_queue: DFF<Bits<3>>,
        /// Its words.
        came_words: DFF<Bits<8>>,
        /// The queue that is looked at.
        looked_at: Register<Bits<3>>,
        /// 0 = read, 1 = add, 2 = compare, 3 = tell, 4 = subtract.
        phase: Register<Bits<3>>,
        /// Words that were counted.
        counted: DFF<Bits<13>>,
        level: DFF<Bits<12>>,
        in_flight: DFF<Bits<9>>,
        /// Words that may be in the queue or in flight.
        there: DFF<Bits<13>>,
        /// Words that have left, two's complement.
        excess: DFF<Bits<14>>,
        has_left: Signal<Local, Bit>,
    }
}

impl Logic for LevelEvents {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, cleared, came, came_queue, came_words, looked_at, phase, counted, level, in_flight, there,
            excess
        );
        clock!(self, clock, queue_levels, words_in_flight, counts);
        self.queue_levels.reset.next = self.reset.val();
        self.words_in_flight.reset.next = self.reset.val();
        self.cleared.reset.next = self.reset.val();
        self.came.reset.next = self.reset.val();
        self.looked_at.reset.next = self.reset.val();
        self.phase.reset.next = self.reset.val();

        self.queue_levels.queue_words_0.next = self.queue_words_0.val();
        self.queue_levels.queue_words_1.next = self.queue_words_1.val();
        self.queue_levels.queue_words_2.next = self.queue_words_2.val();
        self.queue_levels.queue_words_3.next = self.queue_words_3.val();
        self.queue_levels.queue_words_4.next = self.queue_words_4.val();
        self.queue_levels.queue_words_5.next = self.queue_words_5.val();
        self.queue_levels.queue_words_6.next = self.queue_words_6.val();
        self.queue_levels.queue_words_7.next = self.queue_words_7.val();
        self.queue_levels.queue_index.next = self.looked_at.q.val();
        self.words_in_flight.packet_known.next = self.packet_known.val();
        self.words_in_flight.packet_words.next = self.packet_words.val();
        self.words_in_flight.packet_queues.next = self.packet_queues.val();
        self.words_in_flight.next_wr.next = self.next_wr.val();
        self.words_in_flight.buffered.next = self.buffered.val();
        self.words_in_flight.out_of_packet.next = self.out_of_packet.val();
        self.words_in_flight.boundary.next = self.boundary.val();
        self.words_in_flight.queue_index.next = self.looked_at.q.val();

        comment!("What the congestion point counts");
        self.came.d.next = self.enqueue.val() & self.ready.val();
        self.came_queue.d.next = self.enqueue_queue.val().to_bits().get_bits::<3>(0);
        self.came_words.d.next = self.enqueue_bytes.val().to_bits().get_bits::<8>(3);
        self.counts.read_address.next = self.looked_at.q.val();
        self.counts.write_address.next = self.looked_at.q.val();
        self.counts.write_enable.next = false;
        self.counts.write_data.next = self.counts.read_data.val() - self.excess.q.val().to_bits().get_bits::<13>(0);

        comment!("A look at a queue");
        self.counted.d.next = self.counts.read_data.val();
        self.level.d.next = self.queue_levels.level.val();
        self.in_flight.d.next = self.words_in_flight.in_flight.val();
        self.there.d.next = bit_cast::<13, 12>(self.level.q.val()) + bit_cast::<13, 9>(self.in_flight.q.val());
        self.excess.d.next = self.excess.q.val();
        self.has_left.next = !self.excess.q.val().get_bit(13) & self.excess.q.val().any();
        if self.came.q.val() {
            // It has the memory for this cycle.
            self.counts.read_address.next = self.came_queue.q.val();
            self.counts.write_address.next = self.came_queue.q.val();
            self.counts.write_enable.next = true;
            self.counts.write_data.next = self.counts.read_data.val() + bit_cast::<13, 8>(self.came_words.q.val());
        } else if self.phase.q.val() == 0 {
            self.phase.d.next = 1.into();
        } else if self.phase.q.val() == 4 {
            self.counts.write_enable.next = true;
            self.phase.d.next = 0.into();
            self.looked_at.d.next = self.looked_at.q.val() + 1;
        }
        if self.phase.q.val() == 1 {
            self.counted.d.next = self.counted.q.val();
            self.phase.d.next = 2.into();
        }
        if self.phase.q.val() == 2 {
            self.excess.d.next = bit_cast::<14, 13>(self.counted.q.val()) - bit_cast::<14, 13>(self.there.q.val());
            self.phase.d.next = 3.into();
        }
        if self.phase.q.val() == 3 {
            if !self.has_left.val() {
                self.phase.d.next = 0.into();
                self.looked_at.d.next = self.looked_at.q.val() + 1;
            } else if self.dequeue_ready.val() {
                self.phase.d.next = 4.into();
            }
        }
        if !self.cleared.q.val().get_bit(3) {
            self.cleared.d.next = self.cleared.q.val() + 1;
            self.counts.write_address.next = self.cleared.q.val().to_bits().get_bits::<3>(0);
            self.counts.write_enable.next = true;
            self.counts.write_data.next = 0.into();
            self.phase.d.next = 0.into();
        }

        self.dequeue.next = (self.phase.q.val() == 3) & self.has_left.val();
        self.dequeue_queue.next = bit_cast::<6, 3>(self.looked_at.q.val());
        self.dequeue_bytes.next = bit_cast::<24, 13>(self.excess.q.val().to_bits().get_bits::<13>(0)).to_bits() << 3;
    }
}
