# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads or writes a register of a board over its serial line (`uart_axi4_lite`); needs the Python package pyserial.

    registers.py PORT ADDRESS [VALUE]      for example: registers.py /dev/ttyUSB0 0x10
"""

import sys
import time

WRITE, READ = 1, 2
# After this time without an octet the board takes the next one as the start of a command.
FORGOTTEN_S = 0.11


class Registers:
    """`line`: an open serial.Serial with a timeout."""

    def __init__(self, line):
        self.line = line
        time.sleep(FORGOTTEN_S)
        line.reset_input_buffer()

    def command(self, kind, address):
        if address % 4 or not 0 <= address < 2**32:
            raise ValueError(f"address {address:#x}: expected a multiple of 4, of 32 bits")
        return bytes([kind, 1]) + (address // 4).to_bytes(4, "big")

    def read(self, address):
        """The value; 0xffffffff is also what an address without a register reads as."""
        self.line.write(self.command(READ, address))
        answer = self.line.read(4)
        if len(answer) < 4:
            raise TimeoutError(f"{len(answer)} octets came, expected 4: is it the right port and baud rate, and does the board run?")
        return int.from_bytes(answer, "big")

    def write(self, address, value):
        self.line.write(self.command(WRITE, address) + value.to_bytes(4, "big"))


def main(port, address, value=None):
    import serial
    registers = Registers(serial.Serial(port, 115200, timeout=1))
    if value is None:
        print(f"{registers.read(int(address, 0)):#010x}")
    else:
        registers.write(int(address, 0), int(value, 0))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
