//! What may be stored as a photo of a counter: a whole JPEG of bounded size, freed of everything but the picture.

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Most bytes of a photo.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Longest side in pixels (L9).
pub const MAX_SIDE: u16 = 1600;

/// Most scans of a picture: progressive photos of the usual programs have up to ten, and each takes as long as decoding the whole picture.
const MAX_SCANS: usize = 12;

/// Why a file is not taken as a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PhotoError {
    /// More than [`MAX_BYTES`].
    #[error("the photo is larger than 2 MiB")]
    TooLarge,
    /// Not the first bytes of a JPEG.
    #[error("the file is not a JPEG photo")]
    NotJpeg,
    /// A side is longer than [`MAX_SIDE`].
    #[error("the photo has {width} x {height} pixels; the longest side may have 1600")]
    TooWide {
        /// Pixels across.
        width: u16,
        /// Pixels down.
        height: u16,
    },
    /// More scans than any camera or program makes.
    #[error("the photo is stored in more than {MAX_SCANS} layers")]
    TooManyScans,
    /// A kind of JPEG that browsers do not show.
    #[error("the photo is stored in a kind of JPEG that browsers cannot show")]
    Unsupported,
    /// Cut off, or not decodable.
    #[error("the photo is incomplete or damaged")]
    Damaged,
}

/// Checks a photo and returns it without metadata (place, time, device, thumbnail) and without bytes after its end.
///
/// The dimensions are read from the header before anything is decoded, so a small file cannot ask for much memory.
/// A picture that was shortened and given a new end marker is taken: it is shown with a grey rest. What is hidden in the picture
/// itself, behind the last block of a scan too, is part of the picture.
///
/// # Errors
/// When the file is not a whole JPEG within the limits.
pub fn clean(bytes: &[u8]) -> Result<Vec<u8>, PhotoError> {
    if bytes.len() > MAX_BYTES {
        return Err(PhotoError::TooLarge);
    }
    let picture = strip(bytes)?;
    let options = DecoderOptions::default().set_strict_mode(true).set_max_width(MAX_SIDE.into()).set_max_height(MAX_SIDE.into());
    JpegDecoder::new_with_options(ZCursor::new(&picture), options).decode().map_err(|_| PhotoError::Damaged)?;
    Ok(picture)
}

/// The markers of ITU T.81 that a photo may contain; all others are refused or dropped (D-PHOTOS-1).
mod marker {
    pub const SOI: u8 = 0xd8;
    pub const EOI: u8 = 0xd9;
    pub const SOS: u8 = 0xda;
    /// Baseline, extended sequential and progressive frames: what browsers show.
    pub const FRAMES: std::ops::RangeInclusive<u8> = 0xc0..=0xc2;
    pub const HUFFMAN_TABLES: u8 = 0xc4;
    pub const QUANTISATION_TABLES: u8 = 0xdb;
    pub const RESTART_INTERVAL: u8 = 0xdd;
    pub const RESTARTS: std::ops::RangeInclusive<u8> = 0xd0..=0xd7;
    pub const APP0: u8 = 0xe0;
    pub const APP14: u8 = 0xee;
    pub const APPS: std::ops::RangeInclusive<u8> = 0xe0..=0xef;
    pub const COMMENT: u8 = 0xfe;
}

