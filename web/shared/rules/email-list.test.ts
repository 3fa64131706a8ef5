import { expect, test } from 'vitest'
import { splitEmails } from './email-list.ts'

test('addresses are separated by blanks, lines, commas and semicolons', () => {
  const { valid, invalid } = splitEmails('  a@example.org b@example.org,c@example.org;\nd@example.org ,, ')
  expect(valid).toEqual(['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org'])
  expect(invalid).toEqual([])
})

test('who is named twice gets one mail', () => {
  expect(splitEmails('Uwe@example.org uwe@EXAMPLE.org').valid).toEqual(['Uwe@example.org'])
})

test('what is no address is told apart', () => {
  expect(splitEmails('uwe@example.org uwe@ @example.org').invalid).toEqual(['uwe@', '@example.org'])
  expect(splitEmails(' \n ')).toEqual({ valid: [], invalid: [] })
})
