import { withMoreContrast } from './contrast.ts'

/** Reads the QR code that a video shows at this moment; undefined when there is none, or none that can be read. */
export type Detect = (video: HTMLVideoElement) => Promise<string | undefined>

/** The part of the Barcode Detection API that is used; TypeScript does not know it. */
interface NativeDetector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>
}

interface NativeDetectors {
  new (options: { formats: string[] }): NativeDetector
  getSupportedFormats: () => Promise<string[]>
}

/** Pictures are read at this many pixels a side: more costs time and does not find more. */
const LONGEST_SIDE = 960

/** The browser's own detector, else a decoder that is fetched now. */
export async function createDetector(): Promise<Detect> {
  return (await nativeDetector()) ?? fetchedDetector()
}

async function nativeDetector(): Promise<Detect | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeDetectors }
  if (!BarcodeDetector) return undefined
  // Chromium has the interface on systems without a detector behind it.
  const formats = await BarcodeDetector.getSupportedFormats().catch((): string[] => [])
  if (!formats.includes('qr_code')) return undefined
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  return async (video) => (await detector.detect(video))[0]?.rawValue
}

async function fetchedDetector(): Promise<Detect> {
  const { decodeQR } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const read = (picture: Parameters<typeof decodeQR>[0]): string | undefined => {
    try {
      return decodeQR(picture)
    } catch {
      return undefined
    }
  }
  return async (video) => {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight))
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    if (!context || canvas.width === 0) return undefined
    context.drawImage(video, 0, 0, canvas.width, canvas.height)
    const picture = context.getImageData(0, 0, canvas.width, canvas.height)
    return read(picture) ?? read(withMoreContrast(picture))
  }
}
