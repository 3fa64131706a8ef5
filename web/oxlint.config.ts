import { defineConfig, type OxlintConfig } from 'oxlint'
import { applicationOf, layers, rootOf } from './build/layers.ts'

/** How sources of a layer's application name its files. */
const named = (layer: string) =>
  applicationOf(layer) === 'shared' ? `@${layer}/**` : rootOf(layer).replace(/^[^/]+\/src/, '@') + '/**'

/** The rows that a layer does not see, as far as its sources could name them. */
const above = (layer: string, row: number) => {
  const seen = [applicationOf(layer), 'shared']
  // Each application calls its own sources `@`.
  return layers.slice(row).filter((upper) => seen[0] === 'shared' || seen.includes(applicationOf(upper)))
}

/** What a layer must not import: itself by its long name, what is above it, and other folders by a relative path. */
const zones: OxlintConfig['overrides'] = layers.map((layer, row) => ({
  files: [`${rootOf(layer)}/**`],
  excludeFiles: ['**/*.test.*'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: [...above(layer, row).map((upper) => named(rootOf(upper))), '../*/**', '../../**'],
            message: 'See the table of layers in web/README.md.',
          },
        ],
      },
    ],
  },
}))

export default defineConfig({
  plugins: ['typescript', 'react', 'jsx-a11y', 'unicorn', 'import', 'oxc', 'promise'],
  options: { typeAware: true },
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': 'error',
    // What is longer is a component that does more than lay out: a hook is missing.
    'max-lines-per-function': ['error', { max: 150 }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': [
      'error',
      {
        checksVoidReturn: false,
      },
    ],
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/react-in-jsx-scope': 'off',
    'import/no-unassigned-import': 'off',
    'react/incompatible-library': 'off',
    'oxc/no-map-spread': 'off',
    'typescript/require-array-sort-compare': 'off',
    'consistent-return': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'typescript/consistent-return': 'off',
    'no-await-in-loop': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'import/no-named-as-default-member': 'off',
    'no-shadow': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
  },
  overrides: [
    ...zones,
    { files: ['**/*.test.*', '*/tests/**'], rules: { 'max-lines-per-function': 'off' } },
    // Scripts that are served as they are: old browsers want a name there.
    { files: ['*/public/**'], rules: { 'no-unused-vars': ['error', { caughtErrors: 'none' }] } },
  ],
  ignorePatterns: ['*/dist', 'stubs', 'shared/contract/schema.d.ts'],
})
