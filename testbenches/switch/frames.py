# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the benches of MAC and switch know of frames and stations."""

import zlib

PREAMBLE = bytes([0x55] * 7 + [0xD5])
BROADCAST = "ff:ff:ff:ff:ff:ff"
# The EtherType of feedback frames (IEEE 802.1Q, 33.4).
CNM = 0x22E7
PORTS = 3
# One behind each port of the switch.
STATIONS = [f"02:00:00:00:20:{port:02x}" for port in range(PORTS)]
# The PLL locks, and the address table forgets.
READY_US = 40


def with_fcs(octets):
    return octets + zlib.crc32(octets).to_bytes(4, "little")


def packet(source, destination, length, tag=None, payload=b""):
    """A frame of some octets without its FCS, with headers of scapy."""
    # It takes a second to load.
    from scapy.layers.inet import IP, UDP
    from scapy.layers.l2 import Dot1Q, Ether
    head = Ether(src=source, dst=destination)
    if tag is not None:
        head = head / Dot1Q(vlan=tag)
    return (bytes(head / IP() / UDP()) + payload).ljust(length, b"\0")[:length]
