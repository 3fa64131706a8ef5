import { expect, test } from 'vitest'
import { prepare } from '@shared/photos/prepare.ts'
import { resize } from '@shared/photos/resize.ts'

/** A picture whose left half is red and whose right half is blue. */
async function picture(width: number, height: number, type = 'image/jpeg'): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = '#f00'
  context.fillRect(0, 0, width / 2, height)
  context.fillStyle = '#00f'
  context.fillRect(width / 2, 0, width / 2, height)
  return canvas.convertToBlob({ type, quality: 0.9 })
}

/** The JPEG with an Exif segment that says how the camera was held; 6: turn it clockwise to see it upright. */
async function withOrientation(jpeg: Blob, orientation: number): Promise<Blob> {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  const exif = [...new TextEncoder().encode('Exif\0\0'), ...tiff]
  const segment = new Uint8Array([0xff, 0xe1, 0, exif.length + 2, ...exif])
  return new Blob([jpeg.slice(0, 2), segment, jpeg.slice(2)], { type: 'image/jpeg' })
}

async function taken(file: Blob, how = prepare) {
  const resized = await how(file)
  if ('fault' in resized) throw new Error(`refused: ${resized.fault}`)
  const image = await createImageBitmap(resized.photo)
  const canvas = new OffscreenCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.drawImage(image, 0, 0)
  const colorAt = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0] = context.getImageData(x, y, 1, 1).data
    return red > 200 && green > 200 && blue > 200 ? 'white' : red > blue ? 'red' : 'blue'
  }
  return { ...resized, image, colorAt, bytes: new Uint8Array(await resized.photo.arrayBuffer()) }
}

test('a large photo becomes a JPEG of at most 1600 px', async () => {
  const { image, photo, width, height } = await taken(await picture(4000, 1000))
  expect([image.width, image.height, width, height]).toEqual([1600, 400, 1600, 400])
  expect(photo.type).toBe('image/jpeg')
})

test('a small photo keeps its size', async () => {
  const { image } = await taken(await picture(300, 200))
  expect([image.width, image.height]).toEqual([300, 200])
})

test('a photo from a camera held sideways stands upright, and says nothing more about the camera', async () => {
  const sideways = await withOrientation(await picture(2000, 1000), 6)
  const { image, colorAt, bytes } = await taken(sideways)
  expect([image.width, image.height]).toEqual([800, 1600])
  expect([colorAt(400, 100), colorAt(400, 1500)]).toEqual(['red', 'blue'])
  expect(new TextDecoder('latin1').decode(bytes)).not.toContain('Exif')
})

test('what is transparent becomes white', async () => {
  const canvas = new OffscreenCanvas(200, 200)
  canvas.getContext('2d')
  const { photo, colorAt } = await taken(await canvas.convertToBlob({ type: 'image/png' }))
  expect(photo.type).toBe('image/jpeg')
  expect(colorAt(100, 100)).toBe('white')
})

test('the main thread does the same where a worker cannot draw', async () => {
  const { image } = await taken(await picture(4000, 1000, 'image/png'), resize)
  expect([image.width, image.height]).toEqual([1600, 400])
})

test('the work is done in a worker', async () => {
  await prepare(await picture(200, 200))
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  expect(loaded.some((name) => name.includes('resize.worker'))).toBe(true)
})

test('several photos at once do not get mixed up', async () => {
  const sizes = [400, 800, 1200]
  const photos = await Promise.all(sizes.map(async (size) => taken(await picture(size, 200))))
  expect(photos.map(({ width }) => width)).toEqual(sizes)
})

test.each([
  ['a text', new Blob(['not a picture'], { type: 'image/jpeg' }), 'notAnImage'],
  ['an empty file', new Blob([]), 'notAnImage'],
])('%s is refused', async (_, file, fault) => {
  expect(await prepare(file)).toEqual({ fault })
})

/** The first box of a file, as Apple's devices write it. */
const ftyp = (main: string, ...others: string[]) =>
  new Blob([
    new Uint8Array([0, 0, 0, 16 + 4 * others.length]),
    `ftyp${main}`,
    new Uint8Array(4),
    others.join(''),
    'mdat heic',
  ])

test.each([
  ['of an iPhone', ftyp('heic', 'mif1', 'MiHE', 'heic'), 'heic'],
  ['of an iPhone, with ten bits', ftyp('heix'), 'heic'],
  ['that says only that it is HEIF', ftyp('mif1', 'heic'), 'heic'],
  ['in AVIF that is broken', ftyp('avif', 'mif1', 'miaf'), 'notAnImage'],
  ['that is a film', ftyp('isom', 'mp41'), 'notAnImage'],
])('a file %s is refused by its name', async (_, file, fault) => {
  expect(await prepare(file)).toEqual({ fault })
})

test('a JPEG that ends in its header is refused', async () => {
  const whole = await picture(1000, 1000)
  expect(await prepare(whole.slice(0, 200))).toEqual({ fault: 'notAnImage' })
})

test('a picture on which nothing can be read is refused', async () => {
  expect(await prepare(await picture(2000, 100))).toEqual({ fault: 'tooSmall' })
})