/// Copies the segments that the picture needs, from the first to the end marker, and checks the frame's size on the way.
fn strip(bytes: &[u8]) -> Result<Vec<u8>, PhotoError> {
    let mut rest = bytes.strip_prefix(&[0xff, marker::SOI]).ok_or(PhotoError::NotJpeg)?;
    let mut picture = Vec::with_capacity(bytes.len());
    picture.extend([0xff, marker::SOI]);
    let mut frame_seen = false;
    let mut scans = 0;
    loop {
        let kind = take_marker(&mut rest)?;
        if kind == marker::EOI {
            picture.extend([0xff, marker::EOI]);
            return Ok(picture);
        }
        let content = take_segment(&mut rest)?;
        match kind {
            marker::APP0 => {
                if let Some(jfif) = jfif_without_thumbnail(content) {
                    push_segment(&mut picture, kind, &jfif);
                }
            }
            marker::APP14 => {
                if let Some(adobe) = content.get(..12).filter(|adobe| adobe.starts_with(b"Adobe")) {
                    push_segment(&mut picture, kind, adobe);
                }
            }
            kind if marker::APPS.contains(&kind) || kind == marker::COMMENT => {}
            kind if marker::FRAMES.contains(&kind) && !frame_seen => {
                check_frame(content)?;
                frame_seen = true;
                push_segment(&mut picture, kind, content);
            }
            marker::HUFFMAN_TABLES | marker::QUANTISATION_TABLES | marker::RESTART_INTERVAL => push_segment(&mut picture, kind, content),
            marker::SOS if frame_seen => {
                scans += 1;
                if scans > MAX_SCANS {
                    return Err(PhotoError::TooManyScans);
                }
                push_segment(&mut picture, kind, content);
                let length = scan_length(rest)?;
                let (scan, after) = rest.split_at(length);
                picture.extend_from_slice(scan);
                rest = after;
            }
            _ => return Err(PhotoError::Unsupported),
        }
    }
}

/// Reads a marker, which any number of 0xff may precede.
fn take_marker(rest: &mut &[u8]) -> Result<u8, PhotoError> {
    if rest.first() != Some(&0xff) {
        return Err(PhotoError::Damaged);
    }
    let fill = rest.iter().take_while(|&&byte| byte == 0xff).count();
    let kind = *rest.get(fill).ok_or(PhotoError::Damaged)?;
    *rest = &rest[fill + 1..];
    Ok(kind)
}

/// Reads a segment's content; its length comes first and counts itself.
fn take_segment<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], PhotoError> {
    let (length, _) = rest.split_first_chunk().ok_or(PhotoError::Damaged)?;
    let length = usize::from(u16::from_be_bytes(*length));
    let content = rest.get(2..length).ok_or(PhotoError::Damaged)?;
    *rest = &rest[length..];
    Ok(content)
}

fn push_segment(picture: &mut Vec<u8>, kind: u8, content: &[u8]) {
    // A kept segment is never longer than the one it came from, so its length fits.
    let length = u16::try_from(content.len() + 2).unwrap_or(u16::MAX);
    picture.extend([0xff, kind]);
    picture.extend(length.to_be_bytes());
    picture.extend_from_slice(content);
}

/// Version and density of a JFIF header, which say how the colours are coded; the thumbnail is left out.
fn jfif_without_thumbnail(content: &[u8]) -> Option<[u8; 14]> {
    let mut jfif: [u8; 14] = content.get(..14)?.try_into().ok()?;
    jfif[12] = 0;
    jfif[13] = 0;
    jfif.starts_with(b"JFIF\0").then_some(jfif)
}

fn check_frame(content: &[u8]) -> Result<(), PhotoError> {
    let &[_precision, h1, h0, w1, w0, ..] = content else { return Err(PhotoError::Damaged) };
    let (width, height) = (u16::from_be_bytes([w1, w0]), u16::from_be_bytes([h1, h0]));
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(PhotoError::TooWide { width, height });
    }
    // A height of zero would come after the scan (DNL), which browsers do not show.
    if width == 0 || height == 0 { Err(PhotoError::Unsupported) } else { Ok(()) }
}

/// How many bytes of picture data follow: up to the next marker, or what fills the place before it, that is neither an escaped 0xff nor a restart.
fn scan_length(rest: &[u8]) -> Result<usize, PhotoError> {
    let ends = |pair: &[u8]| pair[0] == 0xff && pair[1] != 0 && !marker::RESTARTS.contains(&pair[1]);
    rest.windows(2).position(ends).ok_or(PhotoError::Damaged)
}
