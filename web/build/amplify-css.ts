/**
 * Amplify UI's styles as one static file: its theming component writes a `<style>` element, which the content security
 * policy forbids, and its stylesheet carries every component and 1,600 custom properties of which we use a tenth.
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

/** Property groups that style props such as `gap="large"` name at run time, so that no stylesheet mentions them. */
const ALWAYS = /^--amplify-(space|font-sizes|font-weights|radii|line-heights|colors-(font|background|border))-/

interface Options {
  /** Names of the stylesheets in `@aws-amplify/ui-react/styles`. */
  components: string[]
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

async function stylesheet({ components, theme }: Options): Promise<string> {
  const built = (await import(pathToFileURL(createTheme).href)) as {
    createTheme: (theme: object) => { cssText: string }
  }
  const { cssText } = built.createTheme(theme)
  const tokens = new Map<string, string>()
  for (const [, name, value] of cssText.matchAll(/(--amplify-[\w-]+):\s*([^;]+);/g)) {
    if (name && value) tokens.set(name, value.trim())
  }

  const rules = inOfficialOrder(components).join('\n')
  const kept = reachable(rules, tokens)
  const lines = [...tokens].filter(([name]) => kept.has(name)).map(([name, value]) => `${name}: ${value};`)
  return `:root {\n${lines.join('\n')}\n}\n${rules}`
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

/** Names of the tokens that the rules use, directly or through another token. */
function reachable(rules: string, tokens: Map<string, string>): Set<string> {
  const found = new Set<string>()
  const visit = (css: string) => {
    for (const [, name] of css.matchAll(/var\(\s*(--amplify-[\w-]+)/g)) {
      if (!name || found.has(name)) continue
      found.add(name)
      visit(tokens.get(name) ?? '')
    }
  }
  visit(rules)
  for (const [name, value] of tokens) {
    if (!ALWAYS.test(name)) continue
    found.add(name)
    visit(value)
  }
  return found
}
