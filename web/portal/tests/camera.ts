/** A camera that Chromium plays from a file: a still picture of a QR code. */
import { writeFileSync } from 'node:fs'
import { encodeQR } from 'qr'
import { withCamera } from '../../build/chromium.ts'
import { test as base } from './portal.ts'

const WIDTH = 640
const HEIGHT = 480
const MODULE = 8

interface Shown {
  text: string
  /** Brightness of the print and of the paper, 0 to 255. */
  dark: number
  bright: number
}

interface Fixtures {
  /** What the camera sees; undefined: there is no camera. */
  camera: Shown | undefined
  /** Whether the browser may use it. */
  isCameraAllowed: boolean
}

/** A browser at the portal, with a camera. */
export const test = base.extend<Fixtures>({
  camera: [undefined, { option: true }],
  isCameraAllowed: [true, { option: true }],
  context: async ({ playwright, camera, isCameraAllowed, baseURL, locale, timezoneId }, run, testInfo) => {
    const args = [...(withCamera.args ?? [])]
    if (camera) {
      const path = testInfo.outputPath('camera.y4m')
      writeFileSync(path, video(camera))
      args.push('--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${path}`)
    }
    const browser = await playwright.chromium.launch({ ...withCamera, args })
    const context = await browser.newContext({ baseURL, locale, timezoneId } as Parameters<
      typeof browser.newContext
    >[0])
    if (isCameraAllowed) await context.grantPermissions(['camera'])
    await run(context)
    await browser.close()
  },
})

/** One picture, uncompressed (YUV4MPEG2, as Chromium reads it). */
function video({ text, dark, bright }: Shown): Buffer {
  const modules = encodeQR(text, 'raw', { border: 4 })
  const left = (WIDTH - modules.length * MODULE) / 2
  const top = (HEIGHT - modules.length * MODULE) / 2
  const brightness = Buffer.alloc(WIDTH * HEIGHT, bright)
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      if (modules[Math.floor((y - top) / MODULE)]?.[Math.floor((x - left) / MODULE)]) brightness[y * WIDTH + x] = dark
    }
  }
  const grey = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`),
    brightness,
    grey,
  ])
}
