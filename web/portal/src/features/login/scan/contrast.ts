/** A picture as a canvas gives it: four bytes a pixel. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** The share of the pixels at either end that may be lost to a reflection or to a shadow. */
const LOST = 0.02

/**
 * The picture in grey, at half the size, and with its darkest pixels black and its brightest ones white: what a decoder reads of a
 * code that was printed faintly or that lies in the dark.
 */
export function withMoreContrast(picture: Picture): Picture {
  const width = picture.width >> 1
  const height = picture.height >> 1
  const grey = halved(picture, width, height)
  const [black, white] = bounds(grey)
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  grey.forEach((value, pixel) => {
    data.fill(((value - black) * 255) / Math.max(white - black, 1), pixel * 4, pixel * 4 + 3)
  })
  return { width, height, data }
}

/** The brightness of four pixels each, which takes the camera's noise away, too. */
function halved({ width, data }: Picture, halfWidth: number, halfHeight: number): Uint8Array {
  const grey = new Uint8Array(halfWidth * halfHeight)
  const brightness = (pixel: number) =>
    0.299 * (data[pixel * 4] ?? 0) + 0.587 * (data[pixel * 4 + 1] ?? 0) + 0.114 * (data[pixel * 4 + 2] ?? 0)
  for (let y = 0; y < halfHeight; y += 1) {
    for (let x = 0; x < halfWidth; x += 1) {
      const first = 2 * y * width + 2 * x
      const sum = brightness(first) + brightness(first + 1) + brightness(first + width) + brightness(first + width + 1)
      grey[y * halfWidth + x] = sum / 4
    }
  }
  return grey
}

function bounds(grey: Uint8Array): [black: number, white: number] {
  const sorted = grey.toSorted()
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return [at(LOST), at(1 - LOST)]
}
