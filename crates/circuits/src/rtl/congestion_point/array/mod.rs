// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point for many queues: one datapath, and the state of each queue in memories.

pub mod queue_monitor_array;
pub mod sample_owners;
pub mod sampler_array;
pub mod sampling_exception_array;
pub mod visit_sequencer;

use crate::rtl::circuit::Circuit;
use tidegate_hdl::module::Module;

/// Connects a feedback block to the blocks that all Ethernet congestion points for many queues share. The number of
/// queues is 2^`N`, and `M` is `N` + 6.
macro_rules! congestion_point_array {
    (
        { $($parameter:ident: $bits:ty),* $(,)? }
        $(#[doc = $about:literal])* $name:ident<$($size:ident),+>, $module:literal, $feedback:ty,
        interval: [$($interval:ident),*],
        sample from: $chooser:ident $(, exception: $exception:ident { $waits:ident })?
        $(, levels: $levels:ident: $levels_type:ident { $($row:ident),* $(,)? })? $(, without levels: $plain:ident)? $(, state: $state:ident)?
    ) => {
        module! {
            $(#[doc = $about])*
            ///
            /// A packet enters with `enqueue`, the number of its queue and its addresses, if `ready` is high; bytes leave
            /// a queue with `dequeue` and its number, if `dequeue_ready` is high. One datapath visits the queue of each
            /// event: a packet takes four cycles, a dequeue three. `ready` is low while a packet waits or is worked on,
            /// while four samples wait, while a random number is searched, and after a reset until `cleared` is high.
            /// Each queue behaves as a congestion point of its own, whose CPID is `cpid` + its number.
            pub struct $name<$(const $size: usize),+>: $module {
                pub clock: Signal<In, Clock>,
                pub reset: Signal<In, Bit>,
                pub enqueue: Signal<In, Bit>,
                pub enqueue_queue: Signal<In, Bits<6>>,
                pub enqueue_bytes: Signal<In, Bits<24>>,
                pub source_port: Signal<In, Bits<3>>,
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
                pub dequeue_queue: Signal<In, Bits<6>>,
                pub dequeue_bytes: Signal<In, Bits<24>>,
                #[parameter]
                pub sample_mode: Signal<In, Bits<2>>,
                #[parameter]
                pub seed: Signal<In, Bits<16>>,
                #[parameter]
                pub q0_bytes: Signal<In, Bits<24>>,
                /// Congestion point identifier (CPID) of queue 0, bits 63 to 32.
                #[parameter]
                pub cpid_high: Signal<In, Bits<32>>,
                /// Congestion point identifier (CPID) of queue 0, bits 31 to 0; a multiple of the number of queues.
                #[parameter]
                pub cpid_low: Signal<In, Bits<32>>,
                #[parameter]
                pub cp_mac_high: Signal<In, Bits<16>>,
                #[parameter]
                pub cp_mac_low: Signal<In, Bits<32>>,
                $(#[parameter] pub $interval: Signal<In, Bits<24>>,)*
                $(#[parameter] pub $parameter: Signal<In, $bits>,)*
                $(#[parameter] pub $waits: Signal<In, Bit>,)?
                $($(#[parameter] pub $row: Signal<In, Bits<24>>,)*)?
                pub ready: Signal<Out, Bit>,
                pub dequeue_ready: Signal<Out, Bit>,
                pub unknown_queue: Signal<Out, Bit>,
                pub cleared: Signal<Out, Bit>,
                /// The queue to which `queue_bytes`, `clamped` and `sample` belong.
                pub visited_queue: Signal<Out, Bits<6>>,
                pub counted: Signal<Out, Bit>,
                pub queue_bytes: Signal<Out, Bits<24>>,
                pub clamped: Signal<Out, Bit>,
                /// The packet that was taken last is a sample.
                pub sample: Signal<Out, Bit>,
                pub data_high: Signal<Out, Bits<32>>,
                pub data_low: Signal<Out, Bits<32>>,
                pub octets: Signal<Out, Bits<4>>,
                pub last: Signal<Out, Bit>,
                pub valid: Signal<Out, Bit>,
                pub frame_port: Signal<Out, Bits<3>>,
                /// The receiver takes the word in this cycle, if `valid`.
                pub data_ready: Signal<In, Bit>,
                visit_sequencer: $crate::rtl::congestion_point::array::visit_sequencer::VisitSequencer<N>,
                sampler: $crate::rtl::congestion_point::array::sampler_array::SamplerArray<N>,
                $($exception: $crate::rtl::congestion_point::array::sampling_exception_array::SamplingExceptionArray<N>,)?
                $($levels: $levels_type<N>,)?
                queue_monitor: $crate::rtl::congestion_point::array::queue_monitor_array::QueueMonitorArray<N>,
                sample_queue: $crate::rtl::congestion_point::sample_queue::SampleQueue,
                sample_owners: $crate::rtl::congestion_point::array::sample_owners::SampleOwners<N>,
                feedback: $feedback,
                packet_generator: $crate::rtl::congestion_point::packet_generator::PacketGenerator,
            }
        }

        impl<$(const $size: usize),+> Logic for $name<$($size),+> {
            #[hdl_gen]
            fn update(&mut self) {
                clock!(
                    self,
                    clock,
                    visit_sequencer,
                    sampler,
                    $($exception,)?
                    $($levels,)?
                    queue_monitor,
                    sample_queue,
                    sample_owners,
                    feedback,
                    packet_generator
                );
                self.visit_sequencer.reset.next = self.reset.val();
                self.sampler.reset.next = self.reset.val();
                self.sample_queue.reset.next = self.reset.val();
                self.sample_owners.reset.next = self.reset.val();
                self.feedback.reset.next = self.reset.val();
                self.packet_generator.reset.next = self.reset.val();

                self.visit_sequencer.enqueue.next = self.enqueue.val();
                self.visit_sequencer.enqueue_queue.next = self.enqueue_queue.val();
                self.visit_sequencer.enqueue_bytes.next = self.enqueue_bytes.val();
                self.visit_sequencer.dequeue.next = self.dequeue.val();
                self.visit_sequencer.dequeue_queue.next = self.dequeue_queue.val();
                self.visit_sequencer.dequeue_bytes.next = self.dequeue_bytes.val();
                self.visit_sequencer.room.next = self.sample_queue.ready.val();
                self.visit_sequencer.settled.next = self.sampler.settled.val();
                self.ready.next = self.visit_sequencer.ready.val();
                self.dequeue_ready.next = self.visit_sequencer.dequeue_ready.val();
                self.unknown_queue.next = self.visit_sequencer.unknown_queue.val();
                self.cleared.next = self.visit_sequencer.cleared.val();
                self.visited_queue.next = bit_cast::<6, N>(self.visit_sequencer.queue_index.val());

                self.sampler.queue_index.next = self.visit_sequencer.sampler_queue.val();
                self.sampler.step.next = self.visit_sequencer.step.val();
                self.sampler.packet.next = self.visit_sequencer.packet.val();
                self.sampler.level.next = self.visit_sequencer.level.val();
                self.sampler.cleared.next = self.visit_sequencer.cleared.val();
                self.sampler.packet_bytes.next = self.visit_sequencer.packet_bytes.val();
                self.sampler.sample_mode.next = self.sample_mode.val();
                self.sampler.seed.next = self.seed.val();
                $(self.sampler.$interval.next = self.$interval.val();)*
                $(
                    self.$levels.reset.next = self.reset.val();
                    self.$levels.queue_index.next = self.visit_sequencer.sampler_queue.val();
                    self.$levels.waiting_packet.next = self.visit_sequencer.waiting_packet.val();
                    self.$levels.packet_next.next = self.visit_sequencer.packet_next.val();
                    self.$levels.step.next = self.visit_sequencer.step.val();
                    self.$levels.packet.next = self.visit_sequencer.packet.val();
                    self.$levels.stores.next = self.visit_sequencer.level.val();
                    self.$levels.cleared.next = self.visit_sequencer.cleared.val();
                    self.$levels.level_known.next = self.feedback.level_known.val();
                    self.$levels.level.next = self.feedback.level.val();
                    self.$levels.head_queue.next = self.sample_owners.head_queue.val();
                    self.$levels.pop.next = self.feedback.pop.val();
                    $(self.$levels.$row.next = self.$row.val();)*
                    self.visit_sequencer.level_waits.next = self.$levels.level_waits.val();
                    self.visit_sequencer.level_queue.next = self.$levels.level_queue.val();
                    self.sampler.interval_low.next = self.$levels.interval_low.val();
                    self.sampler.interval_span.next = self.$levels.interval_span.val();
                )?
                $(
                    self.$exception.queue_index.next = self.visit_sequencer.queue_index.val();
                    self.$exception.step.next = self.visit_sequencer.step.val();
                    self.$exception.cleared.next = self.visit_sequencer.cleared.val();
                    self.$exception.accepts.next = self.visit_sequencer.accepts.val();
                    self.$exception.source_mac_high.next = self.source_mac_high.val();
                    self.$exception.source_mac_low.next = self.source_mac_low.val();
                    self.$exception.due.next = self.sampler.sample.val();
                    self.$exception.$waits.next = self.$waits.val();
                    self.$exception.sent.next = self.packet_generator.frame_done.val();
                    self.$exception.sent_queue.next = self.sample_owners.head_queue.val();
                    self.$exception.sent_mac_high.next = self.sample_queue.head_source_mac_high.val();
                    self.$exception.sent_mac_low.next = self.sample_queue.head_source_mac_low.val();
                )?
                self.sample.next = self.$chooser.sample.val();

                self.queue_monitor.queue_index.next = self.visit_sequencer.queue_index.val();
                self.queue_monitor.step.next = self.visit_sequencer.step.val();
                self.queue_monitor.packet.next = self.visit_sequencer.packet.val();
                self.queue_monitor.packet_bytes.next = self.visit_sequencer.packet_bytes.val();
                self.queue_monitor.leave.next = self.visit_sequencer.leave.val();
                self.queue_monitor.leave_bytes.next = self.visit_sequencer.leave_bytes.val();
                self.queue_monitor.cleared.next = self.visit_sequencer.cleared.val();
                self.queue_monitor.sample.next = self.$chooser.sample.val();
                self.queue_monitor.q0_bytes.next = self.q0_bytes.val();
                self.counted.next = self.queue_monitor.counted.val();
                self.queue_bytes.next = self.queue_monitor.queue_bytes.val();
                self.clamped.next = self.queue_monitor.clamped.val();

                // The addresses of a packet are written when it is taken, long before it is known whether it is a sample:
                // no other packet comes between.
                self.sample_queue.enqueue.next = self.visit_sequencer.accepts.val();
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
                self.sample_owners.accepts.next = self.visit_sequencer.accepts.val();
                self.sample_owners.source_port.next = self.source_port.val();
                self.sample_owners.sample.next = self.$chooser.sample.val();
                self.sample_owners.queue_index.next = self.visit_sequencer.queue_index.val();
                self.sample_owners.pop.next = self.feedback.pop.val();

                $(
                    self.feedback.sample_valid.next =
                        self.sample_queue.head_valid.val() & !self.$levels.level_waits.val();
                )?
                $(
                    self.visit_sequencer.level_waits.next = false;
                    self.visit_sequencer.level_queue.next = 0.into();
                    self.$plain.sample_valid.next = self.sample_queue.head_valid.val();
                )?
                $(
                    self.$state.queue_index.next = self.sample_owners.head_queue.val();
                    self.$state.visited_queue.next = self.visit_sequencer.queue_index.val();
                    self.$state.cleared.next = self.visit_sequencer.cleared.val();
                )?
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
                self.packet_generator.cpid_low.next =
                    self.cpid_low.val() | bit_cast::<32, N>(self.sample_owners.head_queue.val());
                self.packet_generator.cp_mac_high.next = self.cp_mac_high.val();
                self.packet_generator.cp_mac_low.next = self.cp_mac_low.val();
                self.packet_generator.ready.next = self.data_ready.val();
                self.data_high.next = self.packet_generator.data_high.val();
                self.data_low.next = self.packet_generator.data_low.val();
                self.octets.next = self.packet_generator.octets.val();
                self.last.next = self.packet_generator.last.val();
                self.valid.next = self.packet_generator.valid.val();
                self.frame_port.next = self.sample_owners.frame_port.val();
            }
        }
    };
}

/// Makes the circuit for some number of queues.
pub(crate) type Make = fn(u64) -> Circuit;

/// The congestion point of this type, for so many queues.
pub(crate) fn of_queues<C: Module>(queues: u64) -> Circuit {
    Circuit::generated("congestion_point", &[], vec![("cp_queues", queues)], C::default)
}

/// Defines a function that makes a congestion point for 2, 4 … 64 queues, from its type and the numbers of each. It is here and
/// not where it is called, so that all these types are compiled once.
macro_rules! congestion_points {
    ($(#[doc = $about:literal])* $many:ident $([$($size:literal),+])*) => {
        $(#[doc = $about])*
        ///
        /// # Panics
        /// If the number of queues is no power of two from 2 to 64.
        pub fn congestion_points(queues: u64) -> $crate::rtl::circuit::Circuit {
            use $crate::rtl::congestion_point::array::{Make, of_queues};
            const MAKE: [Make; 6] = [$(of_queues::<$many<$($size),+>>),*];
            assert!(queues.is_power_of_two() && (2..=64).contains(&queues), "{queues} queues");
            MAKE[queues.ilog2() as usize - 1](queues)
        }
    };
}
pub(crate) use {congestion_point_array, congestion_points};
