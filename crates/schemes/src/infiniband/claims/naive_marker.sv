// SPDX-License-Identifier: MIT OR Apache-2.0
// Naive marking of the packets of one buffer. The inputs satisfy the claims of `input_buffer.sv`. The oldest packet for
// an output leaves first: the packets that were in the buffer when it became full are the first ones to leave.

module `TOP (
    input clock,
    input reset,
    input enters,
    input [`BITS-1:0] enter_output,
    input leaves,
    input [`BITS-1:0] leave_output,
    input fills
);
    // For each output, packets that wait, and those of them that were in the buffer when it last became full.
    reg [4*`PORTS-1:0] waiting = 0, were_there = 0;

    reg [4*`PORTS-1:0] next;
    reg [`PORTS-1:0] enters_for, leaving, stays, owed, overfull, unreal;
    integer o;
    always @(*) begin
        for (o = 0; o < `PORTS; o = o + 1) begin
            enters_for[o] = enters && enter_output == o;
            leaving[o] = leaves && leave_output == o;
            next[4*o +: 4] = waiting[4*o +: 4] + {3'd0, enters_for[o]} - {3'd0, leaving[o]};
            stays[o] = next[4*o +: 4] != 0;
            owed[o] = were_there[4*o +: 4] != 0;
            unreal[o] = were_there[4*o +: 4] > waiting[4*o +: 4];
            overfull[o] = waiting[4*o +: 4] == 15 && enters_for[o] && !leaving[o];
        end
    end
    wire [`PORTS-1:0] congested = fills ? stays : `PORTS'd0;
    wire [`PORTS-1:0] marking;

    `MODULE device (
        .clock(clock), .reset(reset), .leaving(leaving), .congested(congested), .marking(marking), `WAITING
    );

    reg started = 0, triggered = 0;
    // For each output, packets that were in the buffer then, and packets marked since.
    reg [4*`PORTS-1:0] counted = 0, given = 0;
    reg [`PORTS-1:0] miscounted;
    always @(*)
        for (o = 0; o < `PORTS; o = o + 1)
            miscounted[o] = given[4*o +: 4] + were_there[4*o +: 4] != counted[4*o +: 4];
    // Guesses: contents of the registers inside; in the cycle after a buffer became full, the packets that were to be
    // marked before.
    reg [4*`PORTS-1:0] rest = 0;
    always @(posedge clock) begin
        started <= 1;
        waiting <= next;
        triggered <= congested != 0;
        for (o = 0; o < `PORTS; o = o + 1) begin
            given[4*o +: 4] <= fills ? 4'd0 : given[4*o +: 4] + {3'd0, leaving[o] && marking[o]};
            if (fills) counted[4*o +: 4] <= next[4*o +: 4];
            rest[4*o +: 4] <= were_there[4*o +: 4] - {3'd0, leaving[o] && owed[o]};
            were_there[4*o +: 4] <= fills ? next[4*o +: 4] : were_there[4*o +: 4] - {3'd0, leaving[o] && owed[o]};
        end
        if (reset) begin
            waiting <= 0;
            were_there <= 0;
            counted <= 0;
            given <= 0;
            triggered <= 0;
            rest <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(!leaves || waiting[4*leave_output +: 4] != 0);
        assume(overfull == 0);
    end

    (* keep *) wire guess_triggered = triggered;
    `GUESSES_OF_BUFFER

    always @(*) if (started) begin
        helper_unreal: assert(unreal == 0);
        helper_triggered: assert(!triggered || were_there == waiting);
        helper_rest: assert(triggered || were_there == rest);
        marks_what_was_there: assert(marking == owed);
        marks_as_many_as_were_there: assert(miscounted == 0);
    end
endmodule
