import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const workflow = read('.github/workflows/deploy.yml')
const settings = [...new Set(read('infra/stage.ts').match(/ZAEHLWERK_[A-Z_]+/g))].sort()

it('the workflow runs actions by their commit, and has no key of the account', () => {
  const uses = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
  expect(uses.length).toBeGreaterThan(0)
  for (const action of uses) expect(action).toMatch(/@[0-9a-f]{40}$/)
  expect(workflow).not.toContain('secrets.')
  expect(workflow).toContain('id-token: write')
})

it('the workflow passes every setting on, and the manual explains it', () => {
  expect(settings).toHaveLength(12)
  const manual = read('docs/operations.md')
  for (const name of settings) {
    expect(workflow).toContain(`${name}: \${{ vars.${name} }}`)
    expect(manual).toMatch(new RegExp(`^ *\\|.*\`${name}\`.*\\|$`, 'm'))
  }
})
