# SPDX-License-Identifier: MIT OR Apache-2.0
"""A learning bridge in plain Python, written after IEEE 802.1Q, clauses 8.6 to 8.8, and the description of the address table.

Reads one frame a line from standard input: number of its port, its octets in hexadecimal, 1 if it is bad. Prints for each frame the
ports to which it goes, separated by commas; then how many stations were learned, moved, and replaced. The argument is the number of
ports; the internal port is port 4.
"""

import sys

LINES, WAYS = 512, 2
INTERNAL = 4


def line_of(address):
    """The line of an address: the exclusive or of its groups of nine bits, as the table takes them."""
    high, low = address >> 32, address & 0xFFFFFFFF
    groups = [low, low >> 9, low >> 18, low >> 27, high, high >> 9]
    line = 0
    for group in groups:
        line ^= group & (LINES - 1)
    return line


class Table:
    """Stations that are known. Nothing grows older here: of two stations in a full line the first one goes."""

    def __init__(self):
        self.lines = [[None] * WAYS for _ in range(LINES)]
        self.learned = self.moved = self.replaced = 0

    def port_of(self, address):
        for station in self.lines[line_of(address)]:
            if station and station[0] == address:
                return station[1]
        return None

    def learn(self, address, port):
        line = self.lines[line_of(address)]
        for way, station in enumerate(line):
            if station and station[0] == address:
                self.moved += station[1] != port
                line[way] = (address, port)
                return
        self.learned += 1
        self.replaced += None not in line
        way = line.index(None) if None in line else 0
        line[way] = (address, port)


def destinations(table, ports, port, octets):
    if len(octets) < 12:
        return set()
    destination, source = (int.from_bytes(octets[at : at + 6], "big") for at in (0, 6))
    others = ports - {port}
    group = octets[0] & 1
    known = None if group else table.port_of(destination)
    if not octets[6] & 1:
        table.learn(source, port)
    if destination >> 4 == 0x0180C200000:
        return set()
    if known is not None:
        return {known} & others
    return others


def main():
    ports = set(range(int(sys.argv[1]))) | {INTERNAL}
    table = Table()
    for line in sys.stdin:
        port, octets, bad = line.split()
        goes = set() if bad == "1" else destinations(table, ports, int(port), bytes.fromhex(octets))
        print(",".join(map(str, sorted(goes))))
    print(f"{table.learned},{table.moved},{table.replaced}")


if __name__ == "__main__":
    main()
