//! A tenant's icons for home screens, made of its logo.

use std::collections::BTreeMap;
use std::io::Cursor;

use domain::config_check::ICON_SIDES;
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use resize::{Pixel, Type, px::RGB};

/// How much of an icon's side every system leaves to see, in any shape: the diameter of the safe zone of a maskable icon (Web App Manifest).
const SAFE: f64 = 0.8;
/// White above and below the logo, as a share of the icon's side.
const MARGIN: f64 = 0.06;
const WHITE: RGB<u8> = RGB::new(255, 255, 255);

/// The reasons why a logo makes no icons.
#[derive(Debug, thiserror::Error)]
pub enum IconError {
    #[error(transparent)]
    Logo(#[from] png::DecodingError),
    #[error("the picture is too large")]
    Size,
    #[error(transparent)]
    Scaling(#[from] resize::Error),
    #[error(transparent)]
    Icon(#[from] png::EncodingError),
}

/// Pixels, row by row.
struct Picture {
    width: usize,
    pixels: Vec<RGB<u8>>,
}

impl Picture {
    fn of(color: RGB<u8>, width: usize, height: usize) -> Self {
        Self { width, pixels: vec![color; width * height] }
    }

    fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// A PNG on white.
    fn read(file: &[u8]) -> Result<Self, IconError> {
        let mut decoder = Decoder::new(Cursor::new(file));
        decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info()?;
        let mut samples = vec![0; reader.output_buffer_size().ok_or(IconError::Size)?];
        let frame = reader.next_frame(&mut samples)?;
        samples.truncate(frame.buffer_size());
        // Of a picture in grey, too, the last sample of a pixel is its opacity.
        let pixels = samples.chunks_exact(frame.color_type.samples()).map(|pixel| {
            let opacity = u32::from(pixel[pixel.len() - 1]);
            let blend = |sample: u8| u8::try_from((u32::from(sample) * opacity + 255 * (255 - opacity)) / 255).unwrap_or(u8::MAX);
            match *pixel {
                [red, green, blue, _] => RGB::new(blend(red), blend(green), blend(blue)),
                _ => RGB::new(blend(pixel[0]), blend(pixel[0]), blend(pixel[0])),
            }
        });
        Ok(Self { width: frame.width as usize, pixels: pixels.collect() })
    }

    fn scaled(&self, scale: f64) -> Result<Self, IconError> {
        let length = |length: usize| pixels(length as f64 * scale).max(1);
        let mut scaled = Self::of(WHITE, length(self.width), length(self.height()));
        resize::new(self.width, self.height(), scaled.width, scaled.height(), Pixel::RGB8, Type::Lanczos3)?
            .resize(&self.pixels, &mut scaled.pixels)?;
        Ok(scaled)
    }

    /// Puts a picture, which is not larger, in the middle of this one.
    fn put(&mut self, picture: &Self) {
        let (left, top) = ((self.width - picture.width) / 2, (self.height() - picture.height()) / 2);
        for (under, over) in self.pixels.chunks_exact_mut(self.width).skip(top).zip(picture.pixels.chunks_exact(picture.width)) {
            under[left..left + picture.width].copy_from_slice(over);
        }
    }

    fn write(&self) -> Result<Vec<u8>, IconError> {
        let side = |length: usize| u32::try_from(length).map_err(|_| IconError::Size);
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, side(self.width)?, side(self.height())?);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        let samples: Vec<u8> = self.pixels.iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
        encoder.write_header()?.write_image_data(&samples)?;
        Ok(file)
    }
}

/// The logo on a white band across the colour (`#rrggbb`), as PNG by side in pixels: logos are made for white, and wide (D-PORTAL-14).
pub fn draw(logo: &[u8], color: &str) -> Result<BTreeMap<u16, Vec<u8>>, IconError> {
    let logo = Picture::read(logo)?;
    ICON_SIDES.into_iter().map(|side| Ok((side, icon(&logo, rgb(color), side)?))).collect()
}

fn icon(logo: &Picture, color: RGB<u8>, side: u16) -> Result<Vec<u8>, IconError> {
    let whole = f64::from(side);
    let fitted = logo.scaled(SAFE * whole / (logo.width as f64).hypot(logo.height() as f64))?;
    let side = usize::from(side);
    let mut icon = Picture::of(color, side, side);
    icon.put(&Picture::of(WHITE, side, fitted.height() + 2 * pixels(MARGIN * whole)));
    icon.put(&fitted);
    icon.write()
}

/// A length of at most a few hundred pixels.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn pixels(length: f64) -> usize {
    length.round() as usize
}

/// The colour, which was checked with the rest of the config; black otherwise.
fn rgb(color: &str) -> RGB<u8> {
    let number = u32::from_str_radix(color.trim_start_matches('#'), 16).unwrap_or_default();
    let [_, red, green, blue] = number.to_be_bytes();
    RGB::new(red, green, blue)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn png(width: u32, height: u32, color: ColorType, pixel: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, width, height);
        encoder.set_color(color);
        encoder.set_depth(BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(&pixel.repeat((width * height) as usize)).unwrap();
        file
    }

    #[test]
    fn the_logo_lies_within_the_safe_zone_on_white_across_the_colour() {
        for (width, height) in [(508, 144), (144, 508), (200, 200), (48, 48)] {
            for (side, bytes) in draw(&png(width, height, ColorType::Rgba, &[255, 0, 0, 255]), "#14523a").unwrap() {
                let icon = Picture::read(&bytes).unwrap();
                let side = usize::from(side);
                assert_eq!((icon.width, icon.height()), (side, side));
                let at = |x: usize, y: usize| icon.pixels[y * side + x];
                assert_eq!(at(side / 2, side / 2), RGB::new(255, 0, 0));
                assert_eq!(at(0, 0), RGB::new(0x14, 0x52, 0x3a));
                assert_eq!(at(0, side / 2), WHITE);
                let from_middle = |at: usize| (at as f64 + 0.5 - side as f64 / 2.0).abs();
                let is_logo = |(_, pixel): &(usize, &RGB<u8>)| pixel.r > 128 && pixel.g < 128;
                let logo = icon.pixels.iter().enumerate().filter(is_logo);
                let farthest = logo.map(|(at, _)| from_middle(at % side).hypot(from_middle(at / side)));
                assert!(farthest.fold(0.0, f64::max) <= side as f64 * SAFE / 2.0 + 1.0, "{width} x {height}");
            }
        }
    }

    #[test]
    fn what_is_transparent_is_white() {
        for (color, pixel) in [(ColorType::Rgba, &[0, 0, 0, 0][..]), (ColorType::GrayscaleAlpha, &[0, 0])] {
            let icons = draw(&png(300, 100, color, pixel), "#14523a").unwrap();
            let icon = Picture::read(&icons[&192]).unwrap();
            assert_eq!(icon.pixels[96 * 192 + 96], WHITE);
        }
    }

    #[test]
    fn a_logo_in_grey_without_opacity_stays_grey() {
        let icons = draw(&png(300, 100, ColorType::Grayscale, &[0x40]), "#14523a").unwrap();
        let icon = Picture::read(&icons[&192]).unwrap();
        assert_eq!(icon.pixels[96 * 192 + 96], RGB::new(0x40, 0x40, 0x40));
    }

    #[test]
    fn a_picture_that_is_broken_is_an_error() {
        let mut broken = png(300, 100, ColorType::Rgba, &[0, 0, 0, 255]);
        let end = broken.len() - 20;
        broken[end] ^= 0xff;
        assert!(draw(&broken, "#14523a").is_err());
    }
}
