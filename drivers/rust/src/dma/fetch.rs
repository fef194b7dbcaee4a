//! Having cache lines brought that will be written soon.

/// Has the line at `line` brought for writing, without waiting for it.
///
/// Lines that the device has written come from another core's cache or from memory: at once for many, but slowly for each.
/// Asked for to be written, a line comes in one transaction; read first and written then, it takes two. The compiler's own
/// prefetch for writing becomes one for reading where it is not told of the processor, hence the instruction; processors
/// that lack it take it for a NOP.
#[inline(always)]
pub(super) fn to_write(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    #[expect(clippy::pointers_in_nomem_asm_block, reason = "the line is asked for, not read")]
    // SAFETY: needed because there is no other way to write this instruction. It is a hint: it changes no register, flag or
    // memory, and does not fault, whatever the address.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) line, options(nomem, nostack, preserves_flags));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
