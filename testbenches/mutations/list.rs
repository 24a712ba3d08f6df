// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations of the blocks that several schemes have. Those of the blocks of one scheme are in its folder.

use tidegate::claims::{Mutation, mutations};

/// Each with the scheme whose circuit is changed.
#[rustfmt::skip]
pub const SHARED: &[(&str, &[Mutation])] = &[
    ("qcn", mutations! {
        "sampler" "sum_reaches" "comparison off by one": "{carries[24:0], 1'd1}" => "{carries[24:0], 1'd0}";
        "sampler" "sum_reaches" "missing carry": "(count_extended & less_bound) | " => "";
        "sampler" "sampler" "wrong operand": "elapsed <= elapsed + amount;" => "elapsed <= elapsed + 24'd1;";
        "sampler" "sampler" "inverted condition": "if (by_time) begin\n            due" => "if (!by_time) begin\n            due";
        "sampler" "sampler" "missing reset": "elapsed <= 24'd0;\n            due <= 1'd0;" => "due <= 1'd0;";
        "sampler" "random_share" "comparison off by one": "fits = low_bits <= span;" => "fits = low_bits < span;";
        "sampler" "random_share" "missing shift": "random & (mask >> 1)" => "random & mask";
        "sampler" "span_mask" "missing shift": "ones_2 = span | (span >> 1);" => "ones_2 = span;";
        "sampler" "random_step" "wrong reset value": "{seed, seed[15:8]}" => "{seed, seed[7:0]}";
        "sampler" "random_source" "and for or": "draw || replaces" => "draw && replaces";
        "queue_monitor" "queue_length" "missing inverse": "less_leaving = leaving ^ 26'h3ffffff;" => "less_leaving = leaving;";
        "queue_monitor" "queue_monitor" "carry cut off": "q_offset = {1'd0, length} - {1'd0, q0_bytes};" => "q_offset = {1'd0, length[23:0] - q0_bytes};";
        "queue_monitor" "queue_monitor" "wrong reset value": "queue_old <= 24'd0;" => "queue_old <= 24'd1;";
        "queue_monitor" "queue_monitor" "missing update": "queue_old <= length;" => "";
        "queue_monitor" "queue_length" "wrong limit": "sum[24] ? 24'hffffff :" => "sum[24] ? 24'h7fffff :";
        "sample_queue" "sample_queue" "missing update": "read_pointer <= read_pointer + 3'd1;" => "";
        "sample_queue" "sample_queue" "comparison off by one": "accept ? (written == 3'd2)" => "accept ? (written == 3'd3)";
        "sample_queue" "sample_queue" "memory too short": "tags[packet_address] <= tags_write_data;" => "tags[packet_address & 2'h1] <= tags_write_data;";
        "sample_queue" "sample_queue" "wrong address": "destinations[packet_address] <=" => "destinations[write_address] <=";
        "sample_queue" "sample_queue" "swapped halves": "{source_mac_high, destination_mac_high}" => "{destination_mac_high, source_mac_high}";
        "sample_queue" "sample_queue" "swapped halves": "{vlan_tci, flow_id}" => "{flow_id, vlan_tci}";
        "sample_queue" "sample_queue" "wrong bit": "cn_tagged_before <= flags_read_data[2];" => "cn_tagged_before <= flags_read_data[1];";
        "sample_queue" "sample_queue" "without reset": "sampled <= sample && !reset;" => "sampled <= sample;";
        "sampler" "sampler" "missing register": "span <= interval_span;" => "span <= 24'd0;";
        "feedback_qcn" "frame_units" "wrong limit": "is_above ? 16'h7fff :" => "is_above ? 16'hffff :";
        "packet_generator" "packet_generator" "off by one": "last = word == 3'd7;" => "last = word == 3'd6;";
        "packet_generator" "packet_generator" "missing branch": "data_low = destination_mac_low;" => "";
        "packet_generator" "packet_generator" "wrong mask": "vlan_tci & 16'he000" => "vlan_tci & 16'hf000";
        "packet_generator" "packet_generator" "wrong place": "next_field = 4'd15;" => "next_field = 4'd3;";
        "packet_generator" "packet_generator" "wrong operator": "if (has_tag || has_cn_tag) begin" => "if (has_tag && has_cn_tag) begin";
        "packet_generator" "packet_generator" "tags in the wrong order": "first_tag = has_tag ? vlan_tag : cn_tag;" => "first_tag = cn_tag;";
        "packet_generator" "packet_generator" "wrong constant": "{16'h22e9, flow_id}" => "{16'h22e7, flow_id}";
        "parser" "parser" "comparison off by one": "|unit_length_field[5:0])" => "1'd1)";
        "parser" "parser" "missing condition": "ended && elsewhere;" => "ended;";
        "parser" "parser" "wrong reset value": "pending <= 1'd0;\n            taken_told <= 1'd0;" => "pending <= 1'd0;\n            taken_told <= 1'd1;";
        "parser" "parser" "wrong half": "flow <= high_lower;" => "flow <= low_lower;";
        "parser" "parser" "missing condition": "(word != 4'd15) && !second_tag" => "word != 4'd15";
        "parser" "parser" "missing condition": "later_type && has_tag && " => "later_type && ";
        "parser" "parser" "missing condition": "((word == 4'd6) && four_octets)" => "(word == 4'd6)";
        "frame_counters" "frame_counters" "wrong edge": "@(posedge clock)" => "@(negedge clock)";
        "parser" "parser" "constant off by one": "unit_length_in + 7'd41;" => "unit_length_in + 7'd40;";
        "parser" "parser" "missing condition": "capture = valid && !busy && !dropped;" => "capture = valid && !dropped;";
        "parser" "parser" "missing condition": "capture = valid && !busy && !dropped;" => "capture = valid && !busy;";
        "parser" "parser" "wrong word": "if (first_type) begin\n                dropped <= busy;" => "if (later_type) begin\n                dropped <= busy;";
        "parser" "parser" "missing condition": "damaged || !good_size" => "!good_size";
        "parser" "cpid_memory" "missing condition": "known && (highs_read_data == cpid_words_high_word)" => "highs_read_data == cpid_words_high_word";
        "parser" "cpid_memory" "half of the identifier": "(same_high && same_low) || cpid_any" => "same_low || cpid_any";
        "parser" "cpid_memory" "dropped update": "place <= !place;" => "";
        "parser" "cpid_memory" "wrong place": "lows_write_address = !place;" => "lows_write_address = place;";
        "parser" "cpid_words" "wrong shift": "(port >> 12)" => "(port >> 11)";
        "frame_counters" "frame_counters" "swapped events": "if (frame_refused && " => "if (frame_elsewhere && ";
        "parser" "parser" "least length off by one": "four_octets = |octets[3:2];" => "four_octets = |octets[3:2] || &octets[1:0];";
        "parser" "parser" "greatest length off by one": "seven_octets = octets[3] || &octets[2:0];" => "seven_octets = octets[3];";
        "calculator_qcn" "random_step" "wrong tap": "(random >> 6)" => "(random >> 5)";
        "rate_limiter" "rate_limiter" "comparison off by one": "{carries, 1'd1}" => "{carries, 1'd0}";
        "rate_limiter" "rate_limiter" "without reset": "granted <= 1'd0;" => "";
        "rate_limiter" "rate_limiter" "wrong slice": "full || filled[32]" => "full || filled[31]";
        "rate_limiter" "rate_limiter" "limit off by one": "allowed = request_bytes <= largest;" => "allowed = request_bytes < largest;";
        "sample_queue" "sample_queue" "missing condition": "(write_pointer != read_pointer) && !pop" => "(write_pointer != read_pointer)";
        "rate_limiter" "rate_limiter" "missing condition": "enough && !granted;" => "enough;";
        "sampler" "random_source" "missing condition": "fitted <= fits && !step;" => "fitted <= fits;";
        "qcn_congestion_point_array" "visit_sequencer" "missing condition": "!(level_waits && packet_last)" => "!level_waits";
        "feedback_flow" "feedback_flow" "missing condition": "!has_flow_id || |beyond" => "|beyond";
        "feedback_flow" "feedback_flow" "missing mask": "reads <= frame_flow & flow_mask;" => "reads <= frame_flow;";
        "feedback_flow" "feedback_flow" "a cycle too early": "waits <= reads;" => "waits <= frame_start ? frame_flow & flow_mask : reads;";
        "feedback_flow" "feedback_flow" "missing inverse": "({4'd0, flow_mask} ^ 16'hffff)" => "{4'd0, flow_mask}";
        "feedback_flow" "feedback_flow" "missing condition": "if (feedback_valid && is_unknown && !(&unknowns))" => "if (is_unknown && !(&unknowns))";
        "flow_limiter" "flow_visit" "missing condition": "(read_waits || too_long || unknown)" => "(read_waits || too_long)";
        "flow_limiter" "frame_cost" "comparison off by one": "too_long <= cost > depth;" => "too_long <= cost >= depth;";
        "flow_limiter" "frame_cost" "wrong operand": ": (depth - cost);" => ": depth;";
        "flow_limiter" "frame_cost" "dropped update": "cost <= cost + {10'd0, overhead_bytes};" => "";
        "flow_limiter" "bucket_level" "wrong shift": "deducted = level - {5'd0, frame_cost_whole_cost, 2'd0};" => "deducted = level - {4'd0, frame_cost_whole_cost, 3'd0};";
        "flow_limiter" "bucket_memory" "lost sign": "old_state[16] ? {5'h1f, old_state[16:0]} : " => "";
        "flow_limiter" "bucket_memory" "missing carry": "((stamp & (~read_time)) << 1) | 12'h1" => "12'h1";
        "flow_limiter" "list_choice" "comparison off by one": "waits_16 = ticks >= 12'd15;" => "waits_16 = ticks > 12'd15;";
        "flow_limiter" "list_choice" "a tick too early": "wake <= time_then - (~wait_);" => "wake <= now - (~wait_);";
        "flow_limiter" "list_choice" "missing carry": "wake <= time_then - (~wait_);" => "wake <= time_then + wait_;";
        "flow_limiter" "reached_lists" "a list too far": "reached_fine <= reached + 4'd1;" => "reached_fine <= reached + 4'd2;";
        "flow_limiter" "flow_lists" "lost flag": "in_push ? {1'd1, known_flow} :" => "in_push ? {1'd0, known_flow} :";
        "flow_limiter" "ready_queue" "lost flows": "ready <= ready_last != known_flow;" => "ready <= 1'd0;";
        "flow_limiter" "rate_memory" "wrong rate after reset": "rates_write_data = 28'h2000000;" => "rates_write_data = 28'd0;";
        "flow_limiter" "rate_exchange" "dropped update": "change_due <= 1'd1;" => "";
        "flow_limiter" "tick_arithmetic" "missing condition": "(ticks[0] && !rests) ? factor" => "ticks[0] ? factor";
        "flow_limiter" "tick_counter" "comparison off by one": "cycle == (last_cycle - 7'd1)" => "cycle == last_cycle";
        "flow_limiter" "flow_turns" "missing condition": "sends = ready && send_ready;" => "sends = send_ready;";
        "flow_limiter" "flow_sequencer" "a phase too early": "writes <= deducts || (caps && !pays);" => "writes <= deducts || caps;";
        "flow_limiter" "flow_limiter" "swapped wires": ".ready_first(grant_flow)" => ".ready_first(announce_flow)";
        "flow_limiter" "flow_numbers" "wrong constant": "last_cycle = 7'd31;" => "last_cycle = 7'd63;";
    }),
    ("bcn", mutations! {
        "calculator_bcn" "scaled_product" "missing condition": "inverts <= inverts || rest[0];" => "inverts <= rest[0];";
        "flow_points" "flow_points" "half of the identifier": "(known && same_high && same_low)" => "(known && same_low)";
        "flow_points" "flow_points" "missing condition": "(known && same_high && same_low)" => "(same_high && same_low)";
        "flow_points" "flow_points" "wrong place": "highs_read_write_address = !place;" => "highs_read_write_address = place;";
        "flow_points" "flow_points" "memory too short": "highs_write_place = highs_write_address[1:0];" => "highs_write_place = highs_write_address[1:0] & 2'd1;";
        "flow_points" "flow_points" "dropped update": "if (remember) lows[lows_write_place] <= lows_read_read_data;" => "";
        "flow_points" "cpid_words" "missing term": "high_valid ? (high_digest ^ low_digest) :" => "high_valid ? (half ^ low_digest) :";
    }),
    ("smcc", mutations! {
        "feedback_smcc" "frame_units" "condition without its second half": "bytes[24] && (top != 4'd15)" => "bytes[24]";
        "feedback_smcc" "frame_units" "wrong slice": " bytes[21:6];" => " bytes[20:5];";
        "smcc_congestion_point" "queue_length" "inverted condition": "sum[25] ? 24'd0 :" => "!sum[25] ? 24'd0 :";
        "smcc_congestion_point" "packet_generator" "swapped operands": "{q_offset_units, q_delta_units}" => "{q_delta_units, q_offset_units}";
        "smcc_congestion_point" "sample_queue" "pointer step": "accept ? (write_pointer + 3'd1)" => "accept ? (write_pointer + 3'd2)";
        "smcc_congestion_point" "sampler" "wrong mode": "by_bytes = sample_mode[0];" => "by_bytes = sample_mode[1];";
        "smcc_reaction_point" "parser" "wrong slice": "expected_low = rp_mac_low[15:0];" => "expected_low = rp_mac_low[31:16];";
        "smcc_reaction_point" "rate_bounds" "wrong operand": "low <= (rate < min_rate) && !free;" => "low <= (rate < line_rate) && !free;";
        "smcc_reaction_point" "rate_bounds" "wrong operand": "bound = low ? min_rate : line_rate;" => "bound = line_rate;";
        "smcc_reaction_point" "rate_limiter" "dropped update": "level <= paid;" => "";
        "smcc_congestion_point_array" "visit_sequencer" "missing condition": "packet_waits && (cycle != 3'd4) && settled" => "packet_waits && (cycle != 3'd4)";
        "smcc_congestion_point_array" "visit_sequencer" "range not checked": "enqueue_known = {4'd0, enqueue_index} == enqueue_queue;" => "enqueue_known = 1'd1;";
        "smcc_congestion_point_array" "sampler_array" "wrong seed": "{4'd0, queue_index, 6'd0, queue_index, 2'd0}" => "{4'd0, queue_index, 8'd0, queue_index}";
        "smcc_congestion_point_array" "sampler_array" "swapped operands": "{1'd0, amount} - {1'd0, interval_low}" => "{1'd0, interval_low} - {1'd0, amount}";
        "smcc_congestion_point_array" "sampler_array" "comparison off by one": "writes <= (step == 3'd3) && packet;" => "writes <= (step == 3'd2) && packet;";
        "smcc_congestion_point_array" "queue_monitor_array" "dropped update": "old_lengths_write_enable = sample || !cleared;" => "old_lengths_write_enable = !cleared;";
        "smcc_congestion_point_array" "sample_owners" "pointer step": "write_pointer + 2'd1" => "write_pointer + 2'd2";
    }),
    ("asm", mutations! {
        "sampling_exception" "sampling_exception" "half of the address": "known && (source_mac_high == last_high) && " => "known && ";
        "sampling_exception" "sampling_exception" "missing update": "last_low <= sent_mac_low;" => "";
        "sampling_exception" "sampling_exception" "missing condition": "(exception_waits || !enqueue)" => "1'd1";
        "sampling_exception" "sampling_exception" "missing condition": "enqueue && wanted && excepted && !exception_waits" => "enqueue && excepted && !exception_waits";
        "calculator_asm" "scaled_product" "wrong shift": "{sum[15:0], rest[31:16]}" => "{sum[14:0], rest[31:15]}";
        "calculator_asm" "scaled_product" "wrong operator": "total = {1'd0, sum} + summand;" => "total = {1'd0, sum} | summand;";
        "asm_congestion_point_array" "sampling_exception_array" "missing condition": "known && (source_high == last_high)" => "(source_high == last_high)";
        "asm_congestion_point_array" "sampling_exception_array" "missing condition": "unnoted && (unnoted_queue == queue_index)" => "1'd0";
        "asm_congestion_point_array" "sampling_exception_array" "missing condition": "wanted && excepted && !exception_waits" => "wanted && excepted";
    }),
];
