// SPDX-License-Identifier: MIT OR Apache-2.0
// The sampling exception: a packet from the source of the last feedback is not a sample. One that was due is dropped, or
// waits for a packet from another source.

module sampling_exception_properties (
    input clock,
    input reset,
    input enqueue,
    input due,
    input [47:0] source_mac,
    input sent,
    input [47:0] sent_mac
);
    (* anyconst *) wire exception_waits;
    wire sample;

    sampling_exception device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .due(due), .source_mac_high(source_mac[47:32]),
        .source_mac_low(source_mac[31:0]), .sent(sent), .sent_mac_high(sent_mac[47:32]), .sent_mac_low(sent_mac[31:0]),
        .exception_waits(exception_waits), .sample(sample)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // `last` is known; a sample is owed; one has been dropped, and none was taken and no frame sent since.
    reg known = 0, owed = 0, dropped = 0;
    reg [47:0] last;
    wire excepted = known && source_mac == last;
    wire drops = enqueue && (owed || due) && excepted && !exception_waits;
    always @(posedge clock) begin
        known <= !reset && (known && !drops || sent);
        if (sent) last <= sent_mac;
        owed <= !reset && (owed || due) && !sample && !drops;
        dropped <= !reset && !sent && (dropped || drops) && !sample;
    end
    (* keep *) wire guess_known = known, guess_owed = owed;
    (* keep *) wire [15:0] guess_high = last[47:32];
    (* keep *) wire [31:0] guess_low = last[31:0];
    (* keep *) wire guess_high_if = known, guess_low_if = known;

    always @(*) if (started) begin
        helper_dropped: assert(!dropped || !known);
        not_the_last_source: assert(!sample || !excepted);
        one_for_each_due: assert(!sample || ((owed || due) && enqueue));
        first_of_another: assert(!(enqueue && (owed || due) && !excepted) || sample);
        never_two_in_a_row: assert(!(dropped && enqueue && (owed || due)) || sample);
    end
endmodule
