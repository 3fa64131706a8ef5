import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const workflow = read('.github/workflows/deploy.yml')
const workflows = readdirSync(path.join(root, '.github/workflows')).map(
  (file) => [file, read(`.github/workflows/${file}`)] as const,
)
const settings = [...new Set(read('infra/stage.ts').match(/ZAEHLWERK_[A-Z_]+/g))].sort()

it.each(workflows)('%s runs actions by their commit, and has no right but those that it names', (file, text) => {
  const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
  expect(uses.length).toBeGreaterThan(0)
  for (const action of uses) expect(action).toMatch(/@[0-9a-f]{40}$|^\.\/\.github\/workflows\/check\.yml$/)
  expect(text).toContain('\npermissions:\n  contents: read\n')
  const rights = [...text.matchAll(/^ +([a-z-]+: write)$/gm)].map(([, right]) => right)
  expect(rights).toEqual({ 'deploy.yml': ['id-token: write'], 'release.yml': ['contents: write'] }[file] ?? [])
  expect(text).not.toMatch(/secrets\.|access-key/)
  // A stage's name, a tag and a branch are text that a person typed: it reaches the shell as a variable only.
  for (const [, script] of text.matchAll(/run: ((?:.|\n {10})*)/g)) expect(script).not.toContain('${{')
  expect(text.match(/persist-credentials: false/g)?.length).toBe(text.match(/actions\/checkout@/g)?.length)
})

it('nothing is deployed or released that was not checked', () => {
  for (const [file, job] of [
    ['deploy.yml', 'deploy'],
    ['release.yml', 'release'],
  ] as const) {
    const text = read(`.github/workflows/${file}`)
    expect(text).toContain('\n  check:\n    uses: ./.github/workflows/check.yml\n')
    const jobs = text.slice(text.indexOf('\njobs:\n')).match(/^ {2}\w+:$/gm)
    expect(jobs).toEqual(['  check:', `  ${job}:`])
    expect(text).toContain(`\n  ${job}:\n    needs: check\n`)
    // A condition could run it after a check that failed.
    expect(text).not.toMatch(/^ +(if|continue-on-error):/m)
  }
})

it('a check that is called runs every part, and a branch those that its paths concern', () => {
  const check = read('.github/workflows/check.yml')
  expect(check).toContain('\n  workflow_call:\n')
  expect(check).toContain('\n            *) git ls-files ;;\n')
  expect(check).not.toContain('continue-on-error')
  const parts = (...paths: string[]): string[] =>
    JSON.parse(
      execFileSync(path.join(root, 'scripts/parts'), {
        input: paths.map((name) => `${name}\n`).join(''),
        encoding: 'utf8',
      }),
    )
  const all = ['advisories', 'infra', 'product', 'rust', 'web']
  expect(parts('README.md', 'Cargo.lock', 'package-lock.json')).toEqual(all)
  expect(parts('Makefile')).toEqual(all)
  expect(parts('a/new/folder')).toEqual(all)
  expect(parts('docs/season.md', 'README.md')).toEqual(['infra'])
  expect(parts('web/portal/main.tsx')).toEqual(['infra', 'product', 'web'])
  expect(parts('functions/store/src/keys.rs')).toEqual(['infra', 'product', 'rust'])
  expect(parts('functions/domain/fixtures/reading-check.json')).toEqual(['infra', 'product', 'rust', 'web'])
  expect(parts('Cargo.lock')).toEqual(['advisories', 'infra', 'product', 'rust'])
  // `make test` is the same parts but for the advisories, which need a database from outside.
  const makefile = read('Makefile')
  const tested = /^test: .*\n(?:\t.*\n)*?\t.*--output-sync=target (.+)$/m.exec(makefile)?.[1]?.split(' ')
  expect(tested?.concat('advisories').sort()).toEqual(all)
  for (const part of all) expect(makefile).toMatch(new RegExp(`^${part}: `, 'm'))
})

it('the workflow has no key of the account', () => {
  expect(workflow).toContain('role-to-assume: ${{ vars.AWS_ROLE }}\n')
  expect(workflow).toContain('id-token: write')
})

it('the workflow deploys to one stage at a time, whose environment says who may', () => {
  expect(workflow).toContain('group: deploy-${{ inputs.stage }}\n  cancel-in-progress: false\n')
  expect(workflow).toContain('\n    environment: ${{ inputs.stage }}\n')
})

it('the workflow builds before it has any rights, with the tools that the manual names, and has time for it', () => {
  const steps = ['run: npm ci', 'npm run functions', 'npm run sites', 'configure-aws-credentials@', 'sst deploy']
  const order = steps.map((step) => workflow.indexOf(step))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order[0]).toBeGreaterThan(0)
  // D-PLATFORM-14
  expect(workflow.slice(order.at(-1))).toContain('\n          ZW_BUILD: none\n')
  const tools = workflow.match(/pip install (\S+==\S+ \S+==\S+)/)?.[1]
  expect(tools).toBeDefined()
  expect(read('docs/operations.md')).toContain(`pip install ${tools}`)
  // The compiler is the one that `rust-toolchain.toml` names.
  expect(workflow).toContain(
    '\n          rustup toolchain install\n          rustup target add aarch64-unknown-linux-gnu\n',
  )
  expect(read('rust-toolchain.toml')).toMatch(/^channel = "\d+\.\d+\.\d+"$/m)
  // A minute of a processor for each binary, two processors, and as much again for what others wrote; then a certificate and a distribution.
  const minutes = Number(/timeout-minutes: (\d+)/.exec(workflow)?.[1])
  const binaries = ['api', 'workers'].flatMap((name) => readdirSync(path.join(root, `functions/lambdas/src/${name}`)))
  expect(minutes).toBeGreaterThanOrEqual(binaries.length + 75)
})

it('the workflow has its rights for longer than a certificate and all that follows may take', () => {
  const seconds = /role-duration-seconds: (\d+)/.exec(workflow)?.[1]
  const [, certificate, everything] =
    /gives up after (\d+) minutes(?:.|\n)*?makes\neverything, which takes \d+ to (\d+) minutes/.exec(
      read('docs/operations.md'),
    ) ?? []
  expect(Number(seconds)).toBeGreaterThanOrEqual(60 * (Number(certificate) + Number(everything)))
  // The role refuses to be taken for longer than it was made for.
  expect(read('docs/operations.md')).toContain(`--max-session-duration ${seconds}`)
})

it('the workflow passes every setting on, and the manual explains it', () => {
  expect(settings).toHaveLength(14)
  const manual = read('docs/operations.md')
  for (const name of settings) {
    expect(workflow).toContain(`${name}: \${{ vars.${name} }}`)
    expect(manual).toMatch(new RegExp(`^ *\\|.*\`${name}\`.*\\|$`, 'm'))
  }
})
