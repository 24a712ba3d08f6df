// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reaction point, in the source: parser, calculator, rate limiter.

pub mod cpid_memory;
pub mod cpid_words;
pub mod feedback_flow;
pub mod flow_limiter;
pub mod flow_numbers;
pub mod flow_points;
pub mod flows;
pub mod frame_counters;
pub mod parser;
pub mod rate_bounds;
pub mod rate_limiter;

/// Connects a calculator, whose parameters come first, to the parser and the rate limiter that all Ethernet reaction points
/// share.
macro_rules! reaction_point {
    (
        { $($parameter:ident: $bits:ty),* $(,)? } $(#[doc = $about:literal])* $name:ident, $module:literal, $calculator:ty,
        from_parser: [$($field:ident),* $(,)?], to_parser: [$($told:ident),*], cpid: [$($cpid:ident),*], no cpid: [$($none:ident),*],
        sent: [$($count:ident),*], empty: [$($empty:ident),*]
    ) => {
        module! {
            $(#[doc = $about])*
            ///
            /// Received frames arrive on the stream, of which a word is taken in every cycle. To send a frame of
            /// `request_bytes`, the source drives `request` and holds both until `grant`. A calculator that counts
            /// bytes counts a frame in the cycle of its grant.
            pub struct $name: $module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                pub data_high: Signal<In, Bits<32>>,
                pub data_low: Signal<In, Bits<32>>,
                pub octets: Signal<In, Bits<4>>,
                pub last: Signal<In, Bit>,
                pub bad_frame: Signal<In, Bit>,
                pub valid: Signal<In, Bit>,
                pub request: Signal<In, Bit>,
                pub request_bytes: Signal<In, Bits<14>>,
                $(pub $empty: Signal<In, Bit>,)*
                #[parameter]
                pub rp_mac_high: Signal<In, Bits<16>>,
                #[parameter]
                pub rp_mac_low: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_high: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_low: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_mask_high: Signal<In, Bits<32>>,
                #[parameter]
                pub allowed_cpid_mask_low: Signal<In, Bits<32>>,
                $(#[parameter] pub $cpid: Signal<In, Bit>,)*
                #[parameter]
                pub bucket_bytes: Signal<In, Bits<14>>,
                #[parameter]
                pub overhead_bytes: Signal<In, Bits<5>>,
                $(#[parameter] pub $parameter: Signal<In, $bits>,)*
                /// The requested frame may start in this cycle.
                pub grant: Signal<Out, Bit>,
                pub oversize: Signal<Out, Bit>,
                pub current_rate: Signal<Out, Bits<25>>,
                pub taken_frames: Signal<Out, Bits<16>>,
                pub malformed_frames: Signal<Out, Bits<16>>,
                pub refused_frames: Signal<Out, Bits<16>>,
                pub elsewhere_frames: Signal<Out, Bits<16>>,
                pub dropped_frames: Signal<Out, Bits<16>>,
                pub parser: $crate::rtl::reaction_point::parser::Parser,
                pub frame_counters: $crate::rtl::reaction_point::frame_counters::FrameCounters,
                pub calculator: $calculator,
                pub rate_limiter: $crate::rtl::reaction_point::rate_limiter::RateLimiter,
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                clock!(self, clock, parser, frame_counters, calculator, rate_limiter);
                self.parser.reset.next = self.reset.val();
                self.frame_counters.reset.next = self.reset.val();
                self.calculator.reset.next = self.reset.val();
                self.rate_limiter.reset.next = self.reset.val();

                self.parser.data_high.next = self.data_high.val();
                self.parser.data_low.next = self.data_low.val();
                self.parser.octets.next = self.octets.val();
                self.parser.last.next = self.last.val();
                self.parser.bad_frame.next = self.bad_frame.val();
                self.parser.valid.next = self.valid.val();
                self.parser.rp_mac_high.next = self.rp_mac_high.val();
                self.parser.rp_mac_low.next = self.rp_mac_low.val();
                self.parser.flow_mask.next = 0.into();
                self.parser.allowed_cpid_high.next = self.allowed_cpid_high.val();
                self.parser.allowed_cpid_low.next = self.allowed_cpid_low.val();
                self.parser.allowed_cpid_mask_high.next = self.allowed_cpid_mask_high.val();
                self.parser.allowed_cpid_mask_low.next = self.allowed_cpid_mask_low.val();

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

                self.calculator.feedback_valid.next = self.parser.feedback_valid.val();
                self.parser.feedback_ready.next = self.calculator.feedback_ready.val();
                $(self.calculator.$field.next = self.parser.$field.val();)*
                $(self.parser.$told.next = self.calculator.$told.val();)*
                $(self.parser.$cpid.next = self.$cpid.val();)*
                $(self.parser.$none.next = false;)*
                $(self.calculator.$parameter.next = self.$parameter.val();)*
                $(
                    self.calculator.sent.next = self.rate_limiter.grant.val();
                    self.calculator.$count.next = bit_cast::<24, 14>(self.request_bytes.val());
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
    };
}

/// The calculator of a scheme that computes the next rate from the last one and a feedback, and stores nothing else but at
/// most one bit (`mode`).
macro_rules! rate_calculator {
    (
        { $($parameter:ident: $bits:ty),* $(,)? }
        $(#[doc = $about:literal])* $calculator:ident, $calculator_module:literal, $step:ty;
        $(mode: $(#[doc = $meaning:literal])* $mode:ident => $new_mode:ident)?
    ) => {
        module! {
            $(#[doc = $about])*
            pub struct $calculator: $calculator_module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                pub feedback_valid: Signal<In, Bit>,
                pub feedback_ready: Signal<Out, Bit>,
                pub q_offset_units: Signal<In, Bits<16>>,
                pub q_delta_units: Signal<In, Bits<16>>,
                pub same_point: Signal<In, Bit>,
                pub remember: Signal<Out, Bit>,
                $(#[parameter] pub $parameter: Signal<In, $bits>,)*
                /// Current rate r, bytes per cycle, 18 fraction bits.
                pub current_rate: Signal<Out, Bits<25>>,
                rule: $step,
                rate_bounds: $crate::rtl::reaction_point::rate_bounds::RateBounds,
                /// Current rate r, bytes per cycle, 18 fraction bits.
                rate: DFF<Bits<25>>,
                $($(#[doc = $meaning])* $mode: Register<Bit>,)?
            }
        }

        impl Logic for $calculator {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, rate);
                clock!(self, clock, rule, rate_bounds);
                self.rule.reset.next = self.reset.val();
                self.rule.feedback_valid.next = self.feedback_valid.val();
                self.rule.q_offset_units.next = self.q_offset_units.val();
                self.rule.q_delta_units.next = self.q_delta_units.val();
                self.rule.same_point.next = self.same_point.val();
                $(self.rule.$parameter.next = self.$parameter.val();)*
                self.rule.rate.next = self.rate.q.val();
                self.feedback_ready.next = self.rule.feedback_ready.val();
                self.remember.next = self.rule.remember.val();
                $(
                    dff_setup!(self, clock, $mode);
                    self.$mode.reset.next = self.reset.val();
                    self.rule.$mode.next = self.$mode.q.val();
                    if self.rule.changes.val() {
                        self.$mode.d.next = self.rule.$new_mode.val();
                    }
                )?
                self.rate_bounds.reset.next = self.reset.val();
                self.rate_bounds.rate.next = self.rate.q.val();
                self.rate_bounds.free.next = self.rule.changes.val();
                self.rate_bounds.line_rate.next = self.line_rate.val();
                self.rate_bounds.min_rate.next = self.min_rate.val();
                if self.rule.changes.val() {
                    self.rate.d.next = self.rule.new_rate.val();
                } else if self.rate_bounds.binds.val() {
                    self.rate.d.next = self.rate_bounds.bound.val();
                }
                if self.reset.val() {
                    self.rate.d.next = self.line_rate.val();
                }
                self.current_rate.next = self.rate.q.val();
            }
        }
    };
}

/// The same with its reaction point.
macro_rules! rate_scheme {
    (
        { $($parameter:ident: $bits:ty),* $(,)? }
        $(#[doc = $about:literal])* $calculator:ident, $calculator_module:literal, $step:ty;
        $(#[doc = $about_part:literal])* $part:ident, $part_module:literal;
        $(mode: $(#[doc = $meaning:literal])* $mode:ident => $new_mode:ident)?
    ) => {
        $crate::rtl::reaction_point::rate_calculator!(
            { $($parameter: $bits),* } $(#[doc = $about])* $calculator, $calculator_module, $step;
            $(mode: $(#[doc = $meaning])* $mode => $new_mode)?
        );

        reaction_point!(
            { $($parameter: $bits),* } $(#[doc = $about_part])* $part, $part_module, $calculator,
            from_parser: [q_offset_units, q_delta_units, same_point], to_parser: [remember],
            cpid: [cpid_any, cpid_digest], no cpid: [], sent: [], empty: []
        );
    };
}
pub(crate) use {rate_calculator, rate_scheme, reaction_point};
