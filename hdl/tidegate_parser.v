// Reads frames from a 64-bit stream and passes on the fields of each congestion notification for
// this reaction point. All other frames are ignored.
//
// A frame is accepted if all of this is true: its destination is `rp_mac`; its EtherType is 0x22E7,
// after at most one 802.1Q tag; its version is 0; its length is 60 to 102 octets (106 with a tag);
// its encapsulated data unit has at most 64 octets and is not longer than the rest of the frame;
// its CPID equals `allowed_cpid` in the bits that are set in `allowed_cpid_mask` (a mask of 0
// allows any CPID). The fields are valid in the cycle after the last word and are held until
// `feedback_ready`; meanwhile `ready` is low, so that no feedback is lost if the calculator is
// slow. Layout of the frame: docs/frames.md.
//
// Scheme: Quantized congestion notification (qcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase Plane Analysis of Quantized
//   Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses 30 to 33.
// Scheme: Backward congestion notification (bcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2.
// Scheme: Sliding mode congestion control (smcc). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 4.
// Scheme: Adaptive sliding mode congestion control (asm). Jiang 2014: Scale Congestion Control to
//   Ultra-High Speed Ethernet, section 4.
// Scheme: Delay-tolerant sliding mode congestion control (dsm). Cheng: Congestion Control in
//   Converged Ethernet with Heterogeneous and Time-Varying Delays, sections III and IV.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module tidegate_parser (
    input  wire        clock,                  // Clock, rising edge
    input  wire        reset,                  // Synchronous reset, active high
    input  wire [31:0] data_high,              // Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24
    input  wire [31:0] data_low,               // Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24
    input  wire [3:0]  octets,                 // Number of valid octets in the last word, 1 to 8
    input  wire        last,                   // The word is the last one of a frame
    input  wire        valid,                  // The stream word is valid
    output wire        ready,                  // The stream word is taken in this cycle, if `valid`. Low while a feedback waits for the calculator
    input  wire [15:0] rp_mac_high,            // Address of this reaction point, bits 47 to 32
    input  wire [31:0] rp_mac_low,             // Address of this reaction point, bits 31 to 0
    input  wire [31:0] allowed_cpid_high,      // Allowed congestion point identifier (CPID), bits 63 to 32
    input  wire [31:0] allowed_cpid_low,       // Allowed congestion point identifier, bits 31 to 0
    input  wire [31:0] allowed_cpid_mask_high, // Bits of the allowed identifier that are compared, bits 63 to 32; all 64 bits 0: any identifier is allowed
    input  wire [31:0] allowed_cpid_mask_low,  // Bits of the allowed identifier that are compared, bits 31 to 0
    output wire        feedback_valid,         // The feedback fields are valid; they are held until `feedback_ready`
    input  wire        feedback_ready,         // The calculator takes the feedback in this cycle, if `feedback_valid`
    output wire [5:0]  quantized_feedback,     // QntzFb, quantised feedback, 0 to 63
    output wire [15:0] q_offset_units,         // QOffset, units of 64 octets, two's complement
    output wire [15:0] q_delta_units,          // QDelta, units of 64 octets, two's complement
    output wire [31:0] cpid_high,              // Congestion point identifier (CPID), bits 63 to 32
    output wire [31:0] cpid_low,               // Congestion point identifier (CPID), bits 31 to 0
    output wire        frame_ignored           // A frame was ignored whose last word was taken in the cycle before: for a counter, where one is wanted
);
    reg [3:0] word; // Index of the word in the frame; stops at 15, as an accepted frame has at most 14 words
    reg rejected; // The words so far show that the frame is not accepted
    reg has_tag; // The frame has a VLAN tag
    reg pending; // The feedback fields wait for `feedback_ready`
    reg [5:0] feedback; // QntzFb, quantised feedback, 0 to 63
    reg [15:0] offset; // QOffset of the frame
    reg [15:0] delta; // QDelta of the frame
    reg [31:0] identifier_high; // CPID of the frame, bits 63 to 32
    reg [31:0] identifier_low; // CPID of the frame, bits 31 to 0
    reg [6:0] needed_less_one; // Octets of the frame up to the end of the encapsulated data unit, minus one
    reg ignored; // The frame that ended in the cycle before was ignored

    initial begin
        word = 4'd0;
        rejected = 1'd0;
        has_tag = 1'd0;
        pending = 1'd0;
        feedback = 6'd0;
        offset = 16'd0;
        delta = 16'd0;
        identifier_high = 32'd0;
        identifier_low = 32'd0;
        needed_less_one = 7'd0;
        ignored = 1'd0;
    end

    assign ready = !pending || feedback_ready;
    wire take = valid && (!pending || feedback_ready);
    wire [15:0] high_upper = data_high[31:16];
    wire [15:0] high_lower = data_high[15:0];
    wire [15:0] low_upper = data_low[31:16];
    wire [15:0] low_lower = data_low[15:0];
    wire [31:0] expected_high = {rp_mac_high, rp_mac_low[31:16]};
    wire [15:0] expected_low = rp_mac_low[15:0];

    reg [31:0] identifier_in_high;
    reg [31:0] identifier_in_low;
    reg [15:0] unit_length_field;
    always @* begin
        identifier_in_high = data_high;
        identifier_in_low = data_low;
        unit_length_field = low_upper;
        if (has_tag) begin
            identifier_in_high = data_low;
            identifier_in_low = data_high;
            unit_length_field = high_upper;
        end
    end

    wire unit_too_long = |unit_length_field[15:7] || (unit_length_field[6] && |unit_length_field[5:0]);
    wire [6:0] unit_length_in = unit_length_field[6:0];
    wire [31:0] wrong_high = (identifier_in_high ^ allowed_cpid_high) & allowed_cpid_mask_high;
    wire [31:0] wrong_low = (identifier_in_low ^ allowed_cpid_low) & allowed_cpid_mask_low;

    reg reject;
    always @* begin
        reject = rejected;
        if (word == 4'd0) begin
            reject = (data_high != expected_high) || (low_upper != expected_low);
        end else if (word == 4'd1) begin
            if (low_upper == 16'h22e7) begin
                reject = rejected || |low_lower[15:12];
            end else if (low_upper != 16'h8100) begin
                reject = 1'd1;
            end
        end else if (word == 4'd2) begin
            if (has_tag) begin
                reject = rejected || (high_upper != 16'h22e7) || |high_lower[15:12] || |wrong_high;
            end else begin
                reject = rejected || |wrong_high || |wrong_low;
            end
        end else if (word == 4'd3) begin
            if (has_tag) begin
                reject = rejected || |wrong_low;
            end
        end else if (((word == 4'd4) && !has_tag) || ((word == 4'd5) && has_tag)) begin
            reject = rejected || unit_too_long;
        end
    end

    wire [3:0] octets_less_one = octets - 4'd1;
    wire [6:0] length_less_one = {word, octets_less_one[2:0]};

    reg [6:0] most_less_one;
    always @* begin
        most_less_one = 7'd101;
        if (has_tag) begin
            most_less_one = 7'd105;
        end
    end

    wire accept = !reject && (length_less_one >= 7'd59) && (length_less_one <= most_less_one) && (length_less_one >= needed_less_one);
    assign feedback_valid = pending;
    assign quantized_feedback = feedback;
    assign q_offset_units = offset;
    assign q_delta_units = delta;
    assign cpid_high = identifier_high;
    assign cpid_low = identifier_low;
    assign frame_ignored = ignored;

    always @(posedge clock) begin
        if (feedback_ready) begin
            pending <= 1'd0;
        end
        ignored <= take && last && !accept;
        if (take) begin
            rejected <= reject;
            if (word != 4'd15) begin
                word <= word + 4'd1;
            end
            if (word == 4'd1) begin
                has_tag <= low_upper == 16'h8100;
                feedback <= data_low[5:0];
            end else if (word == 4'd2) begin
                identifier_high <= identifier_in_high;
                if (has_tag) begin
                    feedback <= data_high[5:0];
                end else begin
                    identifier_low <= identifier_in_low;
                end
            end else if (word == 4'd3) begin
                offset <= high_upper;
                delta <= high_lower;
                if (has_tag) begin
                    identifier_low <= identifier_in_low;
                    offset <= low_upper;
                    delta <= low_lower;
                end
            end else if (((word == 4'd4) && !has_tag) || ((word == 4'd5) && has_tag)) begin
                needed_less_one <= unit_length_in + 7'd37;
                if (has_tag) begin
                    needed_less_one <= unit_length_in + 7'd41;
                end
            end
            if (last) begin
                word <= 4'd0;
                rejected <= 1'd0;
                has_tag <= 1'd0;
                if (accept) begin
                    pending <= 1'd1;
                end
            end
        end
        if (reset) begin
            word <= 4'd0;
            rejected <= 1'd0;
            has_tag <= 1'd0;
            pending <= 1'd0;
            ignored <= 1'd0;
        end
    end

    wire unused = &{1'b0, octets_less_one[3]};
endmodule
