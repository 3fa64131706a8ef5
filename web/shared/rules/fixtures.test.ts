/** The golden cases of `functions/domain/fixtures`, which the Rust rules run too: both sides give the same answers. */
import { describe, expect, test } from 'vitest'
import { canonical, fixtures, rules } from './golden.ts'

test('there are golden cases', () => {
  expect(fixtures.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(480)
})

describe.each(fixtures)('$title', ({ rule, cases }) => {
  test.each(cases)('$name', ({ input, expect: expected }) => {
    expect(canonical(rules[rule]?.(input as never))).toEqual(canonical(expected))
  })
})
