/** What eyes can tell apart, by pictures. */
import type { Locator, Page } from '@playwright/test'

/** A picture of an element with what is drawn around it: frames that show the focus stand outside. */
export async function pictureOf(element: Locator): Promise<Buffer> {
  await element.scrollIntoViewIfNeeded()
  // What is under the mouse looks otherwise.
  await element.page().mouse.move(0, 0)
  const box = await element.boundingBox()
  if (!box) throw new Error('there is nothing to be seen of it')
  const clip = { x: Math.round(box.x) - 6, y: Math.round(box.y) - 6, width: box.width + 12, height: box.height + 12 }
  return element.page().screenshot({ clip, animations: 'disabled' })
}

/** How many points of two equally large pictures differ in brightness by at least 3 to 1, which WCAG 1.4.11 asks of a state. */
export function differingPoints(page: Page, before: Buffer, after: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async (bytes) => {
          const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }))
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          context?.drawImage(bitmap, 0, 0)
          return context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray()
        }),
      )
      if (!a || a.length !== b?.length) throw new Error('the pictures are of different sizes')
      const linear = (value = 0) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
      const luminance = (of: Uint8ClampedArray, at: number) =>
        0.2126 * linear(of[at]) + 0.7152 * linear(of[at + 1]) + 0.0722 * linear(of[at + 2])
      let count = 0
      for (let at = 0; at < a.length; at += 4) {
        const [low = 0, high = 0] = [luminance(a, at), luminance(b, at)].toSorted((x, y) => x - y)
        if ((high + 0.05) / (low + 0.05) >= 3) count += 1
      }
      return count
    },
    [[...before], [...after]],
  )
}
