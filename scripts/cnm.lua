-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Wireshark dissector for IEEE 802.1Q congestion notification: messages (CNM, EtherType 0x22E7) and tags (CN-TAG,
-- 0x22E9).
--
--   tshark -X lua_script:scripts/cnm.lua -r capture.pcap
--   or copy this file into the folder that Wireshark shows under Help > About > Folders > Personal Lua Plugins.
--
-- Layout: docs/frames.md. A tag passes on what stands behind it, so a message behind a tag is shown too. Queue offset and
-- delta are in units of 64 octets; positive means congestion.

local PDU_HEADER_OCTETS = 24
local MSDU_OCTETS_MAX = 64
local QUEUE_UNIT_OCTETS = 64

local message = Proto("cnm", "Congestion Notification Message")

local version = ProtoField.uint8("cnm.version", "Version", base.DEC, nil, 0xf0)
local reserved = ProtoField.uint16("cnm.reserved", "Reserved", base.HEX, nil, 0x0fc0)
local feedback = ProtoField.uint16("cnm.quantized_feedback", "Quantized feedback", base.DEC, nil, 0x003f)
local cpid = ProtoField.uint64("cnm.cpid", "Congestion point identifier", base.HEX)
local queue_offset = ProtoField.int16("cnm.q_offset", "Queue offset (64 octets)", base.DEC)
local queue_delta = ProtoField.int16("cnm.q_delta", "Queue delta (64 octets)", base.DEC)
local priority = ProtoField.uint16("cnm.priority", "Encapsulated priority", base.DEC, nil, 0xe000)
local destination = ProtoField.ether("cnm.destination", "Encapsulated destination address")
local msdu_length = ProtoField.uint16("cnm.msdu_length", "Encapsulated MSDU length", base.DEC)
local msdu = ProtoField.bytes("cnm.msdu", "Encapsulated MSDU")
message.fields = {
    version, reserved, feedback, cpid, queue_offset, queue_delta, priority, destination, msdu_length, msdu,
}

local too_short = ProtoExpert.new("cnm.too_short", "Message cut short", expert.group.MALFORMED, expert.severity.ERROR)
local bad_version = ProtoExpert.new("cnm.bad_version", "Version is not 0", expert.group.PROTOCOL, expert.severity.ERROR)
local bad_length = ProtoExpert.new(
    "cnm.bad_length", "MSDU length over 64 or beyond the frame", expert.group.MALFORMED, expert.severity.ERROR)
message.experts = { too_short, bad_version, bad_length }

function message.dissector(buffer, packet, tree)
    packet.cols.protocol = "CNM"
    local branch = tree:add(message, buffer(0, math.min(buffer:len(), PDU_HEADER_OCTETS)))
    if buffer:len() < PDU_HEADER_OCTETS then
        branch:add_proto_expert_info(too_short)
        return
    end
    local version_item = branch:add(version, buffer(0, 1))
    if buffer(0, 1):bitfield(0, 4) ~= 0 then
        version_item:add_proto_expert_info(bad_version)
    end
    branch:add(reserved, buffer(0, 2))
    branch:add(feedback, buffer(0, 2))
    branch:add(cpid, buffer(2, 8))
    local offset_units, delta_units = buffer(10, 2):int(), buffer(12, 2):int()
    branch:add(queue_offset, buffer(10, 2)):append_text(string.format(" = %d octets", offset_units * QUEUE_UNIT_OCTETS))
    branch:add(queue_delta, buffer(12, 2)):append_text(string.format(" = %d octets", delta_units * QUEUE_UNIT_OCTETS))
    branch:add(priority, buffer(14, 2))
    branch:add(destination, buffer(16, 6))
    local length = buffer(22, 2):uint()
    local length_item = branch:add(msdu_length, buffer(22, 2))
    packet.cols.info = string.format(
        "Feedback %d, queue offset %d, delta %d octets, CPID 0x%s",
        buffer(0, 2):bitfield(10, 6), offset_units * QUEUE_UNIT_OCTETS, delta_units * QUEUE_UNIT_OCTETS,
        tostring(buffer(2, 8):bytes()):lower())
    if length > MSDU_OCTETS_MAX or PDU_HEADER_OCTETS + length > buffer:len() then
        length_item:add_proto_expert_info(bad_length)
        return
    end
    branch:set_len(PDU_HEADER_OCTETS + length)
    if length > 0 then
        branch:add(msdu, buffer(PDU_HEADER_OCTETS, length))
    end
end

local tag = Proto("cn_tag", "Congestion Notification Tag")
local flow = ProtoField.uint16("cn_tag.flow", "Flow identifier", base.DEC)
local inner_type = ProtoField.uint16("cn_tag.type", "EtherType", base.HEX)
tag.fields = { flow, inner_type }

local ether_types = DissectorTable.get("ethertype")

function tag.dissector(buffer, packet, tree)
    local branch = tree:add(tag, buffer(0, math.min(buffer:len(), 4)))
    if buffer:len() < 4 then
        return
    end
    branch:add(flow, buffer(0, 2))
    branch:add(inner_type, buffer(2, 2))
    ether_types:try(buffer(2, 2):uint(), buffer(4):tvb(), packet, tree)
end

ether_types:add(0x22e7, message)
ether_types:add(0x22e9, tag)
