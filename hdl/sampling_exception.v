// A packet from the source to which the last feedback went is no sample: the first behind it from another source is
// (asm.txt section 4.5). Meanwhile the sampler's next interval runs.
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme asm --out DIR

module sampling_exception (
    input  wire        clock,           // Rising edge counts
    input  wire        reset,           // Synchronous, active high
    input  wire        enqueue,         // A packet enters the queue
    input  wire        due,             // The sampler would have this packet
    input  wire [15:0] source_mac_high, // Source address of the packet, bits 47 to 32
    input  wire [31:0] source_mac_low,  // Bits 31 to 0
    input  wire        sent,            // The last word of a feedback frame leaves
    input  wire [15:0] sent_mac_high,   // Its destination address, bits 47 to 32
    input  wire [31:0] sent_mac_low,    // Bits 31 to 0
    output wire        sample           // This packet is a sample; same cycle
);
    reg waiting; // A sample is due and waits for another source
    reg known; // A source has had feedback
    reg [15:0] last_high; // Its address, bits 47 to 32
    reg [31:0] last_low; // Bits 31 to 0

    initial begin
        waiting = 1'd0;
        known = 1'd0;
        last_high = 16'd0;
        last_low = 32'd0;
    end
    wire wanted = due || waiting;
    wire excepted = known && (source_mac_high == last_high) && (source_mac_low == last_low);
    assign sample = enqueue && wanted && !excepted;
    always @(posedge clock) begin
        waiting <= wanted && !sample;
        if (sent) begin
            known <= 1'd1;
            last_high <= sent_mac_high;
            last_low <= sent_mac_low;
        end
        if (reset) begin
            waiting <= 1'd0;
            known <= 1'd0;
        end
    end
endmodule
