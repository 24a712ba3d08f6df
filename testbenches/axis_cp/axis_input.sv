// SPDX-License-Identifier: MIT OR Apache-2.0
// A beat that comes in is at the outputs one cycle later, with its octets counted and its faults seen. For beats of 64 bits.

module axis_input_64_properties (
    input clock,
    input reset,
    input [63:0] s_axis_tdata,
    input [7:0] s_axis_tkeep,
    input s_axis_tlast,
    input s_axis_tuser,
    input s_axis_tvalid
);
    wire in_valid, in_last, in_bad;
    wire [6:0] in_octets;
    wire [67:0] in_beat;
    wire [31:0] header_0, header_1, header_2, header_3, header_4, header_5;
    axis_input_64 device (
        .clock(clock), .reset(reset), .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep), .s_axis_tlast(s_axis_tlast),
        .s_axis_tuser(s_axis_tuser), .s_axis_tvalid(s_axis_tvalid), .header_0(header_0), .header_1(header_1),
        .header_2(header_2), .header_3(header_3), .header_4(header_4), .header_5(header_5), .in_valid(in_valid),
        .in_last(in_last), .in_bad(in_bad), .in_octets(in_octets), .in_beat(in_beat)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    wire [3:0] ones = s_axis_tkeep[0] + s_axis_tkeep[1] + s_axis_tkeep[2] + s_axis_tkeep[3] + s_axis_tkeep[4]
        + s_axis_tkeep[5] + s_axis_tkeep[6] + s_axis_tkeep[7];
    wire whole = s_axis_tlast ? ones != 0 : ones == 8;
    wire good = whole && s_axis_tkeep == (16'd1 << ones) - 16'd1 && !(s_axis_tlast && s_axis_tuser);
    reg arrived = 0, was_good = 0, was_last = 0;
    reg [3:0] octets = 0;
    reg [63:0] data = 0;
    // Where in its frame the beat is, the header as the beats before made it, and how many of its beats came: of a frame that
    // has ended they count for one cycle more.
    reg [7:0] place = 0;
    reg [1:0] known = 0;
    reg [191:0] header = 0;
    wire [63:0] in_order = {data[7:0], data[15:8], data[23:16], data[31:24], data[39:32], data[47:40], data[55:48],
        data[63:56]};
    always @(posedge clock) begin
        arrived <= s_axis_tvalid;
        if (s_axis_tvalid) begin
            was_good <= good;
            was_last <= s_axis_tlast;
            octets <= ones;
            data <= s_axis_tdata;
        end
        if (arrived) known <= place == 3 ? 3 : place + 1;
        else if (place == 0) known <= 0;
        if (arrived) begin
            place <= was_last ? 0 : place == 3 ? 3 : place + 1;
            if (place == 0) header[191:128] <= in_order;
            if (place == 1) header[127:64] <= in_order;
            if (place == 2) header[63:0] <= in_order;
        end
        if (reset) begin
            arrived <= 0;
            place <= 0;
            known <= 0;
            header <= 0;
        end
    end

    (* anyseq *) wire [1:0] inner_place;
    always @(*) if (started) begin
        a_beat_comes_unchanged: assert(in_valid == arrived && (!arrived || in_last == was_last && in_beat[67] == was_last
            && in_beat[63:0] == data));
        a_fault_is_seen: assert(!arrived || in_bad == !was_good);
        octets_are_counted: assert(!arrived || !was_good || (in_octets == octets && in_beat[66:64] == octets - 4'd1));
        the_header_is_that_of_the_frame: assert((known < 1 || {header_0, header_1} == header[191:128])
            && (known < 2 || {header_2, header_3} == header[127:64]) && (known < 3 || {header_4, header_5} == header[63:0]));
        helper_place: assert(inner_place == place && place <= 3 && (place == 0 || known == place));
    end
endmodule
