import type { CDPSession, Page } from '@playwright/test'

/** Its screen. */
export const PHONE = { viewport: { width: 412, height: 823 } } as const

/** A cheap phone on a slow network: a quarter of this machine's processor, 150 ms and 1.6 Mbit/s. */
export async function slowDown(page: Page, { network }: { network: boolean }): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.enable')
  if (network) {
    const conditions = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
    await session.send('Network.emulateNetworkConditions', conditions)
  }
  return session
}

/** What the page has noted since it was opened; times in milliseconds. */
export interface Noted {
  /** When the largest thing was painted. */
  largest: number
  /** Beginning and length of what held everything up for more than 50 ms. */
  tasks: { at: number; length: number }[]
  /** From a key or click to the next paint, the longest of all. */
  interaction: number
  /** Between two frames. */
  frames: number[]
}

declare global {
  interface Window {
    noted: Noted
  }
}

/** Lets every page note what it does. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: Noted = { largest: 0, tasks: [], interaction: 0, frames: [] }
    window.noted = noted
    const note = (type: string, add: (entry: PerformanceEntry) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true, ...more })
    note('largest-contentful-paint', ({ startTime }) => {
      noted.largest = startTime
    })
    note('longtask', ({ startTime, duration }) => noted.tasks.push({ at: startTime, length: duration }))
    note(
      'event',
      (entry) => {
        const isInteraction = 'interactionId' in entry && Boolean(entry.interactionId)
        if (isInteraction) noted.interaction = Math.max(noted.interaction, entry.duration)
      },
      { durationThreshold: 16 },
    )
    let last = 0
    const frame = (now: number) => {
      if (last) noted.frames.push(now - last)
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

export const noted = (page: Page): Promise<Noted> => page.evaluate(() => window.noted)

/** Forgets what a page has noted. */
export const forget = (page: Page): Promise<void> =>
  page.evaluate(() => Object.assign(window.noted, { tasks: [], interaction: 0, frames: [] }) && undefined)

/** What stood in the way of a reader in all: of each long task what is beyond 50 ms. */
export const blocked = ({ tasks }: Noted): number => tasks.reduce((sum, { length }) => sum + length - 50, 0)

export const longest = ({ tasks }: Noted): number => Math.max(0, ...tasks.map(({ length }) => length))

/** The value in the middle, or at another place of the order. */
export function quantile(values: number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
