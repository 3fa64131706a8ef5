/**
 * Amplify UI's styles as one static file: its theming component writes a `<style>` element, which the content security
 * policy forbids, and its stylesheet carries every component in every variation and 1,600 custom properties.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const styles = join(dirname(require.resolve('@aws-amplify/ui-react/styles.css')), 'styles')
const createTheme = join(
  dirname(require.resolve('@aws-amplify/ui/package.json')),
  'dist/esm/theme/createTheme/createTheme.mjs',
)

const MODULE = 'virtual:amplify.css'
const FILE = '/virtual/amplify.css'

interface Options {
  /** Names of the stylesheets in `@aws-amplify/ui-react/styles`. */
  components: string[]
  /** Selectors of variations that no application uses. */
  unused: RegExp
  /** The argument of Amplify's `createTheme`. */
  theme: { name: string }
}

/** Serves `virtual:amplify.css` and keeps the component tokens out of the script. */
export function amplifyCss(options: Options): Plugin[] {
  return [
    {
      name: 'amplify-css',
      resolveId: (id) => (id === MODULE ? FILE : undefined),
      load: async (id) => (id === FILE ? stylesheet(options) : undefined),
    },
    {
      // The primitives read tokens for their style props only, and those name none of a component's own.
      name: 'amplify-without-component-tokens',
      enforce: 'pre',
      load: (id) =>
        id.endsWith('@aws-amplify/ui/dist/esm/theme/tokens/components/index.mjs')
          ? 'export const components = {}'
          : undefined,
    },
  ]
}

async function stylesheet({ components, unused, theme }: Options): Promise<string> {
  const built = (await import(pathToFileURL(createTheme).href)) as {
    createTheme: (theme: object) => { cssText: string }
  }
  const { cssText } = built.createTheme(theme)
  const tokens = new Map<string, string>()
  for (const [, name, value] of cssText.matchAll(/(--amplify-[\w-]+):\s*([^;]+);/g)) {
    if (name && value) tokens.set(name, value.trim())
  }

  return withValues(withoutRules(inOfficialOrder(components).join('\n'), unused), tokens)
}

const COMMENT = /\/\*.*?\*\//gs
/** A rule without rules in it: its selectors and its declarations. */
const RULE = /([^{}]+)\{([^{}]*)\}/g
const DECLARATION = /(--amplify-[\w-]+):\s*([^;]+);/g
const REFERENCE = /var\(\s*(--amplify-[\w-]+)\s*\)/g

/** Leaves out what applies to nothing. */
const withoutRules = (css: string, unused: RegExp): string =>
  css
    .replaceAll(COMMENT, '')
    .replaceAll(RULE, (rule, selectors: string) => (selectors.split(',').every((one) => unused.test(one)) ? '' : rule))

/**
 * Puts values in the place of tokens. A token stays only where a rule gives it another value than the theme does; what the theme derives
 * from it is derived at the root, as it is in Amplify's own theme.
 */
export function withValues(css: string, tokens: ReadonlyMap<string, string>): string {
  const atRoot = (value: string): string =>
    value.replaceAll(REFERENCE, (reference, name: string) => {
      const token = tokens.get(name)
      return token === undefined ? reference : atRoot(token)
    })
  const rooted = (name: string) => atRoot(tokens.get(name) ?? '')
  const declared = [...css.matchAll(DECLARATION)].filter(([, name = '']) => tokens.has(name))
  const changed = new Set<string>()
  for (let before = -1; before < changed.size; ) {
    before = changed.size
    for (const [, name = '', value = ''] of declared) {
      const isDerived = [...value.matchAll(REFERENCE)].some(([, other = '']) => changed.has(other))
      if (isDerived || atRoot(value.trim()) !== rooted(name)) changed.add(name)
    }
  }
  const rules = css
    .replaceAll(DECLARATION, (declaration, name: string) => (tokens.has(name) && !changed.has(name) ? '' : declaration))
    .replaceAll(REFERENCE, (reference, name: string) =>
      tokens.has(name) && !changed.has(name) ? rooted(name) : reference,
    )
  const kept = [...changed].map((name) => `${name}: ${rooted(name)};`)
  return `:root {\n${kept.join('\n')}\n}\n${rules}`
}

/** The bundle's order is part of its cascade: `flex` must not come after `fieldGroup`. */
function inOfficialOrder(components: string[]): string[] {
  const bundle = readFileSync(join(styles, '../styles.css'), 'utf8')
  return components
    .map((name) => readFileSync(join(styles, `${name}.css`), 'utf8').trim())
    .map((css) => ({ css, position: bundle.indexOf(css) }))
    .toSorted((a, b) => a.position - b.position)
    .map(({ css }) => css)
}
