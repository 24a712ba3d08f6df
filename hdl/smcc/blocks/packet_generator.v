// Block packet_generator alone, as it stands in the cp.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module packet_generator(clock,reset,feedback_valid,quantized_feedback,q_offset_units,q_delta_units,source_mac_high,source_mac_low,destination_mac_high,destination_mac_low,tagged,vlan_tci,cpid_high,cpid_low,cp_mac_high,cp_mac_low,frame_done,data_high,data_low,octets,last,valid,ready);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  feedback_valid;
    input wire  [5:0] quantized_feedback;
    input wire  [15:0] q_offset_units;
    input wire  [15:0] q_delta_units;
    input wire  [15:0] source_mac_high;
    input wire  [31:0] source_mac_low;
    input wire  [15:0] destination_mac_high;
    input wire  [31:0] destination_mac_low;
    input wire  tagged;
    input wire  [15:0] vlan_tci;
    input wire  [31:0] cpid_high;
    input wire  [31:0] cpid_low;
    input wire  [15:0] cp_mac_high;
    input wire  [31:0] cp_mac_low;
    output reg  frame_done;
    output reg  [31:0] data_high;
    output reg  [31:0] data_low;
    output reg  [3:0] octets;
    output reg  last;
    output reg  valid;
    input wire  ready;

    // Stub signals
    reg  [2:0] word$d;
    wire  [2:0] word$q;

    // Local signals
    reg  [31:0] source_middle;
    reg  [31:0] type_and_feedback;
    reg  [31:0] offset_and_delta;
    reg  [15:0] priority;
    reg  [31:0] priority_and_destination;

    // Sub module instances
    packet_generator$word word(
        .d(word$d),
        .q(word$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        word$d = word$q;
        valid = feedback_valid;
        last = word$q == 32'h7;
        octets = 32'h8;
        if (word$q == 32'h7) begin
            octets = 32'h4;
        end
        frame_done = feedback_valid & ready & (word$q == 32'h7);
        if (feedback_valid & ready) begin
            word$d = word$q + 32'h1;
        end
        if (reset) begin
            word$d = 32'h0;
        end
        source_middle = (((source_mac_low[(32'h0)+:(16)]) & 32'hffffffff) << 32'h10) | ((cp_mac_high) & 32'hffffffff);
        type_and_feedback = ((quantized_feedback) & 32'hffffffff) | 32'h22e70000;
        offset_and_delta = (((q_offset_units) & 32'hffffffff) << 32'h10) | ((q_delta_units) & 32'hffffffff);
        priority = 32'h0;
        if (tagged) begin
            priority = vlan_tci & 32'he000;
        end
        priority_and_destination = (((priority) & 32'hffffffff) << 32'h10) | ((destination_mac_high) & 32'hffffffff);
        data_high = 32'h0;
        data_low = 32'h0;
        if (word$q == 32'h0) begin
            data_high = (((source_mac_high) & 32'hffffffff) << 32'h10) | ((source_mac_low[(32'h10)+:(16)]) & 32'hffffffff);
            data_low = source_middle;
        end
        else if (word$q == 32'h1) begin
            data_high = cp_mac_low;
            data_low = type_and_feedback;
            if (tagged) begin
                data_low = ((vlan_tci) & 32'hffffffff) | 64'h81000000;
            end
        end
        else if (word$q == 32'h2) begin
            data_high = cpid_high;
            data_low = cpid_low;
            if (tagged) begin
                data_high = type_and_feedback;
                data_low = cpid_high;
            end
        end
        else if (word$q == 32'h3) begin
            data_high = offset_and_delta;
            data_low = priority_and_destination;
            if (tagged) begin
                data_high = cpid_low;
                data_low = offset_and_delta;
            end
        end
        else if (word$q == 32'h4) begin
            data_high = destination_mac_low;
            if (tagged) begin
                data_high = priority_and_destination;
                data_low = destination_mac_low;
            end
        end
    end

endmodule // packet_generator


module packet_generator$word(d,q,clock);

    // Module arguments
    input wire  [2:0] d;
    output reg  [2:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 3'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // packet_generator$word
