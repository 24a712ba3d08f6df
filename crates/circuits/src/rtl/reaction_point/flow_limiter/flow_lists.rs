// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lists in which flows wait for their time.

use super::list_choice::ListChoice;
use super::reached_lists::ReachedLists;
use tidegate_hdl::prelude::*;

module! {
    /// A timing wheel of three levels. Each list holds the flows whose time ends within the same tick, the same 16 or the
    /// same 256 ticks, up to 12 times 256 ticks. A flow that comes out of a list early is put into a finer one.
    ///
    /// The first flow of each list stands here, the flow behind each flow in the ready queue. A list is read in one cycle,
    /// and its first flow is known in the next one.
    pub struct FlowLists: "flow_lists" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Tick of this cycle.
        pub now: Signal<In, Bits<12>>,
        /// Tick of the next cycle.
        pub time_then: Signal<In, Bits<12>>,
        /// The tick ends in this cycle.
        pub tick_ends: Signal<In, Bit>,
        /// What is looked for in this turn: 0 = a list of one tick, 2 = of 16, 4 = of 256.
        pub turn: Signal<In, Bits<3>>,
        /// The same of the next cycle.
        pub next_turn: Signal<In, Bits<3>>,
        /// The next list of this kind has its turn; valid with `in_turn`.
        pub advances: Signal<In, Bit>,
        /// The first flow of the list is visited; valid with `in_turn`.
        pub begins_look: Signal<In, Bit>,
        /// Number of the flow that is visited; while the memories are cleared, its low bits are the next list.
        pub flow: Signal<In, Bits<12>>,
        /// The flow that is visited.
        pub known_flow: Signal<In, Bits<12>>,
        /// The flow behind it; valid with `in_check`.
        pub follower: Signal<In, Bits<12>>,
        /// It is the last one of its list; valid with `in_check`.
        pub end_of_list: Signal<In, Bit>,
        /// The flow is visited because it is the first one of a list; from the phase `Fetch` on.
        pub for_look: Signal<In, Bit>,
        /// Ticks that the flow must wait, less one; valid with `in_round`.
        pub wait_ticks: Signal<In, Bits<12>>,
        /// The memories are being cleared.
        pub in_clear: Signal<In, Bit>,
        /// They have been cleared at the end of this cycle; valid with `in_clear`.
        pub last_clear: Signal<In, Bit>,
        /// The phase is `Turn`: a visit may begin.
        pub in_turn: Signal<In, Bit>,
        /// The phase is `Fetch`, the first one of a visit.
        pub in_fetch: Signal<In, Bit>,
        /// The phase is `Load`, the second one.
        pub in_load: Signal<In, Bit>,
        /// The phase is `Check`, the third one: a flow that is looked at leaves its list.
        pub in_check: Signal<In, Bit>,
        /// The phase is `Round`.
        pub in_round: Signal<In, Bit>,
        /// The phase is `Place`, which follows it.
        pub in_place: Signal<In, Bit>,
        /// The phase is `Avoid`, which follows it.
        pub in_avoid: Signal<In, Bit>,
        /// The phase is `Follow`, which follows it: the first flow of the chosen list is read.
        pub in_follow: Signal<In, Bit>,
        /// The phase is `Push`, which follows it: the flow becomes the first one of this list.
        pub in_push: Signal<In, Bit>,
        /// First flow of the list of the cycle before; valid with `head_valid`.
        pub head: Signal<Out, Bits<12>>,
        /// This list is not empty.
        pub head_valid: Signal<Out, Bit>,
        /// `head_valid` of the next cycle.
        pub next_head_valid: Signal<Out, Bit>,
        /// The time of the list of this turn is over.
        pub list_is_late: Signal<Out, Bit>,
        reached_lists: ReachedLists,
        list_choice: ListChoice,
        /// First flow of each list, and bit 12 = the list is not empty. Lists 0 to 15: of one tick, 16 to 31: of 16
        /// ticks, 32 to 47: of 256 ticks.
        heads: LutRam<Bits<13>, 6>,
        /// Number of a list: that of the next turn, except while another one is in use.
        list: DFF<Bits<6>>,
        /// Of `heads`, the word of the list in the cycle before.
        list_head: Delay<Bits<13>>,
        /// The head of `list` is written in this cycle; known a cycle before.
        writes_head: DFF<Bit>,
        next_list: Signal<Local, Bits<6>>,
        read_list: Signal<Local, Bits<6>>,
    }
}

