// SPDX-License-Identifier: MIT OR Apache-2.0
//! The queues and source ports of the samples that wait.

use tidegate_hdl::prelude::*;

module! {
    /// For each sample in the sample queue, the number of the queue that its packet entered, and of the port at which it
    /// came in: first in, first out, four places, in step with the sample queue, which says when there is room. The port
    /// of every packet is written when it is taken; if the packet is no sample, the next one overwrites it.
    pub struct SampleOwners<const N: usize>: "sample_owners" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A packet is taken; its source port is valid.
        pub accepts: Signal<In, Bit>,
        /// Number of the port at which the packet came in; valid with the packet.
        pub source_port: Signal<In, Bits<3>>,
        /// A sample enters the sample queue.
        pub sample: Signal<In, Bit>,
        /// The queue of this sample.
        pub queue_index: Signal<In, Bits<N>>,
        /// The oldest sample leaves the sample queue.
        pub pop: Signal<In, Bit>,
        /// The queue of the oldest sample.
        pub head_queue: Signal<Out, Bits<N>>,
        /// The source port of its packet: the feedback frame goes there; valid with the frame.
        pub frame_port: Signal<Out, Bits<3>>,
        /// The queue of each sample.
        owners: LutRam<Bits<N>, 2>,
        /// The source port of each sample.
        source_ports: LutRam<Bits<3>, 2>,
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
        clock!(self, clock, owners, source_ports);
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
        self.source_ports.write_address.next = self.write_pointer.q.val();
        self.source_ports.write_data.next = self.source_port.val();
        self.source_ports.write_enable.next = self.accepts.val();
        self.source_ports.read_address.next = self.read_pointer.q.val();
        self.frame_port.next = self.source_ports.read_data.val();
    }
}
