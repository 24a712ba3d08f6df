//! The mutations: what a slip of the pen in an emitter or in a module would leave in the Verilog.

/// One small change to one module.
pub struct Mutation {
    /// Scheme whose circuit is changed.
    pub scheme: &'static str,
    /// Top module of that circuit: a block, or a whole part where the change is between blocks.
    pub circuit: &'static str,
    /// The module below it that is changed.
    pub module: &'static str,
    /// What kind of slip it is.
    pub kind: &'static str,
    /// Text that stands in the module exactly once.
    pub find: &'static str,
    /// What stands there instead.
    pub replace: &'static str,
}

/// Mutations of one scheme's circuits.
macro_rules! mutations {
    ($($scheme:literal $circuit:literal $module:literal $kind:literal: $find:literal => $replace:literal;)*) => {
        &[$(Mutation {
            scheme: $scheme,
            circuit: $circuit,
            module: $module,
            kind: $kind,
            find: $find,
            replace: $replace,
        }),*]
    };
}

/// All of them; every module of both schemes has at least one.
#[rustfmt::skip]
pub const MUTATIONS: &[Mutation] = mutations! {
    "qcn" "sampler" "sum_reaches" "comparison off by one": "((carries << 1'd1) | 26'h1)" => "(carries << 1'd1)";
    "qcn" "sampler" "sum_reaches" "missing carry": "(one & less_bound) | " => "";
    "qcn" "sampler" "sampler" "wrong operand": "elapsed <= elapsed + amount;" => "elapsed <= elapsed + 24'd1;";
    "qcn" "sampler" "sampler" "inverted condition": "if (by_time) begin\n            due" => "if (!by_time) begin\n            due";
    "qcn" "sampler" "sampler" "missing reset": "elapsed <= 24'd0;\n            due <= 1'd0;" => "due <= 1'd0;";
    "qcn" "sampler" "jitter" "wrong slice": "scaled[23:8]" => "scaled[22:7]";
    "qcn" "sampler" "jitter" "wrong shift": "high_product[23:0] << 2'd3" => "high_product[23:0] << 2'd2";
    "qcn" "sampler" "jitter" "and for or": "if (draw || reset) begin" => "if (draw && reset) begin";
    "qcn" "queue_monitor" "queue_monitor" "swapped operands": "change = entering - leaving;" => "change = leaving - entering;";
    "qcn" "queue_monitor" "queue_monitor" "carry cut off": "q_offset = {1'd0, queue} - {1'd0, q0_bytes};" => "q_offset = {1'd0, queue[23:0] - q0_bytes};";
    "qcn" "queue_monitor" "queue_monitor" "wrong initial value": "queue = 24'd0;" => "queue = 24'd1;";
    "qcn" "queue_monitor" "queue_monitor" "missing update": "queue_old <= queue;" => "";
    "qcn" "queue_monitor" "queue_monitor" "wrong limit": "queue <= 24'hffffff;" => "queue <= 24'h7fffff;";
    "qcn" "sample_queue" "sample_queue" "missing update": "read_pointer <= next_read;" => "";
    "qcn" "sample_queue" "sample_queue" "wrong bit": "full = filled[4]" => "full = filled[3]";
    "qcn" "sample_queue" "sample_queue" "memory too short": "tags[packet_address] <= tags_write_data;" => "tags[packet_address & 4'h7] <= tags_write_data;";
    "qcn" "sample_queue" "sample_queue" "wrong address": "destinations[packet_address] <=" => "destinations[write_address] <=";
    "qcn" "sample_queue" "sample_queue" "swapped halves": "{source_mac_high, 16'd0} | {16'd0, destination_mac_high}" => "{destination_mac_high, 16'd0} | {16'd0, source_mac_high}";
    "qcn" "sample_queue" "sample_queue" "without reset": "sampled <= sample && !reset;" => "sampled <= sample;";
    "qcn" "feedback_qcn" "feedback_qcn" "wrong constant": "result = 6'd63;" => "result = 6'd62;";
    "qcn" "feedback_qcn" "feedback_qcn" "lost sign": "if (q_delta[24]) begin" => "if (1'b0) begin";
    "qcn" "feedback_qcn" "feedback_qcn" "comparison off by one": "fits = remainder >= divisor;" => "fits = remainder > divisor;";
    "qcn" "feedback_qcn" "feedback_qcn" "wrong row": "interval_low = interval_low_5;" => "interval_low = interval_low_4;";
    "qcn" "feedback_qcn" "feedback_qcn" "dropped update": "level <= result[5:3];" => "";
    "qcn" "feedback_qcn" "frame_units" "wrong limit": "units = 16'h7fff;" => "units = 16'hffff;";
    "smcc" "feedback_smcc" "feedback_smcc" "and for or": "(frame_done || !controlled)" => "(frame_done && !controlled)";
    "smcc" "feedback_smcc" "frame_units" "condition without its second half": "bytes[24] && (top != 4'd15)" => "bytes[24]";
    "smcc" "feedback_smcc" "frame_units" "wrong slice": "units = bytes[21:6];" => "units = bytes[20:5];";
    "qcn" "packet_generator" "packet_generator" "off by one": "last = word == 3'd7;" => "last = word == 3'd6;";
    "qcn" "packet_generator" "packet_generator" "missing branch": "data_low = destination_mac_low;" => "";
    "qcn" "packet_generator" "packet_generator" "wrong mask": "vlan_tci & 16'he000" => "vlan_tci & 16'hf000";
    "qcn" "parser" "parser" "comparison off by one": "|unit_length_field[5:0])" => "1'd1)";
    "qcn" "parser" "parser" "missing else": "ignored <= ignored + 32'd1;" => "";
    "qcn" "parser" "parser" "wrong reset value": "pending <= 1'd0;\n            ignored <= 32'd0;" => "pending <= 1'd0;\n            ignored <= 32'd1;";
    "qcn" "parser" "parser" "wrong edge": "@(posedge clock)" => "@(negedge clock)";
    "qcn" "parser" "parser" "constant off by one": "unit_length_in + 7'd41;" => "unit_length_in + 7'd40;";
    "qcn" "parser" "parser" "least length off by one": "(length_less_one >= 7'd59)" => "(length_less_one > 7'd59)";
    "qcn" "calculator_qcn" "calculator_qcn" "wrong condition": "end else if (new_rate < min_rate) begin" => "end else if (new_rate > min_rate) begin";
    "qcn" "calculator_qcn" "calculator_qcn" "missing step": "less_offset = 6'd1 - increase_stage;" => "less_offset = 6'd0 - increase_stage;";
    "qcn" "calculator_qcn" "calculator_qcn" "wrong shift": "half_rate = {6'd0, rate} >> 1'd1;" => "half_rate = {6'd0, rate} >> 2'd2;";
    "qcn" "calculator_qcn" "calculator_qcn" "missing saturation": "change <= 25'h1ffffff;" => "";
    "qcn" "calculator_qcn" "calculator_qcn" "wrong slice": "mean = sum[25:1];" => "mean = sum[24:0];";
    "qcn" "calculator_qcn" "calculator_qcn" "comparison off by one": "time_half <= time_stage_after >= half_stage;" => "time_half <= time_stage_after > half_stage;";
    "qcn" "calculator_qcn" "calculator_qcn" "dropped update": "elapsed_bytes <= sent_bytes;" => "";
    "qcn" "calculator_qcn" "jitter" "wrong tap": "((state >> 3'd5) & 16'hff)" => "((state >> 3'd4) & 16'hff)";
    "smcc" "calculator_smcc" "calculator_smcc" "wrong reset value": "rate <= line_rate;\n            stored_cpid" => "rate <= min_rate;\n            stored_cpid";
    "smcc" "calculator_smcc" "calculator_smcc" "no saturation": "size = 25'h1ffffff;" => "";
    "smcc" "calculator_smcc" "calculator_smcc" "comparison off by one": "(delta_magnitude > t1_units)" => "(delta_magnitude >= t1_units)";
    "smcc" "calculator_smcc" "calculator_smcc" "inverted condition": "(!increase || same_point)" => "(increase || same_point)";
    "smcc" "calculator_smcc" "calculator_smcc" "dropped update": "stored_cpid_low <= masked_low;" => "";
    "smcc" "calculator_smcc" "calculator_smcc" "wrong sign": "(beyond[26] ^ step_up)" => "(beyond[26] ^ !step_up)";
    "qcn" "rate_limiter" "rate_limiter" "comparison off by one": "({carries, 1'd0} | 15'h1)" => "{carries, 1'd0}";
    "qcn" "rate_limiter" "rate_limiter" "without reset": "granted <= affordable && !reset;" => "granted <= affordable;";
    "qcn" "rate_limiter" "rate_limiter" "wrong slice": "(|filled[31:25])" => "(|filled[31:26])";
    "qcn" "rate_limiter" "rate_limiter" "limit off by one": "allowed = request_bytes <= largest;" => "allowed = request_bytes < largest;";
    "qcn" "qcn_reaction_point" "qcn_reaction_point" "wire left out": ".sent(rate_limiter_sent),\n        .sent_bytes(calculator_sent_bytes)" => ".sent(1'b0),\n        .sent_bytes(calculator_sent_bytes)";
    "qcn" "qcn_reaction_point" "qcn_reaction_point" "wire cut short": "{10'd0, rate_limiter_sent_bytes}" => "{12'd0, rate_limiter_sent_bytes[11:0]}";
    "qcn" "qcn_congestion_point" "qcn_congestion_point" "swapped wires": ".q_delta(queue_monitor_q_delta),\n        .controlled" => ".q_delta(queue_monitor_q_offset),\n        .controlled";
    "qcn" "qcn_congestion_point" "qcn_congestion_point" "swapped parameters": ".interval_low_2(interval_low_2)" => ".interval_low_2(interval_low_3)";
    "smcc" "smcc_congestion_point" "smcc_congestion_point" "wire left out": ".controlled(controlled)" => ".controlled(1'b1)";
    "smcc" "smcc_congestion_point" "queue_monitor" "inverted condition": "if (next_queue[25]) begin" => "if (!next_queue[25]) begin";
    "smcc" "smcc_congestion_point" "packet_generator" "swapped operands": "{q_offset_units, 16'd0} | {16'd0, q_delta_units}" => "{q_delta_units, 16'd0} | {16'd0, q_offset_units}";
    "smcc" "smcc_congestion_point" "sample_queue" "pointer step": "next_write = write_pointer + 5'd1;" => "next_write = write_pointer + 5'd2;";
    "smcc" "smcc_congestion_point" "sampler" "wrong mode": "by_bytes = sample_mode == 2'd1;" => "by_bytes = sample_mode == 2'd3;";
    "smcc" "smcc_reaction_point" "smcc_reaction_point" "swapped wires": ".cpid_low(parser_cpid_low),\n        .line_rate" => ".cpid_low(parser_cpid_high),\n        .line_rate";
    "smcc" "smcc_reaction_point" "parser" "wrong slice": "expected_low = rp_mac_low[15:0];" => "expected_low = rp_mac_low[31:16];";
    "smcc" "smcc_reaction_point" "rate_limiter" "dropped update": "level <= paid;" => "";
};
