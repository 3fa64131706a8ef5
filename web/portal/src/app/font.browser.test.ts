import { expect, test } from 'vitest'
import '@shared/ui/tokens.css'
import { showFont } from './font.ts'

showFont()

const SIZE = 100

/** Ink in the middle of a zero, and how wide it is. */
async function zero(weight: number, family: string): Promise<{ isSlashed: boolean; width: number }> {
  const font = `${weight} ${SIZE}px ${family}`
  await document.fonts.load(font, '0')
  const context = new OffscreenCanvas(SIZE, SIZE).getContext('2d')
  if (!context) throw new Error('no canvas')
  context.font = font
  context.textBaseline = 'alphabetic'
  const { width } = context.measureText('0')
  context.fillText('0', 0, SIZE)
  // Half as high as a figure, which is two thirds of the size.
  const [, , , alpha] = context.getImageData(Math.round(width / 2), SIZE - SIZE / 3, 1, 1).data
  return { isSlashed: alpha === 255, width }
}

const family = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)

test.each([400, 700])(
  'with weight %d a figure has a plain zero, an identifier a slashed one as wide',
  async (weight) => {
    const figure = await zero(weight, family('--zw-font'))
    const identifier = await zero(weight, family('--zw-font-identifier'))
    expect([figure.isSlashed, identifier.isSlashed]).toEqual([false, true])
    expect(figure.width).toBeCloseTo(identifier.width, 1)
  },
)
