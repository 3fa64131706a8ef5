import { expect, test } from 'vitest'
import { consumption } from './reading.ts'
import { billionths, cut, cutAfter, decimalText } from './value.ts'

test.each([
  ['100', '150', '50'],
  ['00123.450', '123.45', '0'],
  ['0.1', '0.3', '0.2'],
  ['999999999999999.999999999', '999999999999999.999999998', '-0.000000001'],
  ['150', '100', '-50'],
])('from %s to %s the counter moves %s', (last, value, moved) => {
  expect(consumption(last, value)).toBe(moved)
})

test.each([
  ['12.987', 0, '12'],
  ['12.987', 2, '12.98'],
  ['12.987', 9, '12.987'],
])('%s cut after %i decimals is %s', (value, decimals, cut) => {
  expect(decimalText(cutAfter(value, decimals))).toBe(cut)
})

test('the number of a value is exact', () => {
  expect(billionths('123456789012345.123456789')).toBe(123456789012345123456789n)
})

test.each([
  ['4711.123', 1, '4711.1'],
  ['4711.123', 0, '4711'],
  ['4711', 1, '4711'],
  ['4711.1', 3, '4711.1'],
])('%s with %i decimals is %s', (value, decimals, left) => {
  expect(cut(value, decimals)).toBe(left)
})
