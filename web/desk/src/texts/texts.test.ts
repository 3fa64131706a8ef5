import { expect, test } from 'vitest'
import { DESK_CODES } from '@shared/api/desk-codes.ts'
import type { Texts } from '@shared/i18n/i18n.ts'
import deFormal from './de-FORMAL/desk.json'

const files = import.meta.glob<Texts>('./*/*.json', { eager: true, import: 'default' })
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!**/*.test.*'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

const areas = Object.keys(files).flatMap((path) => /^\.\/de-FORMAL\/(\w+)\.json$/.exec(path)?.[1] ?? [])

function flat(texts: Texts, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  )
}

const textsOf = (language: string, area: string) => new Map(flat(files[`./${language}/${area}.json`] ?? {}))
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()

test.each(areas)('the texts of %s are complete in English', (area) => {
  const german = textsOf('de-FORMAL', area)
  const english = textsOf('en-FORMAL', area)
  expect([...english.keys()].toSorted()).toEqual([...german.keys()].toSorted())
  for (const [key, text] of english) {
    expect(text.trim(), key).not.toBe('')
    if (!/_(zero|one)$/.test(key)) expect(placeholders(text), key).toEqual(placeholders(german.get(key) ?? ''))
  }
})

test('every problem that only the desk meets has a text', () => {
  expect(Object.keys(deFormal.problem).toSorted()).toEqual(DESK_CODES.toSorted())
})

test('no text is unused', () => {
  const code = Object.values(sources).join('\n')
  const dynamic = [...code.matchAll(/`([\w.]+(?:\$\{[^`}]*\}[\w.]*)+)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`),
  )
  const isUsed = (key: string) => {
    const base = key.replace(/_(zero|one|other)$/, '')
    return code.includes(`'${base}'`) || dynamic.some((template) => template.test(base))
  }
  const unused = areas.flatMap((area) =>
    [...textsOf('de-FORMAL', area).keys()].filter((key) => !isUsed(key)).map((key) => `${area}: ${key}`),
  )
  expect(unused).toEqual([])
})
