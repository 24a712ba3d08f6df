// SPDX-License-Identifier: MIT OR Apache-2.0
// First-in first-out queue of four samples in LUT RAM, with the addresses that their feedback
// frames need.
//
// A feedback frame takes eight cycles on a 64-bit stream, but samples can come in every cycle: the
// queue holds a burst. The addresses of every packet are written when it enters. If the packet is a
// sample, the next cycle adds the fields of the queue monitor and keeps the entry; otherwise the
// next packet overwrites it. A sample of cycle t is at the head in cycle t + 3 at the earliest.
// `ready` is low while the queue is full; a sample in such a cycle is lost, and `lost` is high in
// the next cycle, so that it can be counted. The head is held until `pop`. The next sample is at
// the head two cycles after the pop, if it came at least three cycles before: its fields have a
// cycle to leave the memories before `head_valid` is high.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_sample_queue (
    input  wire        clock,                     // Clock, rising edge
    input  wire        reset,                     // Synchronous reset, active high
    input  wire        enqueue,                   // A packet enters in this cycle; its addresses are valid
    input  wire        sample,                    // The packet that enters in this cycle is a sample
    // Queue offset of the sample of the cycle before, bytes, two's complement
    input  wire [24:0] q_offset,
    // Change of the queue of the sample of the cycle before, bytes, two's complement
    input  wire [24:0] q_delta,
    // A reaction point controls the flow of the packet; valid with `enqueue`
    input  wire        controlled,
    input  wire [15:0] source_mac_high,           // Source address of the packet, bits 47 to 32; valid with `enqueue`
    input  wire [31:0] source_mac_low,            // Source address, bits 31 to 0
    // Destination address of the packet, bits 47 to 32; valid with `enqueue`
    input  wire [15:0] destination_mac_high,
    input  wire [31:0] destination_mac_low,       // Destination address, bits 31 to 0
    input  wire        has_tag,                   // The packet has a VLAN tag; valid with `enqueue`
    input  wire [15:0] vlan_tci,                  // Tag control information of its VLAN tag; valid with `has_tag`
    input  wire        has_cn_tag,                // The packet has a CN-TAG; valid with `enqueue`
    input  wire [15:0] flow_id,                   // Flow identifier of its CN-TAG; valid with `has_cn_tag`
    input  wire        pop,                       // Remove the oldest sample
    output wire        ready,                     // There is room for a sample. While it is low, hold the next packet
    output wire        lost,                      // The sample of the cycle before was lost, because the queue was full
    output wire        head_valid,                // The fields of the oldest sample are valid
    output wire [24:0] head_q_offset,             // Queue offset of this sample, bytes, two's complement
    // Change of the queue since the sample before, bytes, two's complement
    output wire [24:0] head_q_delta,
    output wire        head_controlled,           // A reaction point controls the flow of this sample
    output wire [15:0] head_source_mac_high,      // Source address of this sample, bits 47 to 32
    output wire [31:0] head_source_mac_low,       // Source address of this sample, bits 31 to 0
    output wire [15:0] head_destination_mac_high, // Destination address of this sample, bits 47 to 32
    output wire [31:0] head_destination_mac_low,  // Destination address of this sample, bits 31 to 0
    output wire        head_has_tag,              // The packet of this sample had a VLAN tag
    output wire [15:0] head_vlan_tci,             // Tag control information of its VLAN tag; valid with `head_has_tag`
    output wire        head_has_cn_tag,           // The packet of this sample had a CN-TAG
    output wire [15:0] head_flow_id               // Flow identifier of its CN-TAG; valid with `head_has_cn_tag`
);
    reg [2:0] write_pointer; // Address of the next sample to write; bit 2 toggles with each turn
    reg sampled; // The cycle before had a sample
    reg room; // The queue had room in the cycle before
    reg [2:0] read_pointer; // Address of the oldest sample; bit 2 toggles with each turn
    reg head_read; // The memories have shown the oldest sample for a cycle
    // A reaction point controls the flow of the sample that the memories showed in the cycle before
    reg controlled_before;
    reg tagged_before; // The packet of that sample had a VLAN tag
    reg cn_tagged_before; // It had a CN-TAG
    reg full; // The queue holds four samples, with the one of the cycle before
    (* lut_ram *) reg [24:0] offsets [0:3]; // Qoff of each sample, bytes, two's complement
    wire [24:0] offsets_read_data;
    (* lut_ram *) reg [24:0] deltas [0:3]; // dQ of each sample, bytes, two's complement
    wire [24:0] deltas_read_data;
    (* lut_ram *) reg [31:0] sources [0:3]; // Source address of each sample, bits 31 to 0
    wire [31:0] sources_read_data;
    (* lut_ram *) reg [31:0] destinations [0:3]; // Destination address of each sample, bits 31 to 0
    wire [31:0] destinations_read_data;
    // Bits 47 to 32 of the source address of each sample, then those of its destination address
    (* lut_ram *) reg [31:0] high_halves [0:3];
    wire [31:0] high_halves_read_data;
    // Tag control information of the VLAN tag of each sample, then the flow identifier of its CN-TAG
    (* lut_ram *) reg [31:0] tags [0:3];
    wire [31:0] tags_read_data;
    // Of each sample: bit 2 = it has a CN-TAG, bit 1 = it has a VLAN tag, bit 0 = its flow is controlled
    (* lut_ram *) reg [2:0] flags [0:3];
    wire [2:0] flags_read_data;
    integer word;

    initial begin
        write_pointer = 3'd0;
        sampled = 1'd0;
        room = 1'd0;
        read_pointer = 3'd0;
        head_read = 1'd0;
        controlled_before = 1'd0;
        tagged_before = 1'd0;
        cn_tagged_before = 1'd0;
        full = 1'd0;
        for (word = 0; word < 4; word = word + 1) offsets[word] = 25'd0;
        for (word = 0; word < 4; word = word + 1) deltas[word] = 25'd0;
        for (word = 0; word < 4; word = word + 1) sources[word] = 32'd0;
        for (word = 0; word < 4; word = word + 1) destinations[word] = 32'd0;
        for (word = 0; word < 4; word = word + 1) high_halves[word] = 32'd0;
        for (word = 0; word < 4; word = word + 1) tags[word] = 32'd0;
        for (word = 0; word < 4; word = word + 1) flags[word] = 3'd0;
    end

    wire accept = sampled && room;
    assign lost = sampled && !room;
    wire [2:0] next_write = accept ? (write_pointer + 3'd1) : write_pointer;
    wire [2:0] written = write_pointer - read_pointer;
    wire last_place = accept ? (written == 3'd2) : ((written == 3'd3) && !accept);
    assign ready = !full;
    assign head_valid = head_read;
    wire [1:0] write_address = write_pointer[1:0];
    wire [1:0] packet_address = next_write[1:0];
    wire [1:0] read_address = read_pointer[1:0];
    wire sources_write_enable = enqueue && !full;
    wire destinations_write_enable = enqueue && !full;
    wire high_halves_write_enable = enqueue && !full;
    wire [31:0] high_halves_write_data = {source_mac_high, destination_mac_high};
    wire tags_write_enable = enqueue && !full;
    wire [31:0] tags_write_data = {vlan_tci, flow_id};
    wire flags_write_enable = enqueue && !full;
    wire [2:0] controlled_flag = controlled ? 3'd1 : 3'd0;
    wire [2:0] tag_flag = has_tag ? 3'd2 : 3'd0;
    wire [2:0] cn_tag_flag = has_cn_tag ? 3'd4 : 3'd0;
    wire [2:0] flags_write_data = controlled_flag | tag_flag | cn_tag_flag;
    assign head_q_offset = offsets_read_data;
    assign head_controlled = controlled_before;
    assign head_has_tag = tagged_before;
    assign head_has_cn_tag = cn_tagged_before;
    assign head_q_delta = deltas_read_data;
    assign head_source_mac_low = sources_read_data;
    assign head_destination_mac_low = destinations_read_data;
    assign head_source_mac_high = high_halves_read_data[31:16];
    assign head_destination_mac_high = high_halves_read_data[15:0];
    assign head_vlan_tci = tags_read_data[31:16];
    assign head_flow_id = tags_read_data[15:0];

    always @(posedge clock) begin
        write_pointer <= next_write;
        full <= (full || (sample && last_place)) && !pop;
        sampled <= sample && !reset;
        room <= !full;
        head_read <= (write_pointer != read_pointer) && !pop;
        if (pop) begin
            read_pointer <= read_pointer + 3'd1;
        end
        controlled_before <= flags_read_data[0];
        tagged_before <= flags_read_data[1];
        cn_tagged_before <= flags_read_data[2];
        if (reset) begin
            write_pointer <= 3'd0;
            read_pointer <= 3'd0;
            head_read <= 1'd0;
            full <= 1'd0;
        end
    end

    assign offsets_read_data = offsets[read_address];

    always @(posedge clock) if (accept) offsets[write_address] <= q_offset;

    assign deltas_read_data = deltas[read_address];

    always @(posedge clock) if (accept) deltas[write_address] <= q_delta;

    assign sources_read_data = sources[read_address];

    always @(posedge clock) if (sources_write_enable) sources[packet_address] <= source_mac_low;

    assign destinations_read_data = destinations[read_address];

    always @(posedge clock) if (destinations_write_enable) destinations[packet_address] <= destination_mac_low;

    assign high_halves_read_data = high_halves[read_address];

    always @(posedge clock) if (high_halves_write_enable) high_halves[packet_address] <= high_halves_write_data;

    assign tags_read_data = tags[read_address];

    always @(posedge clock) if (tags_write_enable) tags[packet_address] <= tags_write_data;

    assign flags_read_data = flags[read_address];

    always @(posedge clock) if (flags_write_enable) flags[packet_address] <= flags_write_data;
endmodule

`default_nettype wire
