// One 60-octet congestion notification frame (802.1Q, EtherType 0x22E7; SCHEMES, Frames) as eight 64-bit words on a
// stream with back-pressure. The last word has four octets. No encapsulated data unit is sent: its length field is 0.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module packet_generator (
    input  wire        clock,                // Rising edge counts
    input  wire        reset,                // Synchronous, active high
    input  wire        feedback_valid,       // The fields below make a frame; hold them until `frame_done`
    input  wire [5:0]  quantized_feedback,   // QntzFb
    input  wire [15:0] q_offset_units,       // QOffset, 64 octets, two's complement
    input  wire [15:0] q_delta_units,        // QDelta, 64 octets, two's complement
    input  wire [15:0] source_mac_high,      // Source address of the sampled packet, bits 47 to 32: this frame goes there
    input  wire [31:0] source_mac_low,       // Bits 31 to 0
    input  wire [15:0] destination_mac_high, // Destination address of the sampled packet, bits 47 to 32
    input  wire [31:0] destination_mac_low,  // Bits 31 to 0
    input  wire        has_tag,              // The sampled packet has a VLAN tag
    input  wire [15:0] vlan_tci,             // Tag control information of its tag
    input  wire [31:0] cpid_high,            // Congestion point identifier, bits 63 to 32
    input  wire [31:0] cpid_low,             // Bits 31 to 0
    input  wire [15:0] cp_mac_high,          // Source address of the frame, bits 47 to 32
    input  wire [31:0] cp_mac_low,           // Bits 31 to 0
    output wire        frame_done,           // The last word goes in this cycle
    output reg  [31:0] data_high,            // Octets 0 to 3 of the word, the first in the top byte
    output reg  [31:0] data_low,             // Octets 4 to 7
    output reg  [3:0]  octets,               // Valid octets of the word
    output wire        last,                 // The last word of the frame
    output wire        valid,                // A word is there
    input  wire        ready                 // It is taken
);
    reg [2:0] word; // Index of the word

    initial begin
        word = 3'd0;
    end
    assign valid = feedback_valid;
    assign last = word == 3'd7;
    always @* begin
        octets = 4'd8;
        if (word == 3'd7) begin
            octets = 4'd4;
        end
    end
    assign frame_done = feedback_valid && ready && (word == 3'd7);
    wire [31:0] source_middle = {source_mac_low[15:0], 16'd0} | {16'd0, cp_mac_high};
    wire [31:0] type_and_feedback = {26'd0, quantized_feedback} | 32'h22e70000;
    wire [31:0] offset_and_delta = {q_offset_units, 16'd0} | {16'd0, q_delta_units};
    reg [15:0] priority_bits;
    always @* begin
        priority_bits = 16'd0;
        if (has_tag) begin
            priority_bits = vlan_tci & 16'he000;
        end
    end
    wire [31:0] priority_and_destination = {priority_bits, 16'd0} | {16'd0, destination_mac_high};
    always @* begin
        data_high = 32'd0;
        data_low = 32'd0;
        if (word == 3'd0) begin
            data_high = {source_mac_high, 16'd0} | {16'd0, source_mac_low[31:16]};
            data_low = source_middle;
        end else if (word == 3'd1) begin
            data_high = cp_mac_low;
            data_low = type_and_feedback;
            if (has_tag) begin
                data_low = {16'd0, vlan_tci} | 32'h81000000;
            end
        end else if (word == 3'd2) begin
            data_high = cpid_high;
            data_low = cpid_low;
            if (has_tag) begin
                data_high = type_and_feedback;
                data_low = cpid_high;
            end
        end else if (word == 3'd3) begin
            data_high = offset_and_delta;
            data_low = priority_and_destination;
            if (has_tag) begin
                data_high = cpid_low;
                data_low = offset_and_delta;
            end
        end else if (word == 3'd4) begin
            data_high = destination_mac_low;
            if (has_tag) begin
                data_high = priority_and_destination;
                data_low = destination_mac_low;
            end
        end
    end
    always @(posedge clock) begin
        if (feedback_valid && ready) begin
            word <= word + 3'd1;
        end
        if (reset) begin
            word <= 3'd0;
        end
    end
endmodule
