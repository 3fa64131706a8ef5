import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { withValues } from './amplify-css.ts'
import { STYLE_PROPS } from './amplify-theme.ts'
import { unusedVariations } from './theme.ts'

const modules = join(dirname(createRequire(import.meta.url).resolve('@aws-amplify/ui-react/styles.css')), '../../..')
const { ComponentPropsToStylePropsMap: styleProps } = (await import(pathToFileURL(modules + STYLE_PROPS).href)) as {
  ComponentPropsToStylePropsMap: Record<string, string>
}

/** Amplify's elements in the sources, as far as their own props reach: `<Button variation="primary" …`. */
const elements = globSync(['{portal,desk}/src/**/*.tsx', 'shared/**/*.tsx'], { cwd: join(import.meta.dirname, '..') })
  .map((file) => ({ file, source: readFileSync(join(import.meta.dirname, '..', file), 'utf8') }))
  .flatMap(({ file, source }) => {
    const [, names = ''] = /import \{([^}]+)\} from '@aws-amplify\/ui-react'/.exec(source) ?? []
    const ours = new Set(names.split(',').map((name) => name.trim()))
    return source
      .split(/<(?=[A-Za-z])/)
      .filter((part) => ours.has(/^\w+/.exec(part)?.[0] ?? ''))
      .map((part) => ({ file, props: [...part.matchAll(/\s(\w+)=/g)].map(([, name = '']) => name), part }))
  })

test('Amplify’s elements are found', () => {
  expect(elements.length).toBeGreaterThan(100)
  expect(styleProps).toHaveProperty('gap')
})

test('none of them has a prop that gives a look: the build knows none', () => {
  expect(elements.filter(({ props }) => props.some((name) => name in styleProps))).toEqual([])
})

test('none of them has a variation whose rules are left out', () => {
  const unused = new Set(['colorTheme', 'isDeterminate', 'isTruncated'])
  expect(elements.filter(({ props }) => props.some((name) => unused.has(name)))).toEqual([])
  expect(
    elements.filter(({ part }) => /variation=(?:["']|\{.*["'])(?:menu|warning|quiet|linear)["']/.test(part)),
  ).toEqual([])
  expect('.amplify-button--primary').not.toMatch(unusedVariations)
  expect('.amplify-button--primary--error:hover').toMatch(unusedVariations)
})

describe('tokens', () => {
  const tokens = new Map([
    ['--amplify-colour', 'var(--zw-ink)'],
    ['--amplify-label', 'var(--amplify-colour)'],
    ['--amplify-space', '1rem'],
  ])
  const rules = (css: string) => withValues(css, tokens).replaceAll(/\s+/g, ' ')

  test('are their values', () => {
    expect(rules('.a { color: var(--amplify-label); gap: var( --amplify-space ); }')).toBe(
      ':root { } .a { color: var(--zw-ink); gap: 1rem; }',
    )
  })

  test('stay where a rule gives them another one, and what the theme derives from them does not follow', () => {
    expect(
      rules('.a { --amplify-colour: red; } .b { color: var(--amplify-colour); fill: var(--amplify-label); }'),
    ).toBe(
      ':root { --amplify-colour: var(--zw-ink); } .a { --amplify-colour: red; } .b { color: var(--amplify-colour); fill: var(--zw-ink); }',
    )
  })

  test('go where a rule gives them the value that they have', () => {
    expect(rules('.a { --amplify-label: var(--amplify-colour); } .b { color: var(--amplify-label); }')).toBe(
      ':root { } .a { } .b { color: var(--zw-ink); }',
    )
  })
})
