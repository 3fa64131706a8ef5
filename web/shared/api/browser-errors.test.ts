import { afterEach, expect, test, vi } from 'vitest'
import type { BrowserError } from '@shared/contract/types.ts'
import { reporter } from './browser-errors.ts'
import { ApiError } from './client.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const PLACE = 'https://portal.example/assets/start-Ab_1.js:1:2345'

afterEach(() => vi.unstubAllGlobals())

/** What is told of an error with this stack, in this browser, at this address. */
async function told(error: unknown, agent = CHROME, pathname = '/'): Promise<BrowserError[]> {
  vi.stubGlobal('location', { origin: 'https://portal.example', pathname })
  vi.stubGlobal('navigator', { userAgent: agent })
  vi.stubGlobal('document', { querySelector: () => ({ content: '0123456789ab' }) })
  const bodies: BrowserError[] = []
  const patterns = ['/', '/ablesung/neu', '/ablesung/:jobId?', '/t/:tenant/*?']
  await reporter({ patterns, mayTell: () => true, tell: async (body) => bodies.push(body) })({ error } as ErrorEvent)
  return bodies
}

const thrown = (stack: string, message = '', name = 'TypeError') => Object.assign(new Error(message), { name, stack })

test.each([
  ['Chrome', `TypeError: Anna\n    at f (${PLACE})\n    at async https://portal.example/assets/b.js:2:3`],
  ['Firefox and Safari', `f@${PLACE}\nasync*@https://portal.example/assets/b.js:2:3\n`],
])('places of our own files are read as %s writes them', async (_, stack) => {
  expect((await told(thrown(stack, 'Anna')))[0]?.stack).toEqual(['start-Ab_1.js:1:2345', 'b.js:2:3'])
})

test.each([
  ['an extension', thrown('TypeError: x\n    at chrome-extension://abc/assets/start.js:1:2')],
  ['another site', thrown('TypeError: x\n    at https://elsewhere.example/assets/start.js:1:2')],
  ['a message that names one of our files', thrown(`TypeError: ${PLACE}`, PLACE)],
  ['a style sheet that was lost', thrown(PLACE, 'Unable to preload CSS for https://portal.example/assets/sharing.css')],
  ['the network', Object.assign(new ApiError('unreachable'), { stack: PLACE })],
  ['no error', 'Anna Sommer'],
  ['nothing', undefined],
])('%s is not told', async (_, error) => {
  expect(await told(error)).toEqual([])
})

test('of a class nobody knows the name is not told, of a React error its number is', async () => {
  const [told1] = await told(
    thrown(PLACE, 'Minified React error #310; visit https://react.dev/errors/310', 'Anna Sommer'),
  )
  expect(told1).toMatchObject({ name: 'Other', reactError: 310 })
})

test.each([
  ['/', '/'],
  ['/ablesung/neu', '/ablesung/neu'],
  ['/ablesung', '/ablesung/:jobId?'],
  ['/ablesung/4711/', '/ablesung/:jobId?'],
  ['/t/birkenfurt/customers/4711', '/t/:tenant/*?'],
  ['/m/annaSommer417', '/*'],
])('%s is told as %s', async (pathname, page) => {
  expect((await told(thrown(PLACE), CHROME, pathname))[0]?.page).toBe(page)
})

test.each([
  ['chrome', 131, CHROME],
  ['edge', 131, `${CHROME} Edg/131.0.0.0`],
  ['samsung', 27, CHROME.replace('Chrome/', 'SamsungBrowser/27.0 Chrome/')],
  ['firefox', 115, 'Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0'],
  [
    'safari',
    18,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  ],
  ['other', 0, 'Anna Sommer'],
])('a browser is told as %s %i', async (browser, browserVersion, agent) => {
  expect((await told(thrown(PLACE), agent))[0]).toMatchObject({ browser, browserVersion })
})
