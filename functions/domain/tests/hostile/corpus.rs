//! Files that somebody could send as the photo of a counter to harm or to be harmed. Whatever is not the picture holds [`CANARY`].

/// What must never be stored.
pub const CANARY: &[u8] = b"CANARY-48.1371N-11.5754E";

const BASELINE: &[u8] = include_bytes!("../photos/baseline.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../photos/progressive.jpg");
const GRAY: &[u8] = include_bytes!("../photos/gray.jpg");
const CMYK: &[u8] = include_bytes!("../photos/cmyk.jpg");
const RESTARTS: &[u8] = include_bytes!("../photos/restarts.jpg");

const SOI: [u8; 2] = [0xff, 0xd8];
const EOI: [u8; 2] = [0xff, 0xd9];
const SOS: u8 = 0xda;
const DHT: u8 = 0xc4;
const DQT: u8 = 0xdb;

/// A file and what it is.
pub struct Hostile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Every file, the same ones in each run.
pub fn corpus() -> Vec<Hostile> {
    [other_types(), metadata(), around(), cut_off(), frames(), tables(), scans(), lengths()].concat()
}

impl Clone for Hostile {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), bytes: self.bytes.clone() }
    }
}

fn hostile(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Hostile {
    Hostile { name: name.into(), bytes: bytes.into() }
}

/// A segment with its marker and its length.
fn segment(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).expect("a segment has at most 65,533 bytes").to_be_bytes();
    [&[0xff, kind], &length[..], content].concat()
}

/// The places of all markers outside the picture data, and of those that end it.
fn markers(jpeg: &[u8]) -> Vec<(usize, u8)> {
    let mut found = vec![(0, 0xd8)];
    let mut at = 2;
    while at + 1 < jpeg.len() {
        let kind = jpeg[at + 1];
        found.push((at, kind));
        if kind == EOI[1] {
            break;
        }
        at += 2 + usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
        if kind == SOS {
            let ends = |pair: &[u8]| pair[0] == 0xff && pair[1] != 0 && !(0xd0..=0xd7).contains(&pair[1]);
            at += jpeg[at..].windows(2).position(ends).expect("a scan ends");
        }
    }
    found
}

fn find(jpeg: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    markers(jpeg).into_iter().find(|(_, kind)| wanted(*kind)).expect("the sample has that marker").0
}

fn frame(jpeg: &[u8]) -> usize {
    find(jpeg, |kind| (0xc0..=0xc2).contains(&kind))
}

/// The bytes put in before this place.
fn with(jpeg: &[u8], at: usize, put: &[u8]) -> Vec<u8> {
    [&jpeg[..at], put, &jpeg[at..]].concat()
}

/// The file with a segment after its start marker.
fn with_segment(jpeg: &[u8], kind: u8, content: &[u8]) -> Vec<u8> {
    with(jpeg, 2, &segment(kind, content))
}

/// The file with some bytes replaced.
fn changed(jpeg: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut changed = jpeg.to_vec();
    changed[at..at + bytes.len()].copy_from_slice(bytes);
    changed
}

/// The file without all segments of a kind.
fn without(jpeg: &[u8], kind: u8) -> Vec<u8> {
    let all = markers(jpeg);
    let mut left = Vec::new();
    for (index, (at, found)) in all.iter().enumerate() {
        let end = all.get(index + 1).map_or(jpeg.len(), |next| next.0);
        if *found != kind {
            left.extend_from_slice(&jpeg[*at..end]);
        }
    }
    left
}

fn canary(before: &[u8]) -> Vec<u8> {
    [before, CANARY].concat()
}

