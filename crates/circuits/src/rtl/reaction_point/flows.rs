// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reaction points that serve many flows: one parser, calculator and rate limiter, the state of each flow in memory.

/// Connects a calculator, whose parameters come first, to the blocks that all reaction points of many flows share, and to
/// what it has with each flow: the congestion point of the last decrease (`points`) and with BCN its stop (`stops`), or stages and timers (`stages`).
/// A bit of the calculator (`mode`) is bit 0 of the mode of the flow; bit 1 says that a congestion point is remembered. After
/// a change the mode is 3 if the bit of the calculator is high, else the number that stands there.
macro_rules! flow_reaction_point {
    (
        { $($parameter:ident: $bits:ty),* $(,)? } $(#[doc = $about:literal])* $name:ident, $module:literal, $step:ty, $limiter:ident
        $(, points: $points:ident [$($cpid:ident),*] $(, mode: $mode:ident from $first:tt { $old:ident => $new:ident })? $(, stops: $stops:ident: $stops_type:ident)?)?
        $(, stages: $stages:ident: $stages_type:ident { $($length:ident: $length_bits:ty),* $(,)? })?
    ) => {
        module! {
            $(#[doc = $about])*
            ///
            /// Received frames arrive on the stream, of which a word is taken in every cycle. The low bits of the
            /// destination address number the flow, or the CN-TAG does. A frame to send is announced with its flow and
            /// length, granted in a later cycle, and sent when the link is free.
            pub struct $name: $module {
                pub clock: Signal<In, Clock>,
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
                pub flow_from_tag: Signal<In, Bit>,
                #[parameter]
                pub allowed_cpid_high: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_low: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_mask_high: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_mask_low: Signal<In, Bits<32>>,
                $($(#[parameter] pub $cpid: Signal<In, Bit>,)*)?
                #[parameter]
                pub bucket_bytes: Signal<In, Bits<14>>,
                #[parameter]
                pub overhead_bytes: Signal<In, Bits<5>>,
                $(#[parameter] pub $parameter: Signal<In, $bits>,)*
                $($(#[parameter] pub $length: Signal<In, $length_bits>,)*)?
                pub clearing: Signal<Out, Bit>,
                pub announce_ready: Signal<Out, Bit>,
                pub refused: Signal<Out, Bit>,
                pub grant: Signal<Out, Bit>,
                pub grant_flow: Signal<Out, Bits<12>>,
                pub sent: Signal<Out, Bit>,
                pub visited: Signal<Out, Bit>,
                pub visited_flow: Signal<Out, Bits<12>>,
                pub visited_rate: Signal<Out, Bits<25>>,
                pub taken_frames: Signal<Out, Bits<16>>,
                pub malformed_frames: Signal<Out, Bits<16>>,
                pub refused_frames: Signal<Out, Bits<16>>,
                pub elsewhere_frames: Signal<Out, Bits<16>>,
                pub dropped_frames: Signal<Out, Bits<16>>,
                pub unknown_frames: Signal<Out, Bits<16>>,
                pub parser: $crate::rtl::reaction_point::parser::Parser,
                pub frame_counters: $crate::rtl::reaction_point::frame_counters::FrameCounters,
                pub feedback_flow: $crate::rtl::reaction_point::feedback_flow::FeedbackFlow,
                $(pub $points: $crate::rtl::reaction_point::flow_points::FlowPoints,)?
                $($(pub $stops: $stops_type,)?)?
                $(pub $stages: $stages_type,)?
                pub calculator: $step,
                pub flow_limiter: $crate::rtl::reaction_point::flow_limiter::FlowLimiter,
            }
        }

        impl $name {
            /// For 2^`flow_bits` flows, at most 2^12.
            pub fn new(flow_bits: usize) -> Self {
                $name {
                    $($points: $crate::rtl::reaction_point::flow_points::FlowPoints::new(flow_bits), $($stops: $stops_type::new(flow_bits),)?)?
                    $($stages: $stages_type::new(flow_bits),)?
                    flow_limiter: $crate::rtl::reaction_point::flow_limiter::FlowLimiter::$limiter(flow_bits),
                    ..$name::default()
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                clock!(self, clock, parser, frame_counters, feedback_flow, calculator, flow_limiter);
                $(clock!(self, clock, $points);)?
                $($(clock!(self, clock, $stops);)?)?
                $(clock!(self, clock, $stages);)?
                self.parser.reset.next = self.reset.val();
                self.frame_counters.reset.next = self.reset.val();
                self.feedback_flow.reset.next = self.reset.val();
                $(self.$points.reset.next = self.reset.val();)?
                $($(self.$stops.reset.next = self.reset.val();)?)?
                $(self.$stages.reset.next = self.reset.val();)?
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
                if self.flow_from_tag.val() {
                    self.parser.flow_mask.next = 0.into();
                }
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

                self.feedback_flow.frame_start.next = self.parser.frame_start.val();
                self.feedback_flow.frame_flow.next = self.parser.frame_flow.val();
                self.feedback_flow.feedback_valid.next = self.parser.feedback_valid.val();
                self.feedback_flow.has_flow_id.next = self.parser.has_flow_id.val();
                self.feedback_flow.flow_id.next = self.parser.flow_id.val();
                self.feedback_flow.flow_mask.next = self.flow_mask.val();
                self.feedback_flow.flow_from_tag.next = self.flow_from_tag.val();
                self.unknown_frames.next = self.feedback_flow.unknown_frames.val();

                self.calculator.rate.next = self.flow_limiter.rate.val();
                $(self.calculator.$parameter.next = self.$parameter.val();)*
                self.flow_limiter.change.next = self.calculator.changes.val();
                self.flow_limiter.new_rate.next = self.calculator.new_rate.val();
                self.flow_limiter.new_mode.next = 0.into();
                self.flow_limiter.send_ready.next = self.send_ready.val();
                $(
                    $(self.$points.$cpid.next = self.$cpid.val();)*
                    self.$points.frame_cpid_high.next = self.parser.frame_cpid_high.val();
                    self.$points.frame_cpid_low.next = self.parser.frame_cpid_low.val();
                    self.$points.frame_cpid_high_valid.next = self.parser.frame_cpid_high_valid.val();
                    self.$points.frame_cpid_low_valid.next = self.parser.frame_cpid_low_valid.val();
                    self.$points.frame_taken.next = self.parser.frame_taken.val();
                    self.$points.flow.next = self.feedback_flow.flow.val();
                    // The rate of a flow without a decrease is the line rate: no increase changes it.
                    self.$points.known.next = true;
                    self.$points.remember.next = self.calculator.remember.val();
                    self.flow_limiter.feedback_valid.next = self.feedback_flow.valid.val();
                    self.flow_limiter.feedback_flow.next = self.feedback_flow.flow.val();
                    self.flow_limiter.feedback_taken.next = self.calculator.feedback_ready.val();
                    self.calculator.feedback_valid.next = self.flow_limiter.rate_valid.val();
                    self.calculator.q_offset_units.next = self.parser.q_offset_units.val();
                    self.calculator.q_delta_units.next = self.parser.q_delta_units.val();
                    self.calculator.same_point.next = self.$points.same_point.val();
                    self.parser.feedback_ready.next =
                        self.calculator.feedback_ready.val() | self.feedback_flow.unknown.val();
                    $(
                        self.$points.known.next = self.flow_limiter.$mode.val().get_bit(1);
                        self.calculator.$old.next = self.flow_limiter.$mode.val().get_bit(0);
                        self.flow_limiter.new_mode.next = $first.into();
                        if self.calculator.$new.val() {
                            self.flow_limiter.new_mode.next = 3.into();
                        }
                    )?
                    $(
                        self.$stops.min_rate.next = self.min_rate.val();
                        self.$stops.feedback_valid.next = self.feedback_flow.valid.val();
                        self.$stops.feedback_flow.next = self.feedback_flow.flow.val();
                        self.$stops.rate_valid.next = self.flow_limiter.rate_valid.val();
                        self.calculator.feedback_valid.next = self.$stops.works.val();
                        self.calculator.stopped.next = self.$stops.stopped.val();
                        self.$stops.feedback_ready.next = self.calculator.feedback_ready.val();
                        self.$stops.changes.next = self.calculator.changes.val();
                        self.$stops.new_rate.next = self.calculator.new_rate.val();
                        self.$stops.stops.next = self.calculator.stops.val();
                        self.$stops.wait_cycles.next = self.calculator.wait_cycles.val();
                        self.flow_limiter.feedback_valid.next = self.$stops.rate_wanted.val();
                        self.flow_limiter.feedback_flow.next = self.$stops.flow.val();
                        self.flow_limiter.feedback_taken.next = self.$stops.rate_taken.val();
                        self.flow_limiter.change.next = self.$stops.change.val();
                        self.flow_limiter.new_rate.next = self.$stops.change_rate.val();
                    )?
                )?
                $(
                    $(self.$stages.$length.next = self.$length.val();)*
                    self.$stages.line_rate.next = self.line_rate.val();
                    self.$stages.sent.next = self.flow_limiter.sent.val();
                    self.$stages.sent_flow.next = self.flow_limiter.grant_flow.val();
                    self.$stages.sent_bytes.next = self.send_bytes.val();
                    self.flow_limiter.send_ready.next = self.send_ready.val() & self.$stages.sent_ready.val();
                    self.$stages.feedback_valid.next = self.feedback_flow.valid.val();
                    self.$stages.feedback_flow.next = self.feedback_flow.flow.val();
                    self.parser.feedback_ready.next =
                        self.$stages.feedback_ready.val() | self.feedback_flow.unknown.val();
                    self.flow_limiter.feedback_valid.next = self.$stages.rate_wanted.val();
                    self.flow_limiter.feedback_flow.next = self.$stages.flow.val();
                    self.flow_limiter.feedback_taken.next = self.$stages.rate_taken.val();
                    self.$stages.rate_valid.next = self.flow_limiter.rate_valid.val();
                    self.$stages.rate_waits.next = self.flow_limiter.rate_waits.val();
                    self.calculator.quantized_feedback.next = self.parser.quantized_feedback.val();
                    self.calculator.start_decrease.next = self.$stages.start_decrease.val();
                    self.calculator.start_byte.next = self.$stages.start_byte.val();
                    self.calculator.start_time.next = self.$stages.start_time.val();
                    self.calculator.moves_target.next = self.$stages.moves_target.val();
                    self.calculator.target.next = self.$stages.target.val();
                    self.calculator.byte_stage.next = self.$stages.byte_stage.val();
                    self.calculator.time_stage.next = self.$stages.time_stage.val();
                    self.$stages.target_changes.next = self.calculator.target_changes.val();
                    self.$stages.new_target.next = self.calculator.new_target.val();
                    self.$stages.changes.next = self.calculator.changes.val();
                    self.$stages.reaches_line_rate.next = self.calculator.reaches_line_rate.val();
                    self.$stages.new_byte_stage.next = self.calculator.new_byte_stage.val();
                    self.$stages.new_time_stage.next = self.calculator.new_time_stage.val();
                )?
                self.flow_limiter.line_rate.next = self.line_rate.val();
                self.flow_limiter.min_rate.next = self.min_rate.val();
                self.flow_limiter.bucket_bytes.next = self.bucket_bytes.val();
                self.flow_limiter.overhead_bytes.next = self.overhead_bytes.val();
                self.flow_limiter.announce.next = self.announce.val();
                self.flow_limiter.announce_flow.next = self.announce_flow.val();
                self.flow_limiter.announce_bytes.next = self.announce_bytes.val();
                self.flow_limiter.send_bytes.next = self.send_bytes.val();
                self.clearing.next = self.flow_limiter.clearing.val();
                self.announce_ready.next = self.flow_limiter.announce_ready.val();
                self.refused.next = self.flow_limiter.refused.val();
                self.grant.next = self.flow_limiter.grant.val();
                self.grant_flow.next = self.flow_limiter.grant_flow.val();
                self.sent.next = self.flow_limiter.sent.val();
                self.visited.next = self.flow_limiter.visited.val();
                self.visited_flow.next = self.flow_limiter.visited_flow.val();
                self.visited_rate.next = self.flow_limiter.visited_rate.val();
            }
        }
    };
}
pub(crate) use flow_reaction_point;
