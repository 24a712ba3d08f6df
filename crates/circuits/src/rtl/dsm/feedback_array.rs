// SPDX-License-Identifier: MIT OR Apache-2.0
//! DSM's feedback block for many queues.

use crate::rtl::dsm::prediction::DsmPrediction;
use tidegate_hdl::prelude::*;

module! {
    /// DSM's feedback block with the sums of each queue in LUT RAM and the last 64 values of F of each in a RAM.
    ///
    /// The sums of the queue of the sample at the head are read in its first cycle there, and written back when it
    /// leaves: a frame can begin 214 cycles after its sample is at the head of the queue. A new m counts from the next
    /// sample of each queue on, and empties its history: the sums are those of m values.
    pub struct DsmFeedbackArray<const N: usize, const M: usize>: "feedback_dsm_array" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A sample is at the head of the sample queue; its fields below are valid.
        pub sample_valid: Signal<In, Bit>,
        /// A reaction point controls the flow of this sample.
        pub controlled: Signal<In, Bit>,
        /// Queue offset of this sample, bytes, two's complement.
        pub q_offset: Signal<In, Bits<25>>,
        /// Change of the queue since the sample before, bytes, two's complement.
        pub q_delta: Signal<In, Bits<25>>,
        /// The last word of the frame is transferred in this cycle.
        pub frame_done: Signal<In, Bit>,
        /// m, delay of the loop in sampling periods, not 0.
        #[parameter]
        pub loop_delay: Signal<In, Bits<6>>,
        /// ω, weight of the queue change in the sliding line.
        #[parameter]
        pub omega: Signal<In, Bits<6>>,
        /// T, sampling period, cycles.
        #[parameter]
        pub period_cycles: Signal<In, Bits<24>>,
        /// Gain a, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_a: Signal<In, Bits<28>>,
        /// Gain b, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_b: Signal<In, Bits<28>>,
        /// Gain c, 2^-18 bytes per cycle for each byte, 16 fraction bits.
        #[parameter]
        pub gain_c: Signal<In, Bits<28>>,
        /// Largest |F|, 2^-18 bytes per cycle.
        #[parameter]
        pub step_max: Signal<In, Bits<25>>,
        /// The frame fields below are valid; they are held until `frame_done`.
        pub feedback_valid: Signal<Out, Bit>,
        /// QntzFb: 0, this scheme does not use it.
        pub quantized_feedback: Signal<Out, Bits<6>>,
        /// F, 2^-18 bytes per cycle, two's complement, bits 31 to 16.
        pub q_offset_units: Signal<Out, Bits<16>>,
        /// F, bits 15 to 0.
        pub q_delta_units: Signal<Out, Bits<16>>,
        /// Remove this sample from the sample queue.
        pub pop: Signal<Out, Bit>,
        /// The queue of the sample at the head.
        pub queue_index: Signal<In, Bits<N>>,
        /// The queue that is visited.
        pub visited_queue: Signal<In, Bits<N>>,
        /// The state of all queues has been cleared; if not, the visit clears that of this queue.
        pub cleared: Signal<In, Bit>,
        prediction: DsmPrediction,
        /// The last values of F of each queue, 2^-18 bytes per cycle, two's complement. The one that is written is never the
        /// one that is read, which is m places before it.
        histories: RAM<Bits<26>, M>,
        /// Of each queue: the m of its history in bits 17 to 12, address of the next F in bits 11 to 6, number of values there
        /// in bits 5 to 0.
        places: LutRam<Bits<18>, N>,
        /// S1 of each queue.
        s1s: LutRam<Bits<32>, N>,
        /// S2 of each queue.
        s2s: LutRam<Bits<32>, N>,
        /// The six below belong to the queue of the sample at the head.
        loaded: Register<Bit>,
        /// The history is of another m: it is forgotten in the next cycle. Two memories and a comparison are too long for one.
        stale: DFF<Bit>,
        /// The m of the history and of the sample.
        delay: Delay<Bits<6>>,
        /// Address of the next F in the history.
        place: DFF<Bits<6>>,
        /// Number of values of F in the history, at most m.
        filled: DFF<Bits<6>>,
        /// S1, sum of F(k−i) over i from 1 to m.
        s1: DFF<Bits<32>>,
        /// S2, sum of i·F(k−i) over i from 1 to m.
        s2: DFF<Bits<32>>,
        write_queue: Signal<Local, Bits<N>>,
        writes: Signal<Local, Bit>,
        row: Signal<Local, Bits<M>>,
    }
}

