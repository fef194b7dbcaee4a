//! The registers of BAR0: where each one is kept and what kind of access behaviour it has.
//!
//! One table for all NICs, one row for each of the 32768 dwords, is made from the generated
//! [`REGISTERS`](regs::REGISTERS) and from the list of registers with side effects below. Each NIC then keeps values:
//! those of the mapped pages in shared memory, all others in private memory.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::doorbells::{BAR_BYTES, DoorbellPages, is_shared};
use super::noise::Noise;
use super::regs::{self, Access, Info, Register, Registers};

/// Dwords in BAR0.
const DWORDS: usize = BAR_BYTES / 4;

/// What happens beyond loading and storing when a driver reads or writes a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing (whatever cannot be written is not in [`Row::writable`]).
    Storage,
    /// Reads return zero.
    WriteOnly,
    /// A read returns the value and zeroes it; writes do nothing.
    ClearOnRead,
    /// Low word of a 36-bit counter number `.0`.
    PairLow(u8),
    /// High word of a 36-bit counter number `.0`.
    PairHigh(u8),
    /// Writing ones clears bits.
    OneClears,
    /// CTRL.
    Ctrl,
    /// EEC.
    Eec,
    /// EERD.
    Eerd,
    /// EEWR.
    Eewr,
    /// SWSM.
    Swsm,
    /// I2CCTL.
    I2c,
    /// AUTOC.
    Autoc,
    /// LINKS.
    Links,
    /// FDIRCTRL.
    FlowDirector,
    /// EICR.
    Causes,
    /// EICS.
    CauseSet,
    /// EIMS.
    MaskSet,
    /// EIMC.
    MaskClear,
    /// EICS_EX, word `.0`.
    CauseSetEx(u8),
    /// EIMS_EX, word `.0`.
    MaskSetEx(u8),
    /// EIMC_EX, word `.0`.
    MaskClearEx(u8),
    /// EITR, vector `.0`.
    Throttle(u8),
    /// A register of a receive or transmit queue's block.
    Queue,
}

/// Behaviour of one dword of BAR0.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Where the value is kept: another offset for an alias.
    pub home: u32,
    /// Bits a driver can change.
    pub writable: u32,
    /// Value after a reset.
    reset: u32,
    /// Written ones that do not stay.
    pub self_clearing: u32,
    /// Side effects.
    pub kind: Kind,
    /// Undefined after a reset.
    random: bool,
    /// Known to the generated table (otherwise plain storage, zero after reset).
    known: bool,
}

/// The behaviour of all dwords, and the known ones that are not aliases.
struct Table {
    rows: Box<[Row]>,
    homes: Box<[u32]>,
    /// Known offsets, aliases included, outside of the pages of the queues.
    known: Box<[u32]>,
    /// By home.
    aliases: BTreeMap<u32, Vec<u32>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// 36-bit counters: the one-of-a-kind ones by the offset of their low word, then 16 of each queue set.
const SINGLE_PAIRS: [Register; 3] = [regs::GORCL, regs::GOTCL, regs::TORL];
/// All 36-bit counters.
pub const PAIRS: usize = SINGLE_PAIRS.len() + 32;

impl Table {
    fn new() -> Self {
        let unknown = Row {
            home: 0,
            writable: u32::MAX,
            reset: 0,
            self_clearing: 0,
            kind: Kind::Storage,
            random: false,
            known: false,
        };
        let mut rows: Box<[Row]> = vec![unknown; DWORDS].into();
        for (index, row) in rows.iter_mut().enumerate() {
            row.home = index as u32 * 4;
        }
        let mut table =
            Table { rows, homes: Box::default(), known: Box::default(), aliases: BTreeMap::new() };
        for info in regs::REGISTERS.iter().filter(|info| info.alias_of.is_none()) {
            table.add(info);
        }
        table.add_effects();
        for info in regs::REGISTERS {
            if let Some(original) = info.alias_of {
                table.alias(info.registers, original);
            }
        }
        table.keep_transmit_counts_in_their_page();
        table.homes = (0..DWORDS as u32)
            .map(|index| index * 4)
            .filter(|offset| table.row(*offset).known && table.row(*offset).home == *offset)
            .collect();
        let all = (0..DWORDS as u32).map(|index| index * 4);
        table.known = all.clone().filter(|offset| table.row(*offset).known && !is_shared(*offset)).collect();
        for offset in all {
            let home = table.row(offset).home;
            if home != offset {
                table.aliases.entry(home).or_default().push(offset);
            }
        }
        table
    }

