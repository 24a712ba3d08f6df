// SPDX-License-Identifier: MIT OR Apache-2.0
// The pins of a whole switch in Verilator: at each port a transceiver of RGMII with a clock of its own, beside them the serial line and
// the clock of the board. What the transceivers send comes from the standard input, what they receive goes to the standard output; `wire.py`
// is the other end.
//
// Nothing of the protocol of Ethernet is here: a frame is a row of octets on the line, with its preamble and its FCS, right or wrong.
//
// Commands and events are a letter and numbers in little endian. Times are in femtoseconds since the begin.

#include "Vtidegate_top.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

namespace {

constexpr int PORTS = 3;
// Of the serial line, 115,200 bits a second.
constexpr uint64_t BIT_FS = 1000000000000000 / 115200;
// A frame that is longer than this is given in parts: a switch that never ends a frame shall be seen.
constexpr size_t LONGEST = 100000;

struct Row {
    std::vector<uint8_t> octets;
    // It starts behind so many idle octets, and not earlier than this.
    uint32_t gap;
    uint64_t not_before;
    // The octet that is marked as an error; the one before which the clock stops, for how long, and whether the row has ended then.
    uint32_t marked, stops_at;
    uint64_t stops_for;
    bool is_cut;
};

template <class T> T get() {
    T value;
    if (fread(&value, sizeof value, 1, stdin) != 1) exit(0);
    return value;
}

template <class T> void put(T value) { fwrite(&value, sizeof value, 1, stdout); }

struct Transceiver {
    CData *rxc, *rx_ctl, *rxd, *txc, *tx_ctl, *txd;
    uint8_t index;
    uint64_t half = 4000000, next = 0;
    // Towards the switch.
    std::deque<Row> rows;
    size_t place = 0;
    uint64_t idle = 0;
    bool in_row = false, valid = false, error = false;
    uint8_t octet = 0;
    // From the switch.
    bool clock = false, sent_valid = false, sent_error = false;
    uint8_t low = 0;
    std::vector<uint8_t> sent;
    uint64_t begin = 0;

    // The low half of the next octet lies at the pins half a period before the clock rises.
    void next_octet(uint64_t now) {
        valid = error = false;
        octet = 0;
        if (!in_row && !rows.empty() && idle >= rows.front().gap && now >= rows.front().not_before) {
            in_row = true;
            place = 0;
        }
        if (in_row) {
            Row& row = rows.front();
            if (place == row.stops_at) {
                row.stops_at = UINT32_MAX;
                // The pins stay as they are.
                next += row.stops_for;
                if (row.is_cut) row.octets.resize(place);
            }
            if (place < row.octets.size()) {
                valid = true;
                error = place == row.marked;
                octet = row.octets[place++];
            } else {
                in_row = false;
                idle = 0;
                rows.pop_front();
            }
        }
        idle += !valid;
        *rxd = octet & 15;
        *rx_ctl = valid;
    }

    // After an edge of the clock: half an octet for the next one.
    void after(uint64_t now) {
        if (*rxc) {
            *rxd = octet >> 4;
            *rx_ctl = valid ^ error;
        } else {
            next_octet(now);
        }
        if (bool(*txc) == clock) return;
        clock = *txc;
        if (clock) {
            low = *txd & 15;
            sent_valid = *tx_ctl;
        } else {
            sent_octet(now, (*txd & 15) << 4 | low, bool(*tx_ctl) != sent_valid);
        }
    }

    void sent_octet(uint64_t now, uint8_t value, bool is_error) {
        if (sent_valid) {
            if (sent.empty()) begin = now;
            sent.push_back(value);
            sent_error |= is_error;
        }
        if (!sent.empty() && (!sent_valid || sent.size() == LONGEST)) {
            put('f');
            put(index);
            put(uint8_t(sent_error || sent_valid));
            put(begin);
            put(now);
            put(uint32_t(sent.size()));
            fwrite(sent.data(), 1, sent.size(), stdout);
            sent.clear();
            sent_error = false;
        }
    }
};

// One direction each; an octet has a start bit, eight bits from the lowest on, and a stop bit.
struct SerialLine {
    CData *to, *from;
    std::deque<uint8_t> octets;
    uint64_t next = 0, sample = 0;
    int bit = -1, sampled = -1;
    uint8_t value = 0;

