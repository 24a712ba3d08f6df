//! The queues of the samples that wait.

use crate::rtl::lut_ram::LutRam;
use crate::rtl::module;
use crate::rtl::register::Register;
use rust_hdl::prelude::*;

module! {
    /// For each sample in the sample queue, the number of the queue that its packet entered: first in, first out, four
    /// places, in step with the sample queue, which says when there is room.
    pub struct SampleOwners<const N: usize>: "sample_owners" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// A sample enters the sample queue.
        pub sample: Signal<In, Bit>,
        /// The queue of this sample.
        pub queue_index: Signal<In, Bits<N>>,
        /// The oldest sample leaves the sample queue.
        pub pop: Signal<In, Bit>,
        /// The queue of the oldest sample.
        pub head_queue: Signal<Out, Bits<N>>,
        /// The queue of each sample.
        owners: LutRam<Bits<N>, 2>,
        /// Address of the next sample to write.
        write_pointer: Register<Bits<2>>,
        /// Address of the oldest sample.
        read_pointer: Register<Bits<2>>,
    }
}

impl<const N: usize> Logic for SampleOwners<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_pointer, read_pointer);
        clock!(self, clock, owners);
        self.write_pointer.reset.next = self.reset.val();
        self.read_pointer.reset.next = self.reset.val();
        if self.sample.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        if self.pop.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }
        self.owners.write_address.next = self.write_pointer.q.val();
        self.owners.write_data.next = self.queue_index.val();
        self.owners.write_enable.next = self.sample.val();
        self.owners.read_address.next = self.read_pointer.q.val();
        self.head_queue.next = self.owners.read_data.val();
    }
}
