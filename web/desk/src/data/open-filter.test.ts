import { expect, test } from 'vitest'
import { filterOf, isSameFilter, paramsOf } from './open-filter.ts'

test('what an address says is the same filter once it went to the API and back', () => {
  const values = {
    season: '2026',
    meterType: 'GAS_METER',
    district: '990',
    inDistrict: 'Nord',
    overdue: 'true',
    email: 'false',
  }
  const filter = filterOf(values)
  expect(filter).toEqual({
    season: '2026',
    meterTypes: ['GAS_METER'],
    district: '990',
    inDistrict: 'Nord',
    overdue: true,
    email: false,
  })
  expect(
    new URLSearchParams(Object.entries(paramsOf(filter)).map(([name, value]) => [name, String(value)])).toString(),
  ).toBe(new URLSearchParams(values).toString())
  expect(isSameFilter(filter, { email: false, overdue: true, ...filter })).toBe(true)
  expect(isSameFilter(filter, { ...filter, email: null })).toBe(false)
  expect(isSameFilter({ overdue: false }, {})).toBe(true)
})

test('a filter that wants everything is none that nobody chose', () => {
  expect(isSameFilter({}, undefined)).toBe(false)
  expect(isSameFilter(null, undefined)).toBe(true)
  expect(filterOf({ meterType: 'STEAM' })).toEqual({})
})
