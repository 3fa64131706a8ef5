import { expect, test } from 'vitest'
import { linkToken } from './link.ts'

test.each([
  ['https://zaehlerstand.example/m/annaSommer417Lindenweg12', 'annaSommer417Lindenweg12'],
  [' https://zaehlerstand.example/m/annaSommer417Lindenweg12/\n', 'annaSommer417Lindenweg12'],
  ['/m/a.b_c~d-e', 'a.b_c~d-e'],
])('%s leads to a login', (link, token) => {
  expect(linkToken(link)).toBe(token)
})

test.each([
  '',
  'annaSommer417Lindenweg12',
  'https://zaehlerstand.example/m/',
  'https://zaehlerstand.example/m/token/more',
  'https://zaehlerstand.example/m/token?ref=letter',
  'https://zaehlerstand.example/am/token',
  'WIFI:S:guest;T:WPA;P:secret;;',
])('%s does not', (text) => {
  expect(linkToken(text)).toBeUndefined()
})
