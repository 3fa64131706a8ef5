import { expect, test, vi } from 'vitest'
import { formatAmount, formatDate, formatDayOf, formatDifference, formatInstant, withUnit } from './format.ts'

test.each([
  ['3151.6', 0, '3.151,6'],
  ['00123.450', 0, '123,450'],
  ['600', 3, '600,000'],
  ['0.05', 3, '0,050'],
  ['0', 0, '0'],
  ['-12345', 1, '\u221212.345,0'],
  // Exactly, where a floating-point number would not be.
  ['999999999999999.999999999', 0, '999.999.999.999.999,999999999'],
])('%s with at least %i decimals', (value, decimals, text) => {
  expect(formatAmount(value, decimals)).toBe(text)
})

test.each([
  ['3151.6', '+3.151,6'],
  ['-5', '\u22125,0'],
  ['0', '0,0'],
])('the difference %s has its sign', (value, text) => {
  expect(formatDifference(value, 1)).toBe(text)
})

test('a unit stays with its figure', () => {
  expect(withUnit('1', 'kWh')).toBe('1\u00A0kWh')
  expect(withUnit('1', undefined)).toBe('1')
})

test('after midnight the day is that of the reader', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const moment = '2026-07-11T23:30:00Z'
  expect([formatDayOf(moment), formatInstant(moment)]).toEqual(['12.07.2026', '12.07.2026, 01:30'])
  expect(formatDate('2026-07-11')).toBe('11.07.2026')
})
