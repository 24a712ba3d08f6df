// SPDX-License-Identifier: MIT OR Apache-2.0
// The reaction point of Quantized congestion notification with its register file: the parameters
// are registers. Connect `boundary` to "no packet is in progress"; it may be high in every cycle.
//
// Scheme: Quantized congestion notification (qcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase Plane Analysis of Quantized
//   Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses 30 to 33.
// Parameters of the scheme are registers inside. They and their addresses stand in the files of the
//   register file.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --part rp --registers --register-bus axi4-lite --out DIR

module tidegate_qcn_reaction_point_with_registers (
    input  wire        clock,            // Clock, rising edge: that of the bus
    input  wire        reset,            // Synchronous reset, active high: the inverse of `aresetn`
    input  wire [11:0] s_axi_awaddr,     // Byte address of a write
    input  wire [2:0]  s_axi_awprot,     // Its protection, which is not read
    input  wire        s_axi_awvalid,    // There is an address of a write
    output wire        s_axi_awready,    // It is taken
    input  wire [31:0] s_axi_wdata,      // Value to write
    input  wire [3:0]  s_axi_wstrb,      // Its octets that are written: all, or the write is refused
    input  wire        s_axi_wvalid,     // There is a value to write
    output wire        s_axi_wready,     // It is taken
    output wire [1:0]  s_axi_bresp,      // Response to a write: 0 OKAY, 2 SLVERR
    output wire        s_axi_bvalid,     // There is a response to a write; it does not change until it is taken
    input  wire        s_axi_bready,     // It is taken
    input  wire [11:0] s_axi_araddr,     // Byte address of a read
    input  wire [2:0]  s_axi_arprot,     // Its protection, which is not read
    input  wire        s_axi_arvalid,    // There is an address of a read
    output wire        s_axi_arready,    // It is taken
    output wire [31:0] s_axi_rdata,      // The value that was read
    output wire [1:0]  s_axi_rresp,      // Response to a read: 0 OKAY
    output wire        s_axi_rvalid,     // There is a value that was read; it does not change until it is taken
    input  wire        s_axi_rready,     // It is taken
    input  wire [31:0] data_high,        // Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24
    input  wire [31:0] data_low,         // Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24
    input  wire [3:0]  octets,           // Number of valid octets in the last word, 1 to 8
    input  wire        last,             // The word is the last one of a frame
    input  wire        bad_frame,        // The frame was received with an error, such as a wrong check sequence; valid with its last word
    input  wire        valid,            // The stream word is valid
    input  wire        request,          // A frame waits to be sent; hold until `grant`
    input  wire [13:0] request_bytes,    // Length of the frame that waits, bytes; valid with `request`, hold until `grant`
    input  wire        source_empty,     // The source has no frame to send. If the rate is the line rate, the reaction point then becomes inactive
    output wire        grant,            // The requested frame may start in this cycle
    output wire        oversize,         // The requested frame is longer than the bucket and will never be granted
    output wire [24:0] current_rate,     // Current rate r, bytes per cycle, 18 fraction bits
    output wire [15:0] taken_frames,     // Frames whose feedback was taken
    output wire [15:0] malformed_frames, // Feedback frames for this reaction point that are not valid, or that were received with an error
    output wire [15:0] refused_frames,   // Valid feedback frames whose CPID is not allowed
    output wire [15:0] elsewhere_frames, // Frames of the EtherType of feedback for another address
    output wire [15:0] dropped_frames,   // Feedback frames that came while another feedback waited
    input  wire        boundary          // No packet is in progress: the values written so far come into use
);
    wire register_select;
    wire register_write;
    wire [9:0] register_address;
    wire [31:0] register_write_data;
    wire register_acknowledge;
    wire [31:0] register_read_data;
    wire [31:0] rp_mac_low;
    wire [15:0] rp_mac_high;
    wire [31:0] allowed_cpid_low;
    wire [31:0] allowed_cpid_high;
    wire [31:0] allowed_cpid_mask_low;
    wire [31:0] allowed_cpid_mask_high;
    wire [13:0] bucket_bytes;
    wire [4:0] overhead_bytes;
    wire [24:0] line_rate;
    wire [24:0] min_rate;
    wire [24:0] ai_rate;
    wire [24:0] hai_rate;
    wire [3:0] gd_shift;
    wire [23:0] byte_cycle_low;
    wire [23:0] byte_cycle_span;
    wire [23:0] timer_low;
    wire [23:0] timer_span;
    wire [15:0] seed;
    wire [5:0] increase_stage;
    wire [5:0] half_stage;
    wire target_reduction;
    wire extra_fast_recovery;

    tidegate_axi4_lite axi4_lite (
        .clock(clock),
        .reset(reset),
        .s_axi_awaddr(s_axi_awaddr),
        .s_axi_awprot(s_axi_awprot),
        .s_axi_awvalid(s_axi_awvalid),
        .s_axi_awready(s_axi_awready),
        .s_axi_wdata(s_axi_wdata),
        .s_axi_wstrb(s_axi_wstrb),
        .s_axi_wvalid(s_axi_wvalid),
        .s_axi_wready(s_axi_wready),
        .s_axi_bresp(s_axi_bresp),
        .s_axi_bvalid(s_axi_bvalid),
        .s_axi_bready(s_axi_bready),
        .s_axi_araddr(s_axi_araddr),
        .s_axi_arprot(s_axi_arprot),
        .s_axi_arvalid(s_axi_arvalid),
        .s_axi_arready(s_axi_arready),
        .s_axi_rdata(s_axi_rdata),
        .s_axi_rresp(s_axi_rresp),
        .s_axi_rvalid(s_axi_rvalid),
        .s_axi_rready(s_axi_rready),
        .register_select(register_select),
        .register_write(register_write),
        .register_address(register_address),
        .register_write_data(register_write_data),
        .register_acknowledge(register_acknowledge),
        .register_read_data(register_read_data)
    );

    tidegate_qcn_reaction_point_registers registers (
        .clock(clock),
        .reset(reset),
        .select(register_select),
        .write(register_write),
        .address(register_address),
        .write_data(register_write_data),
        .boundary(boundary),
        .current_rate(current_rate),
        .taken_frames(taken_frames),
        .malformed_frames(malformed_frames),
        .refused_frames(refused_frames),
        .elsewhere_frames(elsewhere_frames),
        .dropped_frames(dropped_frames),
        .grant(grant),
        .acknowledge(register_acknowledge),
        .read_data(register_read_data),
        .rp_mac_low(rp_mac_low),
        .rp_mac_high(rp_mac_high),
        .allowed_cpid_low(allowed_cpid_low),
        .allowed_cpid_high(allowed_cpid_high),
        .allowed_cpid_mask_low(allowed_cpid_mask_low),
        .allowed_cpid_mask_high(allowed_cpid_mask_high),
        .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .ai_rate(ai_rate),
        .hai_rate(hai_rate),
        .gd_shift(gd_shift),
        .byte_cycle_low(byte_cycle_low),
        .byte_cycle_span(byte_cycle_span),
        .timer_low(timer_low),
        .timer_span(timer_span),
        .seed(seed),
        .increase_stage(increase_stage),
        .half_stage(half_stage),
        .target_reduction(target_reduction),
        .extra_fast_recovery(extra_fast_recovery)
    );

    tidegate_qcn_reaction_point reaction_point (
        .clock(clock),
        .reset(reset),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .bad_frame(bad_frame),
        .valid(valid),
        .request(request),
        .request_bytes(request_bytes),
        .source_empty(source_empty),
        .rp_mac_high(rp_mac_high),
        .rp_mac_low(rp_mac_low),
        .allowed_cpid_high(allowed_cpid_high),
        .allowed_cpid_low(allowed_cpid_low),
        .allowed_cpid_mask_high(allowed_cpid_mask_high),
        .allowed_cpid_mask_low(allowed_cpid_mask_low),
        .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .ai_rate(ai_rate),
        .hai_rate(hai_rate),
        .gd_shift(gd_shift),
        .byte_cycle_low(byte_cycle_low),
        .byte_cycle_span(byte_cycle_span),
        .timer_low(timer_low),
        .timer_span(timer_span),
        .seed(seed),
        .increase_stage(increase_stage),
        .half_stage(half_stage),
        .target_reduction(target_reduction),
        .extra_fast_recovery(extra_fast_recovery),
        .grant(grant),
        .oversize(oversize),
        .current_rate(current_rate),
        .taken_frames(taken_frames),
        .malformed_frames(malformed_frames),
        .refused_frames(refused_frames),
        .elsewhere_frames(elsewhere_frames),
        .dropped_frames(dropped_frames)
    );
endmodule
