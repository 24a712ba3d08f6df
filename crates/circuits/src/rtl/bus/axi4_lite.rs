// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a part on AXI4-Lite.

use tidegate_hdl::prelude::*;

module! {
    /// An AXI4-Lite subordinate before a register file with a native port: 32 bits of data, 12 bits of byte address.
    ///
    /// Address and value of a write may come in any order and at any distance. One access is in work at a time; if a
    /// read and a write wait, they take turns. A write of fewer than four octets is answered with SLVERR and does nothing;
    /// all other responses are OKAY, also that of a write whose value the register file refuses, because it counts them.
    /// A read is answered 8 cycles after its address was taken, a write 8 cycles after the later of address and value, or 3
    /// cycles if it is refused, if nothing else is in work. An access waits while the response of the last one of its kind
    /// has not been taken. Bits 1 and 0 of an address are not read, and neither is the protection.
    ///
    /// The reset is synchronous, active high: connect it to the inverse of `aresetn`, and the clock to `aclk`.
    pub struct Axi4Lite: "axi4_lite" {
        /// Clock, rising edge: that of the bus.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high: the inverse of `aresetn`.
        pub reset: Signal<In, Bit>,
        /// Byte address of a write.
        pub s_axi_awaddr: Signal<In, Bits<12>>,
        /// Its protection, which is not read.
        pub s_axi_awprot: Signal<In, Bits<3>>,
        /// There is an address of a write.
        pub s_axi_awvalid: Signal<In, Bit>,
        /// It is taken.
        pub s_axi_awready: Signal<Out, Bit>,
        /// Value to write.
        pub s_axi_wdata: Signal<In, Bits<32>>,
        /// Its octets that are written: all, or the write is refused.
        pub s_axi_wstrb: Signal<In, Bits<4>>,
        /// There is a value to write.
        pub s_axi_wvalid: Signal<In, Bit>,
        /// It is taken.
        pub s_axi_wready: Signal<Out, Bit>,
        /// Response to a write: 0 OKAY, 2 SLVERR.
        pub s_axi_bresp: Signal<Out, Bits<2>>,
        /// There is a response to a write; it does not change until it is taken.
        pub s_axi_bvalid: Signal<Out, Bit>,
        /// It is taken.
        pub s_axi_bready: Signal<In, Bit>,
        /// Byte address of a read.
        pub s_axi_araddr: Signal<In, Bits<12>>,
        /// Its protection, which is not read.
        pub s_axi_arprot: Signal<In, Bits<3>>,
        /// There is an address of a read.
        pub s_axi_arvalid: Signal<In, Bit>,
        /// It is taken.
        pub s_axi_arready: Signal<Out, Bit>,
        /// The value that was read.
        pub s_axi_rdata: Signal<Out, Bits<32>>,
        /// Response to a read: 0 OKAY.
        pub s_axi_rresp: Signal<Out, Bits<2>>,
        /// There is a value that was read; it does not change until it is taken.
        pub s_axi_rvalid: Signal<Out, Bit>,
        /// It is taken.
        pub s_axi_rready: Signal<In, Bit>,
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
        /// The value that was read; valid with `register_acknowledge`.
        pub register_read_data: Signal<In, Bits<32>>,
        /// The address of a write waits.
        write_addressed: Register<Bit>,
        /// Its word.
        write_word: DFF<Bits<10>>,
        /// The value of a write waits.
        write_valued: Register<Bit>,
        /// The value.
        write_value: DFF<Bits<32>>,
        /// All its octets are to be written.
        write_whole: DFF<Bit>,
        /// The address of a read waits.
        read_addressed: Register<Bit>,
        /// Its word.
        read_word: DFF<Bits<10>>,
        /// An access is in work.
        working: Register<Bit>,
        /// The access in work, or the last one, is a write.
        writing: Register<Bit>,
        /// There is a response to a write.
        responds: Register<Bit>,
        /// It is SLVERR.
        responds_error: DFF<Bit>,
        /// There is a value that was read.
        returns: Register<Bit>,
        /// The value.
        returned: DFF<Bits<32>>,
        write_waits: Signal<Local, Bit>,
        read_waits: Signal<Local, Bit>,
        write_turn: Signal<Local, Bit>,
        read_turn: Signal<Local, Bit>,
        refuses: Signal<Local, Bit>,
        ends_write: Signal<Local, Bit>,
        ends_read: Signal<Local, Bit>,
    }
}

