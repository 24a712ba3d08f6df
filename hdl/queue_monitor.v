// Queue length from enqueue and dequeue events, and what a sample says of it (smcc.txt section 2.2: Qoff and dQ).
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module queue_monitor (
    input  wire        clock,         // Rising edge counts
    input  wire        reset,         // Synchronous, active high
    input  wire        enqueue,       // Bytes enter the queue
    input  wire [23:0] enqueue_bytes, // How many
    input  wire        dequeue,       // Bytes leave the queue
    input  wire [23:0] dequeue_bytes, // How many
    input  wire        sample,        // The packet that enters is a sample
    input  wire [23:0] q0_bytes,      // Target length, bytes
    output wire [23:0] queue_bytes,   // Length with all of the cycles before, bytes
    output wire [24:0] q_offset,      // Length - target, bytes, two's complement; of a sample of the cycle before
    output wire [24:0] q_delta,       // Length - length at the sample before, bytes, two's complement
    output wire        clamped        // The events of the cycle before would have left a length that cannot be
);
    reg [25:0] sum; // Length before it is clamped, bytes, two's complement: bit 25 says less than nothing, bit 24 without it more than fits
    reg [23:0] queue_old; // Length at the last sample, bytes
    reg sampled; // The cycle before had a sample

    initial begin
        sum = 26'd0;
        queue_old = 24'd0;
        sampled = 1'd0;
    end
    reg [25:0] entering;
    always @* begin
        entering = 26'd0;
        if (enqueue) begin
            entering = {2'd0, enqueue_bytes};
        end
    end
    reg [25:0] leaving;
    always @* begin
        leaving = 26'd0;
        if (dequeue) begin
            leaving = {2'd0, dequeue_bytes};
        end
    end
    reg [23:0] length;
    always @* begin
        length = sum[23:0];
        if (sum[25]) begin
            length = 24'd0;
        end else if (sum[24]) begin
            length = 24'hffffff;
        end
    end
    assign clamped = sum[25] || sum[24];
    wire [25:0] change = entering - leaving;
    assign queue_bytes = length;
    assign q_offset = {1'd0, length} - {1'd0, q0_bytes};
    assign q_delta = {1'd0, length} - {1'd0, queue_old};
    always @(posedge clock) begin
        sum <= {2'd0, length} + change;
        sampled <= sample && !reset;
        if (sampled) begin
            queue_old <= length;
        end
        if (reset) begin
            sum <= 26'd0;
            queue_old <= 24'd0;
        end
    end
endmodule
