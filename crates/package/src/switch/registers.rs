// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of what is in a switch besides congestion points and reaction point.

use crate::bus::register_bus::RegisterBus;
use crate::registers::{Input, Registers};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::bounds::Bounds;

/// Ageing intervals of the table in which a station is remembered (`rtl/switch/address_table`).
const AGEING_INTERVALS: u64 = 15;
/// Cycles of a unit of an ageing interval.
const AGEING_UNIT: u64 = 1024;
/// The ageing time after reset, in seconds: IEEE 802.1Q, table 8-6.
const AGEING_SECONDS: u64 = 300;
/// Address of the station behind the internal port: the default of the key `rp_mac`.
const STATION: u64 = 0x02_00_00_00_10_00;
/// Octets of its frames after reset: the longest without a tag.
const FRAME_OCTETS: u64 = 1514;

fn input(name: &str, bits: usize, meaning: &str) -> Input {
    Input { name: name.to_string(), bits, meaning: meaning.to_string() }
}

/// The registers of a switch with so many ports and a core clock of so many MHz.
pub fn registers(
    scheme: &'static Scheme,
    module: &str,
    ports: usize,
    clock_mhz: u64,
    settings: &[(String, String)],
) -> Registers {
    let registers = Registers::of_switch(scheme, module, ports as u64, settings);
    let registers = RegisterBus::Axi4Lite.registers(registers);
    let ageing = AGEING_SECONDS * clock_mhz * 1_000_000 / AGEING_UNIT / AGEING_INTERVALS;
    let parameter = |registers: Registers, name, bits, reset: u64, bounds, meaning: &str| {
        registers.with_parameter(input(name, bits, meaning), reset as u32, bounds)
    };
    let meaning = "A fifteenth of the time after which a silent station is forgotten, in 1,024 cycles; 0: never";
    let registers = parameter(registers, "ageing_interval", 32, ageing, Bounds::bits(32), meaning);
    let meaning = "1: the internal port sends frames";
    let registers = parameter(registers, "generate", 1, 0, Bounds::bits(1), meaning);
    let meaning = "Their destination address, bits 47 to 32; individual";
    let registers = parameter(registers, "generator_destination_high", 16, 0x0200, Bounds::bits(16), meaning);
    let meaning = "Destination address, bits 31 to 0";
    let registers = parameter(registers, "generator_destination_low", 32, 0, Bounds::bits(32), meaning);
    let meaning = "Their source address, bits 47 to 32";
    let registers = parameter(registers, "generator_source_high", 16, STATION >> 32, Bounds::bits(16), meaning);
    let meaning = "Source address, bits 31 to 0";
    let registers = parameter(registers, "generator_source_low", 32, STATION & 0xffff_ffff, Bounds::bits(32), meaning);
    let meaning = "Their length without FCS, octets";
    let registers = parameter(registers, "generator_octets", 14, FRAME_OCTETS, Bounds::of(60, 1518), meaning);
    let meaning = "Cycles from the begin of a frame to that of the next one, if it has ended then";
    let registers = parameter(registers, "generator_interval", 32, 0, Bounds::bits(32), meaning);
    let counters: [(&'static str, &str, usize, &str); 16] = [
        ("forwarded_frames", "forwarded", 1, "Frames that went to the one port of their station"),
        ("flooded_frames", "flooded", 1, "Frames that went to all other ports"),
        (
            "filtered_frames",
            "filtered",
            1,
            "Frames that went nowhere, because they came from the port of their station",
        ),
        ("reserved_frames", "reserved", 1, "Frames that went nowhere, because their address stays on its link"),
        ("short_frames", "short", 1, "Frames that went nowhere, because they had no two addresses"),
        ("learned_stations", "learned", 1, "Stations that were learned"),
        ("moved_stations", "moved", 1, "Stations that moved to another port"),
        ("replaced_stations", "replaced", 1, "Stations that were forgotten for another one"),
        ("aged_stations", "aged", 2, "Stations that were forgotten, because they were silent"),
        ("mac_bad_frames", "mac_bad", ports, "Frames with a wrong FCS, or otherwise bad for the MAC"),
        ("mac_lost_frames", "mac_lost", ports, "Frames that the MAC lost"),
        ("input_bad_frames", "input_bad", ports, "Frames that came to the bridge as bad ones, and were dropped"),
        ("input_dropped_frames", "input_dropped", ports, "Good frames that found no room before the bridge"),
        ("generated_frames", "generated", 1, "Frames that the internal port made"),
        ("received_frames", "received", 1, "Frames that came to the internal port, without feedback for it"),
        ("received_octets", "received_octet", 8, "Octets of these"),
    ];
    counters.into_iter().fold(registers, |registers, (name, event, bits, meaning)| {
        registers.with_counter(name, input(event, bits, meaning))
    })
}