impl Logic for Axi4Lite {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_addressed, write_word, write_valued, write_value, write_whole, read_addressed);
        dff_setup!(self, clock, read_word, working, writing, responds, responds_error, returns, returned);
        self.write_addressed.reset.next = self.reset.val();
        self.write_valued.reset.next = self.reset.val();
        self.read_addressed.reset.next = self.reset.val();
        self.working.reset.next = self.reset.val();
        self.writing.reset.next = self.reset.val();
        self.responds.reset.next = self.reset.val();
        self.returns.reset.next = self.reset.val();

        // What comes is taken while its place is free.
        if self.s_axi_awvalid.val() & !self.write_addressed.q.val() {
            self.write_addressed.d.next = true;
            self.write_word.d.next = self.s_axi_awaddr.val().to_bits().get_bits::<10>(2);
        }
        if self.s_axi_wvalid.val() & !self.write_valued.q.val() {
            self.write_valued.d.next = true;
            self.write_value.d.next = self.s_axi_wdata.val();
            self.write_whole.d.next = self.s_axi_wstrb.val() == 15;
        }
        if self.s_axi_arvalid.val() & !self.read_addressed.q.val() {
            self.read_addressed.d.next = true;
            self.read_word.d.next = self.s_axi_araddr.val().to_bits().get_bits::<10>(2);
        }
        if self.s_axi_bready.val() {
            self.responds.d.next = false;
        }
        if self.s_axi_rready.val() {
            self.returns.d.next = false;
        }

        // An access begins if there is a place for its response.
        self.write_waits.next =
            self.write_addressed.q.val() & self.write_valued.q.val() & !self.responds.q.val() & !self.working.q.val();
        self.read_waits.next = self.read_addressed.q.val() & !self.returns.q.val() & !self.working.q.val();
        self.write_turn.next = self.write_waits.val() & (!self.read_waits.val() | !self.writing.q.val());
        self.read_turn.next = self.read_waits.val() & (!self.write_waits.val() | self.writing.q.val());
        if self.write_turn.val() {
            self.working.d.next = true;
            self.writing.d.next = true;
        }
        if self.read_turn.val() {
            self.working.d.next = true;
            self.writing.d.next = false;
        }

        // A write of some octets has its turn, but is no access: it ends at once.
        self.refuses.next = self.working.q.val() & self.writing.q.val() & !self.write_whole.q.val();
        self.ends_write.next = self.working.q.val() & self.writing.q.val() & self.register_acknowledge.val();
        self.ends_read.next = self.working.q.val() & !self.writing.q.val() & self.register_acknowledge.val();
        if self.ends_write.val() | self.ends_read.val() | self.refuses.val() {
            self.working.d.next = false;
        }
        if self.ends_write.val() | self.refuses.val() {
            self.write_addressed.d.next = false;
            self.write_valued.d.next = false;
            self.responds.d.next = true;
            self.responds_error.d.next = self.refuses.val();
        }
        if self.ends_read.val() {
            self.read_addressed.d.next = false;
            self.returns.d.next = true;
            self.returned.d.next = self.register_read_data.val();
        }

        self.s_axi_awready.next = !self.write_addressed.q.val();
        self.s_axi_wready.next = !self.write_valued.q.val();
        self.s_axi_arready.next = !self.read_addressed.q.val();
        self.s_axi_bvalid.next = self.responds.q.val();
        self.s_axi_bresp.next = 0.into();
        if self.responds_error.q.val() {
            self.s_axi_bresp.next = 2.into();
        }
        self.s_axi_rvalid.next = self.returns.q.val();
        self.s_axi_rdata.next = self.returned.q.val();
        self.s_axi_rresp.next = 0.into();

        self.register_select.next = self.working.q.val() & !self.refuses.val();
        self.register_write.next = self.writing.q.val();
        self.register_address.next = self.read_word.q.val();
        if self.writing.q.val() {
            self.register_address.next = self.write_word.q.val();
        }
        self.register_write_data.next = self.write_value.q.val();
    }
}
