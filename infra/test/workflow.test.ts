import { readdirSync, readFileSync } from 'node:fs'
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
  expect(workflow).not.toMatch(/secrets\.|access-key/)
  expect(workflow).toContain('role-to-assume: ${{ vars.AWS_ROLE }}\n')
  expect(workflow).toContain('id-token: write')
})

it('the workflow deploys to one stage at a time, whose environment says who may', () => {
  expect(workflow).toContain('group: deploy-${{ inputs.stage }}\n  cancel-in-progress: false\n')
  expect(workflow).toContain('\n    environment: ${{ inputs.stage }}\n')
  // A stage's name is text that somebody typed: it reaches the shell as a variable only.
  for (const [, script] of workflow.matchAll(/run: ((?:.|\n {10})*)/g)) expect(script).not.toContain('${{')
  expect(workflow).toContain('persist-credentials: false')
})

it('the workflow tests and builds before it has any rights, with the tools that the manual names, and has time for it', () => {
  const steps = [
    'run: npm ci',
    'npm test --workspace infra',
    'npm run functions',
    'configure-aws-credentials@',
    'sst deploy',
  ]
  const order = steps.map((step) => workflow.indexOf(step))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order[0]).toBeGreaterThan(0)
  const tools = workflow.match(/pip install (\S+==\S+ \S+==\S+)/)?.[1]
  expect(tools).toBeDefined()
  expect(read('docs/operations.md')).toContain(`pip install ${tools}`)
  expect(workflow).toContain('--target aarch64-unknown-linux-gnu')
  // A minute of a processor for each binary, two processors, and as much again for what others wrote; then a certificate and a distribution.
  const minutes = Number(/timeout-minutes: (\d+)/.exec(workflow)?.[1])
  const binaries = ['api', 'workers'].flatMap((name) => readdirSync(path.join(root, `functions/lambdas/src/${name}`)))
  expect(minutes).toBeGreaterThanOrEqual(binaries.length + 75)
})

it('the workflow passes every setting on, and the manual explains it', () => {
  expect(settings).toHaveLength(12)
  const manual = read('docs/operations.md')
  for (const name of settings) {
    expect(workflow).toContain(`${name}: \${{ vars.${name} }}`)
    expect(manual).toMatch(new RegExp(`^ *\\|.*\`${name}\`.*\\|$`, 'm'))
  }
})
