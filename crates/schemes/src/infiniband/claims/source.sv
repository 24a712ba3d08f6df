// SPDX-License-Identifier: MIT OR Apache-2.0
// A source: at most one packet is outstanding, and the packet times of the delay lie between two packets.

module source_infiniband_properties (
    input clock,
    input reset,
    input [15:0] packet_cycles,
    input request,
    input ack,
    input ack_marked,
    input flow_start
);
    (* anyconst *) wire persistent;
    wire grant, outstanding, stray;
    wire [7:0] ipd;

    source_infiniband device (
        .clock(clock), .reset(reset), .packet_cycles(packet_cycles), .persistent(persistent),
        .request(request), .grant(grant), .outstanding(outstanding), .ack(ack), .ack_marked(ack_marked), .stray(stray),
        .flow_start(flow_start), .ipd(ipd)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(packet_cycles >= 2);
    end

    // The ACK of the outstanding packet has arrived; whether it was marked.
    reg answered = 0, was_marked = 0;
    // In the cycle before: a packet was outstanding, was granted, was acknowledged; there was a reset.
    reg was_out = 0, was_granted = 0, was_answered = 0, was_reset = 0, marked_then = 0, restarted = 0;
    reg [7:0] was = 0;
    // Since the last packet: cycles of the current packet time, whole packet times up to 256, and whether there was a
    // packet.
    reg [15:0] cycles = 0;
    reg [8:0] packet_times = 0;
    reg begun = 0;
    wire waits = answered && outstanding;
    // The packet time may change in each cycle: one that is longer already ends at once.
    wire ends = {1'b0, cycles} + 17'd1 >= {1'b0, packet_cycles};
    always @(posedge clock) begin
        was_out <= outstanding;
        was_granted <= grant;
        was_answered <= waits;
        was_reset <= reset;
        marked_then <= waits && was_marked;
        restarted <= flow_start && !persistent;
        was <= ipd;
        answered <= waits;
        if (ack && outstanding && !waits) begin
            answered <= 1;
            was_marked <= ack_marked;
        end
        if (grant) begin
            begun <= 1;
            cycles <= 1;
            packet_times <= 0;
        end else begin
            cycles <= ends ? 16'd0 : cycles + 16'd1;
            if (ends && packet_times != 256) packet_times <= packet_times + 9'd1;
        end
        if (reset) begin
            answered <= 0;
            begun <= 0;
            cycles <= 0;
            packet_times <= 0;
        end
    end
    (* keep *) wire guess_out = outstanding, guess_waits = waits, guess_begun = begun, guess_marked = was_marked, guess_due = packet_times > {1'b0, was};
    (* keep *) wire guess_marked_if = waits;
    (* keep *) wire [15:0] guess_cycles = cycles;
    (* keep *) wire [8:0] guess_packet_times = packet_times;

    always @(*) if (started) begin
        helper_times: assert(packet_times <= 256);
        helper_cycles: assert(cycles != 16'hffff);
        asked_for: assert(!grant || request);
        one_packet_out: assert(!grant || !outstanding);
        interval_kept: assert(!grant || !begun || packet_times > {1'b0, ipd});
        outstanding_tells: assert(was_reset ? !outstanding : outstanding == (was_granted || (was_out && !(was_answered && !outstanding))));
        stray_tells: assert(stray == (ack && (!outstanding || waits)));
        falls_by_marks_only: assert(ipd <= was || marked_then);
    end
endmodule
