// SPDX-License-Identifier: MIT OR Apache-2.0
// AXI4-Lite before a register file: each write and each read is one access, and has one response, in time.

module axi4_lite_properties (
    input clock,
    input reset,
    input [11:0] awaddr, araddr,
    input [2:0] awprot, arprot,
    input awvalid, wvalid, bready, arvalid, rready,
    input [31:0] wdata,
    input [3:0] wstrb,
    input acknowledge,
    input [31:0] read_data
);
    wire awready, wready, bvalid, arready, rvalid, select, write;
    wire [1:0] bresp, rresp;
    wire [9:0] address;
    wire [31:0] rdata, write_data;
    axi4_lite device (
        .clock(clock), .reset(reset), .s_axi_awaddr(awaddr), .s_axi_awprot(awprot), .s_axi_awvalid(awvalid),
        .s_axi_awready(awready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb), .s_axi_wvalid(wvalid), .s_axi_wready(wready),
        .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_araddr(araddr), .s_axi_arprot(arprot),
        .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid),
        .s_axi_rready(rready), .register_select(select), .register_write(write), .register_address(address),
        .register_write_data(write_data), .register_acknowledge(acknowledge), .register_read_data(read_data)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // The register file ends an access five cycles after it began, or earlier.
    reg [2:0] busy = 0;
    always @(posedge clock) busy <= select && !acknowledge && !reset ? busy + 1 : 0;
    always @(*) assume(!select || acknowledge || busy < 5);

    // What was taken from the bus and has had no response yet.
    reg has_address = 0, has_value = 0, has_read = 0;
    reg [9:0] address_word = 0, read_word = 0;
    reg [31:0] value = 0;
    reg [3:0] strobe = 0;
    // A response that was not taken in the last cycle, and an access that ended in it.
    reg write_held = 0, read_held = 0, write_ended = 0, read_ended = 0, error = 0;
    reg [31:0] returned = 0, was_rdata = 0;
    wire refused = bvalid && !write_held && !write_ended;
    always @(posedge clock) begin
        if (select && acknowledge && write || refused) begin
            has_address <= 0;
            has_value <= 0;
        end
        if (select && acknowledge && !write) has_read <= 0;
        if (awvalid && awready) begin
            has_address <= 1;
            address_word <= awaddr[11:2];
        end
        if (wvalid && wready) begin
            has_value <= 1;
            value <= wdata;
            strobe <= wstrb;
        end
        if (arvalid && arready) begin
            has_read <= 1;
            read_word <= araddr[11:2];
        end
        write_ended <= select && acknowledge && write;
        read_ended <= select && acknowledge && !write;
        if (select && acknowledge && !write) returned <= read_data;
        write_held <= bvalid && !bready;
        read_held <= rvalid && !rready;
        error <= bresp == 2;
        was_rdata <= rdata;
        if (reset) begin
            has_address <= 0;
            has_value <= 0;
            has_read <= 0;
            write_ended <= 0;
            read_ended <= 0;
            write_held <= 0;
            read_held <= 0;
        end
    end

    // An access that has not ended.
    reg working = 0, was_write = 0;
    reg [9:0] was_address = 0;
    reg [31:0] was_data = 0;
    always @(posedge clock) begin
        working <= select && !acknowledge && !reset;
        was_write <= write;
        was_address <= address;
        was_data <= write_data;
    end

    // Cycles for which a whole request waits, while no response of its kind waits to be taken.
    reg [5:0] write_waits = 0, read_waits = 0;
    always @(posedge clock) begin
        write_waits <= has_address && has_value && !bvalid && !write_ended && !reset ? write_waits + 1 : 0;
        read_waits <= has_read && !rvalid && !read_ended && !reset ? read_waits + 1 : 0;
    end

    (* anyseq *) wire inner_write_addressed, inner_write_valued, inner_write_whole, inner_read_addressed;
    (* anyseq *) wire inner_working, inner_writing, inner_responds, inner_returns;
    (* anyseq *) wire [9:0] inner_write_word, inner_read_word;
    (* anyseq *) wire [31:0] inner_write_value, inner_returned;
    wire whole = has_address && has_value;
    always @(*) if (started) begin
        a_write_is_that_of_the_bus: assert(!(select && write) || (has_address && has_value && strobe == 15
            && address == address_word && write_data == value));
        a_read_is_that_of_the_bus: assert(!(select && !write) || (has_read && address == read_word));
        an_access_does_not_change: assert(!working || (select && write == was_write && address == was_address
            && (!write || write_data == was_data)));
        a_write_that_ends_has_its_response: assert(!write_ended || (bvalid && bresp == 0));
        a_response_without_access_refuses_octets: assert(!refused || (has_address && has_value && strobe != 15
            && bresp == 2));
        a_response_to_a_write_stays: assert(!write_held || (bvalid && bresp == (error ? 2 : 0)));
        a_read_that_ends_has_its_response: assert(!read_ended || (rvalid && rdata == returned && rresp == 0));
        a_value_stays: assert(!read_held || (rvalid && rdata == was_rdata && rresp == 0));
        no_value_without_a_read: assert(!rvalid || read_held || read_ended);
        a_write_ends_in_time: assert(write_waits <= 14);
        a_read_ends_in_time: assert(read_waits <= 14);
        helper_places: assert(inner_write_addressed == (has_address && !refused)
            && inner_write_valued == (has_value && !refused) && inner_read_addressed == has_read);
        helper_write: assert((!has_address || inner_write_word == address_word)
            && (!has_value || inner_write_value == value && inner_write_whole == (strobe == 15)));
        helper_read: assert(!has_read || inner_read_word == read_word);
        helper_responses: assert(inner_responds == (write_held || write_ended || refused)
            && inner_returns == (read_held || read_ended));
        // A write of some octets is in work for a cycle, without an access.
        helper_working: assert(!inner_working || (inner_writing ? whole && !bvalid : has_read && !rvalid));
        helper_select: assert(select == (inner_working && !(inner_writing && strobe != 15)) && (!working || select));
        helper_busy: assert(busy <= 5 && (select || busy == 0));
        // Since when it can have waited: it and one access of the other kind are before its end.
        helper_write_waits: assert(write_waits <= (bvalid || write_ended ? 14 : inner_working
            ? (inner_writing ? 8 : 1) + busy : inner_writing ? 0 : 7));
        helper_read_waits: assert(read_waits <= (rvalid || read_ended ? 14 : inner_working
            ? (inner_writing ? 1 : 8) + busy : inner_writing ? 7 : 0));
        takes_when_it_has_none: assert((has_address && !refused || awready) && (has_value && !refused || wready)
            && (has_read || arready));
    end
endmodule
