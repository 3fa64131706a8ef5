//! What a file that was sent has, said before anything is done with it: how many rows, in which letters, and what stands between its cells.

use std::io::{BufRead, BufReader, Read};

use csv::ByteRecord;

use super::columns::separator;
use super::file::SentFile;
use super::mapping::Encoding;
use super::rows::{encoding_of, is_blank};
use crate::Failure;

/// Up to so many bytes rows are counted; of a longer file their number is reckoned from its beginning.
pub const COUNTED: u64 = 32 * 1000 * 1000;

/// How much a file has, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Rows below the heads that say anything, or lines.
    pub rows: u64,
    /// So many are about right: the file is too long to be counted at once.
    pub is_about: bool,
    /// How its letters are stored; none: it is a workbook.
    pub encoding: Option<Encoding>,
    /// What stands between two cells; none: it is no text of cells.
    pub separator: Option<char>,
}

/// What a file of so many bytes has, by the file or its beginning.
///
/// # Errors
/// The system's.
pub fn contents(sent: &SentFile, bytes: u64) -> Result<Contents, Failure> {
    if let Some(sheet) = &sent.sheet {
        return Ok(Contents { rows: sheet.rows.saturating_sub(1), is_about: false, encoding: None, separator: None });
    }
    let open = || sent.open().map_err(Failure::Unreadable);
    let seen = sent.length().map_err(Failure::Unreadable)?;
    let is_about = seen < bytes;
    let encoding = encoding_of(&mut open()?).map_err(Failure::Unreadable)?;
    let (rows, separator) = match sent.is_table {
        true => {
            let separator = separator(&mut BufReader::new(open()?)).map_err(Failure::Unreadable)?;
            (rows(open()?, separator)?.saturating_sub(1), Some(char::from(separator)))
        }
        false => (lines(open()?).map_err(Failure::Unreadable)?, None),
    };
    let rows = if is_about { (u128::from(rows) * u128::from(bytes) / u128::from(seen.max(1))) as u64 } else { rows };
    Ok(Contents { rows, is_about, encoding: Some(encoding), separator })
}

fn rows(file: impl Read, separator: u8) -> Result<u64, Failure> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(file);
    let (mut record, mut count) = (ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).map_err(|error| Failure::Unreadable(error.into()))? {
        count += u64::from(!is_blank(&record));
    }
    Ok(count)
}

fn lines(file: impl Read) -> std::io::Result<u64> {
    let (mut reader, mut line, mut count) = (BufReader::new(file), Vec::new(), 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        count += u64::from(!line.trim_ascii().is_empty());
        line.clear();
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(content: &[u8], bytes: u64) -> (u64, bool, Option<Encoding>, Option<char>) {
        let Contents { rows, is_about, encoding, separator } =
            contents(&SentFile::of(content, content.starts_with(b"K")).unwrap(), bytes).unwrap();
        (rows, is_about, encoding, separator)
    }

    #[test]
    fn rows_are_counted_under_the_heads_and_reckoned_in_a_long_file() {
        let table = "Kunde;Straße\n1;\"A\nB\"\n;;\n\n2;x\n".as_bytes();
        assert_eq!(told(table, table.len() as u64), (2, false, Some(Encoding::Utf8), Some(';')));
        assert_eq!(told(b"Kunde,Stra\xdfe\n1,x", 16), (1, false, Some(Encoding::Windows1252), Some(',')));
        let cut = &"Kunde;Ort\n1;Köln\n2;Köln\n3;Köln\n4;K\u{f6}".as_bytes()[..38];
        assert_eq!(told(cut, 380), (40, true, Some(Encoding::Utf8), Some(';')), "a letter may be cut through");
        assert_eq!(told(b"{}\n\n{}", 6), (2, false, Some(Encoding::Utf8), None));
    }
}