/// A TIFF block as EXIF has it: a description, and a place with its degrees.
fn tiff(big_endian: bool, thumbnail: &[u8]) -> Vec<u8> {
    let short = |n: u16| if big_endian { n.to_be_bytes() } else { n.to_le_bytes() };
    let long = |n: usize| {
        let n = u32::try_from(n).expect("small");
        if big_endian { n.to_be_bytes() } else { n.to_le_bytes() }
    };
    let entry = |tag: u16, kind: u16, count: usize, value: usize| [&short(tag)[..], &short(kind), &long(count), &long(value)].concat();
    // Header 8, first directory 2 + 2 * 12 + 4, second 2 + 2 * 12 + 4, place directory 2 + 12 + 4.
    let (description, place, thumb) = (8 + 30 + 30 + 18, 8 + 30 + 30, 8 + 30 + 30 + 18 + CANARY.len());
    [
        if big_endian { &b"MM\0\x2a"[..] } else { b"II\x2a\0" },
        &long(8),
        &short(2),
        &entry(0x010e, 2, CANARY.len(), description),
        &entry(0x8825, 4, 1, place),
        &long(38),
        &short(2),
        &entry(0x0201, 4, 1, thumb),
        &entry(0x0202, 4, 1, thumbnail.len()),
        &long(0),
        &short(1),
        &entry(0x001d, 2, CANARY.len(), description),
        &long(0),
        CANARY,
        thumbnail,
    ]
    .concat()
}

