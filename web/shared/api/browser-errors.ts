/** What is told of an uncaught error: its class and its places in our own files, and nothing that was typed (D-OPERATIONS-11). */
import type { BrowserError } from '@shared/contract/types.ts'
import { ApiError, FOREIGN, UNREACHABLE } from './client.ts'
import type { Report, Uncaught } from './watch-errors.ts'

/** Most that a page tells in its life. */
const MOST = 5
/** Most places of an error. */
const PLACES = 8

const NAMES: ReadonlySet<string> = new Set<BrowserError['name']>([
  'Error',
  'AggregateError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'ApiError',
  'DataCloneError',
  'InvalidStateError',
  'NotAllowedError',
  'NotFoundError',
  'NotSupportedError',
  'QuotaExceededError',
  'SecurityError',
  'TransactionInactiveError',
])

/** Each calls itself what those behind it are called, too. */
const BROWSERS: [RegExp, BrowserError['browser']][] = [
  [/Edg(?:e|A|iOS)?\/(\d+)/, 'edge'],
  [/OPR\/(\d+)/, 'opera'],
  [/SamsungBrowser\/(\d+)/, 'samsung'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'chrome'],
  [/Version\/(\d+).*Safari/, 'safari'],
]

/** What a page knows of itself. */
export interface Page {
  /** Addresses of its screens as the router matches them, the first that fits counts. */
  patterns: readonly string[]
  /** Whether it makes sense to tell anything now. */
  mayTell: () => boolean
  /** Tells the API. */
  tell: (body: BrowserError) => Promise<unknown>
}

/** What tells of a page's errors, each once. An error that has no place in our own files is an extension's or the network's. */
export function reporter({ patterns, mayTell, tell }: Page): Report {
  const told = new Set<string>()
  return async (uncaught) => {
    const error = describe(uncaught, patterns)
    const name = error && `${error.name} ${error.stack.join(' ')}`
    if (!name || told.size === MOST || told.has(name) || !mayTell()) return
    told.add(name)
    // What goes wrong in telling is not told.
    await tell(error).catch(() => undefined)
  }
}

function describe(uncaught: Uncaught, patterns: readonly string[]): BrowserError | undefined {
  const isThrown = 'error' in uncaught
  const thrown: unknown = isThrown ? uncaught.error : uncaught.reason
  if (!(thrown instanceof Error) || isNetwork(thrown)) return undefined
  const stack = places(thrown)
  if (stack.length === 0) return undefined
  const { pathname } = location
  const [, react] = /^Minified React error #(\d{1,4})\b/.exec(thrown.message) ?? []
  return {
    kind: isThrown ? 'error' : 'rejection',
    name: NAMES.has(thrown.name) ? (thrown.name as BrowserError['name']) : 'Other',
    ...(react && { reactError: Number(react) }),
    stack,
    page: patterns.find((pattern) => fits(pattern, pathname)) ?? '/*',
    version: document.querySelector<HTMLMetaElement>('meta[name=version]')?.content ?? 'development',
    ...browser(navigator.userAgent),
  }
}

/** Of a network that is gone everybody is told elsewhere. */
function isNetwork(error: Error): boolean {
  return error instanceof ApiError
    ? [UNREACHABLE, FOREIGN].includes(error.code)
    : // Vite's word for a style sheet that did not come.
      error.message.startsWith('Unable to preload CSS')
}

/** The places in our own files: all browsers write them as `…/assets/file.js:line:column`. */
function places({ message, stack = '' }: Error): string[] {
  // Some begin with the message, which may be of anything.
  const calls = stack.replace(message, '').split(`${location.origin}/assets/`).slice(1)
  return calls.flatMap((call) => /^[\w.-]{1,80}\.js:\d{1,7}:\d{1,7}/.exec(call)?.[0] ?? []).slice(0, PLACES)
}

/** Whether the router shows this address by that pattern: `:name`, `:name?` and `*?` are for what differs. */
function fits(pattern: string, pathname: string): boolean {
  const form = pattern
    .replace(/\/:\w+\?/g, '(?:/[^/]+)?')
    .replace(/\/:\w+/g, '/[^/]+')
    .replace(/\/\*\?$/, '(?:/.*)?')
  return new RegExp(`^${form}/?$`).test(pathname)
}

function browser(agent: string): Pick<BrowserError, 'browser' | 'browserVersion'> {
  for (const [form, family] of BROWSERS) {
    const [, version] = form.exec(agent) ?? []
    if (version) return { browser: family, browserVersion: Math.min(Number(version), 9999) }
  }
  return { browser: 'other', browserVersion: 0 }
}
