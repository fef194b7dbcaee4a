//! Which frames the NIC takes: size, FCS, address, VLAN (82599 7.1.1).

use super::headers::word;
use super::registers::RegisterFile;
use super::regs::{self, fctrl, hlreg0, maxfrs, mcstctrl, rah, rdrxctl, vlnctrl};
use crate::wire::Frame;

/// Bytes of the FCS.
pub const FCS: usize = 4;
/// Shortest frame with FCS.
const SHORTEST: usize = 64;
/// Longest frame with FCS, without VLAN tag, unless HLREG0.JUMBOEN is set.
const LONGEST: usize = 1518;
/// Bytes of a VLAN tag.
pub const TAG: usize = 4;
/// Where the EtherType of an untagged frame is.
pub const ETHERTYPE_AT: usize = 12;

const ETHERTYPE_MAC_CONTROL: u16 = 0x8808;
const BROADCAST: u64 = 0xFFFF_FFFF_FFFF;

/// Why a frame is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Shorter than 64 bytes.
    Runt,
    /// Longer than allowed.
    Oversize,
    /// Wrong FCS.
    BadFcs,
    /// Not for this station.
    Address,
    /// Not a VLAN of this station.
    Vlan,
    /// MAC control, not passed on.
    Control,
}

/// Who a frame is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cast {
    /// One station.
    #[default]
    Unicast,
    /// A group.
    Multicast,
    /// All.
    Broadcast,
}

impl Cast {
    /// By destination address.
    #[inline]
    pub fn of(frame: &[u8]) -> Cast {
        match frame.first_chunk::<6>() {
            Some([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) => Cast::Broadcast,
            Some([first, ..]) if first & 1 == 1 => Cast::Multicast,
            _ => Cast::Unicast,
        }
    }
}

/// What is known of a frame that is taken. One word: a processor that has just stored two small fields stalls when they
/// are copied as one larger one, and this happens for every frame.
///
/// ```text
/// 15:0 tag   16 there is a tag   25:24 cast   29:28 damage: 0 none, 1 runt, 2 oversize, 3 wrong FCS
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Admitted(u32);

impl Admitted {
    const TAGGED: u32 = 1 << 16;

    #[inline]
    fn new(cast: Cast, tag: Option<u16>, damage: Option<Refusal>) -> Self {
        let tag = tag.map_or(0, |tag| Self::TAGGED | u32::from(tag));
        let damage = match damage {
            None => 0,
            Some(Refusal::Runt) => 1,
            Some(Refusal::Oversize) => 2,
            Some(_) => 3,
        };
        Admitted(tag | (cast as u32) << 24 | damage << 28)
    }

    /// Who it is for.
    #[inline]
    pub fn cast(self) -> Cast {
        match self.0 >> 24 & 3 {
            0 => Cast::Unicast,
            1 => Cast::Multicast,
            _ => Cast::Broadcast,
        }
    }

    /// The tag behind the addresses, if there is one.
    #[inline]
    pub fn tag(self) -> Option<u16> {
        self.is_tagged().then_some(self.0 as u16)
    }

    /// There is a tag behind the addresses.
    #[inline]
    pub fn is_tagged(self) -> bool {
        self.0 & Self::TAGGED != 0
    }

    /// It is damaged, and only taken because of FCTRL.SBP.
    #[inline]
    pub fn damage(self) -> Option<Refusal> {
        match self.0 >> 28 {
            0 => None,
            1 => Some(Refusal::Runt),
            2 => Some(Refusal::Oversize),
            _ => Some(Refusal::BadFcs),
        }
    }
}

/// The filter's registers in a form that is quick to ask.
#[derive(Debug)]
pub struct Filter {
    all_unicast: bool,
    all_multicast: bool,
    broadcast: bool,
    store_bad: bool,
    pass_control: bool,
    /// FCS is cut off.
    pub strip_crc: bool,
    longest: usize,
    /// How far to shift bytes 4 and 5 of an address to get its 12-bit hash; `None` without MTA.
    hash_shift: Option<u32>,
    tag_type: u16,
    filter_tags: bool,
    addresses: Vec<u64>,
    multicast: [u32; 128],
    vlans: [u32; 128],
}

impl Filter {
    /// Takes nothing.
    pub fn new() -> Self {
        Filter {
            all_unicast: false,
            all_multicast: false,
            broadcast: false,
            store_bad: false,
            pass_control: false,
            strip_crc: true,
            longest: LONGEST,
            hash_shift: None,
            tag_type: 0x8100,
            filter_tags: false,
            addresses: Vec::with_capacity(128),
            multicast: [0; 128],
            vlans: [0; 128],
        }
    }

