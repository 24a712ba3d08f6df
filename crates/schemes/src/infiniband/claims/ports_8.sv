// SPDX-License-Identifier: MIT OR Apache-2.0
// Definitions that depend on the number of ports: 8.

`define PORTS 8
`define BITS 3
`define WAITING .waiting_0(waiting[0 +: 4]), .waiting_1(waiting[4 +: 4]), .waiting_2(waiting[8 +: 4]), \
    .waiting_3(waiting[12 +: 4]), .waiting_4(waiting[16 +: 4]), .waiting_5(waiting[20 +: 4]), \
    .waiting_6(waiting[24 +: 4]), .waiting_7(waiting[28 +: 4])
`define HEARD .entering_0(entering[0]), .entering_1(entering[1]), .entering_2(entering[2]), .entering_3(entering[3]), \
    .entering_4(entering[4]), .entering_5(entering[5]), .entering_6(entering[6]), .entering_7(entering[7]), \
    .leaving_0(leaving[0]), .leaving_1(leaving[1]), .leaving_2(leaving[2]), .leaving_3(leaving[3]), \
    .leaving_4(leaving[4]), .leaving_5(leaving[5]), .leaving_6(leaving[6]), .leaving_7(leaving[7]), \
    .congested_0(congested[0]), .congested_1(congested[1]), .congested_2(congested[2]), .congested_3(congested[3]), \
    .congested_4(congested[4]), .congested_5(congested[5]), .congested_6(congested[6]), .congested_7(congested[7])
