// SPDX-License-Identifier: MIT OR Apache-2.0
// Definitions that depend on the number of ports: 2.

`define PORTS 2
`define BITS 1
`define WAITING .waiting_0(waiting[0 +: 4]), .waiting_1(waiting[4 +: 4])
`define HEARD .entering_0(entering[0]), .entering_1(entering[1]), .leaving_0(leaving[0]), .leaving_1(leaving[1]), \
    .congested_0(congested[0]), .congested_1(congested[1])
`define GUESSES_OF_BUFFER (* keep *) wire [3:0] guess_rest_0 = rest[0 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1 = rest[4 +: 4];
`define GUESSES_OF_BUFFERS (* keep *) wire [3:0] guess_waiting_0_0 = waiting[0 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_1 = waiting[4 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_0 = waiting[8 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_1 = waiting[12 +: 4]; (* keep *) wire [3:0] guess_used_0 = used[0 +: 4]; \
    (* keep *) wire [3:0] guess_sending_0 = sending[0 +: 4]; (* keep *) wire guess_full_0 = is_full[0]; \
    (* keep *) wire guess_coming_0 = coming[0]; \
    (* keep *) wire [3:0] guess_used_1 = used[4 +: 4]; (* keep *) wire [3:0] guess_sending_1 = sending[4 +: 4]; \
    (* keep *) wire guess_full_1 = is_full[1]; \
    (* keep *) wire guess_coming_1 = coming[1]; \
    (* keep *) wire [1:0] guess_waits_0 = any_waits[0 +: 2]; \
    (* keep *) wire [1:0] guess_waits_1 = any_waits[2 +: 2];
`define GUESSES_OF_COUNTERS (* keep *) wire [6:0] guess_before_0 = before[0 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_0 = to_mark[0 +: 7]; \
    (* keep *) wire [3:0] guess_came_0 = came_less_one[0 +: 4]; (* keep *) wire guess_none_left_0 = none_left[0]; \
    (* keep *) wire guess_marked_0 = marked[0]; (* keep *) wire guess_triggered_0 = triggered[0]; \
    (* keep *) wire guess_any_0 = any[0]; (* keep *) wire [6:0] guess_before_1 = before[7 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_1 = to_mark[7 +: 7]; \
    (* keep *) wire [3:0] guess_came_1 = came_less_one[4 +: 4]; (* keep *) wire guess_none_left_1 = none_left[1]; \
    (* keep *) wire guess_marked_1 = marked[1]; (* keep *) wire guess_triggered_1 = triggered[1]; \
    (* keep *) wire guess_any_1 = any[1];
`define GUESSES_OF_MARKERS (* keep *) wire [3:0] guess_rest_0_0 = rest[0 +: 4]; \
    (* keep *) wire [3:0] guess_rest_0_1 = rest[4 +: 4]; (* keep *) wire [3:0] guess_rest_1_0 = rest[8 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1_1 = rest[12 +: 4]; (* keep *) wire guess_triggered_0 = triggered[0]; \
    (* keep *) wire guess_triggered_1 = triggered[1];