    fn row(&self, offset: u32) -> &Row {
        &self.rows[offset as usize / 4]
    }

    fn row_mut(&mut self, offset: u32) -> &mut Row {
        &mut self.rows[offset as usize / 4]
    }

    fn add(&mut self, info: &Info) {
        let kind = match info.access {
            Access::Rc => Kind::ClearOnRead,
            Access::W1c => Kind::OneClears,
            Access::Wo => Kind::WriteOnly,
            _ => Kind::Storage,
        };
        for (number, offset) in offsets(info.registers).enumerate() {
            let row = self.row_mut(offset);
            row.known = true;
            row.kind = kind;
            row.writable = info.writable;
            row.self_clearing = info.self_clearing;
            row.reset = if number == 0 { info.reset_first } else { info.reset };
            row.random = info.random;
        }
    }

    fn alias(&mut self, alias: &'static Registers, original: &str) {
        let original = regs::REGISTERS.iter().find(|info| info.registers.name == original);
        let original = original.expect("the generator checked that an alias names a register");
        for (from, to) in offsets(alias).zip(offsets(original.registers)) {
            *self.row_mut(from) = *self.row(to);
        }
    }

    /// QPTC has a second address in the page of the transmit queues, which a driver may load without a message;
    /// so that is where the value must be.
    fn keep_transmit_counts_in_their_page(&mut self) {
        for set in 0..16 {
            let row = Row { home: 0x6030 + 0x40 * u32::from(set), ..*self.row(regs::QPTC.at(set).offset) };
            *self.row_mut(regs::QPTC.at(set).offset) = row;
            *self.row_mut(row.home) = row;
        }
    }

    fn add_effects(&mut self) {
        for (register, kind) in SINGLE_EFFECTS {
            self.row_mut(register.offset).kind = *kind;
        }
        for (number, low) in SINGLE_PAIRS.iter().enumerate() {
            self.pair(low.offset, number as u8);
        }
        for set in 0..16u16 {
            self.pair(regs::QBRC_L.at(set).offset, SINGLE_PAIRS.len() as u8 + set as u8);
            self.pair(regs::QBTC_L.at(set).offset, SINGLE_PAIRS.len() as u8 + 16 + set as u8);
        }
        for word in 0..2 {
            self.row_mut(regs::EICS_EX.at(word).offset).kind = Kind::CauseSetEx(word as u8);
            self.row_mut(regs::EIMS_EX.at(word).offset).kind = Kind::MaskSetEx(word as u8);
            self.row_mut(regs::EIMC_EX.at(word).offset).kind = Kind::MaskClearEx(word as u8);
        }
        for vector in 0..64 {
            self.row_mut(regs::EITR.at(vector).offset).kind = Kind::Throttle(vector as u8);
        }
        for registers in QUEUE_REGISTERS {
            for offset in offsets(registers) {
                self.row_mut(offset).kind = Kind::Queue;
            }
        }
    }