    void cycle(uint64_t now) {
        if (bit < 0 && !octets.empty() && now >= next) {
            bit = 0;
            next = now;
        }
        if (bit >= 0 && now >= next) {
            *to = bit == 0 ? 0 : bit == 9 ? 1 : octets.front() >> (bit - 1) & 1;
            next += BIT_FS;
            if (++bit == 10) {
                bit = -1;
                octets.pop_front();
            }
        }
        if (sampled < 0 && !*from) {
            sampled = 0;
            sample = now + 3 * BIT_FS / 2;
        }
        if (sampled >= 0 && now >= sample) {
            if (sampled == 8) {
                put('s');
                put(uint8_t(*from));
                put(value);
                sampled = -1;
            } else {
                value = value >> 1 | *from << 7;
                sampled++;
                sample += BIT_FS;
            }
        }
    }
};

} // namespace

int main() {
    static char in[1 << 16], out[1 << 16];
    setvbuf(stdin, in, _IOFBF, sizeof in);
    setvbuf(stdout, out, _IOFBF, sizeof out);
    VerilatedContext context;
    Vtidegate_top top{&context};
#define PINS(i)                                                                                                                \
    Transceiver {                                                                                                              \
        &top.rgmii_##i##_rxc, &top.rgmii_##i##_rx_ctl, &top.rgmii_##i##_rxd, &top.rgmii_##i##_txc, &top.rgmii_##i##_tx_ctl,    \
            &top.rgmii_##i##_txd, i                                                                                            \
    }
    Transceiver ports[PORTS] = {PINS(0), PINS(1), PINS(2)};
    SerialLine serial{&top.serial_rx, &top.serial_tx};
    top.serial_rx = 1;
    uint64_t core_half = 5000000, core_next = core_half, now = 0;
    bool fall_is_new = false;
    top.eval();
    for (;;) {
        switch (get<char>()) {
        case 'C': { // the halves of the periods: of the board, of each port
            core_half = get<uint64_t>();
            for (auto& port : ports) port.half = get<uint64_t>();
            // No two clocks have their first edge at the same time.
            for (auto& port : ports) port.next = now + port.half + 1000 * (port.index + 1);
            break;
        }
        case 'F': {
            auto& port = ports[get<uint8_t>() % PORTS];
            Row row;
            row.gap = get<uint32_t>();
            row.not_before = get<uint64_t>();
            row.marked = get<uint32_t>();
            row.stops_at = get<uint32_t>();
            row.stops_for = get<uint64_t>();
            row.is_cut = get<uint8_t>();
            row.octets.resize(get<uint32_t>());
            if (fread(row.octets.data(), 1, row.octets.size(), stdin) != row.octets.size()) return 1;
            port.rows.push_back(std::move(row));
            break;
        }
        case 'S':
            serial.octets.push_back(get<uint8_t>());
            break;
        case 'R': { // until a time, or until one of some ports has this number of rows or fewer
            uint64_t until = get<uint64_t>();
            size_t few = get<uint32_t>();
            uint8_t some = get<uint8_t>();
            auto has_few = [&] {
                for (auto& port : ports)
                    if (some >> port.index & 1 && port.rows.size() <= few) return true;
                return false;
            };
            while (now < until && !has_few()) {
                now = core_next;
                for (auto& port : ports)
                    if (port.next < now) now = port.next;
                bool core_rises = false, core_falls = false, moved[PORTS] = {}, any_moved = false;
                if (core_next == now) {
                    top.clk100 = !top.clk100;
                    core_rises = top.clk100;
                    core_falls = !core_rises;
                    core_next += core_half;
                }
                for (auto& port : ports) {
                    if (port.next != now) continue;
                    *port.rxc = !*port.rxc;
                    port.next += port.half;
                    moved[port.index] = any_moved = true;
                }
                // Nothing waits for the clock to fall: the next edge of a port may show it.
                fall_is_new |= core_falls;
                if (any_moved || core_rises) {
                    if (core_rises && fall_is_new) {
                        top.clk100 = 0;
                        top.eval();
                        top.clk100 = 1;
                    }
                    fall_is_new = false;
                    top.eval();
                }
                for (auto& port : ports)
                    if (moved[port.index]) port.after(now);
                if (core_rises) serial.cycle(now);
            }
            put('t');
            put(now);
            for (auto& port : ports) put(uint32_t(port.rows.size()));
            fflush(stdout);
            break;
        }
        default:
            return 1;
        }
    }
}
