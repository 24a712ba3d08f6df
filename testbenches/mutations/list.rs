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
    "qcn" "sampler" "sampler" "comparison off by one": "(total >= interval)" => "(total > interval)";
    "qcn" "sampler" "sampler" "inverted condition": "if (by_time) begin" => "if (!by_time) begin";
    "qcn" "sampler" "sampler$jitter" "wrong slice": "scaled[(32'h8)+:(16)]" => "scaled[(32'h7)+:(16)]";
    "qcn" "queue_monitor" "queue_monitor" "swapped operands": "change = entering - leaving;" => "change = leaving - entering;";
    "qcn" "queue_monitor" "queue_monitor" "carry cut off": "((queue$q) & 25'h1ffffff) - ((q0_bytes) & 25'h1ffffff)" => "(((queue$q) & 25'h1ffffff) - ((q0_bytes) & 25'h1ffffff)) & 25'h0ffffff";
    "qcn" "queue_monitor" "queue_monitor$queue" "wrong initial value": "q = 24'h0;" => "q = 24'h1;";
    "qcn" "sample_queue" "sample_queue" "missing update": "read_pointer$d = next_read;" => "";
    "qcn" "sample_queue" "sample_queue" "wrong bit": "full = filled[32'h4];" => "full = filled[32'h3];";
    "qcn" "sample_queue" "sample_queue$tags" "memory too short": "mem[write_address] <= write_data;" => "mem[write_address & 4'h7] <= write_data;";
    "qcn" "feedback_qcn" "feedback_qcn" "wrong constant": "result = 32'h3f;" => "result = 32'h3e;";
    "qcn" "feedback_qcn" "feedback_qcn" "lost sign": "if (q_delta[32'h18]) begin" => "if (1'b0) begin";
    "qcn" "feedback_qcn" "feedback_qcn$offset" "wrong limit": "units = 32'h7fff;" => "units = 32'hffff;";
    "smcc" "feedback_smcc" "feedback_smcc" "and for or": "(frame_done | ~controlled)" => "(frame_done & ~controlled)";
    "smcc" "feedback_smcc" "feedback_smcc$delta" "condition without its second half": "bytes[32'h18] & (top != 32'hf)" => "bytes[32'h18]";
    "qcn" "packet_generator" "packet_generator" "off by one": "last = word$q == 32'h7;" => "last = word$q == 32'h6;";
    "qcn" "packet_generator" "packet_generator" "missing branch": "data_low = destination_mac_low;" => "";
    "qcn" "parser" "parser" "comparison off by one": "(unit_length_field > 32'h40)" => "(unit_length_field >= 32'h40)";
    "qcn" "parser" "parser" "missing else": "ignored$d = ignored$q + 32'h1;" => "";
    "qcn" "parser" "parser$tagged" "wrong edge": "posedge" => "negedge";
    "qcn" "calculator_qcn" "calculator_qcn" "wrong condition": "else if (new_rate < min_rate) begin" => "else if (new_rate > min_rate) begin";
    "qcn" "calculator_qcn" "calculator_qcn" "missing step": "hyper_count = least_stage - increase_stage + 32'h1;" => "hyper_count = least_stage - increase_stage;";
    "smcc" "calculator_smcc" "calculator_smcc" "wrong reset value": "rate$d = line_rate;\n            chosen_valid$d" => "rate$d = min_rate;\n            chosen_valid$d";
    "smcc" "calculator_smcc" "calculator_smcc" "no saturation": "step$d = 32'h1ffffff;" => "";
    "qcn" "rate_limiter" "rate_limiter" "comparison off by one": "(tokens$q >= cost_tokens)" => "(tokens$q > cost_tokens)";
    "qcn" "rate_limiter" "rate_limiter" "without reset": "affordable & ~reset" => "affordable";
    "qcn" "rate_limiter" "rate_limiter" "swapped operators": "nearly_full = depth - rate_tokens;" => "nearly_full = depth + rate_tokens;";
    "qcn" "calculator_qcn" "calculator_qcn" "wrong shift": "((rate$q) & 31'h7fffffff) >> 32'h1" => "((rate$q) & 31'h7fffffff) >> 32'h2";
    "qcn" "qcn_reaction_point" "qcn_reaction_point" "wire left out": "calculator$sent = rate_limiter$sent;" => "calculator$sent = 1'b0;";
    "qcn" "qcn_congestion_point" "qcn_congestion_point" "swapped wires": "sample_queue$q_delta = queue_monitor$q_delta;" => "sample_queue$q_delta = queue_monitor$q_offset;";
    "qcn" "qcn_reaction_point" "qcn_reaction_point" "wire cut short": "((rate_limiter$sent_bytes) & 24'hffffff)" => "((rate_limiter$sent_bytes) & 24'h000fff)";
    "smcc" "smcc_congestion_point" "smcc_congestion_point" "wire left out": "sample_queue$controlled = controlled;" => "sample_queue$controlled = 1'b1;";
    "smcc" "smcc_reaction_point" "smcc_reaction_point" "swapped wires": "calculator$cpid_low = parser$cpid_low;" => "calculator$cpid_low = parser$cpid_high;";
};

/// Circuit and kind of those that the stimulus does not reach: holes, to be closed in the stimulus and struck off here.
pub const UNCAUGHT: [(&str, &str); 4] = [
    ("calculator_qcn", "missing step"),
    ("qcn_reaction_point", "wire cut short"),
    ("rate_limiter", "comparison off by one"),
    ("rate_limiter", "without reset"),
];
