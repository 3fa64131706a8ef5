import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

const KIB = 1024

/**
 * Lets nothing come but the files of the first screen of those who log in or follow a link, so that one that needs more never appears. Answers
 * with how many of a kind came from then on, and with what they weigh in KiB, gzipped.
 */
export async function onlyFirstScreen(page: Page, way: 'login' | 'link') {
  const first = new RegExp(`/assets/(?:early|index|rolldown-runtime|${way}|texts-[\\w-]+)-[\\w-]{8}\\.(?:js|css)$`)
  const come: Promise<{ type: string; size: number }>[] = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (new URL(response.url()).pathname.startsWith('/assets/'))
      come.push(
        response.body().then(
          (body) => ({ type, size: gzipSync(body).length / KIB }),
          // The page was closed meanwhile.
          () => ({ type, size: Number.NaN }),
        ),
      )
  })
  await page.route(
    (url) => /^\/assets\/.*\.(?:js|css)$/.test(url.pathname) && !first.test(url.pathname),
    // They stay on their way.
    () => undefined,
  )
  return async (type: 'script' | 'stylesheet') => {
    const sizes = (await Promise.all(come)).filter((file) => file.type === type).map(({ size }) => size)
    return { number: sizes.length, size: sizes.reduce((sum, size) => sum + size, 0) }
  }
}
