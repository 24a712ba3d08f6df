// A window of one packet, and a packet at most every 1 + ipd packet times (infiniband.txt section IV-B and V-D).
// Scheme: End-to-end congestion control for InfiniBand (infiniband). infiniband.txt IV, V; older than the standard's own (threshold, marking rate, CCT)
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme infiniband --out DIR

module inter_packet_delay (
    input  wire        clock,           // Rising edge counts
    input  wire        reset,           // Synchronous, active high
    input  wire [15:0] packet_cycles,   // Cycles that one packet takes at R_max, 2 or more
    input  wire [7:0]  ipd,             // Idle packet times between two packets
    input  wire        request,         // A packet waits; hold until `grant`
    output wire        grant,           // It may start in this cycle
    output wire        outstanding,     // A packet is out whose ACK was not handed over yet
    input  wire        ack,             // An ACK comes
    input  wire        ack_marked,      // Its packet was marked
    output wire        stray,           // It belongs to no packet
    output wire        feedback_valid,  // An ACK for the calculator
    output wire        feedback_marked, // Its packet was marked
    input  wire        feedback_ready   // The calculator takes it; no packet is granted while it is low
);
    reg out; // A packet is out
    reg acknowledged; // Its ACK is here
    reg marked; // It was marked
    reg begun; // There was a packet
    reg [15:0] cycles; // Cycles of the packet time under way
    reg [8:0] packet_times; // Packet times since the last packet began, at most 256
    reg due; // The packet times have gone by

    initial begin
        out = 1'd0;
        acknowledged = 1'd0;
        marked = 1'd0;
        begun = 1'd0;
        cycles = 16'd0;
        packet_times = 9'd0;
        due = 1'd0;
    end
    wire start = request && (due || !begun) && !out && feedback_ready;
    wire taken = acknowledged && feedback_ready;
    wire [15:0] next_cycles = cycles + 16'd1;
    wire ends = next_cycles == packet_cycles;
    assign stray = ack && (!out || acknowledged);
    assign grant = start;
    assign outstanding = out;
    assign feedback_valid = acknowledged;
    assign feedback_marked = marked;
    always @(posedge clock) begin
        cycles <= next_cycles;
        due <= packet_times > {1'd0, ipd};
        if (ends) begin
            due <= packet_times >= {1'd0, ipd};
            cycles <= 16'd0;
            if (!packet_times[8]) begin
                packet_times <= packet_times + 9'd1;
            end
        end
        if (start) begin
            cycles <= 16'd1;
            packet_times <= 9'd0;
            due <= 1'd0;
            begun <= 1'd1;
            out <= 1'd1;
        end
        if (taken) begin
            out <= 1'd0;
            acknowledged <= 1'd0;
        end
        if (ack && out && !acknowledged) begin
            acknowledged <= 1'd1;
            marked <= ack_marked;
        end
        if (reset) begin
            out <= 1'd0;
            acknowledged <= 1'd0;
            begun <= 1'd0;
            cycles <= 16'd0;
            packet_times <= 9'd0;
            due <= 1'd0;
        end
    end
endmodule
