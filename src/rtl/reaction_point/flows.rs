//! Reaction points that serve many flows: one parser, calculator and rate limiter, the state of each flow in memory.

use super::calculator_asm::AsmStep;
use super::calculator_dsm::DsmStep;
use super::calculator_smcc::SmccStep;
use super::flow_limiter::FlowLimiter;
use super::flow_points::FlowPoints;
use super::frame_counters::FrameCounters;
use super::parser::Parser;
use crate::rtl::module;
use rust_hdl::prelude::*;

/// Connects a calculator to the blocks that all reaction points of many flows share.
macro_rules! flow_reaction_point {
    (
        $(#[doc = $about:literal])* $name:ident, $module:literal, $step:ty, { $($parameter:ident: $bits:ty),* $(,)? }
        $(, mode: $mode:ident => $new_mode:ident)?
    ) => {
        module! {
            $(#[doc = $about])*
            ///
            /// Received frames arrive on the stream, of which a word is taken in every cycle. The low bits of the
            /// destination address number the flow. A frame to send is announced with its flow and length, granted in
            /// a later cycle, and sent when the link is free.
            pub struct $name: $module {
                /// Clock, rising edge.
                pub clock: Signal<In, Clock>,
                /// Synchronous reset, active high.
                pub reset: Signal<In, Bit>,
                pub data_high: Signal<In, Bits<32>>,
                pub data_low: Signal<In, Bits<32>>,
                pub octets: Signal<In, Bits<4>>,
                pub last: Signal<In, Bit>,
                pub bad_frame: Signal<In, Bit>,
                pub valid: Signal<In, Bit>,
                pub announce: Signal<In, Bit>,
                pub announce_flow: Signal<In, Bits<12>>,
                pub announce_bytes: Signal<In, Bits<14>>,
                pub send_ready: Signal<In, Bit>,
                pub send_bytes: Signal<In, Bits<14>>,
                #[parameter]
                pub rp_mac_high: Signal<In, Bits<16>>,
                #[parameter]
                pub rp_mac_low: Signal<In, Bits<32>>,
                #[parameter]
                pub flow_mask: Signal<In, Bits<12>>,
                #[parameter]
                pub allowed_cpid_high: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_low: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_mask_high: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_mask_low: Signal<In, Bits<32>>,
                #[parameter]
                pub cpid_any: Signal<In, Bit>,
                #[parameter]
                pub cpid_digest: Signal<In, Bit>,
                #[parameter]
                pub bucket_bytes: Signal<In, Bits<14>>,
                #[parameter]
                pub overhead_bytes: Signal<In, Bits<5>>,
                $(#[parameter] pub $parameter: Signal<In, $bits>,)*
                pub clearing: Signal<Out, Bit>,
                pub announce_ready: Signal<Out, Bit>,
                pub refused: Signal<Out, Bit>,
                pub grant: Signal<Out, Bit>,
                pub grant_flow: Signal<Out, Bits<12>>,
                pub sent: Signal<Out, Bit>,
                pub taken_frames: Signal<Out, Bits<16>>,
                pub malformed_frames: Signal<Out, Bits<16>>,
                pub refused_frames: Signal<Out, Bits<16>>,
                pub elsewhere_frames: Signal<Out, Bits<16>>,
                pub dropped_frames: Signal<Out, Bits<16>>,
                pub parser: Parser,
                pub frame_counters: FrameCounters,
                pub flow_points: FlowPoints,
                pub calculator: $step,
                pub flow_limiter: FlowLimiter,
                new_mode: Signal<Local, Bits<2>>,
            }
        }

        impl $name {
            /// For 2^`flow_bits` flows, at most 2^12.
            pub fn new(flow_bits: usize) -> Self {
                $name {
                    flow_points: FlowPoints::new(flow_bits),
                    flow_limiter: FlowLimiter::new(flow_bits),
                    ..$name::default()
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                clock!(self, clock, parser, frame_counters, flow_points, calculator, flow_limiter);
                self.parser.reset.next = self.reset.val();
                self.frame_counters.reset.next = self.reset.val();
                self.flow_points.reset.next = self.reset.val();
                self.calculator.reset.next = self.reset.val();
                self.flow_limiter.reset.next = self.reset.val();

                self.parser.data_high.next = self.data_high.val();
                self.parser.data_low.next = self.data_low.val();
                self.parser.octets.next = self.octets.val();
                self.parser.last.next = self.last.val();
                self.parser.bad_frame.next = self.bad_frame.val();
                self.parser.valid.next = self.valid.val();
                self.parser.rp_mac_high.next = self.rp_mac_high.val();
                self.parser.rp_mac_low.next = self.rp_mac_low.val();
                self.parser.flow_mask.next = self.flow_mask.val();
                self.parser.allowed_cpid_high.next = self.allowed_cpid_high.val();
                self.parser.allowed_cpid_low.next = self.allowed_cpid_low.val();
                self.parser.allowed_cpid_mask_high.next = self.allowed_cpid_mask_high.val();
                self.parser.allowed_cpid_mask_low.next = self.allowed_cpid_mask_low.val();
                // What the parser stores of congestion points is for one flow.
                self.parser.cpid_any.next = true;
                self.parser.cpid_digest.next = false;
                self.parser.remember.next = false;

                self.frame_counters.frame_taken.next = self.parser.frame_taken.val();
                self.frame_counters.frame_malformed.next = self.parser.frame_malformed.val();
                self.frame_counters.frame_refused.next = self.parser.frame_refused.val();
                self.frame_counters.frame_elsewhere.next = self.parser.frame_elsewhere.val();
                self.frame_counters.frame_dropped.next = self.parser.frame_dropped.val();
                self.taken_frames.next = self.frame_counters.taken_frames.val();
                self.malformed_frames.next = self.frame_counters.malformed_frames.val();
                self.refused_frames.next = self.frame_counters.refused_frames.val();
                self.elsewhere_frames.next = self.frame_counters.elsewhere_frames.val();
                self.dropped_frames.next = self.frame_counters.dropped_frames.val();

                self.flow_points.frame_start.next = self.parser.frame_start.val();
                self.flow_points.frame_flow.next = self.parser.frame_flow.val();
                self.flow_points.frame_cpid_high.next = self.parser.frame_cpid_high.val();
                self.flow_points.frame_cpid_low.next = self.parser.frame_cpid_low.val();
                self.flow_points.frame_cpid_high_valid.next = self.parser.frame_cpid_high_valid.val();
                self.flow_points.frame_cpid_low_valid.next = self.parser.frame_cpid_low_valid.val();
                self.flow_points.frame_taken.next = self.parser.frame_taken.val();
                self.flow_points.flow_mask.next = self.flow_mask.val();
                self.flow_points.cpid_any.next = self.cpid_any.val();
                self.flow_points.cpid_digest.next = self.cpid_digest.val();
                // The rate of a flow without a decrease is the line rate: no increase changes it.
                self.flow_points.known.next = true;
                $(self.flow_points.known.next = self.flow_limiter.$mode.val().get_bit(1);)?
                self.flow_points.remember.next = self.calculator.remember.val();

                self.calculator.feedback_valid.next = self.flow_limiter.rate_valid.val();
                self.calculator.q_offset_units.next = self.parser.q_offset_units.val();
                self.calculator.q_delta_units.next = self.parser.q_delta_units.val();
                self.calculator.same_point.next = self.flow_points.same_point.val();
                self.calculator.rate.next = self.flow_limiter.rate.val();
                $(self.calculator.$parameter.next = self.$parameter.val();)*
                self.parser.feedback_ready.next = self.calculator.feedback_ready.val();

                self.new_mode.next = 0.into();
                $(
                    self.calculator.slides.next = self.flow_limiter.$mode.val().get_bit(0);
                    self.new_mode.next = 2.into();
                    if self.calculator.$new_mode.val() {
                        self.new_mode.next = 3.into();
                    }
                )?
                self.flow_limiter.feedback_valid.next = self.parser.feedback_valid.val();
                self.flow_limiter.feedback_flow.next = self.flow_points.flow.val();
                self.flow_limiter.feedback_taken.next = self.calculator.feedback_ready.val();
                self.flow_limiter.change.next = self.calculator.changes.val();
                self.flow_limiter.new_rate.next = self.calculator.new_rate.val();
                self.flow_limiter.new_mode.next = self.new_mode.val();
                self.flow_limiter.line_rate.next = self.line_rate.val();
                self.flow_limiter.bucket_bytes.next = self.bucket_bytes.val();
                self.flow_limiter.overhead_bytes.next = self.overhead_bytes.val();
                self.flow_limiter.announce.next = self.announce.val();
                self.flow_limiter.announce_flow.next = self.announce_flow.val();
                self.flow_limiter.announce_bytes.next = self.announce_bytes.val();
                self.flow_limiter.send_ready.next = self.send_ready.val();
                self.flow_limiter.send_bytes.next = self.send_bytes.val();
                self.clearing.next = self.flow_limiter.clearing.val();
                self.announce_ready.next = self.flow_limiter.announce_ready.val();
                self.refused.next = self.flow_limiter.refused.val();
                self.grant.next = self.flow_limiter.grant.val();
                self.grant_flow.next = self.flow_limiter.grant_flow.val();
                self.sent.next = self.flow_limiter.sent.val();
            }
        }
    };
}

flow_reaction_point!(
    /// SMCC's reaction point of many flows.
    SmccFlows, "smcc_flows", SmccStep, {
        line_rate: Bits<25>,
        min_rate: Bits<25>,
        gain_a: Bits<32>,
        gain_a_small: Bits<32>,
        gain_b: Bits<32>,
        t1_units: Bits<16>,
    }
);

flow_reaction_point!(
    /// ASM's reaction point of many flows.
    AsmFlows, "asm_flows", AsmStep, {
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
    }, mode: mode => will_slide
);

flow_reaction_point!(
    /// DSM's reaction point of many flows.
    DsmFlows, "dsm_flows", DsmStep, {
        line_rate: Bits<25>,
        min_rate: Bits<25>,
    }
);