impl<const N: usize, const M: usize> Logic for DsmFeedbackArray<N, M> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, loaded, stale, delay, place, filled, s1, s2);
        clock!(self, clock, prediction, places, s1s, s2s);
        self.histories.read_clock.next = self.clock.val();
        self.histories.write_clock.next = self.clock.val();
        self.prediction.reset.next = self.reset.val();
        self.loaded.reset.next = self.reset.val();
        self.loaded.d.next = self.sample_valid.val() & !self.prediction.pop.val();
        self.prediction.sample_valid.next = self.sample_valid.val() & self.loaded.q.val();
        self.prediction.controlled.next = self.controlled.val();
        self.prediction.q_offset.next = self.q_offset.val();
        self.prediction.q_delta.next = self.q_delta.val();
        self.prediction.frame_done.next = self.frame_done.val();
        self.prediction.loop_delay.next = self.delay.q.val();
        self.prediction.omega.next = self.omega.val();
        self.prediction.period_cycles.next = self.period_cycles.val();
        self.prediction.gain_a.next = self.gain_a.val();
        self.prediction.gain_b.next = self.gain_b.val();
        self.prediction.gain_c.next = self.gain_c.val();
        self.prediction.step_max.next = self.step_max.val();
        self.prediction.place.next = self.place.q.val();
        self.place.d.next = self.prediction.next_place.val();
        self.prediction.filled.next = self.filled.q.val();
        self.filled.d.next = self.prediction.next_filled.val();
        self.prediction.s1.next = self.s1.q.val();
        self.s1.d.next = self.prediction.next_s1.val();
        self.prediction.s2.next = self.s2.q.val();
        self.s2.d.next = self.prediction.next_s2.val();
        self.stale.d.next =
            !self.loaded.q.val() & (self.places.read_data.val().to_bits().get_bits::<6>(12) != self.loop_delay.val());
        if !self.loaded.q.val() {
            self.place.d.next = self.places.read_data.val().to_bits().get_bits::<6>(6);
            self.filled.d.next = self.places.read_data.val().to_bits().get_bits::<6>(0);
            self.s1.d.next = self.s1s.read_data.val();
            self.s2.d.next = self.s2s.read_data.val();
        } else if self.stale.q.val() {
            self.filled.d.next = 0.into();
            self.s1.d.next = 0.into();
            self.s2.d.next = 0.into();
        }
        self.delay.d.next = self.delay.q.val();
        if !self.loaded.q.val() {
            self.delay.d.next = self.loop_delay.val();
        }

        // Before the pop, which comes late, and with it.
        self.writes.next = self.prediction.decided.val() | !self.cleared.val();
        self.write_queue.next = self.queue_index.val();
        self.places.write_data.next = (bit_cast::<18, 6>(self.delay.q.val()).to_bits() << 12)
            | (bit_cast::<18, 6>(self.place.q.val()).to_bits() << 6)
            | bit_cast::<18, 6>(self.filled.q.val());
        self.s1s.write_data.next = self.s1.q.val();
        self.s2s.write_data.next = self.s2.q.val();
        if !self.cleared.val() {
            self.write_queue.next = self.visited_queue.val();
            self.places.write_data.next = 0.into();
            self.s1s.write_data.next = 0.into();
            self.s2s.write_data.next = 0.into();
        }
        self.places.read_address.next = self.queue_index.val();
        self.places.write_address.next = self.write_queue.val();
        self.places.write_enable.next = self.writes.val();
        self.s1s.read_address.next = self.queue_index.val();
        self.s1s.write_address.next = self.write_queue.val();
        self.s1s.write_enable.next = self.writes.val();
        self.s2s.read_address.next = self.queue_index.val();
        self.s2s.write_address.next = self.write_queue.val();
        self.s2s.write_enable.next = self.writes.val();

        self.row.next = bit_cast::<M, N>(self.queue_index.val()).to_bits() << 6;
        self.histories.write_address.next = self.row.val() | bit_cast::<M, 6>(self.place.q.val());
        self.histories.write_data.next = self.prediction.rate_step.val();
        self.histories.write_enable.next = self.prediction.remember.val();
        self.histories.read_address.next = self.row.val() | bit_cast::<M, 6>(self.prediction.oldest_place.val());
        self.prediction.oldest_word.next = self.histories.read_data.val();
        self.feedback_valid.next = self.prediction.feedback_valid.val();
        self.quantized_feedback.next = self.prediction.quantized_feedback.val();
        self.q_offset_units.next = self.prediction.q_offset_units.val();
        self.q_delta_units.next = self.prediction.q_delta_units.val();
        self.pop.next = self.prediction.pop.val();
    }
}
