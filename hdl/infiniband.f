input_buffer_4.v
output_marker_4.v
marking_4.v
marking_4_fixed.v
calculator_infiniband.v
inter_packet_delay.v
source_infiniband.v
source_infiniband_fixed.v
