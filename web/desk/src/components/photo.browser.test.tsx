import { SWRConfig } from 'swr'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Photo as Shown } from './photo.tsx'

const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
const LOST = 'data:image/gif;base64,AAAA'
const of = (url: string, minutes: number) => ({ url, expiresAt: new Date(Date.now() + minutes * 60_000).toISOString() })

const server = {
  /** The photo's addresses, one after the other. */
  addresses: [] as { url: string; expiresAt: string }[],
  asked: 0,
}

const realFetch = globalThis.fetch
let Photo: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!new URL(request.url).pathname.includes('/photos/')) return realFetch(request)
    server.asked += 1
    return Response.json(server.addresses.shift())
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['parts'])
  ;({ Photo } = await import('./photo.tsx'))
})

beforeEach(() => {
  Object.assign(server, { addresses: [], asked: 0 })
})

const KEY = '@"photo","birkenfurt","j1","r1","i1",'

/** Shows a photo; `kept` is what an earlier look has left. */
const show = (kept?: { url: string; expiresAt: string }) =>
  render(
    <SWRConfig
      value={{
        provider: () => new Map(kept ? [[KEY, { data: kept }]] : []),
        revalidateOnFocus: false,
        shouldRetryOnError: false,
      }}
    >
      <Photo tenant="birkenfurt" job="j1" reading="r1" image="i1" label="Foto 1" />
    </SWRConfig>,
  )

const photo = page.getByRole('img', { name: 'Foto 1' })
const isThere = () => expect.poll(() => (photo.query() as HTMLImageElement | null)?.naturalWidth).toBe(1)

test('a photo is shown once more by another address than that of an earlier look', async () => {
  server.addresses = [of(PICTURE, 5)]
  await show(of(LOST, -1))
  await isThere()
  expect(server.asked).toBe(1)
})

test('another address is asked for once where a photo does not come', async () => {
  server.addresses = [of(LOST, 5), of(PICTURE, 5)]
  await show()
  await isThere()
  expect(server.asked).toBe(2)
})

test('whoever does not get a photo can try again', async () => {
  server.addresses = [of(LOST, 5), of(LOST, 5), of(PICTURE, 5)]
  await show()
  await expect.element(page.getByText(/gerade nicht zu laden/)).toBeVisible()
  expect(server.asked).toBe(2)
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await isThere()
})

const box = (element: Element) => element.getBoundingClientRect()

test('an enlarged photo is moved by keys to each of its corners, and is whole when it is turned', async () => {
  server.addresses = [of(PICTURE, 5)]
  await show()
  await isThere()
  const frame = document.querySelector('.photo__frame') as HTMLElement
  const enlarge = (label: string) => page.getByRole('button', { name: `${label}: Foto 1`, exact: true }).click()
  await enlarge('Vergrößern auf 2-fach')
  await enlarge('Vergrößern auf 4-fach')
  // The middle stays in the middle.
  expect(Math.abs(frame.scrollLeft + frame.clientWidth / 2 - frame.scrollWidth / 2)).toBeLessThan(2)
  await expect.element(page.getByRole('group', { name: 'Ausschnitt: Foto 1' })).toBeVisible()
  frame.focus()
  const before = frame.scrollLeft
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(() => frame.scrollLeft).toBeLessThan(before)
  frame.scrollTo(0, 0)
  expect(box(photo.element()).left).toBeGreaterThanOrEqual(box(frame).left - 1)
  expect(box(photo.element()).top).toBeGreaterThanOrEqual(box(frame).top - 1)
  frame.scrollTo(frame.scrollWidth, frame.scrollHeight)
  expect(box(photo.element()).right).toBeLessThanOrEqual(box(frame).right + 1)
  expect(box(photo.element()).bottom).toBeLessThanOrEqual(box(frame).bottom + 1)

  await enlarge('Ganz zeigen')
  await page.getByRole('button', { name: /^Drehen/ }).click()
  for (const side of ['left', 'right', 'top', 'bottom'] as const)
    expect(Math.abs(box(photo.element())[side] - box(frame)[side])).toBeLessThan(1)
})
