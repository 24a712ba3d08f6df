// SPDX-License-Identifier: MIT OR Apache-2.0
// At most one packet is outstanding, and the packet times of the delay lie between two packets.

module inter_packet_delay_properties (
    input clock,
    input reset,
    input [15:0] packet_cycles,
    input [7:0] ipd,
    input request,
    input ack,
    input ack_marked,
    input feedback_ready
);
    wire grant, outstanding, stray, feedback_valid, feedback_marked;

    inter_packet_delay device (
        .clock(clock), .reset(reset), .packet_cycles(packet_cycles), .ipd(ipd), .request(request), .grant(grant),
        .outstanding(outstanding), .ack(ack), .ack_marked(ack_marked), .stray(stray), .feedback_valid(feedback_valid),
        .feedback_marked(feedback_marked), .feedback_ready(feedback_ready)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(packet_cycles >= 2);
    end

    // Granted packets and ACKs that the calculator took, modulo 16: they never differ by more than one.
    reg [3:0] went = 0, answered = 0;
    // The ACK that waits.
    reg waits = 0, was_marked = 0;
    // Since the last packet: cycles of the current packet time, whole packet times up to 256, and whether there was a
    // packet.
    reg [15:0] cycles = 0;
    reg [8:0] packet_times = 0;
    reg begun = 0;
    // The delay in the cycle before.
    reg [7:0] was = 0;
    wire [3:0] out = went - answered;
    // The packet time may change in each cycle: one that is longer already ends at once.
    wire ends = {1'b0, cycles} + 17'd1 >= {1'b0, packet_cycles};

    wire due = packet_times > {1'b0, was};

    always @(posedge clock) begin
        was <= ipd;
        went <= went + {3'd0, grant};
        if (feedback_valid && feedback_ready) begin
            answered <= answered + 4'd1;
            waits <= 0;
        end
        if (ack && out != 0 && !waits) begin
            waits <= 1;
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
            went <= 0;
            answered <= 0;
            waits <= 0;
            begun <= 0;
            cycles <= 0;
            packet_times <= 0;
        end
    end
    (* keep *) wire guess_out = out != 0, guess_waits = waits, guess_begun = begun, guess_marked = was_marked;
    (* keep *) wire guess_marked_if = waits, guess_due = due;
    (* keep *) wire [15:0] guess_cycles = cycles;
    (* keep *) wire [8:0] guess_packet_times = packet_times;

    always @(*) if (started) begin
        one_packet_out: assert(out <= 1 && (!grant || out == 0));
        interval_kept: assert(!grant || !begun || due);
        goes_when_it_may: assert(grant == (request && feedback_ready && out == 0 && (!begun || due)));
        outstanding_tells: assert(outstanding == (out != 0));
        every_ack_once: assert(feedback_valid == waits && (!waits || feedback_marked == was_marked));
        stray_tells: assert(stray == (ack && (out == 0 || waits)));
        helper_waits: assert(!waits || out == 1);
        helper_times: assert(packet_times <= 256);
        helper_cycles: assert(cycles != 16'hffff);
    end
endmodule
