// First-in first-out queue of 16 samples with the addresses that their feedback frame needs.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

module sample_queue (
    input  wire        clock,                     // Rising edge counts
    input  wire        reset,                     // Synchronous, active high
    input  wire        enqueue,                   // A packet enters: its addresses are there
    input  wire        sample,                    // This packet is a sample
    input  wire [24:0] q_offset,                  // Bytes, two's complement; of the sample of the cycle before
    input  wire [24:0] q_delta,                   // Bytes, two's complement; of the sample of the cycle before
    input  wire        controlled,                // A reaction point governs the flow of the packet
    input  wire [15:0] source_mac_high,           // Source address of the packet, bits 47 to 32
    input  wire [31:0] source_mac_low,            // Bits 31 to 0
    input  wire [15:0] destination_mac_high,      // Destination address of the packet, bits 47 to 32
    input  wire [31:0] destination_mac_low,       // Bits 31 to 0
    input  wire        has_tag,                   // The packet has a VLAN tag
    input  wire [15:0] vlan_tci,                  // Tag control information of its tag
    input  wire        pop,                       // Done with the oldest sample
    output wire        ready,                     // There is room for a sample; low: hold the next packet
    output wire        lost,                      // The sample of the cycle before found no room
    output wire        head_valid,                // The oldest sample is there
    output wire [24:0] head_q_offset,             // Its queue offset, bytes, two's complement
    output wire [24:0] head_q_delta,              // Its change of the queue, bytes, two's complement
    output wire        head_controlled,           // A reaction point governs its flow
    output wire [15:0] head_source_mac_high,      // Its source address, bits 47 to 32
    output wire [31:0] head_source_mac_low,       // Bits 31 to 0
    output wire [15:0] head_destination_mac_high, // Its destination address, bits 47 to 32
    output wire [31:0] head_destination_mac_low,  // Bits 31 to 0
    output wire        head_has_tag,              // It had a VLAN tag
    output wire [15:0] head_vlan_tci              // Tag control information of its tag
);
    reg [4:0] write_pointer; // Where the next sample goes, with a turn bit
    reg sampled; // The cycle before had a sample
    reg room; // There was room for it
    reg [4:0] read_pointer; // The oldest sample, with a turn bit
    reg head_read; // The oldest sample has been read
    reg full; // Sixteen samples are there, with that of the cycle before
    reg [24:0] offsets [0:15];
    reg [24:0] offsets_read_data;
    reg [24:0] deltas [0:15];
    reg [24:0] deltas_read_data;
    reg [31:0] sources [0:15];
    reg [31:0] sources_read_data;
    reg [31:0] destinations [0:15];
    reg [31:0] destinations_read_data;
    reg [31:0] high_halves [0:15];
    reg [31:0] high_halves_read_data;
    reg [17:0] tags [0:15];
    reg [17:0] tags_read_data;
    integer word;

    initial begin
        write_pointer = 5'd0;
        sampled = 1'd0;
        room = 1'd0;
        read_pointer = 5'd0;
        head_read = 1'd0;
        full = 1'd0;
        for (word = 0; word < 16; word = word + 1) offsets[word] = 25'd0;
        offsets_read_data = 25'd0;
        for (word = 0; word < 16; word = word + 1) deltas[word] = 25'd0;
        deltas_read_data = 25'd0;
        for (word = 0; word < 16; word = word + 1) sources[word] = 32'd0;
        sources_read_data = 32'd0;
        for (word = 0; word < 16; word = word + 1) destinations[word] = 32'd0;
        destinations_read_data = 32'd0;
        for (word = 0; word < 16; word = word + 1) high_halves[word] = 32'd0;
        high_halves_read_data = 32'd0;
        for (word = 0; word < 16; word = word + 1) tags[word] = 18'd0;
        tags_read_data = 18'd0;
    end
    wire accept = sampled && room;
    assign lost = sampled && !room;
    reg [4:0] next_write;
    always @* begin
        next_write = write_pointer;
        if (accept) begin
            next_write = write_pointer + 5'd1;
        end
    end
    wire [4:0] written = write_pointer - read_pointer;
    reg last_place;
    always @* begin
        last_place = (written == 5'd15) && !accept;
        if (accept) begin
            last_place = written == 5'd14;
        end
    end
    assign ready = !full;
    assign head_valid = head_read;
    wire [3:0] write_address = write_pointer[3:0];
    wire [3:0] packet_address = next_write[3:0];
    wire [3:0] read_address = read_pointer[3:0];
    wire sources_write_enable = enqueue && !full;
    wire destinations_write_enable = enqueue && !full;
    wire high_halves_write_enable = enqueue && !full;
    wire [31:0] high_halves_write_data = {source_mac_high, 16'd0} | {16'd0, destination_mac_high};
    wire tags_write_enable = enqueue && !full;
    reg [17:0] tags_write_data;
    always @* begin
        tags_write_data = {2'd0, vlan_tci};
        if (controlled && has_tag) begin
            tags_write_data = {2'd0, vlan_tci} | 18'h30000;
        end else if (controlled) begin
            tags_write_data = {2'd0, vlan_tci} | 18'h10000;
        end else if (has_tag) begin
            tags_write_data = {2'd0, vlan_tci} | 18'h20000;
        end
    end
    assign head_q_offset = offsets_read_data;
    assign head_controlled = tags_read_data[16];
    assign head_has_tag = tags_read_data[17];
    assign head_q_delta = deltas_read_data;
    assign head_source_mac_low = sources_read_data;
    assign head_destination_mac_low = destinations_read_data;
    assign head_source_mac_high = high_halves_read_data[31:16];
    assign head_destination_mac_high = high_halves_read_data[15:0];
    assign head_vlan_tci = tags_read_data[15:0];
    always @(posedge clock) begin
        write_pointer <= next_write;
        if (pop) begin
            full <= 1'd0;
        end else if (sample && last_place) begin
            full <= 1'd1;
        end
        sampled <= sample && !reset;
        room <= !full;
        head_read <= (write_pointer != read_pointer) && !pop;
        if (pop) begin
            read_pointer <= read_pointer + 5'd1;
        end
        if (reset) begin
            write_pointer <= 5'd0;
            read_pointer <= 5'd0;
            head_read <= 1'd0;
            full <= 1'd0;
        end
    end
    always @(posedge clock) begin
        if (accept) offsets[write_address] <= q_offset;
        offsets_read_data <= offsets[read_address];
    end
    always @(posedge clock) begin
        if (accept) deltas[write_address] <= q_delta;
        deltas_read_data <= deltas[read_address];
    end
    always @(posedge clock) begin
        if (sources_write_enable) sources[packet_address] <= source_mac_low;
        sources_read_data <= sources[read_address];
    end
    always @(posedge clock) begin
        if (destinations_write_enable) destinations[packet_address] <= destination_mac_low;
        destinations_read_data <= destinations[read_address];
    end
    always @(posedge clock) begin
        if (high_halves_write_enable) high_halves[packet_address] <= high_halves_write_data;
        high_halves_read_data <= high_halves[read_address];
    end
    always @(posedge clock) begin
        if (tags_write_enable) tags[packet_address] <= tags_write_data;
        tags_read_data <= tags[read_address];
    end
endmodule
