// SPDX-License-Identifier: MIT OR Apache-2.0
//! The token buckets of the flows of a flow limiter.

use crate::rtl::flow_memory::FlowMemory;
use tidegate_hdl::prelude::*;

module! {
    /// Holds of each flow the level of its bucket, the tick from which on time counts, and whether its frame waits. A visit
    /// reads the three, and writes them at its end.
    ///
    /// Time counts from the begin of the tick of a visit; from the next tick if the rate changed, or if a frame was sent and
    /// the bucket may have been full, because until then less than a tick at this rate counts. Where a visit brings nothing,
    /// the time before it goes on to count.
    pub struct BucketMemory: "bucket_memory" {
        pub clock: Signal<In, Clock>,
        /// Tick of this cycle.
        pub now: Signal<In, Bits<12>>,
        /// Number of the flow that is visited.
        pub flow: Signal<In, Bits<12>>,
        /// The bucket of `flow` becomes empty, and no frame of it waits: the memories are being cleared.
        pub in_clear: Signal<In, Bit>,
        /// The phase is `Load`: the tick of this cycle is that of the visit.
        pub in_load: Signal<In, Bit>,
        /// The phase is `Check`, which follows it.
        pub in_check: Signal<In, Bit>,
        /// The phase is `Settle`: `brings` is valid.
        pub in_settle: Signal<In, Bit>,
        /// The phase is `Deduct`: a frame is sent or announced, and `fills` is valid.
        pub in_deduct: Signal<In, Bit>,
        /// The phase is `Write`: the state of the flow is written.
        pub in_write: Signal<In, Bit>,
        /// The flow is visited because its frame is sent.
        pub for_send: Signal<In, Bit>,
        /// The flow is visited because a frame of it is announced.
        pub for_announce: Signal<In, Bit>,
        /// The flow is visited because its rate changes.
        pub for_change: Signal<In, Bit>,
        /// The time since the last visit brings a quarter of a byte or more.
        pub brings: Signal<In, Bit>,
        /// The bucket was full, or the rest of the tick may fill it.
        pub fills: Signal<In, Bit>,
        /// Level of the bucket, bytes, 2 fraction bits, two's complement; valid with `in_write`.
        pub level: Signal<In, Bits<22>>,
        /// Level of the bucket before this visit, bytes, 2 fraction bits, two's complement; from the phase `Check` on.
        pub read_level: Signal<Out, Bits<22>>,
        /// A frame of the flow is announced; from the phase `Check` on.
        pub read_waits: Signal<Out, Bit>,
        /// Ticks that count in this visit; valid in the phase `Check`.
        pub elapsed: Signal<Out, Bits<12>>,
        /// Time counts from the tick after this visit: no time since. From the phase `Multiply` on, until `stamp` changes.
        pub rests: Signal<Out, Bit>,
        /// State of each flow: bit 29 = a frame is announced, bits 28 to 17 = tick from which on time counts, bits 16 to 0 =
        /// level of the bucket without the announced frame, bytes, 2 fraction bits, two's complement.
        states: FlowMemory<30>,
        /// State of the current flow, as `states` read it in the cycle before.
        old_state: Delay<Bits<30>>,
        /// Tick of this visit, then that from which on time counts.
        stamp: DFF<Bits<12>>,
        /// In the cycle before, time counted from the tick after `stamp`.
        early: DFF<Bit>,
        /// A frame of the flow is announced.
        waits: DFF<Bit>,
        read_time: Signal<Local, Bits<12>>,
        next_tick: Signal<Local, Bits<12>>,
    }
}

impl BucketMemory {
    /// For 2^`flow_bits` flows, at most 2^12.
    pub fn new(flow_bits: usize) -> Self {
        BucketMemory { states: FlowMemory::new(flow_bits), ..BucketMemory::default() }
    }
}

impl Logic for BucketMemory {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, old_state, stamp, early, waits);
        clock!(self, clock, states);

        comment!("State of the flow before the visit");
        self.states.read_address.next = self.flow.val();
        self.old_state.d.next = self.states.read_data.val();
        self.read_level.next = bit_cast::<22, 17>(self.old_state.q.val().to_bits().get_bits::<17>(0));
        if self.old_state.q.val().get_bit(16) {
            self.read_level.next = bit_cast::<22, 17>(self.old_state.q.val().to_bits().get_bits::<17>(0)) | 0x3e_0000;
        }
        self.read_time.next = self.old_state.q.val().to_bits().get_bits::<12>(17);
        self.read_waits.next = self.old_state.q.val().get_bit(29);

        comment!("Time");
        self.elapsed.next = self.stamp.q.val() - self.read_time.val();
        // Whether `read_time` is `stamp` + 1. No adder is needed: both differ in bit 0, and above it where the bit below carries.
        self.early.d.next = (self.stamp.q.val() ^ self.read_time.val())
            == (((self.stamp.q.val() & !self.read_time.val()).to_bits() << 1) | 1);
        self.rests.next = self.early.q.val();
        self.next_tick.next = self.stamp.q.val() + 1;
        if self.in_settle.val() {
            // Unless the rate changes or a frame is sent.
            if self.for_change.val() {
                self.stamp.d.next = self.next_tick.val();
            } else if !self.for_send.val() & !self.brings.val() {
                self.stamp.d.next = self.read_time.val();
            }
        }
        if self.in_deduct.val() & !self.for_announce.val() & (self.fills.val() | self.early.q.val()) {
            self.stamp.d.next = self.next_tick.val();
        }
        if self.in_load.val() {
            self.stamp.d.next = self.now.val();
        }

        comment!("Whether a frame waits after the visit");
        if self.in_check.val() {
            self.waits.d.next = self.read_waits.val();
            if self.for_send.val() {
                self.waits.d.next = false;
            }
            if self.for_announce.val() {
                self.waits.d.next = true;
            }
        }

        comment!("State of the flow after the visit");
        self.states.write_address.next = self.flow.val();
        self.states.write_data.next = bit_cast::<30, 17>(self.level.val().to_bits().get_bits::<17>(0))
            | (bit_cast::<30, 12>(self.stamp.q.val()).to_bits() << 17);
        if self.waits.q.val() {
            self.states.write_data.next = bit_cast::<30, 17>(self.level.val().to_bits().get_bits::<17>(0))
                | (bit_cast::<30, 12>(self.stamp.q.val()).to_bits() << 17)
                | 0x2000_0000_u64;
        }
        self.states.write_enable.next = self.in_write.val();
        if self.in_clear.val() {
            self.states.write_enable.next = true;
            self.states.write_data.next = 0.into();
        }
    }
}
