//! Documents that are stored compressed: their JSON, deflated after a dictionary of what such documents say anyway (D-STORAGE-8).

use std::cell::RefCell;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use crate::{Result, StoreError};

/// What jobs and answers about them say. What was packed with it cannot be read without it: it is never changed, and another one stands beside it.
const DICTIONARY: &[u8] = include_bytes!("packed.dictionary");

thread_local! {
    /// Kept, because making one takes longer than a job.
    static PACKER: RefCell<Compress> = RefCell::new(Compress::new(Compression::best(), true));
    static UNPACKER: RefCell<Decompress> = RefCell::new(Decompress::new(true));
}

/// The bytes in less room, in the form of RFC 1950: it names the dictionary and has a checksum.
///
/// # Errors
/// Internal only.
pub(crate) fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    PACKER.with_borrow_mut(|packer| {
        packer.reset();
        packer.set_dictionary(DICTIONARY).map_err(broken)?;
        let mut packed = Vec::with_capacity(bytes.len() / 2 + 64);
        while packer.compress_vec(rest(bytes, packer.total_in()), &mut packed, FlushCompress::Finish).map_err(broken)? != Status::StreamEnd
        {
            packed.reserve(packed.capacity());
        }
        Ok(packed)
    })
}

/// The bytes that were packed.
///
/// # Errors
/// Internal: nothing of ours was packed so.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<u8>> {
    UNPACKER.with_borrow_mut(|unpacker| {
        unpacker.reset(true);
        let mut bytes = Vec::with_capacity(64 + packed.len() * 6);
        loop {
            match unpacker.decompress_vec(rest(packed, unpacker.total_in()), &mut bytes, FlushDecompress::Finish) {
                Ok(Status::StreamEnd) => return Ok(bytes),
                Ok(_) if bytes.len() < bytes.capacity() => return Err(broken("it has no end")),
                Ok(_) => bytes.reserve(bytes.capacity()),
                Err(error) if error.needs_dictionary().is_some() => {
                    unpacker.set_dictionary(DICTIONARY).map_err(broken)?;
                }
                Err(error) => return Err(broken(error)),
            }
        }
    })
}

fn rest(bytes: &[u8], taken: u64) -> &[u8] {
    usize::try_from(taken).ok().and_then(|taken| bytes.get(taken..)).unwrap_or_default()
}

fn broken(reason: impl ToString) -> StoreError {
    StoreError::Internal { operation: "packed", reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_out_again() {
        let noise: Vec<u8> = (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
        for bytes in [&b""[..], b"x", b"{\"master\":{}}", &noise, &[b'x'; 400_000], DICTIONARY] {
            let packed = pack(bytes).unwrap();
            assert!(packed.len() < bytes.len() + 100, "{}", packed.len());
            assert_eq!(unpack(&packed).unwrap(), bytes);
        }
    }

    /// By another program, when the dictionary was new: with another dictionary nothing could be read any more that a table holds.
    #[test]
    fn what_was_packed_once_is_read_for_ever() {
        let packed = [
            120, 249, 19, 244, 182, 17, 195, 168, 241, 178, 12, 137, 170, 243, 204, 12, 45, 149, 240, 87, 35, 37, 134, 152, 197, 179, 1,
            40, 199, 213, 214, 2, 0, 79, 14, 35, 87,
        ];
        let read = unpack(&packed).unwrap();
        assert_eq!(
            String::from_utf8(read).unwrap(),
            r#"{"master":{"id":"j1","meter":{"meterNumber":"1EBZ0100000619","meterRateTasks":[{"taskId":"t1","obis":"1-0:1.8.0"}]}}}"#
        );
    }

    #[test]
    fn what_is_broken_is_told() {
        let packed = pack(b"{\"master\":{\"id\":\"j1\"}}").unwrap();
        let mut changed = packed.clone();
        let last = changed.len() - 1;
        changed[last] ^= 1;
        let mut of_another_dictionary = packed.clone();
        of_another_dictionary[2] ^= 1;
        for bytes in [&b""[..], b"{}", &packed[..last], &packed[..3], &changed, &of_another_dictionary] {
            assert!(unpack(bytes).is_err(), "{bytes:?}");
        }
    }
}
