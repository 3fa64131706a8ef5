import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { formatMoment } from '@shared/i18n/format.ts'
import { changeLanguage, currentLanguage, loadTexts, startTexts as startFrom, translate } from '@shared/i18n/i18n.ts'
import { startTexts } from './texts.ts'

beforeAll(() =>
  startTexts({
    language: 'de-FORMAL',
    overlay: {
      'de-FORMAL': {
        'login.title': 'Unser Titel',
        'common.footer.imprint': 'Anbieter',
        'home.intro': 'Unsere Einleitung',
      },
      'nl-FORMAL': { 'login.title': 'Meterstand doorgeven' },
    },
  }),
)

beforeEach(() => changeLanguage('de-FORMAL'))
afterEach(() => vi.useRealTimers())

test("the tenant's texts go before ours, also inside of groups", () => {
  expect(translate('common')('title', { area: 'login' })).toBe('Unser Titel')
  expect(translate('common')('footer.imprint')).toBe('Anbieter')
  expect(translate('common')('footer.privacy')).toBe('Datenschutz')
})

test('texts of an area that is loaded later have them, too', async () => {
  await loadTexts(['home'])
  expect(translate('common')('intro', { area: 'home' })).toBe('Unsere Einleitung')
})

test('another language has its own texts and its own lang', async () => {
  await changeLanguage('en-FORMAL')
  expect(currentLanguage()).toBe('en-FORMAL')
  expect(document.documentElement.lang).toBe('en')
  expect(translate('common')('title', { area: 'login' })).toBe('Submit your meter reading')
})

test('a moment is written as all days are, and without its day if that is today', async () => {
  await changeLanguage('en-FORMAL')
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 27, 9) })
  expect(formatMoment(new Date(2031, 10, 27).getTime())).toBe('27.11.2031, 00:00')
  expect(formatMoment(new Date().setHours(14, 5))).toBe('14:05')
})

test('a language that the tenant brings shows German where the tenant has no text', async () => {
  await changeLanguage('nl-FORMAL')
  expect(currentLanguage()).toBe('nl-FORMAL')
  expect(document.documentElement.lang).toBe('nl')
  expect(translate('common')('title', { area: 'login' })).toBe('Meterstand doorgeven')
  expect(translate('common')('submit', { area: 'login' })).toBe('Anmelden')
})

test('plurals follow the count', async () => {
  await loadTexts(['jobs'])
  const found = (count: number) => translate('common')('found', { area: 'jobs', count, search: 'x' })
  expect([found(0), found(1), found(2)]).toEqual([
    'Kein Zähler zu „x“ gefunden',
    '1 Zähler gefunden',
    '2 Zähler gefunden',
  ])
})

test('a text that differs for what is fed in does, with its plural or without', async () => {
  await loadTexts(['reading'])
  const t = translate('reading')
  const higher = (context?: 'feedIn') => t('finding.CONTINUITY_LOWER', { count: 5, context })
  expect(higher('feedIn')).toContain('Einspeisung')
  expect(higher()).not.toContain('Einspeisung')
  expect(t('finding.DECIMALS_EXACT', { count: 2, context: 'feedIn' })).toBe('Bitte exakt 2 Nachkommastellen angeben.')
})

test('of two languages that were chosen one after the other, the last is shown', async () => {
  const first = changeLanguage('en-FORMAL')
  await changeLanguage('de-FORMAL')
  await first
  expect(currentLanguage()).toBe('de-FORMAL')
})

test('a file that does not come is asked for again, and without it the language stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let asked = 0
  const lost = async () => {
    asked += 1
    await Promise.reject(new TypeError('Failed to fetch'))
    return {}
  }
  await startFrom({ files: { './it-FORMAL/common.json': lost }, areas: [], language: 'de-FORMAL', overlay: {} })
  const changed = changeLanguage('it-FORMAL')
  await vi.advanceTimersByTimeAsync(60_000)
  await changed
  expect(asked).toBe(5)
  expect(currentLanguage()).toBe('de-FORMAL')
})
