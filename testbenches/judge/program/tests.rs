// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits of `rust-hdl`'s own tests. Their source is that of the package `rust-hdl`, which lies in the registry of
//! cargo: it is included from there (`RUST_HDL` is its folder), and only the names stand here.

#[path = "judge.rs"]
#[macro_use]
mod judge;

#[path = "outer.rs"]
mod outer;

use judge::Case;
use rust_hdl::prelude::*;

widths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 36 40 48 64 80 96 128);

const SPI: SPIConfig =
    SPIConfig { clock_speed: 48_000_000, cs_off: true, mosi_off: true, speed_hz: 1_000_000, cpha: true, cpol: true };

/// Stands for the package of random numbers that the tests use: their data are the same in every run.
mod rand {
    use std::cell::Cell;
    thread_local!(static STATE: Cell<u64> = const { Cell::new(1) });

    /// Before a circuit is made: it has the same data each time.
    pub fn restart() {
        STATE.with(|state| state.set(1));
    }

    pub trait Number {
        fn random(word: u64) -> Self;
    }
    macro_rules! numbers { ($($kind:ty)*) => { $(impl Number for $kind { fn random(word: u64) -> Self { word as $kind } })* } }
    numbers!(u8 u16 u32 u64);

    pub trait Rng {
        fn gen<T: Number>(&mut self) -> T {
            random()
        }
    }
    pub struct Thread;
    impl Rng for Thread {}

    pub fn thread_rng() -> Thread {
        Thread
    }

    pub fn random<T: Number>() -> T {
        STATE.with(|state| state.set(state.get().wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)));
        T::random(STATE.with(Cell::get) >> 20)
    }
}

/// Stands for the pauses of `rust-hdl`, which are others each time: mostly none.
fn bursty_vec(len: usize) -> Vec<Bits<32>> {
    (0..len).map(|place| Bits::from(if place % 7 == 3 { place as u64 % 13 } else { 0 })).collect()
}

fn bursty_rand() -> Bits<32> {
    Bits::from(u64::from(rand::random::<u8>() % 4))
}

/// Stands for another package that the tests use.
mod array_init {
    pub fn array_init<T, const N: usize>(make: impl FnMut(usize) -> T) -> [T; N] {
        std::array::from_fn(make)
    }
}

/// The cases of a file: `file { name = expression; … }`.
macro_rules! files {
    ($($file:ident { $($name:ident = $make:expr;)* })*) => {
        $(mod $file {
            #[allow(unused_imports)]
            use super::{array_init, bursty_rand, bursty_vec, rand, SPI};
            include!(concat!(env!("RUST_HDL"), "/tests/", stringify!($file), ".rs"));
            pub fn cases() -> Vec<super::Case> {
                vec![$(super::Case { name: concat!(stringify!($file), "_", stringify!($name)), make: || {
                    super::rand::restart();
                    super::outer::outer($make)
                }, setters: Vec::new() }),*]
            }
        })*
        fn cases() -> Vec<Case> {
            [$($file::cases()),*].into_iter().flatten().collect()
        }
    };
}

files! {
    core_dff_with_init { nonzero = DFFWithNonzeroInit::default(); }
    core_expander {
        expander_most = ExpanderTest::new(WordOrder::MostSignificantFirst);
        expander_least = ExpanderTest::new(WordOrder::LeastSignificantFirst);
        fatten_most = FattenTest::new(WordOrder::MostSignificantFirst);
        fatten_least = FattenTest::new(WordOrder::LeastSignificantFirst);
    }
    core_fifo {
        sync_vec = SyncVecTest::default();
        synchronous = SynchronousFIFOTest::default();
        big = BigFIFOTest::default();
        asynchronous = AsynchronousFIFOTest::default();
        async_big = AsyncBigFIFOTest::default();
        reducer = ReducerFIFOTest::default();
    }
    core_fifo_link { bridge = FIFOBridgeTest::default(); }
    core_hls_bidi { bus = BusTest::default(); }
    core_hls_controller { controller = ControllerTest::default(); }
    core_hls_cross_fifo { widen = CrossWidenTestFixture::default(); narrow = CrossNarrowTestFixture::default(); }
    core_hls_expander_reducer { reducer = ReducerTestFixture::default(); expander = ExpanderTestFixture::default(); }
    core_hls_fifo {
        fifo = HLSFIFOTest::default();
        fixture = FIFOTestFixture::new(&(0..64u64).map(|n| n.into()).collect::<Vec<_>>());
        fixture_async = FIFOTestFixtureAsync::new(&(0..64u64).map(|n| n.into()).collect::<Vec<_>>());
    }
    core_hls_host { host = HostTest::default(); }
    core_hls_miso_port { port = MISOPortTest::default(); wide = MISOWidePortTest::default(); fifo = MISOPortFIFOTest::default(); }
    core_hls_mosi_port { port = MOSIPortTest::default(); wide = MOSIWidePortTest::default(); fifo = MOSIPortFIFOTest::default(); }
    core_hls_router { router = RouterTest::default(); device = RouterTestDevice::default(); setup = RouterTestSetup::default(); }
    core_hls_router_stack {
        bridge = BridgeTest::default();
        pair = BridgePair::default();
        nest = RouterNest::default();
        tester = HLSTester::default();
        level_2 = HLSLevel2::default();
        level_1 = HLSLevel1::default();
        level_0 = HLSLevel0::default();
    }
    core_hls_sdram_controller_test { host = HostSDRAMControllerTest::default(); }
    core_hls_sdram_controller_tester { fixture = HostSDRAMControllerFixture::default(); }
    core_hls_sdram_fifo { fifo = HLSSDRAMFIFOTest::default(); }
    core_hls_spi { spi = SPITest::default(); }
    core_hls_spi_dm { spi = SPITest::default(); }
    core_hls_spi_mux { mux = SPIMuxTest::default(); }
    core_hls_spi_mux_slaves { mux = SPIMuxSlavesTest::default(); }
    core_pwm { pwm = PWMTest::default(); }
    core_ram { ram = RAMTest::new(); }
    core_reducer {
        reducer_most = ReducerTest::new(WordOrder::MostSignificantFirst);
        reducer_least = ReducerTest::new(WordOrder::LeastSignificantFirst);
        slim_most = SlimTest::new(WordOrder::MostSignificantFirst);
        slim_least = SlimTest::new(WordOrder::LeastSignificantFirst);
    }
    core_reg_fifo { fifo = RegFIFOTest::default(); }
    core_rom { rom = ROMTest::new(); }
    core_sdram {
        device = TestSDRAMDevice {
            dram: SDRAMSimulator::new(MemoryTimings::fast_boot_sim(100e6)),
            buffer: Default::default(),
            cntrl: SDRAMBaseController::new(3, MemoryTimings::fast_boot_sim(100e6), OutputBuffer::DelayTwo),
            clock: Default::default(),
        };
    }
    core_signed { signed = CircuitSigned::default(); compared = TestCircuit::default(); }
    core_spi { asynchronous = SPITestAsync::default(); pair = SPITestPair::new(SPI); }
    core_spi_mux { masters = SPITestMultiMaster::new(SPI); }
    core_struct_valued { tester = MIGTester::default(); }
    core_sync_rom { rom = SyncROMTest::new(); }
    core_tristate_test { point = BusPoint::default(); bus = BusTest::default(); }
}

fn main() {
    judge::main(cases(), set);
}
