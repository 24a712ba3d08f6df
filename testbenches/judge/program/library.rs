// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits of `rust-hdl`'s own library, each as the top of a circuit, with the generics chosen here.

#[path = "judge.rs"]
#[macro_use]
mod judge;

use judge::Case;
use rust_hdl::prelude::*;
use rust_hdl::widgets;
use std::collections::BTreeMap;
use std::time::Duration;

widths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 36 40 48 64 80 96 128);

const SPI: SPIConfig =
    SPIConfig { clock_speed: 48_000_000, cs_off: true, mosi_off: true, speed_hz: 1_000_000, cpha: true, cpol: true };
/// The other values of all flags.
const SPI_LOW: SPIConfig = SPIConfig { cs_off: false, mosi_off: false, cpha: false, cpol: false, ..SPI };
const I2C: I2CConfig = I2CConfig { delay_time: Duration::from_micros(5), clock_speed_hz: 1_000_000 };

fn timings() -> MemoryTimings {
    MemoryTimings::fast_boot_sim(100e6)
}

fn table<const N: usize, const D: usize>() -> BTreeMap<Bits<N>, Bits<D>> {
    (0..1u64 << N).map(|place| (place.into(), (place.wrapping_mul(0x9e37_79b9) % (1 << D)).into())).collect()
}

const DATA: [u64; 10] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];
const SLEEPS: [u64; 10] = [0, 1, 0, 2, 0, 0, 3, 1, 0, 0];

/// Names of the devices behind a router.
struct Named(&'static [&'static str]);

impl HLSNamedPorts for Named {
    fn ports(&self) -> Vec<String> {
        self.0.iter().map(|name| name.to_string()).collect()
    }
}

/// Sets the input `cmd` to a value of an enumeration.
macro_rules! command {
    ($type:ident: $($value:ident)*) => {
        vec![("cmd", |at, random| {
            let values = [$($type::$value),*];
            unsafe { (*(at as *mut Signal<In, $type>)).next = values[random as usize % values.len()] }
        })]
    };
}

/// What sets the inputs of a case whose type is an enumeration.
fn setters(name: &str) -> Vec<judge::Setter> {
    use widgets::i2c::{i2c_controller::I2CControllerCmd, i2c_driver::I2CDriverCmd};
    match name {
        "i2c_driver" => command!(I2CDriverCmd: Noop SendStart SendTrue SendFalse SendStop GetBit Restart),
        "i2c_controller" => {
            command!(I2CControllerCmd: Noop BeginWrite Write BeginRead Read EndTransmission ReadLast)
        }
        "sdram_command_encoder" | "sim_sdram_bank" => {
            command!(SDRAMCommand: LoadModeRegister AutoRefresh Precharge BurstTerminate Write Read Active NOP)
        }
        _ => Vec::new(),
    }
}

/// The cases of a list of `name = expression`.
macro_rules! cases {
    ($($name:ident = $make:expr;)*) => { vec![$(Case { name: stringify!($name), make: || Box::new($make), setters: setters(stringify!($name)) }),*] };
}

