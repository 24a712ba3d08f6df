// SPDX-License-Identifier: MIT OR Apache-2.0
//! One AXI4-Lite bus for several register files.

use tidegate_hdl::prelude::*;

module! {
    /// Gives each access of an AXI4-Lite bus to one of eight register files of 4,096 octets: bits 14 to 12 of the address choose it.
    /// An access to a register file that is not there, or above the eight, is answered with DECERR. One access is in work at a time; a
    /// read goes before a write.
    pub struct RegisterSplit: "switch_register_split" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The register files that are there.
        pub present: Signal<In, Bits<8>>,
        /// Byte address of a write.
        pub s_axi_awaddr: Signal<In, Bits<32>>,
        /// There is an address of a write.
        pub s_axi_awvalid: Signal<In, Bit>,
        /// It is taken.
        pub s_axi_awready: Signal<Out, Bit>,
        /// Value to write.
        pub s_axi_wdata: Signal<In, Bits<32>>,
        /// Its octets that are written.
        pub s_axi_wstrb: Signal<In, Bits<4>>,
        /// There is a value to write.
        pub s_axi_wvalid: Signal<In, Bit>,
        /// It is taken.
        pub s_axi_wready: Signal<Out, Bit>,
        /// Response to a write: 0 OKAY, 2 SLVERR, 3 DECERR.
        pub s_axi_bresp: Signal<Out, Bits<2>>,
        /// There is a response to a write.
        pub s_axi_bvalid: Signal<Out, Bit>,
        /// It is taken.
        pub s_axi_bready: Signal<In, Bit>,
        /// Byte address of a read.
        pub s_axi_araddr: Signal<In, Bits<32>>,
        /// There is an address of a read.
        pub s_axi_arvalid: Signal<In, Bit>,
        /// It is taken.
        pub s_axi_arready: Signal<Out, Bit>,
        /// The value that was read.
        pub s_axi_rdata: Signal<Out, Bits<32>>,
        /// Response to a read: 0 OKAY, 3 DECERR.
        pub s_axi_rresp: Signal<Out, Bits<2>>,
        /// There is a value that was read.
        pub s_axi_rvalid: Signal<Out, Bit>,
        /// It is taken.
        pub s_axi_rready: Signal<In, Bit>,
        /// Byte address in a register file, of a write and of a read.
        pub file_address: Signal<Out, Bits<12>>,
        /// Value to write.
        pub file_wdata: Signal<Out, Bits<32>>,
        /// Its octets that are written.
        pub file_wstrb: Signal<Out, Bits<4>>,
        /// For each register file: there is an address of a write.
        pub file_awvalid: [Signal<Out, Bit>; 8],
        /// It is taken.
        pub file_awready: [Signal<In, Bit>; 8],
        /// For each: there is a value to write.
        pub file_wvalid: [Signal<Out, Bit>; 8],
        /// It is taken.
        pub file_wready: [Signal<In, Bit>; 8],
        /// For each: response to a write.
        pub file_bresp: [Signal<In, Bits<2>>; 8],
        /// There is a response.
        pub file_bvalid: [Signal<In, Bit>; 8],
        /// For each: there is an address of a read.
        pub file_arvalid: [Signal<Out, Bit>; 8],
        /// It is taken.
        pub file_arready: [Signal<In, Bit>; 8],
        /// For each: the value that was read.
        pub file_rdata: [Signal<In, Bits<32>>; 8],
        /// Its response.
        pub file_rresp: [Signal<In, Bits<2>>; 8],
        /// There is a value.
        pub file_rvalid: [Signal<In, Bit>; 8],
        /// Responses of register files are taken.
        pub file_answer_ready: Signal<Out, Bit>,
        address: DFF<Bits<12>>,
        value: DFF<Bits<32>>,
        octets: DFF<Bits<4>>,
        /// The register file of the access in work.
        chosen: DFF<Bits<8>>,
        /// An access waits for the answer of its register file.
        works: Register<Bit>,
        writing: DFF<Bit>,
        /// Its address was taken, its value was.
        address_taken: Register<Bit>,
        value_taken: Register<Bit>,
        /// There is a response.
        responds: Register<Bit>,
        returns: Register<Bit>,
        response: DFF<Bits<2>>,
        returned: DFF<Bits<32>>,
        free: Signal<Local, Bit>,
        reads: Signal<Local, Bit>,
        writes: Signal<Local, Bit>,
        asked: Signal<Local, Bits<32>>,
        line: Signal<Local, Bits<8>>,
        is_there: Signal<Local, Bit>,
        here: [Signal<Local, Bit>; 8],
        address_goes: Signal<Local, Bit>,
        value_goes: Signal<Local, Bit>,
        answered: Signal<Local, Bit>,
        answer: Signal<Local, Bits<2>>,
        answer_value: Signal<Local, Bits<32>>,
    }
}