    fn pair(&mut self, low: u32, number: u8) {
        self.row_mut(low).kind = Kind::PairLow(number);
        self.row_mut(low + 4).kind = Kind::PairHigh(number);
    }
}

const SINGLE_EFFECTS: &[(Register, Kind)] = &[
    (regs::CTRL, Kind::Ctrl),
    (regs::EEC, Kind::Eec),
    (regs::EERD, Kind::Eerd),
    (regs::EEWR, Kind::Eewr),
    (regs::SWSM, Kind::Swsm),
    (regs::I2CCTL, Kind::I2c),
    (regs::AUTOC, Kind::Autoc),
    (regs::LINKS, Kind::Links),
    (regs::FDIRCTRL, Kind::FlowDirector),
    (regs::EICR, Kind::Causes),
    (regs::EICS, Kind::CauseSet),
    (regs::EIMS, Kind::MaskSet),
    (regs::EIMC, Kind::MaskClear),
];

static QUEUE_REGISTERS: [&Registers; 12] = [
    &regs::RDBAL,
    &regs::RDBAH,
    &regs::RDLEN,
    &regs::RDH,
    &regs::RDT,
    &regs::RXDCTL,
    &regs::TDBAL,
    &regs::TDBAH,
    &regs::TDLEN,
    &regs::TDH,
    &regs::TDT,
    &regs::TXDCTL,
];

/// Bits that never hold noise: they would start DMA to nowhere, or stand for something that noise cannot know
/// (contents of the EEPROM, lines of a bus, semaphores that nobody holds). By offset.
static NEVER_NOISE: LazyLock<BTreeMap<u32, u32>> = LazyLock::new(|| {
    let mut kept: BTreeMap<u32, u32> = [
        regs::CTRL,
        regs::ESDP,
        regs::I2CCTL,
        regs::LEDCTL,
        regs::EEC,
        regs::EERD,
        regs::EEWR,
        regs::SWSM,
        regs::SW_FW_SYNC,
        regs::MSCA,
        regs::MSRWD,
        regs::AUTOC,
        regs::AUTOC2,
        regs::FDIRCTRL,
        regs::FDIRCMD,
        regs::EICR,
        regs::EICS,
        regs::EIMS,
        regs::EIMC,
    ]
    .iter()
    .map(|register| (register.offset, u32::MAX))
    .collect();
    kept.insert(regs::RXCTRL.offset, regs::rxctrl::RXEN.mask());
    kept.insert(regs::DMATXCTL.offset, regs::dmatxctl::TE.mask());
    kept.extend(offsets(&regs::RXDCTL).map(|offset| (offset, regs::rxdctl::ENABLE.mask())));
    kept.extend(offsets(&regs::TXDCTL).map(|offset| (offset, regs::txdctl::ENABLE.mask())));
    kept
});

/// Registers that a reset by software leaves alone: they coordinate drivers and firmware.
const SURVIVE_RESET: [Register; 2] = [regs::SWSM, regs::SW_FW_SYNC];

/// Offsets of all registers of an array, in the order of their numbers.
pub fn offsets(registers: &'static Registers) -> impl Iterator<Item = u32> {
    let of_bank =
        |bank: &'static regs::Bank| (0..u32::from(bank.count)).map(|n| bank.offset + n * bank.stride);
    registers.banks.iter().flat_map(of_bank)
}

/// All offsets of known registers, aliases included, outside of the pages that every driver may map.
pub fn known() -> impl Iterator<Item = u32> {
    TABLE.known.iter().copied()
}

/// Offsets of all registers, each once: where it is kept.
pub fn homes() -> impl Iterator<Item = u32> {
    TABLE.homes.iter().copied()
}

/// Other offsets at which the register kept at `home` appears.
pub fn aliases(home: u32) -> impl Iterator<Item = u32> {
    TABLE.aliases.get(&home).into_iter().flatten().copied()
}

/// The behaviour of the dword at `offset`, which must be aligned and inside BAR0.
pub fn row(offset: u32) -> Row {
    *TABLE.row(offset)
}

/// The values of one NIC's registers. Offsets are homes (see [`Row::home`]).
#[derive(Debug)]
pub struct RegisterFile {
    pages: DoorbellPages,
    private: Box<[u32]>,
    /// What the shared pages held when last looked at (or written by the NIC itself), by the index of `private`.
    seen: Box<[u32]>,
}

impl RegisterFile {
    /// All zero.
    ///
    /// # Errors
    ///
    /// What the system says if it gives no memory.
    pub fn new() -> std::io::Result<Self> {
        let zero: Box<[u32]> = vec![0; DWORDS].into();
        Ok(RegisterFile { pages: DoorbellPages::new()?, private: zero.clone(), seen: zero })
    }

