import { encodeQR } from 'qr'
import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { type Picture, withMoreContrast } from './contrast.ts'

const LINK = 'https://zaehlerstand.example/m/annaSommer417Lindenweg12'

/** The link's code, eight pixels a module, in two shades of grey. */
function printed(dark: number, bright: number): Picture {
  const modules = encodeQR(LINK, 'raw', { border: 4 })
  const side = modules.length * 8
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (let pixel = 0; pixel < side * side; pixel += 1) {
    const isDark = modules[Math.floor(pixel / side / 8)]?.[Math.floor((pixel % side) / 8)]
    data.fill(isDark ? dark : bright, pixel * 4, pixel * 4 + 3)
  }
  return { width: side, height: side, data }
}

test('a faint print is read at the second attempt only', () => {
  const picture = printed(118, 130)
  expect(() => decodeQR(picture)).toThrow()
  expect(decodeQR(withMoreContrast(picture))).toBe(LINK)
})

test('a good print stays one, and one even shade does not matter', () => {
  expect(decodeQR(withMoreContrast(printed(0, 255)))).toBe(LINK)
  expect(withMoreContrast({ width: 2, height: 2, data: new Uint8ClampedArray(16).fill(90) }).data).toHaveLength(4)
})
