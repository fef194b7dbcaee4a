//! Builds capture files by hand, in every flavour that the reader must understand.

/// Appends numbers in the byte order of the file.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    pub(super) big: bool,
}

impl Writer {
    pub(super) fn u16(self, value: u16) -> [u8; 2] {
        if self.big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub(super) fn u32(self, value: u32) -> [u8; 4] {
        if self.big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub(super) fn u64(self, value: u64) -> [u8; 8] {
        if self.big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub(super) fn pcap_header(self, magic: u32, snap: u32, link: u32) -> Vec<u8> {
        let mut out = self.u32(magic).to_vec();
        out.extend(self.u16(2));
        out.extend(self.u16(4));
        out.extend([0; 8]);
        out.extend(self.u32(snap));
        out.extend(self.u32(link));
        out
    }

    pub(super) fn pcap_record(self, seconds: u32, fraction: u32, original: usize, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for word in [seconds, fraction, data.len() as u32, original as u32] {
            out.extend(self.u32(word));
        }
        out.extend(data);
        out
    }

    pub(super) fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let length = body.len().next_multiple_of(4) + 12;
        let mut out = self.u32(kind).to_vec();
        out.extend(self.u32(length as u32));
        out.extend(body);
        out.resize(length - 4, 0);
        out.extend(self.u32(length as u32));
        out
    }

    pub(super) fn section(self) -> Vec<u8> {
        let mut body = self.u32(0x1a2b_3c4d).to_vec();
        body.extend(self.u16(1));
        body.extend(self.u16(0));
        body.extend([0xff; 8]);
        self.block(0x0a0d_0d0a, &body)
    }

    pub(super) fn interface(self, link: u16, snap: u32, options: &[(u16, &[u8])]) -> Vec<u8> {
        let mut body = self.u16(link).to_vec();
        body.extend([0; 2]);
        body.extend(self.u32(snap));
        for (code, value) in options {
            body.extend(self.u16(*code));
            body.extend(self.u16(value.len() as u16));
            body.extend(*value);
            body.resize(body.len().next_multiple_of(4), 0);
        }
        self.block(1, &body)
    }

    pub(super) fn enhanced(self, interface: u32, ticks: u64, original: usize, data: &[u8]) -> Vec<u8> {
        let mut body = self.u32(interface).to_vec();
        for word in [(ticks >> 32) as u32, ticks as u32, data.len() as u32, original as u32] {
            body.extend(self.u32(word));
        }
        body.extend(data);
        self.block(6, &body)
    }
}

pub(super) const LITTLE: Writer = Writer { big: false };
pub(super) const BIG: Writer = Writer { big: true };
