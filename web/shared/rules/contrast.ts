/** Contrast of colours. The twin of `contrast_to_white` in `functions/domain/src/config_check.rs`. */

/** Least contrast of a tenant's colour to the white text on it (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5

const channel = (hex: string): number => {
  const share = Number.parseInt(hex, 16) / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Contrast of white to `#rrggbb` after WCAG 2.2 (1 to 21); nothing where it is no such colour. */
export function contrastToWhite(color: string): number | undefined {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? []
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return 1.05 / (0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue) + 0.05)
}