fn other_types() -> Vec<Hostile> {
    let ftyp = |brand: &[u8]| [&[0, 0, 0, 24], &b"ftyp"[..], brand, &[0; 8], brand].concat();
    let png_header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x10\x06\0\0\0";
    let types: [(&str, Vec<u8>); 24] = [
        ("nothing", Vec::new()),
        ("one byte", vec![0xff]),
        ("a text", canary(b"Hello, I am a text file. ")),
        ("HTML", canary(b"<!doctype html><script>alert(1)</script>")),
        ("SVG with a script", canary(br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#)),
        ("SVG with an entity bomb", canary(br#"<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg>&b;</svg>"#)),
        ("JSON", canary(br#"{"a":["#)),
        ("PNG of 65535 x 65535 in 16 bits", canary(png_header)),
        ("animated PNG", canary(b"\x89PNG\r\n\x1a\n\0\0\0\x08acTL\0\0\0\x02\0\0\0\0")),
        ("GIF", canary(b"GIF89a\xff\xff\xff\xff\xf7\0\0")),
        ("BMP", canary(b"BM\xff\xff\xff\x7f\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\xff\x7f")),
        ("WebP", canary(b"RIFF\xff\xff\xff\x7fWEBPVP8 ")),
        ("HEIC", ftyp(b"heic")),
        ("AVIF", ftyp(b"avif")),
        ("MP4", ftyp(b"isom")),
        ("TIFF, little endian", tiff(false, b"")),
        ("TIFF, big endian", tiff(true, b"")),
        ("PDF", canary(b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript>>>>")),
        ("ZIP", canary(b"PK\x03\x04\x14\0\0\0\x08\0")),
        ("gzip", canary(b"\x1f\x8b\x08\0\0\0\0\0\0\xff")),
        ("a Windows program", canary(b"MZ\x90\0\x03\0\0\0")),
        ("a Linux program", canary(b"\x7fELF\x02\x01\x01\0")),
        ("JPEG 2000", canary(b"\xff\x4f\xff\x51\0\x29")),
        ("JPEG XL", canary(b"\xff\x0a\xff\xff")),
    ];
    types.into_iter().map(|(name, bytes)| hostile(name, bytes)).collect()
}

/// Whole photos with something beside the picture.
fn metadata() -> Vec<Hostile> {
    let base = BASELINE;
    let exif = |big_endian| [b"Exif\0\0", &tiff(big_endian, &with_segment(GRAY, 0xfe, CANARY))[..]].concat();
    let jfxx = [b"JFXX\0\x10", &with_segment(GRAY, 0xfe, CANARY)[..]].concat();
    let thumbnail = [&b"JFIF\0\x01\x02\x01\0\x48\0\x48\x04\x02"[..], CANARY].concat();
    let frame_at = frame(PROGRESSIVE);
    let second_scan = markers(PROGRESSIVE).into_iter().filter(|(_, kind)| *kind == SOS).nth(1).expect("several scans").0;
    let comment = segment(0xfe, CANARY);
    let mut files = vec![
        hostile("EXIF with place and a nested JPEG, little endian", with_segment(base, 0xe1, &exif(false))),
        hostile("EXIF with place and a nested JPEG, big endian", with_segment(base, 0xe1, &exif(true))),
        hostile("EXIF in a gray photo", with_segment(GRAY, 0xe1, &exif(true))),
        hostile("EXIF in a CMYK photo", with_segment(CMYK, 0xe1, &exif(false))),
        hostile("EXIF in a photo with restarts", with_segment(RESTARTS, 0xe1, &exif(false))),
        hostile("EXIF in a progressive photo", with_segment(PROGRESSIVE, 0xe1, &exif(false))),
        hostile("XMP", with_segment(base, 0xe1, &canary(b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>"))),
        hostile("more XMP", with_segment(base, 0xe1, &canary(b"http://ns.adobe.com/xmp/extension/\0"))),
        hostile("a colour profile", with_segment(base, 0xe2, &canary(b"ICC_PROFILE\0\x01\x01"))),
        hostile("a colour profile in parts that are missing", with_segment(base, 0xe2, &canary(b"ICC_PROFILE\0\x02\xff"))),
        hostile("FlashPix", with_segment(base, 0xe2, &canary(b"FPXR\0\0"))),
        hostile("provenance (C2PA)", with_segment(base, 0xeb, &canary(b"JP\0\x01\0\0\0\x01jumb"))),
        hostile("Ducky", with_segment(base, 0xec, &canary(b"Ducky"))),
        hostile("Photoshop and IPTC", with_segment(base, 0xed, &canary(b"Photoshop 3.0\08BIM\x04\x04"))),
        hostile("a long Adobe segment", with_segment(base, 0xee, &canary(b"Adobe\0\x64\0\0\0\0\x01"))),
        hostile("a short Adobe segment", with_segment(base, 0xee, b"Adobe")),
        hostile("a thumbnail in the JFIF header", with_segment(base, 0xe0, &thumbnail)),
        hostile("a short JFIF header", with_segment(base, 0xe0, b"JFIF\0")),
        hostile("a JFXX thumbnail", with_segment(base, 0xe0, &jfxx)),
        hostile("an AVI1 header", with_segment(base, 0xe0, &canary(b"AVI1"))),
        hostile("a script as a comment", with_segment(base, 0xfe, &canary(b"*/=1;alert(1)/*"))),
        hostile("PHP as a comment", with_segment(base, 0xfe, &canary(b"<?php system($_GET['c']); ?>"))),
        hostile("a PDF as a comment", with_segment(base, 0xfe, &canary(b"%PDF-1.4\n"))),
        hostile("the longest comment", with_segment(base, 0xfe, &CANARY.repeat(2730))),
        hostile("a thousand comments", with(base, 2, &comment.repeat(1000))),
        hostile("a comment after the frame", with(PROGRESSIVE, frame_at + 19, &comment)),
        hostile("a comment between the scans", with(PROGRESSIVE, second_scan, &comment)),
        hostile("EXIF between the scans", with(PROGRESSIVE, second_scan, &segment(0xe1, &exif(true)))),
        hostile("a comment before the end", with(base, base.len() - 2, &comment)),
        hostile("fill bytes before a comment", with(base, 2, &[&[0xff; 500][..], &comment].concat())),
    ];
    files.extend((0xe0..=0xef).map(|kind| hostile(format!("an unknown segment {kind:x}"), with_segment(base, kind, CANARY))));
    files
}

/// Photos with another file before or behind.
fn around() -> Vec<Hostile> {
    let behind = |name: &str, what: &[u8]| hostile(name, [BASELINE, what, CANARY].concat());
    let mpf = with_segment(BASELINE, 0xe2, &canary(b"MPF\0II\x2a\0\x08\0\0\0\x03\0"));
    vec![
        behind("a ZIP behind", b"PK\x03\x04"),
        behind("HTML behind", b"<script>alert(1)</script>"),
        behind("a video behind (motion photo)", b"\0\0\0\x18ftypmp42"),
        behind("another photo behind", &with_segment(GRAY, 0xfe, CANARY)),
        behind("a start marker behind", &SOI),
        hostile("several photos (MPO)", [&mpf[..], &with_segment(PROGRESSIVE, 0xe2, &canary(b"MPF\0"))].concat()),
        hostile("a photo in another one's place", [&SOI[..], &with_segment(BASELINE, 0xfe, CANARY)].concat()),
        hostile("a PNG before", [&b"\x89PNG\r\n\x1a\n"[..], BASELINE].concat()),
        hostile("a blank before", [&b" "[..], BASELINE].concat()),
        hostile("a data URL as bytes", canary(b"data:image/jpeg;base64,")),
        hostile("nothing but start and end", [SOI, EOI].concat()),
        hostile("2 MiB of fill bytes", [&SOI[..], &vec![0xff; 2 * 1024 * 1024 - 4], &EOI].concat()),
        hostile("more than 2 MiB", [BASELINE, &vec![0; 2 * 1024 * 1024]].concat()),
    ]
}

/// Photos that end at a marker, or right behind it, or in the middle of the segment.
fn cut_off() -> Vec<Hostile> {
    let mut files = Vec::new();
    for (name, photo) in [("baseline", BASELINE), ("progressive", PROGRESSIVE), ("restarts", RESTARTS)] {
        for (at, kind) in markers(photo).into_iter().skip(1) {
            for more in [0, 1, 2, 3, 5] {
                let end = (at + more).min(photo.len() - 1);
                files.push(hostile(format!("{name} cut {more} bytes after marker {kind:x} at {at}"), &photo[..end]));
                files.push(hostile(
                    format!("{name} with an end marker {more} bytes after marker {kind:x} at {at}"),
                    [&photo[..end], &EOI].concat(),
                ));
            }
        }
    }
    files
}

fn frames() -> Vec<Hostile> {
    let at = frame(BASELINE);
    let sized = |width: u16, height: u16| {
        hostile(format!("{width} x {height}"), changed(BASELINE, at + 5, &[height.to_be_bytes(), width.to_be_bytes()].concat()))
    };
    let of_kind = |kind: u8| hostile(format!("a frame of kind {kind:x}"), changed(BASELINE, at + 1, &[kind]));
    let precise = |bits: u8| hostile(format!("{bits} bits"), changed(BASELINE, at + 4, &[bits]));
    let parts = |count: u8| hostile(format!("{count} components"), changed(BASELINE, at + 9, &[count]));
    let sampled = |factors: u8| hostile(format!("sampling {factors:x}"), changed(BASELINE, at + 11, &[factors]));
    let progressive = frame(PROGRESSIVE);
    let large = |width: u16, height: u16| {
        let bytes = changed(PROGRESSIVE, progressive + 5, &[height.to_be_bytes(), width.to_be_bytes()].concat());
        hostile(format!("progressive {width} x {height} in a small file"), bytes)
    };
    let mut files = vec![
        sized(65535, 65535),
        sized(65535, 1),
        sized(1, 65535),
        sized(1601, 1600),
        sized(1600, 1601),
        sized(1600, 1600),
        sized(0, 0),
        sized(0, 10),
        sized(10, 0),
        sized(1, 1),
        large(65535, 65535),
        large(1600, 1600),
        hostile("no frame", without(BASELINE, 0xc0)),
        hostile("two frames", with(BASELINE, at, &BASELINE[at..at + 19])),
        hostile("a second frame of another size", with(BASELINE, at + 19, &changed(&BASELINE[at..at + 19], 5, &[255; 4]))),
        hostile("height after the scan (DNL)", with(BASELINE, BASELINE.len() - 2, &segment(0xdc, &[0, 16]))),
        hostile("arithmetic conditioning (DAC)", with(BASELINE, at, &segment(0xcc, &[0, 0x10]))),
        hostile("hierarchical (DHP)", with(BASELINE, at, &changed(&BASELINE[at..at + 19], 1, &[0xde]))),
        hostile("expanded (EXP)", with(BASELINE, at, &segment(0xdf, &[0x11]))),
        hostile("a reserved marker", with(BASELINE, at, &segment(0xf0, CANARY))),
        hostile("a lonely marker (TEM)", with(BASELINE, at, &[0xff, 0x01])),
        hostile("a frame with more bytes than it needs", {
            let long = segment(0xc0, &[&BASELINE[at + 4..at + 19], CANARY].concat());
            [&BASELINE[..at], &long, &BASELINE[at + 19..]].concat()
        }),
        hostile("a quantisation table that is not there", changed(BASELINE, at + 12, &[3])),
        hostile("a quantisation table that cannot be", changed(BASELINE, at + 12, &[200])),
        hostile("two components with one id", changed(BASELINE, at + 13, &BASELINE[at + 10..at + 11])),
    ];
    files.extend([0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf, 0xf7].map(of_kind));
    files.extend([0, 1, 12, 16, 255].map(precise));
    files.extend([0, 1, 2, 4, 5, 255].map(parts));
    files.extend([0x00, 0x01, 0x10, 0x31, 0x44, 0xff].map(sampled));
    files
}

fn tables() -> Vec<Hostile> {
    let (huffman, quantisation) = (find(BASELINE, |kind| kind == DHT), find(BASELINE, |kind| kind == DQT));
    let put = |name: &str, table: Vec<u8>| hostile(name, with(BASELINE, frame(BASELINE), &table));
    let counts = |name: &str, counts: [u8; 16]| hostile(name, changed(BASELINE, huffman + 5, &counts));
    let codes = |kind: u8, counts: [u8; 16], values: &[u8]| segment(DHT, &[&[kind], &counts[..], values].concat());
    let mut overfull = [0; 16];
    overfull[0] = 3;
    vec![
        counts("no codes", [0; 16]),
        counts("more codes than there can be", [255; 16]),
        counts("more codes than fit", overfull),
        put("codes that overlap", codes(0, overfull, &[1, 2, 3])),
        put("a table of codes that cannot be", codes(0x2f, [0; 16], b"")),
        put("256 codes of 16 bits", codes(0x10, [&[0; 15][..], &[255]].concat().try_into().expect("16"), &[7; 255])),
        put("codes with more bytes than they need", codes(0, [0; 16], CANARY)),
        put("an empty table of codes", segment(DHT, b"")),
        put("an empty quantisation table", segment(DQT, b"")),
        put("a short quantisation table", segment(DQT, &[0, 1, 2, 3])),
        put("a quantisation table that cannot be", segment(DQT, &[&[0xff][..], &[1; 128]].concat())),
        put("a quantisation table of 16 bits", segment(DQT, &[&[0x10][..], &[1; 128]].concat())),
        put("quantisation by zero", segment(DQT, &[&[0][..], &[0; 64]].concat())),
        put("a quantisation table with more bytes than it needs", segment(DQT, &[&[0][..], &[1; 64], CANARY].concat())),
        put("a thousand tables", segment(DQT, &[&[0][..], &[1; 64]].concat()).repeat(1000)),
        put("a restart interval of nothing", segment(0xdd, b"")),
        put("a restart interval of zero", segment(0xdd, &[0, 0])),
        put("a restart interval of one without restarts", segment(0xdd, &[0, 1])),
        put("a restart interval with more bytes than it needs", segment(0xdd, &canary(&[0, 0]))),
        hostile("no quantisation tables", without(BASELINE, DQT)),
        hostile("no tables of codes", without(BASELINE, DHT)),
        hostile("quantisation tables twice", with(BASELINE, quantisation, &BASELINE[quantisation..quantisation + 69])),
    ]
}

fn scans() -> Vec<Hostile> {
    let at = find(BASELINE, |kind| kind == SOS);
    let data = at + 2 + usize::from(u16::from_be_bytes([BASELINE[at + 2], BASELINE[at + 3]]));
    let filled = |name: &str, bytes: &[u8]| {
        let length = BASELINE.len() - 2 - data;
        hostile(name, [&BASELINE[..data], &bytes.repeat(length / bytes.len()), &EOI].concat())
    };
    let restart = RESTARTS.windows(2).rposition(|pair| pair[0] == 0xff && (0xd0..=0xd7).contains(&pair[1])).expect("it has restarts");
    let first = find(PROGRESSIVE, |kind| kind == SOS);
    let header = |bytes: [u8; 3]| changed(PROGRESSIVE, first + 4 + 1 + 2 * usize::from(PROGRESSIVE[first + 4]), &bytes);
    vec![
        filled("a scan of zeros", &[0]),
        filled("a scan of ones", &[0xff, 0]),
        filled("a scan of restarts", &[0xff, 0xd0]),
        hostile("no scan", [&BASELINE[..at], &EOI].concat()),
        hostile("a scan before the frame", with(BASELINE, frame(BASELINE), &BASELINE[at..data])),
        hostile("two scans", with(BASELINE, BASELINE.len() - 2, &BASELINE[at..BASELINE.len() - 2])),
        hostile("a scan of no component", changed(BASELINE, at + 4, &[0])),
        hostile("a scan of a component that is not there", changed(BASELINE, at + 5, &[77])),
        hostile("a scan with codes that are not there", changed(BASELINE, at + 6, &[0x33])),
        hostile("a scan with more bytes in its header than it needs", {
            [&BASELINE[..at], &segment(SOS, &[&BASELINE[at + 4..data], CANARY].concat()), &BASELINE[data..]].concat()
        }),
        hostile("restarts in the wrong order", changed(RESTARTS, restart, &[0xff, 0xd5])),
        hostile("a restart nobody asked for", with(BASELINE, data + 10, &[0xff, 0xd3])),
        hostile("a marker in the scan", with(BASELINE, data + 10, &segment(0xfe, CANARY))),
        hostile("a spectral band the wrong way round", header([63, 1, 0])),
        hostile("a spectral band that cannot be", header([0, 255, 0])),
        hostile("bits that cannot be", header([0, 0, 0xff])),
        hostile("fill bytes behind the scan", with(BASELINE, BASELINE.len() - 2, &[0xff; 100])),
        hostile("a hundred thousand idle scans", idle_scans(1600, 2 * 1024 * 1024)),
        hostile("as many of a small picture", idle_scans(8, 2 * 1024 * 1024)),
        hostile("fifty idle scans", idle_scans(1600, 6000)),
    ]
}

/// A gray progressive picture in which nothing is drawn again and again: 16 bytes of each scan ask for a walk over the whole picture.
fn idle_scans(side: u16, size: usize) -> Vec<u8> {
    let blocks = (usize::from(side) / 8).pow(2);
    let one_code = |kind: u8, value: u8| segment(DHT, &[&[kind, 1][..], &[0; 15], &[value]].concat());
    let frame = [&[8][..], &side.to_be_bytes(), &side.to_be_bytes(), &[1, 1, 0x11, 0]].concat();
    let head = [
        &SOI[..],
        &segment(DQT, &[&[0][..], &[1; 64]].concat()),
        &segment(0xc2, &frame),
        // "No difference" in one bit; "nothing more in the next 16,384 blocks and as many as 14 bits say" in 15.
        &one_code(0x00, 0),
        &one_code(0x10, 0xe0),
        &segment(SOS, &[1, 1, 0, 0, 0, 0]),
        &vec![0; blocks.div_ceil(8)],
    ]
    .concat();
    let scan = [&segment(SOS, &[1, 1, 0, 1, 63, 0])[..], &vec![0; blocks.div_ceil(16384) * 2]].concat();
    [&head[..], &scan.repeat((size - head.len() - 2) / scan.len()), &EOI].concat()
}

fn lengths() -> Vec<Hostile> {
    let length = |length: u16| {
        hostile(format!("a segment of length {length}"), with(BASELINE, 2, &[&[0xff, 0xe1], &length.to_be_bytes()[..]].concat()))
    };
    let mut files: Vec<_> = [0, 1, 2, 3, 65535].map(length).into();
    let mut frame_length = |length: u16| {
        let bytes = changed(BASELINE, frame(BASELINE) + 2, &length.to_be_bytes());
        files.push(hostile(format!("a frame of length {length}"), bytes));
    };
    for n in [0, 2, 7, 8, 16, 18, 65535] {
        frame_length(n);
    }
    files
}
