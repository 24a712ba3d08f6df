// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C++ program around a Verilator model.

use tidegate_circuits::rtl::circuit::Circuit;

/// A program that replays the file `rows` in its folder. Arguments: `+cycles=N`, `+repeats=N`, or `+from=N +to=N` to
/// print the outputs of a window.
pub(super) fn main_program(circuit: &Circuit) -> String {
    let (mut drive, mut same, mut print) = (String::new(), String::new(), String::new());
    for (column, port) in circuit.ports.iter().enumerate().filter(|(_, port)| port.name != "clock") {
        let name = &port.name;
        if port.input {
            drive += &format!("            top->{name} = word(row, {column});\n");
        } else {
            print += &format!("                print(top->{name}, {});\n", port.bits);
            same += &format!("            same &= top->{name} == word(row, {column});\n");
        }
    }
    PROGRAM
        .replace("@MODEL@", &format!("V{}", circuit.module))
        .replace("@COLUMNS@", &circuit.ports.len().to_string())
        .replace("@DRIVE@", drive.trim())
        .replace("@SETTLED@", &circuit.settled().to_string())
        .replace("@SAME@", same.trim())
        .replace("@PRINT@", print.trim())
}

/// The rows are mapped, not read: there is no copy in memory, and a repeat takes only the time of the model.
const PROGRAM: &str = r#"#include "@MODEL@.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

double sc_time_stamp() { return 0; }

static const uint64_t COLUMNS = @COLUMNS@, SETTLED = @SETTLED@;

static inline uint32_t word(const unsigned char* row, size_t column) {
    uint32_t value;
    std::memcpy(&value, row + 4 * column, 4);
    return __builtin_bswap32(value);
}

static void print(uint32_t value, int bits) {
    while (bits--) std::putchar('0' + (value >> bits & 1));
    std::putchar(' ');
}

static uint64_t option(int argc, char** argv, const char* name, uint64_t otherwise) {
    for (int index = 1; index < argc; ++index)
        if (!std::strncmp(argv[index], name, std::strlen(name))) return std::strtoull(argv[index] + std::strlen(name), 0, 10);
    return otherwise;
}

int main(int argc, char** argv) {
    const uint64_t from = option(argc, argv, "+from=", 0), to = option(argc, argv, "+to=", 0);
    const uint64_t cycles = to ? to : option(argc, argv, "+cycles=", 0), repeats = option(argc, argv, "+repeats=", 1);
    const int file = open("rows", O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) || (uint64_t)status.st_size < cycles * COLUMNS * 4) return 2;
    void* map = mmap(0, cycles * COLUMNS * 4, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) return 2;
    for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
        VerilatedContext context;
        context.commandArgs(argc, argv);
        auto* top = new @MODEL@{&context};
        const unsigned char* row = static_cast<const unsigned char*>(map);
        for (uint64_t cycle = 0; cycle < cycles; ++cycle, row += COLUMNS * 4) {
            top->clock = 0;
            @DRIVE@
            top->eval();
            bool same = true;
            @SAME@
            if (to && cycle >= from) {
                @PRINT@
                std::putchar('\n');
            }
            if (!same && !to && cycle >= SETTLED) {
                std::printf("different %llu\n", (unsigned long long)cycle);
                return 0;
            }
            top->clock = 1;
            top->eval();
        }
        delete top;
    }
    if (!to) std::printf("agreed %llu\n", (unsigned long long)(cycles * repeats));
    return 0;
}
"#;
