import i18next from 'i18next'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { changeLanguage, currentLanguage, loadTexts } from '@shared/i18n/i18n.ts'
import { startTexts } from './texts.ts'

beforeAll(() =>
  startTexts({
    language: 'de-FORMAL',
    languages: ['de-FORMAL', 'en-FORMAL', 'nl-FORMAL'],
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

test("the tenant's texts go before ours, also inside of groups", () => {
  expect(i18next.t('title', { ns: 'login' })).toBe('Unser Titel')
  expect(i18next.t('footer.imprint')).toBe('Anbieter')
  expect(i18next.t('footer.privacy')).toBe('Datenschutz')
})

test('texts of an area that is loaded later have them, too', async () => {
  await loadTexts(['home'])
  expect(i18next.t('intro', { ns: 'home' })).toBe('Unsere Einleitung')
})

test('another language has its own texts and its own lang', async () => {
  await changeLanguage('en-FORMAL')
  expect(currentLanguage()).toBe('en-FORMAL')
  expect(document.documentElement.lang).toBe('en')
  expect(i18next.t('title', { ns: 'login' })).toBe('Submit your meter reading')
})

test('a language that the tenant brings shows German where the tenant has no text', async () => {
  await changeLanguage('nl-FORMAL')
  expect(currentLanguage()).toBe('nl-FORMAL')
  expect(document.documentElement.lang).toBe('nl')
  expect(i18next.t('title', { ns: 'login' })).toBe('Meterstand doorgeven')
  expect(i18next.t('submit', { ns: 'login' })).toBe('Anmelden')
})

test('plurals follow the count', async () => {
  await loadTexts(['jobs'])
  const found = (count: number) => i18next.t('found', { ns: 'jobs', count, search: 'x' })
  expect([found(0), found(1), found(2)]).toEqual([
    'Kein Zähler zu „x“ gefunden',
    '1 Zähler gefunden',
    '2 Zähler gefunden',
  ])
})
