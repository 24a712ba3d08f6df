// SPDX-License-Identifier: MIT OR Apache-2.0
// Each counter of frames counts its events, and stops at its largest value.

module frame_counters_properties (
    input clock,
    input reset,
    input [4:0] events
);
    wire [15:0] counts [0:4];

    frame_counters device (
        .clock(clock), .reset(reset), .frame_taken(events[0]), .frame_malformed(events[1]), .frame_refused(events[2]),
        .frame_elsewhere(events[3]), .frame_dropped(events[4]), .taken_frames(counts[0]), .malformed_frames(counts[1]),
        .refused_frames(counts[2]), .elsewhere_frames(counts[3]), .dropped_frames(counts[4])
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // The counter that the proof follows.
    (* anyconst *) wire [2:0] chosen;
    wire [15:0] count = chosen == 0 ? counts[0] : chosen == 1 ? counts[1] : chosen == 2 ? counts[2] : chosen == 3 ? counts[3]
        : counts[4];
    wire event_comes = chosen < 4 ? events[chosen] : events[4];
    reg [15:0] expected = 0;
    always @(posedge clock) expected <= reset ? 0 : event_comes && expected != 16'hffff ? expected + 1 : expected;
    // Guess: the counter that is followed.
    (* keep *) wire [15:0] guess_0 = expected, guess_1 = expected, guess_2 = expected, guess_3 = expected, guess_4 = expected;
    (* keep *) wire guess_0_if = chosen == 0, guess_1_if = chosen == 1, guess_2_if = chosen == 2, guess_3_if = chosen == 3,
        guess_4_if = chosen >= 4;

    always @(*) if (started) counts_and_stops: assert(count == expected);
endmodule
