//! The reaction point, in the source: parser, calculator, rate limiter.

pub mod calculator_asm;
pub mod calculator_bcn;
pub mod calculator_dsm;
pub mod calculator_infiniband;
pub mod calculator_qcn;
pub mod calculator_smcc;
pub mod inter_packet_delay;
pub mod parser;
pub mod rate_limiter;
pub mod response_table;
pub mod source_infiniband;

use self::calculator_asm::AsmCalculator;
use self::calculator_bcn::BcnCalculator;
use self::calculator_dsm::DsmCalculator;
use self::calculator_qcn::QcnCalculator;
use self::calculator_smcc::SmccCalculator;
use self::parser::Parser;
use self::rate_limiter::RateLimiter;
use crate::rtl::{module, parameter_inputs, signed, value, ParameterInputs};
use rust_hdl::prelude::*;

/// Access to the ports of a reaction point in terms of words, frames and feedback.
pub trait ReactionPointPorts {
    /// Drives the stream: `data_high`, `data_low`, `octets`, `last`; `None`: no word.
    fn drive_word(&mut self, word: Option<(u32, u32, u32, bool)>);
    /// Drives `request` with a frame of this length in bytes; `None`: no frame waits.
    fn drive_request(&mut self, request: Option<u32>);
    /// `ready`: whether the parser takes the word.
    fn takes_word(&self) -> bool;
    /// `grant`.
    fn is_granted(&self) -> bool;
    /// `ignored_frames`.
    fn ignored(&self) -> u32;
    /// QntzFb, QOffset, QDelta and CPID that the calculator takes in this cycle.
    fn feedback_taken(&self) -> Option<(u8, i16, i16, u64)>;
    /// `current_rate`.
    fn rate(&self) -> u32;
}

/// Access to the ports of a calculator in terms of feedback and frames. A calculator without a port ignores its value.
pub trait CalculatorPorts {
    /// Drives `feedback_valid` and the fields: QntzFb, QOffset, QDelta and CPID; `None`: no feedback.
    fn drive_feedback(&mut self, feedback: Option<(u8, i16, i16, u64)>);
    /// Drives `sent` with a frame of this length in bytes, and `source_empty`.
    fn drive_sent(&mut self, bytes: Option<u32>, source_empty: bool);
    /// Whether the calculator takes a feedback in this cycle.
    fn takes_feedback(&self) -> bool;
    /// `current_rate`.
    fn rate(&self) -> u32;
    /// Target rate R, byte stage and time stage; `None` for a calculator without them.
    fn target(&self) -> Option<(u32, u8, u8)>;
}