`define GUESSES_OF_BUFFER (* keep *) wire [3:0] guess_rest_0 = rest[0 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1 = rest[4 +: 4]; (* keep *) wire [3:0] guess_rest_2 = rest[8 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3 = rest[12 +: 4]; (* keep *) wire [3:0] guess_rest_4 = rest[16 +: 4]; \
    (* keep *) wire [3:0] guess_rest_5 = rest[20 +: 4]; (* keep *) wire [3:0] guess_rest_6 = rest[24 +: 4]; \
    (* keep *) wire [3:0] guess_rest_7 = rest[28 +: 4];
`define GUESSES_OF_BUFFERS (* keep *) wire [3:0] guess_waiting_0_0 = waiting[0 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_1 = waiting[4 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_2 = waiting[8 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_3 = waiting[12 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_4 = waiting[16 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_5 = waiting[20 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_6 = waiting[24 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_0_7 = waiting[28 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_0 = waiting[32 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_1 = waiting[36 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_2 = waiting[40 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_3 = waiting[44 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_4 = waiting[48 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_5 = waiting[52 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_6 = waiting[56 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_1_7 = waiting[60 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_0 = waiting[64 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_1 = waiting[68 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_2 = waiting[72 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_3 = waiting[76 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_4 = waiting[80 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_5 = waiting[84 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_6 = waiting[88 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_2_7 = waiting[92 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_0 = waiting[96 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_1 = waiting[100 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_2 = waiting[104 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_3 = waiting[108 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_4 = waiting[112 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_5 = waiting[116 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_6 = waiting[120 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_3_7 = waiting[124 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_0 = waiting[128 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_1 = waiting[132 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_2 = waiting[136 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_3 = waiting[140 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_4 = waiting[144 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_5 = waiting[148 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_6 = waiting[152 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_4_7 = waiting[156 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_0 = waiting[160 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_1 = waiting[164 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_2 = waiting[168 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_3 = waiting[172 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_4 = waiting[176 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_5 = waiting[180 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_6 = waiting[184 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_5_7 = waiting[188 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_0 = waiting[192 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_1 = waiting[196 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_2 = waiting[200 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_3 = waiting[204 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_4 = waiting[208 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_5 = waiting[212 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_6 = waiting[216 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_6_7 = waiting[220 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_0 = waiting[224 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_1 = waiting[228 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_2 = waiting[232 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_3 = waiting[236 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_4 = waiting[240 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_5 = waiting[244 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_6 = waiting[248 +: 4]; \
    (* keep *) wire [3:0] guess_waiting_7_7 = waiting[252 +: 4]; (* keep *) wire [3:0] guess_used_0 = used[0 +: 4]; \
    (* keep *) wire [3:0] guess_sending_0 = sending[0 +: 4]; (* keep *) wire guess_full_0 = is_full[0]; \
    (* keep *) wire guess_coming_0 = coming[0]; \
    (* keep *) wire [3:0] guess_used_1 = used[4 +: 4]; (* keep *) wire [3:0] guess_sending_1 = sending[4 +: 4]; \
    (* keep *) wire guess_full_1 = is_full[1]; \
    (* keep *) wire guess_coming_1 = coming[1]; (* keep *) wire [3:0] guess_used_2 = used[8 +: 4]; \
    (* keep *) wire [3:0] guess_sending_2 = sending[8 +: 4]; (* keep *) wire guess_full_2 = is_full[2]; \
    (* keep *) wire guess_coming_2 = coming[2]; \
    (* keep *) wire [3:0] guess_used_3 = used[12 +: 4]; (* keep *) wire [3:0] guess_sending_3 = sending[12 +: 4]; \
    (* keep *) wire guess_full_3 = is_full[3]; \
    (* keep *) wire guess_coming_3 = coming[3]; (* keep *) wire [3:0] guess_used_4 = used[16 +: 4]; \
    (* keep *) wire [3:0] guess_sending_4 = sending[16 +: 4]; (* keep *) wire guess_full_4 = is_full[4]; \
    (* keep *) wire guess_coming_4 = coming[4]; \
    (* keep *) wire [3:0] guess_used_5 = used[20 +: 4]; (* keep *) wire [3:0] guess_sending_5 = sending[20 +: 4]; \
    (* keep *) wire guess_full_5 = is_full[5]; \
    (* keep *) wire guess_coming_5 = coming[5]; (* keep *) wire [3:0] guess_used_6 = used[24 +: 4]; \
    (* keep *) wire [3:0] guess_sending_6 = sending[24 +: 4]; (* keep *) wire guess_full_6 = is_full[6]; \
    (* keep *) wire guess_coming_6 = coming[6]; \
    (* keep *) wire [3:0] guess_used_7 = used[28 +: 4]; (* keep *) wire [3:0] guess_sending_7 = sending[28 +: 4]; \
    (* keep *) wire guess_full_7 = is_full[7]; \
    (* keep *) wire guess_coming_7 = coming[7]; \
    (* keep *) wire [7:0] guess_waits_0 = any_waits[0 +: 8]; \
    (* keep *) wire [7:0] guess_waits_1 = any_waits[8 +: 8]; \
    (* keep *) wire [7:0] guess_waits_2 = any_waits[16 +: 8]; \
    (* keep *) wire [7:0] guess_waits_3 = any_waits[24 +: 8]; \
    (* keep *) wire [7:0] guess_waits_4 = any_waits[32 +: 8]; \
    (* keep *) wire [7:0] guess_waits_5 = any_waits[40 +: 8]; \
    (* keep *) wire [7:0] guess_waits_6 = any_waits[48 +: 8]; \
    (* keep *) wire [7:0] guess_waits_7 = any_waits[56 +: 8];
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
    (* keep *) wire guess_any_3 = any[3]; (* keep *) wire [6:0] guess_before_4 = before[28 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_4 = to_mark[28 +: 7]; \
    (* keep *) wire [3:0] guess_came_4 = came_less_one[16 +: 4]; (* keep *) wire guess_none_left_4 = none_left[4]; \
    (* keep *) wire guess_marked_4 = marked[4]; (* keep *) wire guess_triggered_4 = triggered[4]; \
    (* keep *) wire guess_any_4 = any[4]; (* keep *) wire [6:0] guess_before_5 = before[35 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_5 = to_mark[35 +: 7]; \
    (* keep *) wire [3:0] guess_came_5 = came_less_one[20 +: 4]; (* keep *) wire guess_none_left_5 = none_left[5]; \
    (* keep *) wire guess_marked_5 = marked[5]; (* keep *) wire guess_triggered_5 = triggered[5]; \
    (* keep *) wire guess_any_5 = any[5]; (* keep *) wire [6:0] guess_before_6 = before[42 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_6 = to_mark[42 +: 7]; \
    (* keep *) wire [3:0] guess_came_6 = came_less_one[24 +: 4]; (* keep *) wire guess_none_left_6 = none_left[6]; \
    (* keep *) wire guess_marked_6 = marked[6]; (* keep *) wire guess_triggered_6 = triggered[6]; \
    (* keep *) wire guess_any_6 = any[6]; (* keep *) wire [6:0] guess_before_7 = before[49 +: 7]; \
    (* keep *) wire [6:0] guess_to_mark_7 = to_mark[49 +: 7]; \
    (* keep *) wire [3:0] guess_came_7 = came_less_one[28 +: 4]; (* keep *) wire guess_none_left_7 = none_left[7]; \
    (* keep *) wire guess_marked_7 = marked[7]; (* keep *) wire guess_triggered_7 = triggered[7]; \
    (* keep *) wire guess_any_7 = any[7];
`define GUESSES_OF_MARKERS (* keep *) wire [3:0] guess_rest_0_0 = rest[0 +: 4]; \
    (* keep *) wire [3:0] guess_rest_0_1 = rest[4 +: 4]; (* keep *) wire [3:0] guess_rest_0_2 = rest[8 +: 4]; \
    (* keep *) wire [3:0] guess_rest_0_3 = rest[12 +: 4]; (* keep *) wire [3:0] guess_rest_0_4 = rest[16 +: 4]; \
    (* keep *) wire [3:0] guess_rest_0_5 = rest[20 +: 4]; (* keep *) wire [3:0] guess_rest_0_6 = rest[24 +: 4]; \
    (* keep *) wire [3:0] guess_rest_0_7 = rest[28 +: 4]; (* keep *) wire [3:0] guess_rest_1_0 = rest[32 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1_1 = rest[36 +: 4]; (* keep *) wire [3:0] guess_rest_1_2 = rest[40 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1_3 = rest[44 +: 4]; (* keep *) wire [3:0] guess_rest_1_4 = rest[48 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1_5 = rest[52 +: 4]; (* keep *) wire [3:0] guess_rest_1_6 = rest[56 +: 4]; \
    (* keep *) wire [3:0] guess_rest_1_7 = rest[60 +: 4]; (* keep *) wire [3:0] guess_rest_2_0 = rest[64 +: 4]; \
    (* keep *) wire [3:0] guess_rest_2_1 = rest[68 +: 4]; (* keep *) wire [3:0] guess_rest_2_2 = rest[72 +: 4]; \
    (* keep *) wire [3:0] guess_rest_2_3 = rest[76 +: 4]; (* keep *) wire [3:0] guess_rest_2_4 = rest[80 +: 4]; \
    (* keep *) wire [3:0] guess_rest_2_5 = rest[84 +: 4]; (* keep *) wire [3:0] guess_rest_2_6 = rest[88 +: 4]; \
    (* keep *) wire [3:0] guess_rest_2_7 = rest[92 +: 4]; (* keep *) wire [3:0] guess_rest_3_0 = rest[96 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3_1 = rest[100 +: 4]; (* keep *) wire [3:0] guess_rest_3_2 = rest[104 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3_3 = rest[108 +: 4]; (* keep *) wire [3:0] guess_rest_3_4 = rest[112 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3_5 = rest[116 +: 4]; (* keep *) wire [3:0] guess_rest_3_6 = rest[120 +: 4]; \
    (* keep *) wire [3:0] guess_rest_3_7 = rest[124 +: 4]; (* keep *) wire [3:0] guess_rest_4_0 = rest[128 +: 4]; \
    (* keep *) wire [3:0] guess_rest_4_1 = rest[132 +: 4]; (* keep *) wire [3:0] guess_rest_4_2 = rest[136 +: 4]; \
    (* keep *) wire [3:0] guess_rest_4_3 = rest[140 +: 4]; (* keep *) wire [3:0] guess_rest_4_4 = rest[144 +: 4]; \
    (* keep *) wire [3:0] guess_rest_4_5 = rest[148 +: 4]; (* keep *) wire [3:0] guess_rest_4_6 = rest[152 +: 4]; \
    (* keep *) wire [3:0] guess_rest_4_7 = rest[156 +: 4]; (* keep *) wire [3:0] guess_rest_5_0 = rest[160 +: 4]; \
    (* keep *) wire [3:0] guess_rest_5_1 = rest[164 +: 4]; (* keep *) wire [3:0] guess_rest_5_2 = rest[168 +: 4]; \
    (* keep *) wire [3:0] guess_rest_5_3 = rest[172 +: 4]; (* keep *) wire [3:0] guess_rest_5_4 = rest[176 +: 4]; \
    (* keep *) wire [3:0] guess_rest_5_5 = rest[180 +: 4]; (* keep *) wire [3:0] guess_rest_5_6 = rest[184 +: 4]; \
    (* keep *) wire [3:0] guess_rest_5_7 = rest[188 +: 4]; (* keep *) wire [3:0] guess_rest_6_0 = rest[192 +: 4]; \
    (* keep *) wire [3:0] guess_rest_6_1 = rest[196 +: 4]; (* keep *) wire [3:0] guess_rest_6_2 = rest[200 +: 4]; \
    (* keep *) wire [3:0] guess_rest_6_3 = rest[204 +: 4]; (* keep *) wire [3:0] guess_rest_6_4 = rest[208 +: 4]; \
    (* keep *) wire [3:0] guess_rest_6_5 = rest[212 +: 4]; (* keep *) wire [3:0] guess_rest_6_6 = rest[216 +: 4]; \
    (* keep *) wire [3:0] guess_rest_6_7 = rest[220 +: 4]; (* keep *) wire [3:0] guess_rest_7_0 = rest[224 +: 4]; \
    (* keep *) wire [3:0] guess_rest_7_1 = rest[228 +: 4]; (* keep *) wire [3:0] guess_rest_7_2 = rest[232 +: 4]; \
    (* keep *) wire [3:0] guess_rest_7_3 = rest[236 +: 4]; (* keep *) wire [3:0] guess_rest_7_4 = rest[240 +: 4]; \
    (* keep *) wire [3:0] guess_rest_7_5 = rest[244 +: 4]; (* keep *) wire [3:0] guess_rest_7_6 = rest[248 +: 4]; \
    (* keep *) wire [3:0] guess_rest_7_7 = rest[252 +: 4]; (* keep *) wire guess_triggered_0 = triggered[0]; \
    (* keep *) wire guess_triggered_1 = triggered[1]; (* keep *) wire guess_triggered_2 = triggered[2]; \
    (* keep *) wire guess_triggered_3 = triggered[3]; (* keep *) wire guess_triggered_4 = triggered[4]; \
    (* keep *) wire guess_triggered_5 = triggered[5]; (* keep *) wire guess_triggered_6 = triggered[6]; \
    (* keep *) wire guess_triggered_7 = triggered[7];
