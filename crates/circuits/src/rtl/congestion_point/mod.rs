// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point, in the switch: sampler, queue monitor, sample queue, feedback, packet generator.

pub mod array;
pub mod frame_units;
pub mod packet_generator;
pub mod queue_length;
pub mod queue_monitor;
pub mod sample_queue;
pub mod sampler;
pub mod sampling_exception;

/// Connects a feedback block to the blocks that all Ethernet congestion points share. A macro and not a generic struct,
/// because `rust-hdl` reaches the ports of a block by field name.
macro_rules! congestion_point {
    (
        { $($parameter:ident: $bits:ty),* $(,)? } $(#[doc = $about:literal])* $name:ident, $module:literal, $feedback:ty,
        interval: [$($interval:ident),*], by feedback: [$($told:ident),*],
        sample from: $chooser:ident $(, exception: $exception:ident { $waits:ident })?
    ) => {
        module! {
            $(#[doc = $about])*
            ///
            /// A packet enters with `enqueue` and its addresses. The feedback frame of a sampled packet leaves on the
            /// stream. `ready` is low while four samples wait: hold the next packet then. Otherwise its sample, if it
            /// is one, is lost, and `lost` is high in the next cycle.
            pub struct $name: $module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                pub enqueue: Signal<In, Bit>,
                pub enqueue_bytes: Signal<In, Bits<24>>,
                pub source_mac_high: Signal<In, Bits<16>>,
                pub source_mac_low: Signal<In, Bits<32>>,
                pub destination_mac_high: Signal<In, Bits<16>>,
                pub destination_mac_low: Signal<In, Bits<32>>,
                pub has_tag: Signal<In, Bit>,
                pub vlan_tci: Signal<In, Bits<16>>,
                pub has_cn_tag: Signal<In, Bit>,
                pub flow_id: Signal<In, Bits<16>>,
                pub controlled: Signal<In, Bit>,
                pub dequeue: Signal<In, Bit>,
                pub dequeue_bytes: Signal<In, Bits<24>>,
                #[parameter]
                pub sample_mode: Signal<In, Bits<2>>,
                #[parameter]
                pub seed: Signal<In, Bits<16>>,
                #[parameter]
                pub q0_bytes: Signal<In, Bits<24>>,
                #[parameter]
                pub cpid_high: Signal<In, Bits<32>>,
                #[parameter]
                pub cpid_low: Signal<In, Bits<32>>,
                #[parameter]
                pub cp_mac_high: Signal<In, Bits<16>>,
                #[parameter]
                pub cp_mac_low: Signal<In, Bits<32>>,
                $(#[parameter] pub $interval: Signal<In, Bits<24>>,)*
                $(#[parameter] pub $parameter: Signal<In, $bits>,)*
                $(#[parameter] pub $waits: Signal<In, Bit>,)?
                pub queue_bytes: Signal<Out, Bits<24>>,
                pub clamped: Signal<Out, Bit>,
                pub sample: Signal<Out, Bit>,
                pub ready: Signal<Out, Bit>,
                pub lost: Signal<Out, Bit>,
                pub data_high: Signal<Out, Bits<32>>,
                pub data_low: Signal<Out, Bits<32>>,
                pub octets: Signal<Out, Bits<4>>,
                pub last: Signal<Out, Bit>,
                pub valid: Signal<Out, Bit>,
                /// The receiver takes the word in this cycle, if `valid`.
                pub data_ready: Signal<In, Bit>,
                pub sampler: $crate::rtl::congestion_point::sampler::Sampler,
                $(pub $exception: $crate::rtl::congestion_point::sampling_exception::SamplingException,)?
                pub queue_monitor: $crate::rtl::congestion_point::queue_monitor::QueueMonitor,
                pub sample_queue: $crate::rtl::congestion_point::sample_queue::SampleQueue,
                pub feedback: $feedback,
                pub packet_generator: $crate::rtl::congestion_point::packet_generator::PacketGenerator,
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                clock!(self, clock, sampler, $($exception,)? queue_monitor, sample_queue, feedback, packet_generator);
                self.sampler.reset.next = self.reset.val();
                self.queue_monitor.reset.next = self.reset.val();
                self.sample_queue.reset.next = self.reset.val();
                self.feedback.reset.next = self.reset.val();
                self.packet_generator.reset.next = self.reset.val();

                self.sampler.enqueue.next = self.enqueue.val();
                self.sampler.enqueue_bytes.next = self.enqueue_bytes.val();
                self.sampler.sample_mode.next = self.sample_mode.val();
                self.sampler.seed.next = self.seed.val();
                $(self.sampler.$interval.next = self.$interval.val();)*
                $(self.sampler.$told.next = self.feedback.$told.val();)*
                $(
                    self.$exception.reset.next = self.reset.val();
                    self.$exception.enqueue.next = self.enqueue.val();
                    self.$exception.due.next = self.sampler.sample.val();
                    self.$exception.source_mac_high.next = self.source_mac_high.val();
                    self.$exception.source_mac_low.next = self.source_mac_low.val();
                    self.$exception.$waits.next = self.$waits.val();
                    self.$exception.sent.next = self.packet_generator.frame_done.val();
                    self.$exception.sent_mac_high.next = self.sample_queue.head_source_mac_high.val();
                    self.$exception.sent_mac_low.next = self.sample_queue.head_source_mac_low.val();
                )?
                self.sample.next = self.$chooser.sample.val();

                self.queue_monitor.enqueue.next = self.enqueue.val();
                self.queue_monitor.enqueue_bytes.next = self.enqueue_bytes.val();
                self.queue_monitor.dequeue.next = self.dequeue.val();
                self.queue_monitor.dequeue_bytes.next = self.dequeue_bytes.val();
                self.queue_monitor.sample.next = self.$chooser.sample.val();
                self.queue_monitor.q0_bytes.next = self.q0_bytes.val();
                self.queue_bytes.next = self.queue_monitor.queue_bytes.val();
                self.clamped.next = self.queue_monitor.clamped.val();

                self.sample_queue.enqueue.next = self.enqueue.val();
                self.sample_queue.sample.next = self.$chooser.sample.val();
                self.sample_queue.q_offset.next = self.queue_monitor.q_offset.val();
                self.sample_queue.q_delta.next = self.queue_monitor.q_delta.val();
                self.sample_queue.controlled.next = self.controlled.val();
                self.sample_queue.source_mac_high.next = self.source_mac_high.val();
                self.sample_queue.source_mac_low.next = self.source_mac_low.val();
                self.sample_queue.destination_mac_high.next = self.destination_mac_high.val();
                self.sample_queue.destination_mac_low.next = self.destination_mac_low.val();
                self.sample_queue.has_tag.next = self.has_tag.val();
                self.sample_queue.vlan_tci.next = self.vlan_tci.val();
                self.sample_queue.has_cn_tag.next = self.has_cn_tag.val();
                self.sample_queue.flow_id.next = self.flow_id.val();
                self.sample_queue.pop.next = self.feedback.pop.val();
                self.ready.next = self.sample_queue.ready.val();
                self.lost.next = self.sample_queue.lost.val();

                self.feedback.sample_valid.next = self.sample_queue.head_valid.val();
                self.feedback.controlled.next = self.sample_queue.head_controlled.val();
                self.feedback.q_offset.next = self.sample_queue.head_q_offset.val();
                self.feedback.q_delta.next = self.sample_queue.head_q_delta.val();
                self.feedback.frame_done.next = self.packet_generator.frame_done.val();
                $(self.feedback.$parameter.next = self.$parameter.val();)*

                self.packet_generator.feedback_valid.next = self.feedback.feedback_valid.val();
                self.packet_generator.quantized_feedback.next = self.feedback.quantized_feedback.val();
                self.packet_generator.q_offset_units.next = self.feedback.q_offset_units.val();
                self.packet_generator.q_delta_units.next = self.feedback.q_delta_units.val();
                self.packet_generator.source_mac_high.next = self.sample_queue.head_source_mac_high.val();
                self.packet_generator.source_mac_low.next = self.sample_queue.head_source_mac_low.val();
                self.packet_generator.destination_mac_high.next = self.sample_queue.head_destination_mac_high.val();
                self.packet_generator.destination_mac_low.next = self.sample_queue.head_destination_mac_low.val();
                self.packet_generator.has_tag.next = self.sample_queue.head_has_tag.val();
                self.packet_generator.vlan_tci.next = self.sample_queue.head_vlan_tci.val();
                self.packet_generator.has_cn_tag.next = self.sample_queue.head_has_cn_tag.val();
                self.packet_generator.flow_id.next = self.sample_queue.head_flow_id.val();
                self.packet_generator.cpid_high.next = self.cpid_high.val();
                self.packet_generator.cpid_low.next = self.cpid_low.val();
                self.packet_generator.cp_mac_high.next = self.cp_mac_high.val();
                self.packet_generator.cp_mac_low.next = self.cp_mac_low.val();
                self.packet_generator.ready.next = self.data_ready.val();
                self.data_high.next = self.packet_generator.data_high.val();
                self.data_low.next = self.packet_generator.data_low.val();
                self.octets.next = self.packet_generator.octets.val();
                self.last.next = self.packet_generator.last.val();
                self.valid.next = self.packet_generator.valid.val();
            }
        }
    };
}
pub(crate) use congestion_point;
