// SPDX-License-Identifier: MIT OR Apache-2.0
// Definitions that depend on the number of ports: 4.

`define PORTS 4
`define BITS 2
`define WAITING .waiting_0(waiting[0 +: 4]), .waiting_1(waiting[4 +: 4]), .waiting_2(waiting[8 +: 4]), \
    .waiting_3(waiting[12 +: 4])
`define HEARD .entering_0(entering[0]), .entering_1(entering[1]), .entering_2(entering[2]), .entering_3(entering[3]), \
    .leaving_0(leaving[0]), .leaving_1(leaving[1]), .leaving_2(leaving[2]), .leaving_3(leaving[3]), \
    .congested_0(congested[0]), .congested_1(congested[1]), .congested_2(congested[2]), .congested_3(congested[3])
`define GUESSES_OF_BUFFER (* keep *) wire [3:0] guess_rest_0 = rest[0 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1 = rest[4 +: 4]; (* keep *) wire [3:0] guess_rest_2 = rest[8 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3 = rest[12 +: 4];
`define GUESSES_OF_BUFFERS (* keep *) wire [3:0] guess_waiting_0_0 = waiting[0 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_1 = waiting[4 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_2 = waiting[8 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_3 = waiting[12 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_0 = waiting[16 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_1 = waiting[20 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_2 = waiting[24 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_3 = waiting[28 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_0 = waiting[32 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_1 = waiting[36 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_2 = waiting[40 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_3 = waiting[44 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_0 = waiting[48 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_1 = waiting[52 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_2 = waiting[56 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_3 = waiting[60 +: 4]; (* keep *) wire [3:0] guess_used_0 = used[0 +: 4]; \
    (* keep *) wire [3:0] guess_sending_0 = sending[0 +: 4]; (* keep *) wire guess_full_0 = is_full[0]; \
    (* keep *) wire guess_coming_0 = coming[0]; \
    (* keep *) wire [3:0] guess_used_1 = used[4 +: 4]; (* keep *) wire [3:0] guess_sending_1 = sending[4 +: 4]; \
    (* keep *) wire guess_full_1 = is_full[1]; \
    (* keep *) wire guess_coming_1 = coming[1]; (* keep *) wire [3:0] guess_used_2 = used[8 +: 4]; \
    (* keep *) wire [3:0] guess_sending_2 = sending[8 +: 4]; (* keep *) wire guess_full_2 = is_full[2]; \
    (* keep *) wire guess_coming_2 = coming[2]; \
    (* keep *) wire [3:0] guess_used_3 = used[12 +: 4]; (* keep *) wire [3:0] guess_sending_3 = sending[12 +: 4]; \
    (* keep *) wire guess_full_3 = is_full[3]; \
    (* keep *) wire guess_coming_3 = coming[3]; \
    (* keep *) wire [3:0] guess_waits_0 = any_waits[0 +: 4]; \
    (* keep *) wire [3:0] guess_waits_1 = any_waits[4 +: 4]; \
    (* keep *) wire [3:0] guess_waits_2 = any_waits[8 +: 4]; \
    (* keep *) wire [3:0] guess_waits_3 = any_waits[12 +: 4];
`define GUESSES_OF_COUNTERS (* keep *) wire [6:0] guess_before_0 = before[0 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_0 = to_mark[0 +: 7]; \
    (* keep *) wire [3:0] guess_came_0 = came_less_one[0 +: 4]; (* keep *) wire guess_none_left_0 = none_left[0]; \
    (* keep *) wire guess_marked_0 = marked[0]; (* keep *) wire guess_triggered_0 = triggered[0]; \
    (* keep *) wire guess_any_0 = any[0]; (* keep *) wire [6:0] guess_before_1 = before[7 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_1 = to_mark[7 +: 7]; \
    (* keep *) wire [3:0] guess_came_1 = came_less_one[4 +: 4]; (* keep *) wire guess_none_left_1 = none_left[1]; \
    (* keep *) wire guess_marked_1 = marked[1]; (* keep *) wire guess_triggered_1 = triggered[1]; \
    (* keep *) wire guess_any_1 = any[1]; (* keep *) wire [6:0] guess_before_2 = before[14 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_2 = to_mark[14 +: 7]; \
    (* keep *) wire [3:0] guess_came_2 = came_less_one[8 +: 4]; (* keep *) wire guess_none_left_2 = none_left[2]; \
    (* keep *) wire guess_marked_2 = marked[2]; (* keep *) wire guess_triggered_2 = triggered[2]; \
    (* keep *) wire guess_any_2 = any[2]; (* keep *) wire [6:0] guess_before_3 = before[21 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_3 = to_mark[21 +: 7]; \
    (* keep *) wire [3:0] guess_came_3 = came_less_one[12 +: 4]; (* keep *) wire guess_none_left_3 = none_left[3]; \
    (* keep *) wire guess_marked_3 = marked[3]; (* keep *) wire guess_triggered_3 = triggered[3]; \
    (* keep *) wire guess_any_3 = any[3];
`define GUESSES_OF_MARKERS (* keep *) wire [3:0] guess_rest_0_0 = rest[0 +: 4]; \
    (* keep *) wire [3:0] guess_rest_0_1 = rest[4 +: 4]; (* keep *) wire [3:0] guess_rest_0_2 = rest[8 +: 4]; \
    (* keep *) wire [3:0] guess_rest_0_3 = rest[12 +: 4]; (* keep *) wire [3:0] guess_rest_1_0 = rest[16 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1_1 = rest[20 +: 4]; (* keep *) wire [3:0] guess_rest_1_2 = rest[24 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1_3 = rest[28 +: 4]; (* keep *) wire [3:0] guess_rest_2_0 = rest[32 +: 4]; \
    (* keep *) wire [3:0] guess_rest_2_1 = rest[36 +: 4]; (* keep *) wire [3:0] guess_rest_2_2 = rest[40 +: 4]; \
    (* keep *) wire [3:0] guess_rest_2_3 = rest[44 +: 4]; (* keep *) wire [3:0] guess_rest_3_0 = rest[48 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3_1 = rest[52 +: 4]; (* keep *) wire [3:0] guess_rest_3_2 = rest[56 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3_3 = rest[60 +: 4]; (* keep *) wire guess_triggered_0 = triggered[0]; \
    (* keep *) wire guess_triggered_1 = triggered[1]; (* keep *) wire guess_triggered_2 = triggered[2]; \
    (* keep *) wire guess_triggered_3 = triggered[3];
