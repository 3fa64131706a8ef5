import { describe, expect, test } from 'vitest'
import {
  back,
  change,
  type Digits,
  EMPTY,
  type Entry,
  isSeparator,
  replace,
  type Step,
  separate,
  valueOf,
} from './entry.ts'

/** Types key by key at the end of the active part; `<` is Backspace. */
function type(keys: string, digits: Digits, start: Entry = EMPTY): Step {
  let step: Step = { entry: start }
  for (const key of keys) {
    const { entry } = step
    const part = digits.post > 0 ? entry.part : 'pre'
    if (isSeparator(key)) step = { entry: separate(entry) }
    else if (key === '<' && entry.part === 'post' && (entry.post === '' || digits.post === 0))
      step = { entry: back(entry) }
    else if (key === '<') step = change(entry, part, entry[part].slice(0, -1), digits)
    else step = change(entry, part, entry[part] + key, digits)
  }
  return step
}

const SIX_THREE = { pre: 6, post: 3 }
const SIX = { pre: 6, post: 0 }

describe('keys', () => {
  test.each([
    ['1234', SIX_THREE, '1234'],
    ['1,5', SIX_THREE, '1.5'],
    ['1.5', SIX_THREE, '1.5'],
    ['1٫5', SIX_THREE, '1.5'],
    ['00123,450', SIX_THREE, '00123.450'],
    [',5', SIX_THREE, '0.5'],
    ['1,,5', SIX_THREE, '1.5'],
    ['1234567', SIX_THREE, '123456'],
    ['1,2345', SIX_THREE, '1.234'],
    ['12,<3', SIX_THREE, '123'],
    ['12,3<<4', SIX_THREE, '124'],
    ['1,5', SIX, '1'],
    ['1,<5', SIX, '15'],
    ['1a2', SIX, '12'],
    ['', SIX, undefined],
    ['1<', SIX, undefined],
  ])('%s in %o is %s', (keys, digits, value) => {
    expect(valueOf(type(keys, digits).entry)).toBe(value)
  })

  test.each([
    ['1234567', SIX, 'full'],
    ['1,2345', SIX_THREE, 'full'],
    ['1,5', SIX, 'noFraction'],
    ['1a', SIX, 'notDigits'],
  ] as const)('%s is answered with %o %s', (keys, digits, refusal) => {
    expect(type(keys, digits).refusal).toBe(refusal)
  })
})

describe('a phone keyboard that only reports the text afterwards', () => {
  test('a trailing comma jumps', () => {
    expect(change({ pre: '12', post: '', part: 'pre' }, 'pre', '12,', SIX_THREE)).toEqual({
      entry: { pre: '12', post: '', part: 'post' },
    })
  })
  test('a whole value at once is read as one', () => {
    expect(valueOf(change(EMPTY, 'pre', '1,5', SIX_THREE).entry)).toBe('1.5')
  })
})

describe('paste', () => {
  test.each([
    ['1.234,5', SIX_THREE, '1234.5'],
    ['1,234.5', SIX_THREE, '1234.5'],
    [' 1 234,5 kWh ', SIX_THREE, '1234.5'],
    ["12'345.6", SIX_THREE, '12345.6'],
    ['12.345.678', { pre: 8, post: 3 }, '12345678'],
    ['Stand: 4711 m3', SIX_THREE, '4711'],
    ['1.234', SIX_THREE, '1.234'],
    ['0,123', SIX, '0'],
    ['12345,67', SIX, '12345'],
    ['000001234', SIX, '1234'],
  ])('%s in %o is %s', (text, digits, value) => {
    expect(valueOf(replace(EMPTY, text, digits).entry)).toBe(value)
  })

  const typed: Entry = { pre: '7', post: '', part: 'pre' }
  test.each([
    ['1.234', SIX, 'ambiguous'],
    ['1.234', { pre: 6, post: 1 }, 'ambiguous'],
    ['1,2,3', SIX_THREE, 'ambiguous'],
    ['1.2.3,4', SIX_THREE, 'ambiguous'],
    ['1.234,5,6', SIX_THREE, 'ambiguous'],
    ['-5', SIX, 'notDigits'],
    ['1e5', SIX, 'notDigits'],
    ['abc', SIX, 'notDigits'],
    ['', SIX, 'notDigits'],
    ['1234567', SIX, 'full'],
    ['1,2345', SIX_THREE, 'full'],
  ] as const)('%s in %o is refused: %s, and what was typed stays', (text, digits, refusal) => {
    expect(replace(typed, text, digits)).toEqual({ entry: typed, refusal })
  })
})