    /// The pages that a client may map.
    pub fn pages(&self) -> &DoorbellPages {
        &self.pages
    }

    /// The value kept at `home`.
    #[inline]
    pub fn get(&self, home: u32) -> u32 {
        if is_shared(home) { self.pages.load(home) } else { self.private[home as usize / 4] }
    }

    /// The value of a register that is not in a shared page nor an alias.
    #[inline]
    pub fn of(&self, register: Register) -> u32 {
        self.get(register.offset)
    }

    /// Keeps `value` at `home`.
    #[inline]
    pub fn set(&mut self, home: u32, value: u32) {
        if is_shared(home) {
            self.seen[home as usize / 4] = value;
            self.pages.store(home, value);
        } else {
            self.private[home as usize / 4] = value;
        }
    }

    /// Clears `bits` at `home`, in a shared page without disturbing other bits that the driver changes meanwhile.
    pub fn clear_bits(&mut self, home: u32, bits: u32) {
        if is_shared(home) {
            self.pages.clear_bits(home, bits);
            self.seen[home as usize / 4] &= !bits;
        } else {
            self.private[home as usize / 4] &= !bits;
        }
    }

    /// Adds to a 32-bit counter, which sticks at its largest value (82599 8.2.3.23).
    #[inline]
    pub fn count(&mut self, home: u32, more: u64) {
        if more != 0 {
            let value = u64::from(self.get(home)).saturating_add(more);
            self.set(home, u32::try_from(value).unwrap_or(u32::MAX));
        }
    }

    /// Adds to a 36-bit counter whose low word is at `low` and whose high word follows.
    #[inline]
    pub fn count_pair(&mut self, low: u32, more: u64) {
        if more != 0 {
            let value = self.pair(low).saturating_add(more);
            self.set_pair(low, value.min((1 << 36) - 1));
        }
    }

    /// The value of a 36-bit counter.
    pub fn pair(&self, low: u32) -> u64 {
        u64::from(self.get(low)) | u64::from(self.get(low + 4) & 0xF) << 32
    }

    /// Sets a 36-bit counter.
    pub fn set_pair(&mut self, low: u32, value: u64) {
        self.set(low, value as u32);
        self.set(low + 4, (value >> 32) as u32);
    }

    /// If the value in a shared page is not the one seen last, remembers the new one and returns (before, after).
    pub fn changed(&mut self, home: u32) -> Option<(u32, u32)> {
        let now = self.pages.load(home);
        let before = std::mem::replace(&mut self.seen[home as usize / 4], now);
        (before != now).then_some((before, now))
    }

    /// Reset values; noise where the data sheet leaves the value open.
    pub fn reset(&mut self, noise: &mut Noise) {
        let kept = SURVIVE_RESET.map(|register| self.of(register));
        // What nobody knows, too. A driver may wait for all this no longer than half a millisecond.
        self.private.fill(0);
        for (register, value) in SURVIVE_RESET.iter().zip(kept) {
            self.set(register.offset, value);
        }
        for offset in &TABLE.homes {
            let row = TABLE.row(*offset);
            if SURVIVE_RESET.iter().any(|register| register.offset == *offset) {
                continue;
            }
            let value = if row.random { noise.next_u32() & row.writable } else { row.reset };
            self.set(*offset, value);
        }
    }

    /// What a driver may find that does not reset the card: whatever was there before. Noise in every bit that a
    /// driver could have left behind, apart from those that must not be ([`NEVER_NOISE`]).
    pub fn leave_behind(&mut self, noise: &mut Noise) {
        self.reset(noise);
        for register in SURVIVE_RESET {
            self.set(register.offset, 0);
        }
        for offset in &TABLE.homes {
            let row = TABLE.row(*offset);
            let mask = match row.kind {
                Kind::ClearOnRead | Kind::PairLow(_) => u32::MAX,
                Kind::PairHigh(_) => 0xF,
                _ => row.writable,
            };
            let never = NEVER_NOISE.get(offset).copied().unwrap_or(0);
            let mask = mask & !never;
            self.set(*offset, (row.reset & !mask) | (noise.next_u32() & mask));
        }
    }
}
