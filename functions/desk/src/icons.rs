//! A tenant's icons for home screens, made of its logo.

use std::collections::BTreeMap;
use std::io::Cursor;

use domain::config_check::ICON_SIDES;
use image::imageops::{self, FilterType};
use image::{ImageError, ImageFormat, ImageReader, Rgb, RgbImage};

/// How much of an icon's side every system leaves to see, whatever shape it cuts: the diameter of the safe zone of a maskable icon (Web App Manifest).
const SAFE: f64 = 0.8;
/// White above and below the logo, as a share of the icon's side.
const MARGIN: f64 = 0.06;
const WHITE: Rgb<u8> = Rgb([255; 3]);

/// The logo on a white band across the colour (`#rrggbb`), as PNG by side in pixels: logos are made for white, and wide (D-PORTAL-14).
pub fn draw(logo: &[u8], color: &str) -> Result<BTreeMap<u16, Vec<u8>>, ImageError> {
    let drawn = ImageReader::with_format(Cursor::new(logo), ImageFormat::Png).decode()?.into_rgba8();
    let mut flat = RgbImage::from_pixel(drawn.width(), drawn.height(), WHITE);
    for (under, over) in flat.pixels_mut().zip(drawn.pixels()) {
        let [red, green, blue, alpha] = over.0;
        let blend = |channel: u8| (u32::from(channel) * u32::from(alpha) + 255 * (255 - u32::from(alpha))) / 255;
        *under = Rgb([red, green, blue].map(|channel| u8::try_from(blend(channel)).unwrap_or(u8::MAX)));
    }
    ICON_SIDES.into_iter().map(|side| Ok((side, icon(&flat, rgb(color), side)?))).collect()
}

fn icon(logo: &RgbImage, color: Rgb<u8>, side: u16) -> Result<Vec<u8>, ImageError> {
    let whole = f64::from(side);
    let scale = SAFE * whole / f64::from(logo.width()).hypot(f64::from(logo.height()));
    let scaled = |length: u32| pixels(f64::from(length) * scale).max(1);
    let fitted = imageops::resize(logo, scaled(logo.width()), scaled(logo.height()), FilterType::Lanczos3);
    let side = u32::from(side);
    let mut icon = RgbImage::from_pixel(side, side, color);
    let band = RgbImage::from_pixel(side, fitted.height() + 2 * pixels(MARGIN * whole), WHITE);
    for picture in [&band, &fitted] {
        let middle = |length: u32| i64::from(side - length) / 2;
        imageops::replace(&mut icon, picture, middle(picture.width()), middle(picture.height()));
    }
    let mut png = Cursor::new(Vec::new());
    icon.write_to(&mut png, ImageFormat::Png)?;
    Ok(png.into_inner())
}

/// A length of at most a few hundred pixels.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn pixels(length: f64) -> u32 {
    length.round() as u32
}

/// The colour, which was checked with the rest of the config; black otherwise.
fn rgb(color: &str) -> Rgb<u8> {
    let number = u32::from_str_radix(color.trim_start_matches('#'), 16).unwrap_or_default();
    let [_, red, green, blue] = number.to_be_bytes();
    Rgb([red, green, blue])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use image::{Rgba, RgbaImage};

    use super::*;

    fn png(width: u32, height: u32, pixel: [u8; 4]) -> Vec<u8> {
        let mut png = Cursor::new(Vec::new());
        RgbaImage::from_pixel(width, height, Rgba(pixel)).write_to(&mut png, ImageFormat::Png).unwrap();
        png.into_inner()
    }

    #[test]
    fn the_logo_lies_within_the_safe_zone_on_white_across_the_colour() {
        for (width, height) in [(508, 144), (144, 508), (200, 200), (48, 48)] {
            for (side, bytes) in draw(&png(width, height, [255, 0, 0, 255]), "#14523a").unwrap() {
                let icon = image::load_from_memory(&bytes).unwrap().into_rgb8();
                let side = u32::from(side);
                assert_eq!(icon.dimensions(), (side, side));
                assert_eq!(icon.get_pixel(side / 2, side / 2), &Rgb([255, 0, 0]));
                assert_eq!(icon.get_pixel(0, 0), &Rgb([0x14, 0x52, 0x3a]));
                assert_eq!(icon.get_pixel(0, side / 2), &WHITE);
                let is_logo = |(_, _, pixel): &(u32, u32, &Rgb<u8>)| pixel.0[0] > 128 && pixel.0[1] < 128;
                let from_middle = |at: u32| (f64::from(at) + 0.5 - f64::from(side) / 2.0).abs();
                let farthest = icon.enumerate_pixels().filter(is_logo).map(|(x, y, _)| from_middle(x).hypot(from_middle(y)));
                assert!(farthest.fold(0.0, f64::max) <= f64::from(side) * SAFE / 2.0 + 1.0, "{width} x {height}");
            }
        }
    }

    #[test]
    fn what_is_transparent_is_white() {
        let icons = draw(&png(300, 100, [0, 0, 0, 0]), "#14523a").unwrap();
        let icon = image::load_from_memory(&icons[&192]).unwrap().into_rgb8();
        assert_eq!(icon.get_pixel(96, 96), &WHITE);
    }

    #[test]
    fn a_picture_that_is_broken_is_an_error() {
        let mut broken = png(300, 100, [0, 0, 0, 255]);
        let end = broken.len() - 20;
        broken[end] ^= 0xff;
        assert!(draw(&broken, "#14523a").is_err());
    }
}
