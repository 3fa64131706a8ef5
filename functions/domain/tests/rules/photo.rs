//! What is taken as a photo, and what remains of it.

use domain::photo::{MAX_BYTES, PhotoError, clean};

/// A drawn counter with place, device and comment in its metadata.
const BASELINE: &[u8] = include_bytes!("../photos/baseline.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../photos/progressive.jpg");
const GRAY: &[u8] = include_bytes!("../photos/gray.jpg");
const CMYK: &[u8] = include_bytes!("../photos/cmyk.jpg");
const RESTARTS: &[u8] = include_bytes!("../photos/restarts.jpg");

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The photo with a segment put in after the start marker.
fn with_segment(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&BASELINE[..2], &[0xff, kind], &length, content, &BASELINE[2..]].concat()
}

fn frame_at(jpeg: &[u8]) -> usize {
    jpeg.windows(4).position(|bytes| matches!(bytes, [0xff, 0xc0 | 0xc2, 0, _])).unwrap()
}

fn with_dimensions(width: u16, height: u16) -> Vec<u8> {
    let mut jpeg = BASELINE.to_vec();
    let frame = frame_at(&jpeg);
    jpeg[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    jpeg[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    jpeg
}

#[test]
fn photos_of_every_usual_kind_are_taken_and_are_the_same_when_cleaned_again() {
    for photo in [BASELINE, PROGRESSIVE, GRAY, CMYK, RESTARTS] {
        let cleaned = clean(photo).unwrap();
        assert!(clean(&cleaned).unwrap() == cleaned);
    }
}

/// Each scan takes as long as the whole picture: a small file of a hundred would hold a function for seconds.
#[test]
fn a_photo_of_very_many_scans_is_refused_before_it_is_decoded() {
    let scan = PROGRESSIVE.windows(2).position(|bytes| bytes == [0xff, 0xda]).unwrap();
    let length = PROGRESSIVE[scan + 4..].windows(2).position(|bytes| bytes[0] == 0xff && bytes[1] != 0).unwrap();
    let (head, rest) = PROGRESSIVE.split_at(scan);
    let (first, rest) = rest.split_at(4 + length);
    let scans = |count: usize| clean(&[head, &first.repeat(count), rest].concat());
    assert!(scans(1).is_ok());
    // Its others are nine.
    assert!(scans(3).is_ok());
    assert_eq!(scans(4), Err(PhotoError::TooManyScans));
    assert_eq!(scans(20), Err(PhotoError::TooManyScans));
}

#[test]
fn a_photo_without_a_scan_or_with_one_before_its_size_is_refused() {
    let scan = BASELINE.windows(2).position(|bytes| bytes == [0xff, 0xda]).unwrap();
    assert_eq!(clean(&[&BASELINE[..scan], &[0xff, 0xd9]].concat()), Err(PhotoError::Damaged));
    let frame = frame_at(BASELINE);
    let frameless = [&BASELINE[..frame], &BASELINE[frame + 19..]].concat();
    assert_eq!(clean(&frameless), Err(PhotoError::Unsupported));
}

#[test]
fn metadata_is_dropped_and_the_picture_is_not() {
    for private in [&b"Exif"[..], b"Phone 7", b"a comment"] {
        assert!(contains(BASELINE, private), "the sample has lost its metadata");
        assert!(!contains(&clean(BASELINE).unwrap(), private));
    }
    let picture = |jpeg: &[u8]| jpeg[frame_at(jpeg)..].to_vec();
    assert!(picture(&clean(BASELINE).unwrap()) == picture(BASELINE));
}

#[test]
fn every_application_segment_is_dropped_but_what_the_colours_need() {
    for kind in (0xe0..=0xef).chain([0xfe]) {
        let cleaned = clean(&with_segment(kind, b"Private: 48.137N 11.575E")).unwrap();
        assert!(cleaned == clean(BASELINE).unwrap(), "segment {kind:x}");
    }
    assert!(contains(&clean(BASELINE).unwrap(), b"JFIF"));
    assert!(contains(&clean(CMYK).unwrap(), b"Adobe"), "without it the colours would be read the wrong way round");
}

#[test]
fn a_thumbnail_in_the_jfif_header_is_dropped() {
    let header = b"JFIF\0\x01\x01\0\0\x01\0\x01\x02\x01RGBRGB";
    let cleaned = clean(&with_segment(0xe0, header)).unwrap();
    assert!(!contains(&cleaned, b"RGBRGB"));
    assert!(contains(&cleaned, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"), "the header says that it has none");
}

#[test]
fn bytes_after_the_end_are_dropped() {
    let archive_behind = [BASELINE, b"PK\x03\x04 another file"].concat();
    assert!(clean(&archive_behind).unwrap() == clean(BASELINE).unwrap());
}

#[test]
fn other_files_are_refused() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"/>"#;
    for file in [&b""[..], b"\xff", b"a text", svg, b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF\0\0\0\0WEBP"] {
        assert_eq!(clean(file), Err(PhotoError::NotJpeg));
    }
}

#[test]
fn a_photo_cut_off_anywhere_is_refused() {
    for photo in [BASELINE, PROGRESSIVE, RESTARTS] {
        for length in 2..photo.len() {
            assert!(clean(&photo[..length]).is_err(), "cut to {length} bytes");
        }
    }
}

#[test]
fn a_scan_that_cannot_be_decoded_is_refused() {
    // A code of ones only stands for nothing in any Huffman table.
    let middle = BASELINE.len() - 400;
    let no_code = [&BASELINE[..middle], &[0xff, 0].repeat(20), &BASELINE[middle + 40..]].concat();
    assert_eq!(clean(&no_code), Err(PhotoError::Damaged));
}

#[test]
fn tables_that_make_no_sense_are_refused() {
    let mut jpeg = BASELINE.to_vec();
    let tables = jpeg.windows(2).position(|bytes| bytes == [0xff, 0xc4]).unwrap();
    jpeg[tables + 5..tables + 21].fill(0);
    assert_eq!(clean(&jpeg), Err(PhotoError::Damaged));
}

#[test]
fn the_size_is_judged_by_the_header() {
    assert_eq!(clean(&with_dimensions(30_000, 30_000)), Err(PhotoError::TooWide { width: 30_000, height: 30_000 }));
    assert_eq!(clean(&with_dimensions(1601, 10)), Err(PhotoError::TooWide { width: 1601, height: 10 }));
    assert_eq!(clean(&with_dimensions(10, 1601)), Err(PhotoError::TooWide { width: 10, height: 1601 }));
    assert_eq!(clean(&with_dimensions(0, 10)), Err(PhotoError::Unsupported));
    assert!(!matches!(clean(&with_dimensions(1600, 1600)), Err(PhotoError::TooWide { .. })));
}

#[test]
fn a_second_frame_is_refused() {
    let frame = frame_at(BASELINE);
    let twice = [&BASELINE[..frame], &BASELINE[frame..frame + 19], &BASELINE[frame..]].concat();
    assert_eq!(clean(&twice), Err(PhotoError::Unsupported));
}

#[test]
fn kinds_that_browsers_do_not_show_are_refused() {
    let frame = frame_at(BASELINE);
    for kind in [0xc3, 0xc5, 0xc9, 0xcb, 0xcc, 0xf7] {
        let mut other = BASELINE.to_vec();
        other[frame + 1] = kind;
        assert_eq!(clean(&other), Err(PhotoError::Unsupported), "frame {kind:x}");
    }
}

#[test]
fn a_file_over_the_limit_is_refused() {
    assert_eq!(MAX_BYTES, 2_097_152);
    let mut padded = BASELINE.to_vec();
    padded.resize(MAX_BYTES, 0);
    assert!(clean(&padded).is_ok());
    padded.push(0);
    assert_eq!(clean(&padded), Err(PhotoError::TooLarge));
}

#[test]
fn no_bytes_bring_the_check_down() {
    // A small generator: the same damage in every run.
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from(state >> 8).unwrap()
    };
    for photo in [BASELINE, PROGRESSIVE] {
        for _ in 0..300 {
            let mut damaged = photo.to_vec();
            for _ in 0..3 {
                let at = next() % damaged.len();
                damaged[at] = u8::try_from(next() % 256).unwrap();
            }
            let _ = clean(&damaged);
        }
    }
}
