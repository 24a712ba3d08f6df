//! Follows the length of the output queue.

use crate::rtl::parameter_inputs;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

/// Queue length from enqueue and dequeue events, and what a sample says of it (smcc.txt section 2.2: Qoff and ΔQ).
///
/// The length with the packets of cycle t shows in cycle t + 1; there `q_offset` and `q_delta` belong to a sample of cycle t,
/// and the old length is overwritten behind them. A length that would leave 0 to 2²⁴ − 1 is clamped, and `clamped` is high in
/// the cycle of the event.
///
/// | port | shape | unit |
/// |---|---|---|
/// | `enqueue`, `enqueue_bytes` | 1, 24 bits | bytes that enter |
/// | `dequeue`, `dequeue_bytes` | 1, 24 bits | bytes that leave |
/// | `sample` | 1 bit | latch the length as the old one |
/// | `q0_bytes` | 24 bits | target length |
/// | `queue_bytes` | 24 bits | length with all of the cycles before |
/// | `q_offset`, `q_delta` | 25 bits, two's complement | bytes |
/// | `clamped` | 1 bit | the events cannot be true |
#[derive(LogicBlock, Default)]
pub struct QueueMonitor {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub enqueue: Signal<In, Bit>,
    pub enqueue_bytes: Signal<In, Bits<24>>,
    pub dequeue: Signal<In, Bit>,
    pub dequeue_bytes: Signal<In, Bits<24>>,
    pub sample: Signal<In, Bit>,
    pub q0_bytes: Signal<In, Bits<24>>,
    pub queue_bytes: Signal<Out, Bits<24>>,
    pub q_offset: Signal<Out, Bits<25>>,
    pub q_delta: Signal<Out, Bits<25>>,
    pub clamped: Signal<Out, Bit>,
    queue: DFF<Bits<24>>,
    queue_old: DFF<Bits<24>>,
    sampled: DFF<Bit>,
    entering: Signal<Local, Bits<26>>,
    leaving: Signal<Local, Bits<26>>,
    change: Signal<Local, Bits<26>>,
    next_queue: Signal<Local, Bits<26>>,
}

parameter_inputs!(QueueMonitor, "queue_monitor": q0_bytes;
    enqueue, enqueue_bytes, dequeue, dequeue_bytes, sample);

impl Logic for QueueMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, queue, queue_old, sampled);
        self.entering.next = 0.into();
        if self.enqueue.val() {
            self.entering.next = bit_cast::<26, 24>(self.enqueue_bytes.val());
        }
        self.leaving.next = 0.into();
        if self.dequeue.val() {
            self.leaving.next = bit_cast::<26, 24>(self.dequeue_bytes.val());
        }
        // Two's complement: bit 25 says less than nothing, bit 24 without it more than fits.
        self.change.next = self.entering.val() - self.leaving.val();
        self.next_queue.next = bit_cast::<26, 24>(self.queue.q.val()) + self.change.val();
        self.clamped.next = self.next_queue.val().get_bit(25) | self.next_queue.val().get_bit(24);
        self.queue.d.next = self.next_queue.val().to_bits().get_bits::<24>(0);
        if self.next_queue.val().get_bit(25) {
            self.queue.d.next = 0.into();
        } else if self.next_queue.val().get_bit(24) {
            self.queue.d.next = 0xff_ffff.into();
        }
        self.sampled.d.next = self.sample.val() & !self.reset.val();
        if self.sampled.q.val() {
            self.queue_old.d.next = self.queue.q.val();
        }
        if self.reset.val() {
            self.queue.d.next = 0.into();
            self.queue_old.d.next = 0.into();
        }
        self.queue_bytes.next = self.queue.q.val();
        self.q_offset.next = bit_cast::<25, 24>(self.queue.q.val()) - bit_cast::<25, 24>(self.q0_bytes.val());
        self.q_delta.next = bit_cast::<25, 24>(self.queue.q.val()) - bit_cast::<25, 24>(self.queue_old.q.val());
    }
}
