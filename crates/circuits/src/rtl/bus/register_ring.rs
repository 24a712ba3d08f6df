// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a part on the register ring of a NetFPGA-1G.
// The ports have the names of the reference pipeline.
#![allow(non_snake_case)]

use tidegate_hdl::prelude::*;

module! {
    /// A node of the register ring of a NetFPGA-1G, before a register file with a native port.
    ///
    /// A request goes round the ring: `reg_req` is high for one cycle, and the node that has the register sets `reg_ack`.
    /// Requests for other blocks, and requests that have been answered, go out one cycle later, unchanged. A request for
    /// this block is taken off the ring, and the register file gets it in the next cycle. Its answer goes out seven cycles
    /// after the request came in, or in the first later cycle that no other request needs. The register file acknowledges
    /// five cycles after `register_select` rises, and holds `register_read_data` until it takes the next access.
    ///
    /// The ring has one request at a time. If another one for this block comes before the answer of the first, it goes
    /// out unanswered, and `unanswered_request` is high in the next cycle: the master of the ring reads 0xdeadbeef then.
    pub struct RegisterRing: "register_ring" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Block of this node: bits 22 to 10 of the address of a request.
        #[parameter]
        pub block_address: Signal<In, Bits<13>>,
        /// There is a request.
        pub reg_req_in: Signal<In, Bit>,
        /// It has been answered.
        pub reg_ack_in: Signal<In, Bit>,
        /// 1: read, 0: write.
        pub reg_rd_wr_L_in: Signal<In, Bit>,
        /// Address of the register, in words of 32 bits.
        pub reg_addr_in: Signal<In, Bits<23>>,
        /// Value to write, or the value that was read.
        pub reg_data_in: Signal<In, Bits<32>>,
        /// Who has sent the request.
        pub reg_src_in: Signal<In, Bits<2>>,
        /// There is a request.
        pub reg_req_out: Signal<Out, Bit>,
        /// It has been answered.
        pub reg_ack_out: Signal<Out, Bit>,
        /// 1: read, 0: write.
        pub reg_rd_wr_L_out: Signal<Out, Bit>,
        /// Address of the register, in words of 32 bits.
        pub reg_addr_out: Signal<Out, Bits<23>>,
        /// Value to write, or the value that was read.
        pub reg_data_out: Signal<Out, Bits<32>>,
        /// Who has sent the request.
        pub reg_src_out: Signal<Out, Bits<2>>,
        /// An access of the register file: high until it is acknowledged.
        pub register_select: Signal<Out, Bit>,
        /// 1: write, 0: read.
        pub register_write: Signal<Out, Bit>,
        /// Bits 11 to 2 of the byte address.
        pub register_address: Signal<Out, Bits<10>>,
        /// Value to write.
        pub register_write_data: Signal<Out, Bits<32>>,
        /// The access ends.
        pub register_acknowledge: Signal<In, Bit>,
        /// The value that was read; valid from `register_acknowledge` until the next access.
        pub register_read_data: Signal<In, Bits<32>>,
        /// A request for this block went out unanswered, because one was in work.
        pub unanswered_request: Signal<Out, Bit>,
        request: Register<Bit>,
        answered: Register<Bit>,
        reads: DFF<Bit>,
        address: DFF<Bits<23>>,
        data: DFF<Bits<32>>,
        source: DFF<Bits<2>>,
        /// A request for this block is in work.
        held: Register<Bit>,
        /// The register file has acknowledged it.
        done: Register<Bit>,
        /// It is a read.
        held_reads: DFF<Bit>,
        /// Its word in the block.
        held_word: DFF<Bits<10>>,
        /// Its value.
        held_data: DFF<Bits<32>>,
        /// Who has sent it.
        held_source: DFF<Bits<2>>,
        unanswered: Register<Bit>,
        ours: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
        answers: Signal<Local, Bit>,
    }
}

impl Logic for RegisterRing {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, request, answered, reads, address, data, source, held, done);
        dff_setup!(self, clock, held_reads, held_word, held_data, held_source, unanswered);
        self.request.reset.next = self.reset.val();
        self.answered.reset.next = self.reset.val();
        self.held.reset.next = self.reset.val();
        self.done.reset.next = self.reset.val();
        self.unanswered.reset.next = self.reset.val();

        self.ours.next = self.reg_req_in.val()
            & !self.reg_ack_in.val()
            & (self.reg_addr_in.val().to_bits().get_bits::<13>(10) == self.block_address.val());
        self.takes.next = self.ours.val() & !self.held.q.val();
        self.unanswered.d.next = self.ours.val() & self.held.q.val();
        if self.takes.val() {
            self.held.d.next = true;
        }
        // Every request is stored until one is for this block.
        if !self.held.q.val() {
            self.held_reads.d.next = self.reg_rd_wr_L_in.val();
            self.held_word.d.next = self.reg_addr_in.val().to_bits().get_bits::<10>(0);
            self.held_data.d.next = self.reg_data_in.val();
            self.held_source.d.next = self.reg_src_in.val();
        }

        // An answer waits for a cycle without a request. While it waits, none is taken off the ring.
        self.answers.next =
            self.held.q.val() & (self.register_acknowledge.val() | self.done.q.val()) & !self.reg_req_in.val();
        if self.held.q.val() & self.register_acknowledge.val() {
            self.done.d.next = true;
        }
        self.request.d.next = self.reg_req_in.val() & !self.takes.val();
        self.answered.d.next = self.reg_ack_in.val();
        self.reads.d.next = self.reg_rd_wr_L_in.val();
        self.address.d.next = self.reg_addr_in.val();
        self.data.d.next = self.reg_data_in.val();
        self.source.d.next = self.reg_src_in.val();
        if self.answers.val() {
            self.held.d.next = false;
            self.done.d.next = false;
            self.request.d.next = true;
            self.answered.d.next = true;
            self.reads.d.next = self.held_reads.q.val();
            self.address.d.next = (bit_cast::<23, 13>(self.block_address.val()).to_bits() << 10)
                | bit_cast::<23, 10>(self.held_word.q.val());
            self.data.d.next = self.held_data.q.val();
            self.source.d.next = self.held_source.q.val();
            if self.held_reads.q.val() {
                self.data.d.next = self.register_read_data.val();
            }
        }

        self.register_select.next = self.held.q.val() & !self.done.q.val();
        self.register_write.next = !self.held_reads.q.val();
        self.register_address.next = self.held_word.q.val();
        self.register_write_data.next = self.held_data.q.val();
        self.reg_req_out.next = self.request.q.val();
        self.reg_ack_out.next = self.answered.q.val();
        self.reg_rd_wr_L_out.next = self.reads.q.val();
        self.reg_addr_out.next = self.address.q.val();
        self.reg_data_out.next = self.data.q.val();
        self.reg_src_out.next = self.source.q.val();
        self.unanswered_request.next = self.unanswered.q.val();
    }
}