impl Logic for FlowLists {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, list, list_head, writes_head);
        clock!(self, clock, reached_lists, list_choice, heads);
        self.reached_lists.reset.next = self.reset.val();
        self.list_choice.reset.next = self.reset.val();

        self.reached_lists.now.next = self.now.val();
        self.reached_lists.tick_ends.next = self.tick_ends.val();
        self.reached_lists.turn.next = self.turn.val();
        self.reached_lists.passes.next = self.in_turn.val() & self.advances.val();
        self.list_is_late.next = self.reached_lists.is_late.val();

        self.list_choice.now.next = self.now.val();
        self.list_choice.time_then.next = self.time_then.val();
        self.list_choice.ticks.next = self.wait_ticks.val();
        self.list_choice.reached_fine.next = self.reached_lists.fine.val();
        self.list_choice.reached_middle.next = self.reached_lists.middle.val();
        self.list_choice.reached_coarse.next = self.reached_lists.coarse.val();
        self.list_choice.list.next = self.list.q.val();
        self.list_choice.in_round.next = self.in_round.val();
        self.list_choice.in_place.next = self.in_place.val();

        comment!("The list of the next cycle: that of the next turn, of the visit, or the one that is chosen");
        self.next_list.next = bit_cast::<6, 4>(self.reached_lists.fine.val());
        if self.next_turn.val() == 2 {
            self.next_list.next = bit_cast::<6, 4>(self.reached_lists.middle.val()) | 0x10;
        } else if self.next_turn.val() == 4 {
            self.next_list.next = bit_cast::<6, 4>(self.reached_lists.coarse.val()) | 0x20;
        }
        self.read_list.next = self.next_list.val();
        if self.in_turn.val() & self.advances.val() {
            self.read_list.next = (self.list.q.val() & 0x30) | bit_cast::<6, 4>(self.reached_lists.reached.val() + 1);
        }
        if (self.in_turn.val() & self.begins_look.val())
            | self.in_fetch.val()
            | self.in_load.val()
            | self.in_follow.val()
        {
            self.read_list.next = self.list.q.val();
        }
        if self.in_place.val() | self.in_avoid.val() {
            self.read_list.next = 0.into();
        }
        self.list.d.next = self.read_list.val() | self.list_choice.chosen_list.val();

        comment!("The first flow of the list");
        self.heads.read_address.next = self.list.q.val();
        self.list_head.d.next = self.heads.read_data.val();
        self.next_head_valid.next = self.heads.read_data.val().get_bit(12);
        self.head.next = self.list_head.q.val().to_bits().get_bits::<12>(0);
        self.head_valid.next = self.list_head.q.val().get_bit(12);

        self.heads.write_address.next = self.list.q.val();
        if self.in_clear.val() {
            self.heads.write_address.next = self.flow.val().to_bits().get_bits::<6>(0);
        }
        // Of a list that is empty, the flow does not matter.
        self.heads.write_data.next = bit_cast::<13, 12>(self.known_flow.val());
        if self.in_check.val() & self.for_look.val() {
            self.heads.write_data.next = bit_cast::<13, 12>(self.follower.val()) | 0x1000;
            if self.end_of_list.val() {
                self.heads.write_data.next = bit_cast::<13, 12>(self.follower.val());
            }
        }
        if self.in_push.val() {
            self.heads.write_data.next = bit_cast::<13, 12>(self.known_flow.val()) | 0x1000;
        }
        self.heads.write_enable.next = self.writes_head.q.val();
        self.writes_head.d.next = (self.in_clear.val() & !self.last_clear.val())
            | (self.in_load.val() & self.for_look.val())
            | self.in_follow.val();
        if self.reset.val() {
            self.writes_head.d.next = true;
        }
    }
}