/// Connects a calculator to the parser and the rate limiter that all Ethernet reaction points share.
macro_rules! reaction_point {
    (
        $(#[doc = $about:literal])* $name:ident, $module:literal, $calculator:ty, { $($parameter:ident: $bits:ty),* $(,)? },
        from_parser: [$($field:ident),* $(,)?], sent: [$($count:ident),*], empty: [$($empty:ident),*],
        target: [$(($target:ident, $byte_stage:ident, $time_stage:ident))?]
    ) => {
        module! {
            $(#[doc = $about])*
            ///
            /// Received frames arrive on the stream. To send a frame of `request_bytes`, the source drives `request`
            /// and holds both until `grant`. A calculator that counts bytes counts a frame in the cycle of its grant.
            pub struct $name: $module {
                /// Clock, rising edge.
                pub clock: Signal<In, Clock>,
                /// Synchronous reset, active high.
                pub reset: Signal<In, Bit>,
                pub data_high: Signal<In, Bits<32>>,
                pub data_low: Signal<In, Bits<32>>,
                pub octets: Signal<In, Bits<4>>,
                pub last: Signal<In, Bit>,
                pub valid: Signal<In, Bit>,
                pub ready: Signal<Out, Bit>,
                pub request: Signal<In, Bit>,
                pub request_bytes: Signal<In, Bits<14>>,
                $(pub $empty: Signal<In, Bit>,)*
                pub rp_mac_high: Signal<In, Bits<16>>,
                pub rp_mac_low: Signal<In, Bits<32>>,
                pub allowed_cpid_high: Signal<In, Bits<32>>,
                pub allowed_cpid_low: Signal<In, Bits<32>>,
                pub allowed_cpid_mask_high: Signal<In, Bits<32>>,
                pub allowed_cpid_mask_low: Signal<In, Bits<32>>,
                pub bucket_bytes: Signal<In, Bits<14>>,
                pub overhead_bytes: Signal<In, Bits<5>>,
                $(pub $parameter: Signal<In, $bits>,)*
                /// The requested frame may start in this cycle.
                pub grant: Signal<Out, Bit>,
                pub oversize: Signal<Out, Bit>,
                pub current_rate: Signal<Out, Bits<25>>,
                pub ignored_frames: Signal<Out, Bits<32>>,
                pub parser: Parser,
                pub calculator: $calculator,
                pub rate_limiter: RateLimiter,
            }
        }

        parameter_inputs!($name:
            rp_mac_high, rp_mac_low, allowed_cpid_high, allowed_cpid_low, allowed_cpid_mask_high, allowed_cpid_mask_low,
            bucket_bytes, overhead_bytes, $($parameter),*;
            data_high, data_low, octets, last, valid, request, request_bytes, $($empty),*);

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                clock!(self, clock, parser, calculator, rate_limiter);
                self.parser.reset.next = self.reset.val();
                self.calculator.reset.next = self.reset.val();
                self.rate_limiter.reset.next = self.reset.val();

                self.parser.data_high.next = self.data_high.val();
                self.parser.data_low.next = self.data_low.val();
                self.parser.octets.next = self.octets.val();
                self.parser.last.next = self.last.val();
                self.parser.valid.next = self.valid.val();
                self.ready.next = self.parser.ready.val();
                self.parser.rp_mac_high.next = self.rp_mac_high.val();
                self.parser.rp_mac_low.next = self.rp_mac_low.val();
                self.parser.allowed_cpid_high.next = self.allowed_cpid_high.val();
                self.parser.allowed_cpid_low.next = self.allowed_cpid_low.val();
                self.parser.allowed_cpid_mask_high.next = self.allowed_cpid_mask_high.val();
                self.parser.allowed_cpid_mask_low.next = self.allowed_cpid_mask_low.val();
                self.ignored_frames.next = self.parser.ignored_frames.val();

                self.calculator.feedback_valid.next = self.parser.feedback_valid.val();
                self.parser.feedback_ready.next = self.calculator.feedback_ready.val();
                $(self.calculator.$field.next = self.parser.$field.val();)*
                $(self.calculator.$parameter.next = self.$parameter.val();)*
                $(
                    self.calculator.sent.next = self.rate_limiter.grant.val();
                    self.calculator.$count.next = bit_cast::<24, 14>(self.rate_limiter.grant_bytes.val());
                )*
                $(self.calculator.$empty.next = self.$empty.val();)*
                self.current_rate.next = self.calculator.current_rate.val();

                self.rate_limiter.rate.next = self.calculator.current_rate.val();
                self.rate_limiter.bucket_bytes.next = self.bucket_bytes.val();
                self.rate_limiter.overhead_bytes.next = self.overhead_bytes.val();
                self.rate_limiter.request.next = self.request.val();
                self.rate_limiter.request_bytes.next = self.request_bytes.val();
                self.grant.next = self.rate_limiter.grant.val();
                self.oversize.next = self.rate_limiter.oversize.val();
            }
        }

        impl ReactionPointPorts for $name {
            fn drive_word(&mut self, word: Option<(u32, u32, u32, bool)>) {
                self.valid.next = word.is_some();
                if let Some((high, low, octets, last)) = word {
                    self.data_high.next = u64::from(high).into();
                    self.data_low.next = u64::from(low).into();
                    self.octets.next = u64::from(octets).into();
                    self.last.next = last;
                }
            }

            fn drive_request(&mut self, request: Option<u32>) {
                $(self.$empty.next = false;)*
                self.request.next = request.is_some();
                if let Some(bytes) = request {
                    self.request_bytes.next = u64::from(bytes).into();
                }
            }

            fn takes_word(&self) -> bool {
                self.ready.val()
            }

            fn is_granted(&self) -> bool {
                self.grant.val()
            }

            fn ignored(&self) -> u32 {
                value(self.ignored_frames.val())
            }

            fn feedback_taken(&self) -> Option<(u8, i16, i16, u64)> {
                let parser = &self.parser;
                (parser.feedback_valid.val() && parser.feedback_ready.val()).then(|| {
                    (
                        value(parser.quantized_feedback.val()) as u8,
                        signed(parser.q_offset_units.val()) as i16,
                        signed(parser.q_delta_units.val()) as i16,
                        u64::from(value(parser.cpid_high.val())) << 32 | u64::from(value(parser.cpid_low.val())),
                    )
                })
            }

            fn rate(&self) -> u32 {
                value(self.current_rate.val())
            }
        }

        impl CalculatorPorts for $calculator {
            fn drive_feedback(&mut self, feedback: Option<(u8, i16, i16, u64)>) {
                self.feedback_valid.next = feedback.is_some();
                if let Some((quantized_feedback, q_offset, q_delta, cpid)) = feedback {
                    $(self.set(stringify!($field), match stringify!($field) {
                        "quantized_feedback" => u64::from(quantized_feedback),
                        "q_offset_units" => u64::from(q_offset as u16),
                        "q_delta_units" => u64::from(q_delta as u16),
                        "cpid_high" => cpid >> 32,
                        _ => cpid & 0xffff_ffff,
                    });)*
                    let _ = (quantized_feedback, q_offset, q_delta, cpid);
                }
            }

            fn drive_sent(&mut self, bytes: Option<u32>, source_empty: bool) {
                $(
                    self.sent.next = bytes.is_some();
                    self.$count.next = u64::from(bytes.unwrap_or(0)).into();
                )*
                $(self.$empty.next = source_empty;)*
                let _ = (bytes, source_empty);
            }

            fn takes_feedback(&self) -> bool {
                self.feedback_valid.val() && self.feedback_ready.val()
            }

            fn rate(&self) -> u32 {
                value(self.current_rate.val())
            }

            fn target(&self) -> Option<(u32, u8, u8)> {
                [$((
                    value(self.$target.val()),
                    value(self.$byte_stage.val()) as u8,
                    value(self.$time_stage.val()) as u8,
                ))?].first().copied()
            }
        }
    };
}