impl Logic for RegisterSplit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, address, value, octets, chosen, works, writing, address_taken, value_taken, responds);
        dff_setup!(self, clock, returns, response, returned);
        self.works.reset.next = self.reset.val();
        self.address_taken.reset.next = self.reset.val();
        self.value_taken.reset.next = self.reset.val();
        self.responds.reset.next = self.reset.val();
        self.returns.reset.next = self.reset.val();

        comment!("An access begins: a write has its address and its value");
        self.free.next = !self.works.q.val() & !self.responds.q.val() & !self.returns.q.val();
        self.reads.next = self.free.val() & self.s_axi_arvalid.val();
        self.writes.next =
            self.free.val() & !self.s_axi_arvalid.val() & self.s_axi_awvalid.val() & self.s_axi_wvalid.val();
        self.asked.next = self.s_axi_awaddr.val();
        if self.s_axi_arvalid.val() {
            self.asked.next = self.s_axi_araddr.val();
        }
        self.line.next = 0.into();
        if self.asked.val().to_bits().get_bits::<3>(12) == 0 {
            self.line.next = 1.into();
        }
        if self.asked.val().to_bits().get_bits::<3>(12) == 1 {
            self.line.next = 2.into();
        }
        if self.asked.val().to_bits().get_bits::<3>(12) == 2 {
            self.line.next = 4.into();
        }
        if self.asked.val().to_bits().get_bits::<3>(12) == 3 {
            self.line.next = 8.into();
        }
        if self.asked.val().to_bits().get_bits::<3>(12) == 4 {
            self.line.next = 16.into();
        }
        if self.asked.val().to_bits().get_bits::<3>(12) == 5 {
            self.line.next = 32.into();
        }
        if self.asked.val().to_bits().get_bits::<3>(12) == 6 {
            self.line.next = 64.into();
        }
        if self.asked.val().to_bits().get_bits::<3>(12) == 7 {
            self.line.next = 128.into();
        }
        self.is_there.next =
            (self.line.val() & self.present.val()).any() & !self.asked.val().to_bits().get_bits::<17>(15).any();
        self.s_axi_arready.next = self.reads.val();
        self.s_axi_awready.next = self.writes.val();
        self.s_axi_wready.next = self.writes.val();
        if self.reads.val() | self.writes.val() {
            self.address.d.next = self.asked.val().to_bits().get_bits::<12>(0);
            self.value.d.next = self.s_axi_wdata.val();
            self.octets.d.next = self.s_axi_wstrb.val();
            self.chosen.d.next = self.line.val();
            self.writing.d.next = self.writes.val();
            self.works.d.next = self.is_there.val();
            self.response.d.next = 3.into();
            self.returned.d.next = 0.into();
            self.address_taken.d.next = false;
            self.value_taken.d.next = false;
            if !self.is_there.val() {
                self.responds.d.next = self.writes.val();
                self.returns.d.next = self.reads.val();
            }
        }

        comment!("The register file of the access");
        self.address_goes.next = false;
        self.value_goes.next = false;
        self.answered.next = false;
        self.answer.next = 0.into();
        self.answer_value.next = 0.into();
        for file in 0..8 {
            self.here[file].next = self.works.q.val() & self.chosen.q.val().get_bit(file);
            self.file_awvalid[file].next = self.here[file].val() & self.writing.q.val() & !self.address_taken.q.val();
            self.file_wvalid[file].next = self.here[file].val() & self.writing.q.val() & !self.value_taken.q.val();
            self.file_arvalid[file].next = self.here[file].val() & !self.writing.q.val() & !self.address_taken.q.val();
            if self.here[file].val() {
                self.address_goes.next = self.file_arready[file].val();
                self.answered.next = self.file_rvalid[file].val();
                self.answer.next = self.file_rresp[file].val();
                self.answer_value.next = self.file_rdata[file].val();
                if self.writing.q.val() {
                    self.address_goes.next = self.file_awready[file].val();
                    self.value_goes.next = self.file_wready[file].val();
                    self.answered.next = self.file_bvalid[file].val();
                    self.answer.next = self.file_bresp[file].val();
                }
            }
        }
        self.file_address.next = self.address.q.val();
        self.file_wdata.next = self.value.q.val();
        self.file_wstrb.next = self.octets.q.val();
        self.file_answer_ready.next = true;
        if self.address_goes.val() {
            self.address_taken.d.next = true;
        }
        if self.value_goes.val() {
            self.value_taken.d.next = true;
        }
        if self.works.q.val() & self.answered.val() {
            self.works.d.next = false;
            self.responds.d.next = self.writing.q.val();
            self.returns.d.next = !self.writing.q.val();
            self.response.d.next = self.answer.val();
            self.returned.d.next = self.answer_value.val();
        }

        comment!("The response");
        if self.responds.q.val() & self.s_axi_bready.val() {
            self.responds.d.next = false;
        }
        self.s_axi_bvalid.next = self.responds.q.val();
        self.s_axi_bresp.next = self.response.q.val();
        self.s_axi_rvalid.next = self.returns.q.val();
        self.s_axi_rresp.next = self.response.q.val();
        self.s_axi_rdata.next = self.returned.q.val();
        if self.returns.q.val() & self.s_axi_rready.val() {
            self.returns.d.next = false;
        }
    }
}
