/**
 * Goes before the applications' font, whose zeros all have a slash: figures have plain ones (D-PORTAL-15). Made by scripts/plain_zero.py. One
 * glyph is not worth a request of its own.
 */
import file from './plain-zero.woff2?inline'

export function addPlainZero(): void {
  const bytes = Uint8Array.from(atob(file.slice(file.indexOf(',') + 1)), (letter) => letter.codePointAt(0) ?? 0)
  document.fonts.add(new FontFace('Zaehlwerk Plain Zero', bytes, { weight: '200 800', unicodeRange: 'U+30' }))
}
