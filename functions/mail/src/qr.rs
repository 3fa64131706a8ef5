//! A link as a picture for a phone's camera.

use qrcode::{Color, EcLevel, QrCode};

/// Pixels of one module's side.
const SCALE: usize = 6;
/// Modules of white around the code (ISO/IEC 18004).
const QUIET: usize = 4;

/// The reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum QrError {
    /// The text is longer than a code can hold.
    #[error("the link does not fit into a QR code: {0}")]
    TooLong(#[from] qrcode::types::QrError),
    /// The picture could not be written.
    #[error("the QR code could not be written: {0}")]
    Png(#[from] png::EncodingError),
}

/// The text as a black and white PNG.
pub(crate) fn png(text: &str) -> Result<Vec<u8>, QrError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)?;
    let modules = code.width() + 2 * QUIET;
    let side = modules * SCALE;
    let is_dark = |x: usize, y: usize| {
        let module = |at: usize| (at / SCALE).checked_sub(QUIET).filter(|module| *module < code.width());
        module(x).zip(module(y)).is_some_and(|module| code[module] == Color::Dark)
    };
    let row_bytes = side.div_ceil(8);
    let mut pixels = vec![0xff_u8; row_bytes * side];
    for (y, row) in pixels.chunks_exact_mut(row_bytes).enumerate() {
        for x in (0..side).filter(|x| is_dark(*x, y)) {
            row[x / 8] &= !(0x80 >> (x % 8));
        }
    }
    let pixel_side = u32::try_from(side).unwrap_or(u32::MAX);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixel_side, pixel_side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}