    /// Takes over the registers.
    pub fn load(&mut self, registers: &RegisterFile) {
        let control = registers.of(regs::FCTRL);
        self.all_unicast = fctrl::UPE.is_set(control);
        self.all_multicast = fctrl::MPE.is_set(control);
        self.broadcast = fctrl::BAM.is_set(control);
        self.store_bad = fctrl::SBP.is_set(control);
        self.pass_control = fctrl::PMCF.is_set(control);
        let mac = registers.of(regs::HLREG0);
        self.strip_crc =
            hlreg0::RXCRCSTRP.is_set(mac) && rdrxctl::CRCSTRIP.is_set(registers.of(regs::RDRXCTL));
        self.longest = if hlreg0::JUMBOEN.is_set(mac) {
            maxfrs::MFS.get(registers.of(regs::MAXFRS)) as usize
        } else {
            LONGEST
        };
        let vlan = registers.of(regs::VLNCTRL);
        self.tag_type = vlnctrl::VET.get(vlan) as u16;
        self.filter_tags = vlnctrl::VFE.is_set(vlan);
        self.load_tables(registers);
    }

    fn load_tables(&mut self, registers: &RegisterFile) {
        let multicast = registers.of(regs::MCSTCTRL);
        // MO = 0 takes bits 47:36 of the address, 1 bits 46:35, 2 bits 45:34, 3 bits 43:32.
        let shift = [4, 3, 2, 0][mcstctrl::MO.get(multicast) as usize];
        self.hash_shift = mcstctrl::MFE.is_set(multicast).then_some(shift);
        self.addresses.clear();
        for n in 0..128 {
            let high = registers.of(regs::RAH.at(n));
            if rah::AV.is_set(high) {
                let low = registers.of(regs::RAL.at(n));
                self.addresses.push(u64::from(rah::ADDRESS.get(high)) << 32 | u64::from(low));
            }
            self.multicast[usize::from(n)] = registers.of(regs::MTA.at(n));
            self.vlans[usize::from(n)] = registers.of(regs::VFTA.at(n));
        }
    }

    /// The tag behind the addresses, if there is one.
    #[inline]
    pub fn tag(&self, frame: &[u8]) -> Option<u16> {
        if word(frame, ETHERTYPE_AT) == Some(self.tag_type) { word(frame, ETHERTYPE_AT + 2) } else { None }
    }

    /// Takes the frame or says why not.
    #[inline]
    pub fn admit(&self, frame: Frame<'_>) -> Result<Admitted, Refusal> {
        let tag = self.tag(frame.bytes);
        let damage = self.damage(frame, tag.is_some());
        if let Some(damage) = damage
            && !self.store_bad
        {
            return Err(damage);
        }
        let cast = Cast::of(frame.bytes);
        if cast == Cast::Multicast
            && !self.pass_control
            && word(frame.bytes, ETHERTYPE_AT) == Some(ETHERTYPE_MAC_CONTROL)
        {
            return Err(Refusal::Control);
        }
        if !self.wants_address(frame.bytes, cast) {
            return Err(Refusal::Address);
        }
        match tag {
            Some(tag) if self.filter_tags && !self.wants_vlan(tag) => Err(Refusal::Vlan),
            _ => Ok(Admitted::new(cast, tag, damage)),
        }
    }

    #[inline]
    fn damage(&self, frame: Frame<'_>, tagged: bool) -> Option<Refusal> {
        let bytes = frame.bytes.len() + FCS;
        if bytes < SHORTEST {
            Some(Refusal::Runt)
        } else if bytes > self.longest + if tagged { TAG } else { 0 } {
            Some(Refusal::Oversize)
        } else if !frame.fcs_good {
            Some(Refusal::BadFcs)
        } else {
            None
        }
    }

    #[inline]
    fn wants_address(&self, frame: &[u8], cast: Cast) -> bool {
        match cast {
            Cast::Unicast => self.all_unicast || self.has_address(frame),
            Cast::Broadcast => self.broadcast || self.all_multicast && self.all_unicast,
            Cast::Multicast => self.all_multicast || self.in_table(frame) || self.has_address(frame),
        }
    }

    fn has_address(&self, frame: &[u8]) -> bool {
        let Some([a, b, c, d, e, f]) = frame.first_chunk::<6>() else { return false };
        let address = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, 0, 0]);
        address != BROADCAST && self.addresses.contains(&address)
    }

    fn in_table(&self, frame: &[u8]) -> bool {
        let (Some(shift), Some([.., low, high])) = (self.hash_shift, frame.first_chunk::<6>()) else {
            return false;
        };
        let hash = (u32::from(u16::from_le_bytes([*low, *high])) >> shift) & 0xFFF;
        bit(&self.multicast, hash)
    }

    fn wants_vlan(&self, tag: u16) -> bool {
        bit(&self.vlans, u32::from(tag & 0xFFF))
    }
}

fn bit(table: &[u32; 128], number: u32) -> bool {
    table[number as usize / 32] >> (number % 32) & 1 == 1
}
