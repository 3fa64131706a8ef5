/** A photo made fit for sending (L5): upright, at most 1600 px, JPEG of quality 0.75, without metadata. */

/** The longer side of a sent photo, in pixels (L9). */
export const MAX_SIDE = 1600
/** The shorter side of a picture on which a counter can still be read, in pixels. */
export const MIN_SIDE = 120
/** JPEG quality (L9). */
export const QUALITY = 0.75

/** Why a file does not become a photo. */
export type PhotoFault = 'notAnImage' | 'heic' | 'tooSmall'

/** A photo that can be sent, or why there is none. */
export type Resized =
  | { readonly photo: Blob; readonly width: number; readonly height: number }
  | { readonly fault: PhotoFault }

interface Canvas {
  getContext(kind: '2d', options: { alpha: false }): CanvasImageDrawing | null
}
type CanvasImageDrawing = Pick<
  CanvasRenderingContext2D,
  'drawImage' | 'fillRect' | 'fillStyle' | 'imageSmoothingQuality'
>

function draw(canvas: Canvas, image: ImageBitmap, width: number, height: number): void {
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('this browser has no canvas to draw on')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
}

async function encode(image: ImageBitmap, width: number, height: number): Promise<Blob> {
  if (typeof OffscreenCanvas !== 'undefined') {
    const canvas = new OffscreenCanvas(width, height)
    draw(canvas, image, width, height)
    return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  }
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  draw(canvas, image, width, height)
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (photo) => (photo ? resolve(photo) : reject(new Error('the canvas could not be encoded'))),
      'image/jpeg',
      QUALITY,
    ),
  )
}

/** Brands of HEIF that hold a picture in HEVC, or do not say in what (ISO/IEC 23008-12, B.4). */
const HEIC = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Whether the file begins as an iPhone's photos do: a box `ftyp` of the brands that it can be read as. */
async function isHeic(file: Blob): Promise<boolean> {
  const beginning = await file.slice(0, 64).arrayBuffer()
  const text = new TextDecoder('latin1').decode(beginning)
  if (text.slice(4, 8) !== 'ftyp') return false
  const end = Math.min(new DataView(beginning).getUint32(0), text.length)
  // After the main brand comes a version, then the others.
  const brands = [8, ...Array.from({ length: 12 }, (_, index) => 16 + 4 * index)]
    .filter((at) => at + 4 <= end)
    .map((at) => text.slice(at, at + 4))
  return brands.some((brand) => HEIC.has(brand)) && !brands.includes('avif')
}

/** Reads any picture that the browser can decode; runs in a worker, and on the main thread where workers cannot draw. */
export async function resize(file: Blob): Promise<Resized> {
  let image: ImageBitmap
  try {
    image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return { fault: (await isHeic(file)) ? 'heic' : 'notAnImage' }
  }
  try {
    if (Math.min(image.width, image.height) < MIN_SIDE) return { fault: 'tooSmall' }
    const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height))
    const width = Math.round(image.width * scale)
    const height = Math.round(image.height * scale)
    return { photo: await encode(image, width, height), width, height }
  } finally {
    image.close()
  }
}
