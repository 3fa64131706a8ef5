import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { describe, expect, test } from 'vitest'
import { apisAboveFloor, stylesAboveFloor } from './above-floor.ts'
import { floor } from './floor.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

describe('in scripts', () => {
  test.each([
    ['a static member', 'Map.groupBy(a, b)', 'Map.groupBy'],
    ['one whose name another object has at the floor', 'AbortSignal.any([a, b])', 'AbortSignal.any'],
    ['a method', 'menu.showPopover()', 'showPopover'],
    ['a method behind a question mark', 'a?.isWellFormed()', 'isWellFormed'],
    ['a global', 'new URLPattern(a)', 'URLPattern'],
  ])('%s above the floor is found', (_, script, name) => {
    expect(apisAboveFloor(script)).toContain(name)
  })

  test('what is at the floor is not', () => {
    expect(
      apisAboveFloor('[2].toSorted().at(0); Promise.any([]); navigator.locks; new CompressionStream("gzip")'),
    ).toEqual([])
  })

  test.each(['a = /[\\p{L}--[a-z]]/v', 'using file = open()'])('the syntax of %s is refused', (script) => {
    expect(() => apisAboveFloor(script)).toThrow(SyntaxError)
  })
})

test.each([
  ['a{text-wrap:balance}', ['text-wrap']],
  ['[popover]:popover-open{color:red}', ['popover-open']],
  ['@starting-style{a{color:red}}', ['starting-style']],
  ['@media (width>=1px){a:focus-visible{inset:0;color:color-mix(in oklab,red,#000)}}', []],
  ['a:hover{color:highlight;outline:2px solid}', []],
  ['a{content:"text-wrap:";background:url(data:text-wrap:)}', []],
])('of %s, %j is above the floor', (css, names) => {
  expect(stylesAboveFloor(css)).toEqual(names)
})

test('people are told the floor that is held', () => {
  const { chrome, firefox, safari } = floor
  expect(read('../../README.md')).toContain(`Safari ${safari}, Firefox ${firefox} and Chrome ${chrome}`)
  const script = read('../portal/public/browser.js')
  for (const version of [`Safari ${safari}`, `Firefox ${firefox}`, `Chrome ${chrome}`]) {
    expect(script.split(version)).toHaveLength(3)
  }
})

test('a browser that is too old can read what tells it so', () => {
  expect(() => parse(read('../portal/public/browser.js'), { ecmaVersion: 5 })).not.toThrow()
})