reaction_point!(
    /// QCN's reaction point.
    QcnReactionPoint, "qcn_reaction_point", QcnCalculator, {
        line_rate: Bits<25>,
        min_rate: Bits<25>,
        ai_rate: Bits<25>,
        hai_rate: Bits<25>,
        gd_shift: Bits<4>,
        byte_cycle_low: Bits<24>,
        byte_cycle_ratio: Bits<16>,
        timer_low: Bits<24>,
        timer_ratio: Bits<16>,
        seed: Bits<16>,
        increase_stage: Bits<6>,
        half_stage: Bits<6>,
        target_reduction: Bit,
        extra_fast_recovery: Bit,
    },
    from_parser: [quantized_feedback], sent: [sent_bytes], empty: [source_empty],
    target: [(target_rate, byte_stage, time_stage)]
);

reaction_point!(
    /// SMCC's reaction point.
    SmccReactionPoint, "smcc_reaction_point", SmccCalculator, {
        line_rate: Bits<25>,
        min_rate: Bits<25>,
        gain_a: Bits<32>,
        gain_a_small: Bits<32>,
        gain_b: Bits<32>,
        t1_units: Bits<16>,
        cpid_mask_high: Bits<32>,
        cpid_mask_low: Bits<32>,
    },
    from_parser: [q_offset_units, q_delta_units, cpid_high, cpid_low], sent: [], empty: [], target: []
);

reaction_point!(
    /// ASM's reaction point.
    AsmReactionPoint, "asm_reaction_point", AsmCalculator, {
        line_rate: Bits<25>,
        min_rate: Bits<25>,
        weight: Bits<6>,
        approach_alpha_between: Bits<32>,
        approach_beta_between: Bits<32>,
        approach_alpha_outside: Bits<32>,
        approach_beta_outside: Bits<32>,
        sliding_alpha_between: Bits<32>,
        sliding_beta_between: Bits<32>,
        sliding_alpha_outside: Bits<32>,
        sliding_beta_outside: Bits<32>,
        b_sigma_units: Bits<22>,
        b_zero_units: Bits<17>,
        cpid_mask_high: Bits<32>,
        cpid_mask_low: Bits<32>,
    },
    from_parser: [q_offset_units, q_delta_units, cpid_high, cpid_low], sent: [], empty: [], target: []
);

reaction_point!(
    /// DSM's reaction point.
    DsmReactionPoint, "dsm_reaction_point", DsmCalculator, {
        line_rate: Bits<25>,
        min_rate: Bits<25>,
        cpid_mask_high: Bits<32>,
        cpid_mask_low: Bits<32>,
    },
    from_parser: [q_offset_units, q_delta_units, cpid_high, cpid_low], sent: [], empty: [], target: []
);

reaction_point!(
    /// BCN's reaction point.
    BcnReactionPoint, "bcn_reaction_point", BcnCalculator, {
        line_rate: Bits<25>,
        min_rate: Bits<25>,
        weight: Bits<6>,
        feedback_gain: Bits<30>,
        gd_shift: Bits<4>,
        increase_unit: Bits<25>,
        stop_cycles: Bits<25>,
        seed: Bits<16>,
        cpid_mask_high: Bits<32>,
        cpid_mask_low: Bits<32>,
    },
    from_parser: [q_offset_units, q_delta_units, cpid_high, cpid_low], sent: [], empty: [], target: []
);
