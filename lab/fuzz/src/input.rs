//! Making the most of random bytes: what `arbitrary` derives gives lists of a length of one or two.

use arbitrary::{Arbitrary, Result, Unstructured};

/// As many steps as there are bytes for.
pub fn steps<'a, T: Arbitrary<'a>>(input: &mut Unstructured<'a>) -> Result<Vec<T>> {
    let mut steps = Vec::new();
    while !input.is_empty() && steps.len() < 300 {
        steps.push(input.arbitrary()?);
    }
    Ok(steps)
}

/// Up to 255 bytes, often few.
pub fn bytes(input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let length = input.arbitrary::<u8>()?;
    let length = usize::from(if length < 192 { length % 16 } else { length }).min(input.len());
    Ok(input.bytes(length)?.to_vec())
}

/// Something that is there one time in eight.
pub fn rare<'a, T: Arbitrary<'a>>(input: &mut Unstructured<'a>) -> Result<Option<T>> {
    if input.ratio(1, 8)? { input.arbitrary().map(Some) } else { Ok(None) }
}

/// Up to four, or once in a while many more.
pub fn few<'a, T: Arbitrary<'a>>(input: &mut Unstructured<'a>) -> Result<Vec<T>> {
    let length = input.arbitrary::<u8>()?;
    let length = if length < 250 { length % 5 } else { length - 180 };
    (0..length.min(input.len() as u8)).map(|_| input.arbitrary()).collect()
}

/// A number around one that matters: `edge` and a few to both sides, or anything.
pub fn around(edge: u64, input: &mut Unstructured<'_>) -> Result<u64> {
    match input.arbitrary::<u8>()? {
        small @ 0..=63 => Ok(u64::from(small) * 4),
        near @ 64..=191 => Ok(edge.wrapping_add(u64::from(near % 16)).wrapping_sub(10)),
        192..=239 => Ok(input.arbitrary::<u64>()? % edge),
        _ => input.arbitrary(),
    }
}