fn cases() -> Vec<Case> {
    cases! {
        dff_bit = DFF::<Bit>::default();
        dff = DFF::<Bits<8>>::default();
        dff_wide = DFF::<Bits<80>>::default();
        dff_signed = DFF::<Signed<8>>::default();
        dff_with_init = DFFWithInit::<Bits<8>>::new(0x5au64.into());
        dff_with_init_wide = DFFWithInit::<Bits<40>>::new(0x12_3456_789au64.into());
        edge_dff = widgets::edge_ff::EdgeDFF::<Bits<4>>::new(5u64.into());
        edge_dff_bit = widgets::edge_ff::EdgeDFF::<Bit>::default();
        auto_reset = AutoReset::default();
        accum = widgets::accum::Accum::<8, 12, 4>::new(5);
        lfsr = LFSRSimple::default();
        pulser = Pulser::new(1_000, 50.0, Duration::from_millis(5));
        pulser_fast = Pulser::new(1_000_000, 200_000.0, Duration::from_micros(2));
        pwm_4 = PulseWidthModulator::<4>::default();
        pwm_8 = PulseWidthModulator::<8>::default();
        shot_8 = Shot::<8>::new(1_000, Duration::from_millis(9));
        shot_32 = Shot::<32>::new(1_000_000, Duration::from_micros(40));
        strobe_8 = Strobe::<8>::new(1_000, 100.0);
        strobe_32 = Strobe::<32>::new(100_000_000, 20_000_000.0);
        edge_detector_rising = EdgeDetector::new(true);
        edge_detector_falling = EdgeDetector::new(false);
        bit_synchronizer = BitSynchronizer::default();
        sync_sender = SyncSender::<Bits<8>>::default();
        sync_receiver = SyncReceiver::<Bits<8>>::default();
        vector_synchronizer = VectorSynchronizer::<Bits<8>>::default();
        vector_synchronizer_wide = VectorSynchronizer::<Bits<40>>::default();
        delay_line = DelayLine::<Bits<8>, 7, 3>::default();
        delay_line_wide = DelayLine::<Bits<40>, 16, 4>::default();
        fir_5 = MultiplyAccumulateSymmetricFiniteImpulseResponseFilter::<3>::new(&[1, -2, 3, -2, 1]);
        fir_11 = MultiplyAccumulateSymmetricFiniteImpulseResponseFilter::<4>::new(&[1, 2, 30, -4, 5, 600, 5, -4, 30, 2, 1]);
        ram = RAM::<Bits<8>, 4>::default();
        ram_filled = RAM::<Bits<16>, 5>::new(table());
        ram_half_filled = RAM::<Bits<8>, 3>::new(table::<3, 8>().into_iter().take(5).collect());
        rom = ROM::<Bits<8>, 4>::new(table());
        rom_half_filled = ROM::<Bits<8>, 3>::new(table::<3, 8>().into_iter().take(5).collect());
        sync_rom = SyncROM::<Bits<12>, 5>::new(table());
        sync_rom_half_filled = SyncROM::<Bits<8>, 3>::new(table::<3, 8>().into_iter().take(5).collect());
        open_drain_buffer = OpenDrainBuffer::default();
        tristate_buffer = TristateBuffer::<Bits<8>>::default();
        registered_edge_tristate = widgets::registered_edge_tristate::RegisteredEdgeTristate::<4>::default();
        synchronous_fifo = SynchronousFIFO::<Bits<8>, 3, 4, 1>::default();
        synchronous_fifo_deep = SynchronousFIFO::<Bits<16>, 5, 6, 4>::default();
        asynchronous_fifo = AsynchronousFIFO::<Bits<8>, 3, 4, 1>::default();
        asynchronous_fifo_deep = AsynchronousFIFO::<Bits<16>, 5, 6, 4>::default();
        fifo_read_logic = widgets::fifo::fifo_logic::FIFOReadLogic::<Bits<8>, 3, 4, 1>::default();
        fifo_write_logic = widgets::fifo::fifo_logic::FIFOWriteLogic::<Bits<8>, 3, 4, 1>::default();
        register_fifo = RegisterFIFO::<Bits<8>>::default();
        fifo_reducer = FIFOReducer::<8, 4, false>::default();
        fifo_reducer_reversed = FIFOReducer::<8, 4, true>::default();
        fifo_reducer_n_least = FIFOReducerN::<32, 8>::new(WordOrder::LeastSignificantFirst);
        fifo_reducer_n_most = FIFOReducerN::<32, 8>::new(WordOrder::MostSignificantFirst);
        fifo_expander_n_least = FIFOExpanderN::<4, 16>::new(WordOrder::LeastSignificantFirst);
        fifo_expander_n_most = FIFOExpanderN::<4, 16>::new(WordOrder::MostSignificantFirst);
        cross_widen_fifo_least = CrossWidenFIFO::<4, 5, 6, 16, 3, 4>::new(WordOrder::LeastSignificantFirst);
        cross_widen_fifo_most = CrossWidenFIFO::<4, 5, 6, 16, 3, 4>::new(WordOrder::MostSignificantFirst);
        cross_narrow_fifo_least = CrossNarrowFIFO::<16, 3, 4, 4, 5, 6>::new(WordOrder::LeastSignificantFirst);
        cross_narrow_fifo_most = CrossNarrowFIFO::<16, 3, 4, 4, 5, 6>::new(WordOrder::MostSignificantFirst);
        spi_master = SPIMaster::<64>::new(SPI);
        spi_master_low = SPIMaster::<16>::new(SPI_LOW);
        spi_master_dynamic_mode = SPIMasterDynamicMode::<64>::new(SPIConfigDynamicMode { clock_speed: 48_000_000, cs_off: true, mosi_off: true, speed_hz: 1_000_000 });
        spi_slave = SPISlave::<16>::new(SPI);
        spi_slave_low = SPISlave::<64>::new(SPI_LOW);
        mux_masters = MuxMasters::<3, 2>::default();
        mux_slaves = MuxSlaves::<4, 2>::default();
        i2c_driver = widgets::i2c::i2c_driver::I2CDriver::new(I2C);
        i2c_controller = widgets::i2c::i2c_controller::I2CController::new(I2C);
        i2c_target = I2CTarget::default();
        i2c_test_bus = I2CTestBus::<2>::default();
        i2c_test_target = I2CTestTarget::new(0x53);
        sdram_command_encoder = widgets::sdram::cmd::SDRAMCommandEncoder::default();
        sdram_command_decoder = widgets::sdram::cmd::SDRAMCommandDecoder::default();
        sdram_on_chip_buffer = SDRAMOnChipBuffer::<16>::default();
        sdram_base_controller = SDRAMBaseController::<5, 5, 64, 16>::new(3, timings(), OutputBuffer::DelayOne);
        sdram_base_controller_wired = SDRAMBaseController::<5, 8, 64, 16>::new(2, timings(), OutputBuffer::Wired);
        sdram_burst_controller = SDRAMBurstController::<5, 5, 8, 16>::new(3, timings(), OutputBuffer::DelayTwo);
        sdram_fifo_controller = SDRAMFIFOController::<6, 4, 16, 16, 12>::new(3, timings(), OutputBuffer::DelayTwo);
        hls_base_controller = BaseController::<4>::default();
        hls_bidi_master = BidiMaster::<Bits<8>>::default();
        hls_bidi_simulated_device = BidiSimulatedDevice::<Bits<8>>::default();
        hls_bridge = Bridge::<16, 8, 3>::new(["first", "second", "third"]);
        hls_cross_narrow = CrossNarrow::<16, 3, 4, 4, 5, 6>::new(WordOrder::MostSignificantFirst);
        hls_cross_widen = CrossWiden::<4, 5, 6, 16, 3, 4>::new(WordOrder::MostSignificantFirst);
        hls_expander = Expander::<4, 16>::new(WordOrder::MostSignificantFirst);
        hls_reducer = Reducer::<16, 4>::new(WordOrder::MostSignificantFirst);
        hls_sync_fifo = SyncFIFO::<Bits<8>, 3, 4, 1>::default();
        hls_async_fifo = AsyncFIFO::<Bits<8>, 3, 4, 1>::default();
        hls_fifo_link = FIFOLink::<Bits<8>>::default();
        hls_host = Host::<8>::new(WordOrder::MostSignificantFirst);
        hls_miso_port = MISOPort::<16>::default();
        hls_miso_wide_port = MISOWidePort::<64, 16>::default();
        hls_miso_fifo_port = MISOFIFOPort::<16, 4, 5, 1>::default();
        hls_mosi_port = MOSIPort::<16>::default();
        hls_mosi_wide_port = MOSIWidePort::<64, 16>::default();
        hls_mosi_fifo_port = MOSIFIFOPort::<16, 4, 5, 1>::default();
        hls_router = Router::<16, 8, 3>::new(["a", "b", "c"], [&Named(&["p", "q"]), &Named(&["r"]), &Named(&["s", "t", "u"])]);
        hls_router_rom = RouterROM::<16, 8, 3>::new(["a", "b", "c"], [&Named(&["p", "q"]), &Named(&["r"]), &Named(&["s", "t", "u"])]);
        hls_spi_master = HLSSPIMaster::<16, 8, 64>::new(SPI);
        hls_spi_master_dynamic_mode = HLSSPIMasterDynamicMode::<16, 8, 64>::new(SPIConfigDynamicMode { clock_speed: 48_000_000, cs_off: true, mosi_off: true, speed_hz: 1_000_000 });
        hls_spi_mux_masters = HLSSPIMuxMasters::<16, 8, 3>::default();
        hls_spi_mux_slaves = HLSSPIMuxSlaves::<16, 8, 3>::default();
        hls_sdram_controller = SDRAMController::<5, 5>::new(3, timings(), OutputBuffer::DelayTwo);
        hls_sdram_controller_tester = SDRAMControllerTester::<5, 5>::new(3, timings(), OutputBuffer::DelayTwo);
        hls_sdram_fifo = SDRAMFIFO::<6, 4, 16, 16, 12>::new(3, timings(), OutputBuffer::DelayTwo);
        hls_fader_with_sync_rom = FaderWithSyncROM::new(10_000, 0);
        hls_lazy_fifo_feeder = LazyFIFOFeeder::<Bits<8>, 4>::new(&DATA.map(Bits::from), &SLEEPS.map(Bits::from));
        hls_lazy_fifo_reader = LazyFIFOReader::<Bits<8>, 4>::new(&DATA.map(Bits::from), &SLEEPS.map(Bits::from));
        hls_soc_test_chip = SoCTestChip::default();
        sim_ad7193 = AD7193Simulator::new(AD7193Config::sw());
        sim_ads8688 = rust_hdl::sim::ads8688_sim::ADS8688Simulator::new(SPI);
        sim_ads868x = ADS868XSimulator::new(SPI);
        sim_max31856 = MAX31856Simulator::new(SPI);
        sim_muxed_ad7193 = MuxedAD7193Simulators::new(AD7193Config::sw());
        sim_muxed_ads868x = MuxedADS868XSimulators::<4>::new(SPI);
        sim_muxed_max31856 = rust_hdl::sim::muxed_max31856_sim::MuxedMAX31856Simulators::new(SPI);
        sim_sdram = SDRAMSimulator::<5, 5, 10, 16>::new(timings());
        sim_sdram_bank = rust_hdl::sim::sdr_sdram::bank::MemoryBank::<5, 5, 10, 16>::new(timings());
    }
}

fn main() {
    judge::main(cases(), set);
}
