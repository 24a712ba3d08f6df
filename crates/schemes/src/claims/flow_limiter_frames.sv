// SPDX-License-Identifier: MIT OR Apache-2.0
// Which announcements the limiter of many flows refuses, and which frames it grants.

    always @(*) if (started) begin
        refused_exactly: assert(refused == (taken[2] && must_refuse));
        granted_was_announced: assert(!grant || grant_flow < 4
            && (announced[grant_flow[1:0]] || sending));
        sent_when_granted: assert(!sent || grant && send_ready && announced[grant_flow[1:0]]);
        grant_held: assert(!grant_before || grant && grant_flow == grant_flow_before);
        nothing_while_clearing: assert(!clearing || !announce_ready && !grant && !sent && !refused);
    end
endmodule
