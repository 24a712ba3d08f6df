// SPDX-License-Identifier: MIT OR Apache-2.0
// What the limiter of many flows sends: never more than rate × time and the depth of the bucket. An exact bucket of any
// one flow takes its rate in every cycle; the proof relates it to the level, the time and the rate that are stored.

    // The flow. Bytes have 18 fraction bits here.
    (* anyconst *) wire [1:0] one;
    (* anyseq *) wire [29:0] inner_states;
    (* keep *) wire [1:0] inner_states_at = one;
    (* anyseq *) wire [25:0] inner_rates;
    (* keep *) wire [1:0] inner_rates_at = one;
    (* anyseq *) wire [25:0] inner_rates_read_data, inner_old_rate;
    (* anyseq *) wire inner_high, inner_low, inner_is_change;
    (* anyseq *) wire [24:0] inner_rate_read, inner_least;
    (* anyseq *) wire [11:0] inner_stamp, inner_ticks;
    (* anyseq *) wire [31:0] inner_factor, inner_amount;
    (* anyseq *) wire inner_factor_large, inner_amount_large, inner_early, inner_asks_change, inner_may_be_full;
    (* anyseq *) wire [21:0] inner_nearly_full;
    wire signed [47:0] stored_level = $signed({inner_states[16:0], 16'd0});
    wire [11:0] since = inner_states[28:17];
    wire stored_waits = inner_states[29];
    // With bit 25 the rate is the line rate.
    wire [24:0] stored_rate = inner_rates[25] ? line_rate : inner_rates[24:0];
    function fits(input [24:0] rate);
        fits = (rate >= min_rate || rate == 0) && rate <= line_rate;
    endfunction
    // A new rate is to be stored.
    wire given = inner_change_due || inner_asks_change;
    wire signed [47:0] of_a_tick = {14'd0, stored_rate, 5'd0};
    wire signed [47:0] full = {12'd0, bucket_bytes, 18'd0};
    // A visit to this flow; the phases in which its state is computed.
    wire visit = visits && inner_flow == one;
    wire goes_on = !(reads || sweeps && stored_waits || announces && (stored_waits || inner_cost > bucket_bytes));
    wire in_load = visit && inner_phase == `FlowPhase_Load && goes_on;
    wire in_flight = visit && (in_check && goes_on || inner_phase > `FlowPhase_Check && inner_phase <= `FlowPhase_Write);
    wire before_load = visit && inner_phase < `FlowPhase_Check;
    wire in_multiply = in_flight && inner_phase == `FlowPhase_Multiply;
    wire in_settle = in_flight && inner_phase == `FlowPhase_Settle;
    wire in_cap = in_flight && inner_phase == `FlowPhase_Cap;
    wire in_deduct = in_flight && inner_phase == `FlowPhase_Deduct;
    wire writes = visit && in_write;
    // The rate that counts: a new one from the cycle on in which the old one has been read.
    wire [24:0] rate_now = in_flight && changes ? inner_rate_read : stored_rate;

    // The rate that the visit leaves.
    wire [24:0] left_rate = changes ? inner_rate_read : inner_old_rate[24:0];

    wire signed [47:0] level = $signed({inner_level, 16'd0});
    // Ghost: the exact bucket; the frame that is announced, with its overhead.
    reg signed [47:0] paid = 0;
    reg [14:0] announced_cost = 0;
    wire signed [47:0] cost = {11'd0, announced_cost, 18'd0};
    wire [14:0] sent_cost = {1'b0, send_bytes} + overhead_bytes;
    wire sends_one = sent && grant_flow == one;
    wire signed [47:0] kept = paid - (sends_one ? $signed({11'd0, sent_cost, 18'd0}) : 48'sd0)
        + $signed({19'd0, rate_now});

    wire signed [47:0] waiting = stored_waits ? cost : 48'sd0;
    // Ghost: ticks since time counts, modulo 2^12. With 4,095 it does not count yet.
    wire [11:0] elapsed = inner_now - since;
    wire rests = elapsed == 12'hfff;
    wire tick_ends = inner_cycle == 31;
    // The rate × these ticks; `ticks_paid[j]`: × their number modulo 2^j.
    reg [36:0] ticks_paid [1:12];
    // The rate × the cycles of this tick, and their number modulo 2^j. A new rate did not count from the begin of the tick.
    reg [29:0] cycles_paid [1:5];
    reg mixed = 0;
    wire signed [47:0] brought = {2'd0, ticks_paid[12], 5'd0};
    wire signed [47:0] of_this_tick = {14'd0, cycles_paid[5]};
    wire signed [47:0] partly = rests ? 48'sd0 : of_this_tick;
    // Ghost: at the begin of the visit.
    reg [36:0] visit_paid [1:12];
    reg [11:0] visit_tick;
    reg [6:0] visit_cycle;
    reg [5:0] visit_cycles;
    reg [3:0] bits_done = 0;
    reg visit_rests;
    wire [11:0] visit_elapsed = visit_tick - since;
    wire signed [47:0] gained = {2'd0, visit_paid[12], 5'd0};
    // What the rate has brought since the begin of the tick of the visit, and since the begin of the next one.
    wire next_tick = inner_now != visit_tick;
    wire signed [47:0] after_tick = next_tick ? of_this_tick : 48'sd0;
    wire signed [47:0] since_tick = next_tick ? of_a_tick + of_this_tick : of_this_tick;
    wire signed [47:0] meanwhile = visit_rests ? after_tick : since_tick;
    // What counts in this cycle.
    wire counts = in_flight && (changes || visit_rests) ? next_tick : in_flight || !rests;
    wire signed [47:0] more = {19'd0, rate_now};
    wire signed [47:0] now_paid = counts ? more : 48'sd0;
    // Ghost: what the limiter may send: the level, and in a visit what it finds; and what came after that. What 4,095
    // ticks have brought is lost.
    reg signed [47:0] base = 0, run = 0;
    wire signed [47:0] owed = base + run;
    // After the visit.
    wire [11:0] elapsed_next = inner_now + {11'd0, tick_ends} - inner_stamp;
    wire [24:0] rate_next = changes ? inner_rate_read : stored_rate;
    wire restarts = inner_stamp == visit_tick || inner_stamp == visit_tick + 12'd1;
    wire signed [47:0] waiting_next = inner_waits ? cost : 48'sd0;
    wire signed [47:0] base_next = level + waiting_next;
    wire signed [47:0] tick_left = inner_stamp == visit_tick ? of_a_tick : 48'sd0;
    wire signed [47:0] run_next = !restarts ? (rests || tick_ends && elapsed == 12'hffe ? 48'sd0 : brought + partly + more)
        : inner_stamp == visit_tick ? since_tick + more : after_tick + (next_tick ? more : 48'sd0);
    // The sums of both, one operand after the other.
    wire signed [47:0] base_found = stored_level + (sends ? 48'sd0 : waiting);
    wire signed [47:0] run_found = gained + run + more;
    // Ghost: the cycle before.
    reg signed [47:0] base_before = 0, run_before = 0, owed_before = 0, more_before = 0, paid_before = 0, after_before = 0;
    reg loads_before = 0, writes_before = 0, sent_before = 0, cleared_before = 0;
    wire signed [47:0] kept_before = paid_before + more_before;
    integer j;
    always @(posedge clock) begin
        base_before <= base;
        run_before <= run;
        owed_before <= owed;
        more_before <= more;
        paid_before <= paid;
        after_before <= after_tick;
        loads_before <= in_load;
        writes_before <= writes;
        sent_before <= sends_one;
        cleared_before <= in_clear || reset;
        run <= run + now_paid;
        if (tick_ends && (elapsed == 12'hffe || rests) && !in_flight) run <= 0;
        if (sends_one) base <= stored_level;
        if (in_load) begin
            base <= base + brought;
            run <= changes || rests ? 48'sd0 : partly + now_paid;
        end
        if (writes) begin
            base <= base_next;
            run <= run_next;
        end
        paid <= kept < full ? kept : full;
        if (taken[2] && !must_refuse && taken_flow == one) announced_cost <= taken_cost;
        mixed <= !tick_ends && (mixed || in_load && changes);
        for (j = 1; j <= 5; j = j + 1) begin
            cycles_paid[j] <= cycles_paid[j] + rate_now;
            if ((inner_cycle | (7'h7f << j)) == 7'h7f || tick_ends || in_clear || reset) cycles_paid[j] <= 0;
        end
        for (j = 1; j <= 12; j = j + 1) begin
            if (tick_ends) begin
                ticks_paid[j] <= ticks_paid[j] + stored_rate;
                if ((elapsed | (12'hfff << j)) == 12'hfff || elapsed == 12'hffe) ticks_paid[j] <= 0;
            end
            if (writes && restarts) ticks_paid[j] <= elapsed_next == 1 ? {12'd0, rate_next} : 37'd0;
            if (in_load) visit_paid[j] <= ticks_paid[j];
            if (in_clear || reset) ticks_paid[j] <= 0;
        end
        if (in_load) begin
            visit_tick <= inner_now;
            visit_cycle <= inner_cycle;
            visit_cycles <= 1;
            visit_rests <= rests;
        end else visit_cycles <= visit_cycles + 1;
        bits_done <= in_multiply ? bits_done + 4'd1 : 4'd0;
        if (in_clear || reset) begin
            base <= 0;
            run <= 0;
            paid <= 0;
            mixed <= 0;
        end
    end

    wire flies = in_flight && !in_clear;
    // Products, one bit of the number after the other.
    wire [36:0] amount = {6'd0, inner_amount[31:1]};
    localparam [36:0] LARGE = 37'd1 << 31;
    wire [39:0] factor = {15'd0, stored_rate} << (bits_done + 1);
    wire [12:0] amounts_fit;
    wire [11:0] digits_fit, visit_digits_fit, ones_fit;
    generate for (i = 0; i < 13; i = i + 1) begin : digits_of_ticks
        wire [36:0] part, visit_part;
        if (i == 0) begin
            assign part = 0;
            assign visit_part = 0;
        end else begin
            assign part = ticks_paid[i];
            assign visit_part = visit_paid[i];
        end
        assign amounts_fit[i] = bits_done != i
            || (inner_amount_large ? visit_part >= LARGE : visit_part == amount);
        if (i < 12) begin
            assign digits_fit[i] = in_clear || rests
                || ticks_paid[i + 1] == part + (elapsed[i] ? {12'd0, stored_rate} << i : 37'd0);
            assign visit_digits_fit[i] = !flies || visit_rests
                || visit_paid[i + 1] == visit_part + (visit_elapsed[i] ? {12'd0, stored_rate} << i : 37'd0);
            assign ones_fit[i] = in_clear || rests || (elapsed | (12'hfff << i)) != 12'hfff
                || part == ({12'd0, stored_rate} << i) - stored_rate;
        end
    end endgenerate
    wire [4:0] cycle_digits_fit;
    wire [5:0] cycle_ones_fit;
    generate for (i = 0; i < 6; i = i + 1) begin : digits_of_cycles
        wire [29:0] part;
        if (i == 0) assign part = 0;
        else assign part = cycles_paid[i];
        assign cycle_ones_fit[i] = in_clear || mixed || (inner_cycle | (7'h7f << i)) != 7'h7f
            || part == ({5'd0, rate_now} << i) - rate_now;
        if (i < 5) assign cycle_digits_fit[i] = in_clear || mixed
            || cycles_paid[i + 1] == part + (inner_cycle[i] ? {5'd0, rate_now} << i : 30'd0);
    end endgenerate
    wire signed [47:0] bound = {11'd0, inner_highest, 18'd0};
    wire signed [47:0] deducted = announces && writes ? cost : 48'sd0;
    function signed [47:0] smaller(input signed [47:0] a, input signed [47:0] b);
        smaller = a < b ? a : b;
    endfunction
    always @(*) if (started) begin
        if (send_ready && grant && grant_flow == one && announced[one]) assume(sent_cost == announced_cost);

        helper_changing: assert(!(inner_rate_known && inner_change_due) && (!(visits && changes) || inner_change_due)
            && (!(visits && reads) || !inner_change_due && !inner_rate_known));
        helper_asks: assert(!in_turn || !inner_asks || inner_turn == 7 || inner_turn == 6
            && (inner_asks_change ? inner_change_due : !inner_change_due && !inner_rate_known));
        // A turn may follow at once, and `asks` was computed before the change was done.
        helper_change_turn: assert(!(visits && changes) || inner_turn == 7);
        helper_announced_cost: assert(in_clear || !announced[one] || announced_cost <= bucket_bytes);
        helper_visit_cost: assert(!(in_flight && announces && inner_phase > `FlowPhase_Check
            || visit && sends && inner_phase >= `FlowPhase_Load && inner_phase <= `FlowPhase_Write) || inner_cost == announced_cost);
        helper_fetch_cost: assert(!(visit && sends && inner_phase == `FlowPhase_Fetch)
            || inner_cost + overhead_bytes == announced_cost);
        helper_send_cost: assert(!(visit && sends && inner_phase <= `FlowPhase_Write) || announced_cost <= bucket_bytes);
        helper_rate_read: assert(!visit || inner_phase < `FlowPhase_Load || inner_phase > `FlowPhase_Write || inner_rates_read_data == inner_rates);
        helper_rate_held: assert(!in_flight || inner_old_rate == inner_rates);
        // While the memories are cleared, no rate was read and there is no new one; `asks_change` has no reset.
        helper_clear_given: assert(!in_clear
            || !inner_rate_known && !inner_change_due && (inner_flow == 0 || !inner_asks_change));
        helper_rate_cleared: assert(!in_clear || inner_flow <= one || inner_rates[25]);
        // Where the bounds do not change, a visit does not change the rate.
        helper_rate_fits: assert(in_clear || inner_rates[25] || fits(inner_rates[24:0]));
        helper_given_fits: assert(in_clear || !given || fits(inner_rate_read));
        helper_is_change: assert(!visits || inner_phase == `FlowPhase_Fetch || inner_is_change == changes);
        helper_high: assert(!(in_flight && !in_check) || inner_high == (left_rate >= line_rate));
        helper_low: assert(!(in_flight && !in_check) || inner_low == (left_rate < min_rate && left_rate != 0));
        helper_least: assert(inner_least == min_rate);
        helper_still_waits: assert(!in_flight || (looks || sends ? stored_waits : announces || sweeps ? !stored_waits
            : in_check || inner_waits == stored_waits));
        // Time.
        helper_visit_time: assert(!in_flight || (inner_now == visit_tick
            ? inner_cycle == visit_cycle + visit_cycles : inner_now == visit_tick + 12'd1
            && inner_cycle + 32 == visit_cycle + visit_cycles) && visit_cycle <= 31);
        helper_visit_length: assert(!in_flight || (inner_phase == `FlowPhase_Check ? visit_cycles == 1 && bits_done == 0
            : in_multiply ? bits_done <= 12 && visit_cycles == bits_done + 2
            : in_settle ? visit_cycles <= 15 : in_cap ? visit_cycles <= 16 : in_deduct ? visit_cycles <= 17
            : visit_cycles <= 18));
        helper_visit_rests: assert(!in_flight || visit_rests == (visit_elapsed == 12'hfff));
        helper_stamp: assert(!in_flight || (inner_phase <= `FlowPhase_Settle ? inner_stamp == visit_tick
            : changes ? inner_stamp == visit_tick + 12'd1
            : sends ? inner_stamp == visit_tick && (in_cap || in_deduct || !visit_rests)
                || writes && inner_stamp == visit_tick + 12'd1
            : inner_stamp == visit_tick && !visit_rests || inner_stamp == since));
        helper_early: assert(!(in_multiply || in_settle || sends && (in_cap || in_deduct)) || inner_early == visit_rests);
        // Rate × time.
        helper_mixed: assert(!mixed || !(in_flight && next_tick) && (in_flight && changes || rests));
        helper_cycle_ones_0: assert(cycle_ones_fit[0]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length helper_mixed
        // uses helper_cycle_ones_0 helper_cycle_digit_0
        helper_cycle_digit_0: assert(cycle_digits_fit[0]);
        helper_cycle_ones_1: assert(cycle_ones_fit[1]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length helper_mixed
        // uses helper_cycle_ones_1 helper_cycle_digit_1
        helper_cycle_digit_1: assert(cycle_digits_fit[1]);
        helper_cycle_ones_2: assert(cycle_ones_fit[2]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length helper_mixed
        // uses helper_cycle_ones_2 helper_cycle_digit_2
        helper_cycle_digit_2: assert(cycle_digits_fit[2]);
        helper_cycle_ones_3: assert(cycle_ones_fit[3]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length helper_mixed
        // uses helper_cycle_ones_3 helper_cycle_digit_3
        helper_cycle_digit_3: assert(cycle_digits_fit[3]);
        helper_cycle_ones_4: assert(cycle_ones_fit[4]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length helper_mixed
        // uses helper_cycle_ones_4 helper_cycle_digit_4
        helper_cycle_digit_4: assert(cycle_digits_fit[4]);
        helper_cycle_ones_5: assert(cycle_ones_fit[5]);
        helper_ones_0: assert(ones_fit[0]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_0 helper_digit_0
        helper_digit_0: assert(digits_fit[0]);
        helper_ones_1: assert(ones_fit[1]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_1 helper_digit_1
        helper_digit_1: assert(digits_fit[1]);
        helper_ones_2: assert(ones_fit[2]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_2 helper_digit_2
        helper_digit_2: assert(digits_fit[2]);
        helper_ones_3: assert(ones_fit[3]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_3 helper_digit_3
        helper_digit_3: assert(digits_fit[3]);
        helper_ones_4: assert(ones_fit[4]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_4 helper_digit_4
        helper_digit_4: assert(digits_fit[4]);
        helper_ones_5: assert(ones_fit[5]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_5 helper_digit_5
        helper_digit_5: assert(digits_fit[5]);
        helper_ones_6: assert(ones_fit[6]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_6 helper_digit_6
        helper_digit_6: assert(digits_fit[6]);
        helper_ones_7: assert(ones_fit[7]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_7 helper_digit_7
        helper_digit_7: assert(digits_fit[7]);
        helper_ones_8: assert(ones_fit[8]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_8 helper_digit_8
        helper_digit_8: assert(digits_fit[8]);
        helper_ones_9: assert(ones_fit[9]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_9 helper_digit_9
        helper_digit_9: assert(digits_fit[9]);
        helper_ones_10: assert(ones_fit[10]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_10 helper_digit_10
        helper_digit_10: assert(digits_fit[10]);
        helper_ones_11: assert(ones_fit[11]);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_early helper_rests helper_ones_11 helper_digit_11
        helper_digit_11: assert(digits_fit[11]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_0 helper_visit_digit_0
        helper_visit_digit_0: assert(visit_digits_fit[0]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_1 helper_visit_digit_1
        helper_visit_digit_1: assert(visit_digits_fit[1]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_2 helper_visit_digit_2
        helper_visit_digit_2: assert(visit_digits_fit[2]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_3 helper_visit_digit_3
        helper_visit_digit_3: assert(visit_digits_fit[3]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_4 helper_visit_digit_4
        helper_visit_digit_4: assert(visit_digits_fit[4]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_5 helper_visit_digit_5
        helper_visit_digit_5: assert(visit_digits_fit[5]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_6 helper_visit_digit_6
        helper_visit_digit_6: assert(visit_digits_fit[6]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_7 helper_visit_digit_7
        helper_visit_digit_7: assert(visit_digits_fit[7]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_8 helper_visit_digit_8
        helper_visit_digit_8: assert(visit_digits_fit[8]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_9 helper_visit_digit_9
        helper_visit_digit_9: assert(visit_digits_fit[9]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_10 helper_visit_digit_10
        helper_visit_digit_10: assert(visit_digits_fit[10]);
        // uses helper_rate_read helper_visit_time helper_visit_length helper_visit_rests helper_stamp
        // uses helper_digit_11 helper_visit_digit_11
        helper_visit_digit_11: assert(visit_digits_fit[11]);
        helper_few: assert(in_clear || cycles_paid[5] <= {inner_cycle[4:0], 25'd0});
        helper_whole: assert(in_clear || mixed || of_this_tick <= $signed({14'd0, rate_now, 5'd0}));
        helper_rests: assert(in_clear || !rests || brought == 0);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_rate_held helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_rests helper_some
        helper_some: assert(in_clear || rests || ticks_paid[12] <= {elapsed, 25'd0});
        helper_visit_rested: assert(!flies || !visit_rests || gained == 0);
        helper_factor: assert(!in_multiply || inner_ticks == visit_elapsed >> bits_done
            && inner_factor == factor[31:0] && inner_factor_large == (factor[39:32] != 0));
        helper_even: assert(!(in_multiply || in_settle) || inner_amount[0] == 0 && (inner_factor[0] == 0 || in_settle));
        helper_amount: assert(!in_multiply || (visit_rests ? inner_amount == 0 && !inner_amount_large
            : bits_done <= 12 && amounts_fit == 13'h1fff));
        helper_settle: assert(!in_settle || (inner_amount_large ? visit_paid[12] >= LARGE : visit_paid[12] == amount));
        // Level.
        helper_read_level: assert(!(in_multiply || in_settle) || level == stored_level);
        helper_large: assert(!in_cap || !inner_amount_large || stored_level + gained >= full);
        helper_level_now: assert(!in_cap || inner_amount_large || level <= stored_level + gained);
        helper_gained: assert(!in_cap || restarts || !inner_amount_large);
        helper_bounded: assert(!(in_cap || in_deduct || writes) || bound == (sends ? full - cost : full));
        helper_nothing: assert(!(in_cap || in_deduct || writes) || restarts || level + deducted <= stored_level);
        helper_capped: assert(!(in_deduct || writes) || level + deducted <= bound
            && level + deducted <= stored_level + gained);
        helper_highest: assert(!((in_multiply || in_settle || in_cap) && sends) || inner_highest == room);
        helper_nearly_full: assert(!(in_cap && sends) || inner_nearly_full == {5'd0, room, 2'd0} - {8'd0, stored_rate[24:11]});
        helper_may_be_full: assert(!(in_deduct && sends) || inner_may_be_full || level + of_a_tick <= bound);
        helper_not_full: assert(!(writes && sends) || inner_stamp != visit_tick || level + of_a_tick <= bound);
        // The exact bucket holds what the limiter may send, or is full.
        helper_paid: assert(paid >= 0 && paid <= full);
        helper_base: assert(in_clear || in_flight || base == stored_level + (visit && sends ? 48'sd0 : waiting));
        helper_base_in_flight: assert(!flies || base == stored_level + (sends ? 48'sd0 : waiting) + gained);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_rate_held helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_mixed helper_cycle_ones_5 helper_few helper_rests helper_some
        // uses helper_visit_rested helper_run helper_run_in_flight
        helper_run: assert(in_clear || in_flight || run == brought + partly);
        // uses helper_rate_fits helper_given_fits helper_rate_held helper_high helper_low helper_least helper_change_turn
        // uses helper_changing helper_rate_read helper_rate_held helper_visit_time helper_visit_length
        // uses helper_visit_rests helper_stamp helper_mixed helper_cycle_ones_5 helper_few helper_rests
        // uses helper_run_in_flight helper_run
        helper_run_in_flight: assert(!flies || run == (changes ? after_tick : meanwhile));
        helper_base_range: assert(in_clear || base >= -(48'sd1 << 35) && base <= (48'sd1 << 42) + (48'sd1 << 36));
        helper_run_range: assert(in_clear || run >= 0 && run <= (48'sd1 << 42) + (48'sd1 << 36));
        helper_next_range: assert(!writes || base_next >= -(48'sd1 << 36) && base_next <= 48'sd1 << 36
            && run_next >= 0 && run_next <= (48'sd1 << 42) + (48'sd1 << 36));
        // uses helper_visit_time helper_visit_length helper_visit_rests helper_same_ticks
        // uses helper_one_tick helper_no_tick
        helper_same_ticks: assert(!flies || visit_rests || next_tick || ticks_paid[12] == visit_paid[12]);
        // uses helper_visit_time helper_visit_length helper_visit_rests helper_same_ticks
        // uses helper_one_tick helper_no_tick
        helper_one_tick: assert(!flies || visit_rests || !next_tick || rests || ticks_paid[12] == visit_paid[12] + {12'd0, stored_rate});
        helper_no_tick: assert(!flies || !visit_rests || (next_tick ? !rests && ticks_paid[12] == 0 : rests));
        helper_since_brought: assert(!flies || visit_rests || brought == (rests ? 48'sd0 : next_tick ? gained + of_a_tick : gained));
        helper_since: assert(!flies || changes || brought + partly <= gained + meanwhile);
        helper_base_next: assert(!writes || base_next <= (restarts ? base : base_found));
        // uses helper_visit_time helper_visit_length helper_visit_rests helper_stamp helper_mixed
        // uses helper_cycle_ones_5 helper_few helper_whole helper_rests helper_some helper_run_in_flight helper_since
        // uses helper_since_brought helper_run_range helper_next_range helper_same_ticks helper_one_tick
        // uses helper_no_tick helper_rate_held helper_changing helper_rate_read helper_visit_rested
        // uses helper_rate_fits helper_given_fits helper_high helper_low helper_change_turn
        helper_run_next: assert(!writes || run_next <= (restarts ? run + more : run_found));
        // uses helper_base_range helper_run_range helper_next_range helper_base_next
        helper_sum_base: assert(!writes || base_next + run_next <= (restarts ? base : base_found) + run_next);
        // uses helper_base_range helper_run_range helper_next_range helper_run_next
        helper_sum_run: assert(!writes || (restarts ? base + run_next <= base + (run + more)
            : base_found + run_next <= base_found + run_found));
        helper_sum: assert(!writes || (restarts ? base + (run + more) : base_found + run_found) == owed + more);
        helper_owed_next: assert(!writes || base_next + run_next <= owed + more);
        // uses helper_stamp helper_bounded helper_capped helper_not_full helper_send_base helper_still_waits
        // uses helper_send_cost helper_announced_cost helper_visit_cost helper_rate_held
        helper_send_base: assert(!(writes && sends) || base_next + tick_left <= full - cost);
        // uses helper_visit_time helper_visit_length helper_visit_rests helper_stamp helper_mixed
        // uses helper_whole helper_rests helper_still_waits helper_send_run helper_rate_held helper_changing
        helper_send_run: assert(!(writes && sends) || run_next <= tick_left + after_tick + more);
        // uses helper_base_range helper_run_range helper_next_range helper_send_base helper_send_run helper_send_cost
        // uses helper_announced_cost
        helper_send_next: assert(!(writes && sends) || base_next + run_next <= full - cost + after_tick + more);
        // From one cycle to the next.
        helper_before: assert(cleared_before || owed_before == base_before + run_before && paid_before >= 0 && paid_before <= full);
        helper_more_range: assert(more_before >= 0 && more_before < (48'sd1 << 25));
        helper_base_kept: assert(cleared_before || loads_before || writes_before || sent_before || base == base_before);
        helper_run_step: assert(cleared_before || loads_before || writes_before || run <= run_before + more_before);
        // uses helper_sum* helper_base* helper_run* helper_owed_next helper_before
        helper_owed_written: assert(cleared_before || !writes_before || owed <= owed_before + more_before);
        // uses helper_sum* helper_base* helper_run* helper_owed_next helper_before
        helper_owed_loaded: assert(cleared_before || !loads_before || owed <= owed_before + more_before);
        helper_owed_kept: assert(cleared_before || loads_before || writes_before || sent_before || owed <= owed_before + more_before);
        helper_owed_step: assert(cleared_before || sent_before || owed <= owed_before + more_before);
        // uses helper_base helper_run helper_base_range helper_run_range helper_announced_cost helper_paid
        // uses helper_before helper_more_range helper_base_kept helper_run_step helper_owed_step helper_paid_step
        // uses helper_after_step helper_owed_sent helper_paid_sent
        helper_owed_sent: assert(!sent_before || cleared_before || owed <= owed_before - cost + more_before);
        // uses helper_base helper_run helper_base_range helper_run_range helper_announced_cost helper_paid
        // uses helper_before helper_more_range helper_base_kept helper_run_step helper_owed_step helper_paid_step
        // uses helper_after_step helper_owed_sent helper_paid_sent
        helper_paid_sent: assert(!sent_before || cleared_before || paid == smaller(full, paid_before - cost + more_before));
        helper_paid_step: assert(cleared_before || sent_before || paid == smaller(full, kept_before));
        helper_after_step: assert(cleared_before || loads_before || !flies || changes || after_tick <= after_before + more_before);
        // uses helper_base helper_run helper_base_range helper_run_range helper_base_in_flight helper_run_in_flight
        // uses helper_visit_cost helper_fetch_cost helper_send_cost helper_announced_cost helper_still_waits
        // uses helper_send_next helper_paid helper_before helper_more_range helper_run_step helper_owed_step
        // uses helper_paid_step helper_after_step helper_owed_sent helper_paid_sent helper_rest helper_sent
        // uses helper_send
        helper_rest: assert(in_clear || visit && sends || paid >= smaller(full, owed));
        // uses helper_base_range helper_run_range helper_visit_cost helper_fetch_cost helper_send_cost
        // uses helper_announced_cost helper_paid helper_before helper_more_range helper_run_step helper_owed_step
        // uses helper_paid_step helper_after_step helper_owed_sent helper_paid_sent helper_rest helper_sent
        helper_sent: assert(in_clear || !(before_load && sends) || paid >= smaller(full - cost, owed));
        // uses helper_base helper_run helper_base_range helper_run_range helper_base_in_flight helper_run_in_flight
        // uses helper_visit_cost helper_fetch_cost helper_send_cost helper_announced_cost helper_still_waits
        // uses helper_send_next helper_paid helper_before helper_more_range helper_run_step helper_owed_step
        // uses helper_paid_step helper_after_step helper_owed_sent helper_paid_sent helper_rest helper_sent
        // uses helper_send
        helper_send: assert(!flies || !sends || paid >= smaller(smaller(full, full - cost + after_tick), owed));

        // uses helper_base helper_run helper_base_range helper_run_range helper_base_in_flight helper_run_in_flight
        // uses helper_visit_cost helper_fetch_cost helper_send_cost helper_announced_cost helper_still_waits
        // uses helper_send_next helper_paid helper_before helper_more_range helper_run_step helper_owed_step
        // uses helper_paid_step helper_after_step helper_owed_sent helper_paid_sent helper_rest helper_sent
        // uses helper_send
        paid_for: assert(!sends_one || paid >= $signed({11'd0, sent_cost, 18'd0}));
    end
endmodule
