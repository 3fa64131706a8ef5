import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

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
  for (const action of uses) expect(action).toMatch(/@[0-9a-f]{40}$|^\.\/\.github\/workflows\/(check|deploy)\.yml$/)
  expect(text).toContain('\npermissions:\n  contents: read\n')
  const rights = [...text.matchAll(/^ +([a-z-]+: write)$/gm)].map(([, right]) => right)
  const given: Record<string, string[]> = {
    'deploy.yml': ['id-token: write'],
    // One for its own job, one to hand on.
    'rollback.yml': ['id-token: write', 'id-token: write'],
    'release.yml': ['contents: write'],
  }
  expect(rights).toEqual(given[file] ?? [])
  expect(text).not.toMatch(/secrets\.|access-key/)
  // A stage's name, a tag and a branch are text that a person typed: it reaches the shell as a variable only.
  for (const [, script] of text.matchAll(/run: ((?:.|\n {10})*)/g)) expect(script).not.toContain('${{')
  expect(text.match(/persist-credentials: false/g)?.length).toBe(text.match(/actions\/checkout@/g)?.length)
})

it('nothing is built for a stage or a release that was not checked, and nothing else is deployed or released', () => {
  const build = read('.github/workflows/build.yml')
  expect(build).toContain('\n  check:\n    uses: ./.github/workflows/check.yml\n')
  expect(build.slice(build.indexOf('\njobs:\n')).match(/^ {2}\w+:$/gm)).toEqual(['  check:', '  build:'])
  expect(build).toContain('\n  build:\n    needs: check\n')
  for (const [file, text] of workflows) {
    // A condition could run it after a check that failed.
    if (file !== 'check.yml') expect(text, file).not.toMatch(/^ +(- )?(if|continue-on-error):/m)
    if (!['build.yml', 'check.yml', 'nightly.yml'].includes(file)) {
      const publishes = text.slice(text.indexOf('\n  release:\n') + 1)
      expect(publishes, file).not.toMatch(/cargo|npm run (functions|sites|build)|make /)
    }
  }
  for (const file of ['deploy.yml', 'release.yml']) {
    expect(read(`.github/workflows/${file}`)).toMatch(/scripts\/fetch-build (--wait )?"\$\(git rev-parse HEAD\)" built/)
  }
  // `main` is checked once, by its build.
  expect(read('.github/workflows/check.yml')).toContain("    branches: ['**', '!main']\n")
  expect(build).toContain('\non:\n  push:\n    branches: [main]\n')
})

it('a release has the command line for five kinds of machines, built where nothing may be published', () => {
  const release = read('.github/workflows/release.yml')
  const [command = '', publish = ''] = release.slice(release.indexOf('\n  command:\n')).split('\n  release:\n')
  const names = [...command.matchAll(/\{ name: (zaehlwerk-\S+),/g)].map(([, name]) => name)
  expect(names).toHaveLength(5)
  const manual = read('docs/operations.md')
  for (const name of names) expect(manual).toContain(`\`${name}\``)
  expect(command).toContain('run: cargo build --profile command --locked --package operator --features released\n')
  expect(command).toContain('mv "target/command/$FILE"')
  // Its bill of materials is that of what is built here, for all of them.
  expect(read('scripts/sbom')).toContain('\nbill operator command --features released --target all\n')
  expect(manual).toContain('`command.cdx.json`')
  expect(command).not.toMatch(/permissions:|github\.token|cache/)
  expect(publish).toContain('    needs: command\n')
  // Nothing is fetched of this run before the commit was found checked.
  expect(publish.indexOf('fetch-build --wait')).toBeLessThan(publish.indexOf('gh run download'))
  expect(publish.indexOf('gh run download')).toBeLessThan(publish.indexOf('sha256sum'))
})

describe('what was built of a commit', () => {
  const runs = (...list: [databaseId: number, status: string, conclusion: string][]) =>
    list.map(([databaseId, status, conclusion]) => ({ databaseId, status, conclusion }))
  /**
   * Fetches with a `gh` that answers with these runs, newest first as GitHub does, fails where it is asked for what a run made that is
   * neither kept nor gone, and prints its other calls.
   */
  const fetch = (
    list: object[],
    { kept = [], gone = [] }: { kept?: number[]; gone?: number[] },
    ...words: string[]
  ) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-gh-'))
    writeFileSync(path.join(folder, 'runs'), JSON.stringify(list))
    for (const run of [...kept, ...gone]) {
      const artifacts = [{ name: 'release', expired: gone.includes(run) }]
      writeFileSync(path.join(folder, String(run)), JSON.stringify({ artifacts }))
    }
    const program = `#!/bin/sh
case "$1 $2" in
'run list') echo "$@" >> ${folder}/asked; cat ${folder}/runs ;;
'api repos/{owner}/{repo}/actions/runs/'*'/artifacts') cat "${folder}/$(basename "$(dirname "$2")")" ;;
*) echo "$@" ;;
esac
`
    writeFileSync(path.join(folder, 'gh'), program, { mode: 0o755 })
    const { stdout, stderr, status } = spawnSync(path.join(root, 'scripts/fetch-build'), [...words, 'abc', 'built'], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    })
    expect(readFileSync(path.join(folder, 'asked'), 'utf8')).toContain('run list --workflow build.yml --commit abc ')
    return { status, said: status === 0 ? stdout.trim() : stderr.trim() }
  }
  const got = (run: number) => ({ status: 0, said: `run download ${run} --name release --dir built` })
  const missed = { status: 10, said: expect.stringContaining('abc was not built, not yet, or GitHub does not keep') }

  it('is of the first run that succeeded and is kept, so that all stages get the same bytes', () => {
    const list = runs(
      [5, 'in_progress', ''],
      [4, 'completed', 'success'],
      [3, 'completed', 'success'],
      [2, 'completed', 'success'],
      [1, 'completed', 'failure'],
    )
    expect(fetch(list, { kept: [2, 3, 4] })).toEqual(got(2))
    // What is built again after GitHub has deleted it counts from then on.
    expect(fetch(list, { kept: [3, 4], gone: [2] })).toEqual(got(3))
  })

  it('is missed while there is none, unless somebody waits for it', () => {
    expect(fetch([], {})).toEqual(missed)
    expect(fetch(runs([1, 'completed', 'failure']), {}, '--wait')).toEqual(missed)
    expect(fetch(runs([1, 'completed', 'success']), { gone: [1] })).toEqual(missed)
    const list = runs([2, 'in_progress', ''], [1, 'completed', 'failure'])
    expect(fetch(list, {})).toEqual(missed)
    expect(fetch(list, {}, '--wait')).toEqual(got(2))
  })

  it('is not taken for missed where GitHub does not answer, and a deployment then asks no stage', () => {
    expect(fetch(runs([1, 'completed', 'success']), {}).status).toBe(1)
    const script = /run: (scripts\/fetch-build .*)\n/.exec(workflow)?.[1] ?? ''
    const goesOn = (status: number) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-fetch-'))
      mkdirSync(path.join(folder, 'scripts'))
      writeFileSync(path.join(folder, 'scripts/fetch-build'), `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 })
      return spawnSync('bash', ['-e', '-c', script], { cwd: folder }).status === 0
    }
    expect([0, 1, 10].map(goesOn)).toEqual([true, false, true])
  })
})

it('production gets what is on main, whatever somebody types', () => {
  // All of it is there, so that the digits that a version has in pages and in the history are enough.
  expect(workflow).toContain('\n          fetch-depth: 0\n')
  const script =
    /run: (git checkout .*)\n {8}env:\n {10}VERSION: \$\{\{ inputs\.version \}\}\n/.exec(workflow)?.[1] ?? ''
  const checkout = mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-checkout-'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.de', ...words], {
      cwd: checkout,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  git('init', '--quiet')
  for (const name of ['one', 'two']) git('commit', '--quiet', '--allow-empty', '--message', name)
  const [two = '', one = ''] = git('log', '--format=%H').split('\n')
  const at = (VERSION: string) => {
    const { status } = spawnSync('bash', ['-e', '-c', script], { cwd: checkout, env: { ...process.env, VERSION } })
    return status === 0 ? git('rev-parse', 'HEAD') : undefined
  }
  expect(at('')).toBe(two)
  expect(at(one.slice(0, 12))).toBe(one)
  for (const version of ['0000000', '--orphan', 'HEAD; touch x']) expect(at(version), version).toBeUndefined()
  expect(workflow).toContain('run: test "$STAGE" != production || git merge-base --is-ancestor HEAD origin/main\n')
})

it('a rollback has the version before answer first, and then deploys it without steps', () => {
  const rollback = read('.github/workflows/rollback.yml')
  expect(rollback).toContain('version=$(npm run --silent release --workspace infra -- back "$STAGE")\n')
  expect(rollback).toContain('\n  deploy:\n    needs: back\n    uses: ./.github/workflows/deploy.yml\n')
  expect(rollback).toMatch(/version: \$\{\{ needs\.back\.outputs\.version \}\}\n {6}at_once: true\n/)
  // In a row with deployments; around a called workflow the same group would wait for itself.
  expect(rollback.match(/group: deploy-\$\{\{ inputs.stage \}\}\n {6}cancel-in-progress: false/g)).toHaveLength(1)
  expect(rollback).not.toMatch(/^concurrency:/m)
  expect(workflow).toContain("ZW_SHIFT: ${{ inputs.at_once && 'at-once' || '' }}\n")
})

/** What is checked of a change of these paths. */
const parts = (...paths: string[]): string[] =>
  JSON.parse(
    execFileSync(path.join(root, 'scripts/parts'), {
      input: paths.map((name) => `${name}\n`).join(''),
      encoding: 'utf8',
    }),
  )

it('a check that is called runs every part, and a branch those that its paths concern', () => {
  const check = read('.github/workflows/check.yml')
  expect(check).toContain('\n  workflow_call:\n')
  expect(check).toContain('\n            *) git ls-files ;;\n')
  expect(check).not.toContain('continue-on-error')
  const all = ['advisories', 'infra', 'product', 'rust', 'web']
  expect(parts('README.md', 'Cargo.lock', 'package-lock.json')).toEqual(all)
  expect(parts('Makefile')).toEqual(all)
  expect(parts('a/new/folder')).toEqual(all)
  expect(parts('docs/decisions/portal.md', 'CHANGELOG.md', 'infra/alarms.ts')).toEqual(['infra'])
  // Commands of a page are tried, and the table of layers is the one in use.
  expect(parts('docs/season.md')).toEqual(['infra', 'rust'])
  expect(parts('web/README.md')).toEqual(['infra', 'web'])
  // What is served in journeys, and what an emulator is compared with.
  expect(parts('infra/headers.ts')).toEqual(['infra', 'product', 'web'])
  expect(parts('infra/storage.ts')).toEqual(['infra', 'product'])
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

it.each([
  ['rust', ['functions/*.rs']],
  ['product', ['web/*/tests/*.ts']],
  ['web', ['web/*.ts', 'web/*.tsx', ':!web/*/tests/*']],
])('what %s reads of other folders is checked by it', (part, files) => {
  const elsewhere = '\\.\\./((infra|functions|web|demo|docs)(/[^\'"]*)?|README\\.md|ARCHITECTURE\\.md)[\'"]'
  const found = execFileSync('git', ['grep', '-hoE', elsewhere, '--', ...files], { cwd: root, encoding: 'utf8' })
  const paths = new Set(
    found
      .trim()
      .split('\n')
      .map((line) => line.slice('../'.length, -1)),
  )
  expect(paths.size).toBeGreaterThan(2)
  // Of a folder any file may be read.
  for (const name of paths) expect(parts(path.extname(name) ? name : path.join(name, 'a.md')), name).toContain(part)
})

it('at night a stage waits for builds alone, so that none that fails hides another', () => {
  const nightly = /^nightly: .*\n(?:\t.*\n)*?\t.*--keep-going (.+) EXAMPLES/m.exec(read('Makefile'))?.[1]?.split(' ')
  const builds = ['Rust: programs', 'Web: build', 'Functions for arm64: build']
  const stages = (nightly ?? []).flatMap((target) => {
    const run = execFileSync('make', ['--dry-run', target, 'STRICT=1'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    const names = [...run.matchAll(/^scripts\/stage (?:--again )?(['"])(.+?)\1 /gm)].map(([, , name = '']) => name)
    return names.filter((name) => !builds.includes(name))
  })
  expect(stages).toHaveLength(nightly?.length ?? 0)
  expect(new Set(stages).size).toBe(stages.length)
})

it('parts of one name keep what they compiled apart', () => {
  const cached = workflows.filter(([, text]) => text.includes('rust-cache@'))
  expect(cached.map(([file]) => file)).toEqual(['check.yml', 'nightly.yml'])
  for (const [file, text] of cached)
    expect(text, file).toMatch(/rust-cache@.+\n +with:\n(?: +#.+\n)? +key: \$\{\{ matrix\.part \}\}\n/)
})

it('the workflow has no key of the account', () => {
  expect(workflow).toContain('role-to-assume: ${{ vars.AWS_ROLE }}\n')
  expect(workflow).toContain('id-token: write')
})

it('the workflow deploys to one stage at a time, whose environment says who may', () => {
  expect(workflow).toContain(
    '\n    concurrency:\n      group: deploy-${{ inputs.stage }}\n      cancel-in-progress: false\n',
  )
  expect(workflow).toContain('\n    environment: ${{ inputs.stage }}\n')
})

it('a build has no rights, the tools that the manual names, and time for it', () => {
  const build = read('.github/workflows/build.yml')
  const order = ['run: npm ci', 'npm run functions', 'npm run sites', 'make sbom', '-- pack', 'upload-artifact@'].map(
    (step) => build.indexOf(step),
  )
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order[0]).toBeGreaterThan(0)
  expect(build).not.toMatch(/configure-aws-credentials|id-token|environment:/)
  const tools = build.match(/pip install (\S+==\S+ \S+==\S+)/)?.[1]
  expect(tools).toBeDefined()
  expect(read('docs/operations.md')).toContain(`pip install ${tools}`)
  // The compiler is the one that `rust-toolchain.toml` names.
  expect(build).toContain(
    '\n          rustup toolchain install\n          rustup target add aarch64-unknown-linux-gnu\n',
  )
  expect(read('rust-toolchain.toml')).toMatch(/^channel = "\d+\.\d+\.\d+"$/m)
  // A minute of a processor for each binary, two processors, and as much again for what others wrote.
  const minutes = Number(/timeout-minutes: (\d+)/.exec(build)?.[1])
  const binaries = ['api', 'workers'].flatMap((name) => readdirSync(path.join(root, `functions/lambdas/src/${name}`)))
  expect(minutes).toBeGreaterThanOrEqual(binaries.length + 30)
})

it('a deployment takes what was built, and is refused what does not fit its commit', () => {
  const order = [
    'git checkout',
    'fetch-build',
    'configure-aws-credentials@',
    '-- unpack',
    '-- fetch',
    'sst deploy',
  ].map((step) => workflow.indexOf(step))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order[0]).toBeGreaterThan(0)
  // D-PLATFORM-14
  expect(workflow.slice(order.at(-1))).toContain('\n          ZW_BUILD: none\n')
  const minutes = Number(/timeout-minutes: (\d+)/.exec(workflow)?.[1])
  expect(minutes * 60).toBeGreaterThan(Number(/role-duration-seconds: (\d+)/.exec(workflow)?.[1]))
})

it('what is fetched or put beside the sources by the manual is none of them: each would be built anew, or refused', () => {
  const fetched = /fetch-build "\$\(git rev-parse HEAD\)" (\S+)/.exec(workflow)?.[1]
  const manual = read('docs/operations.md')
  const put = [...manual.matchAll(/(?:> |-out )([\w-]+\.(?:pem|jsonl?))\b/g)].map(([, file = '']) => file)
  expect(put).toContain('old.pem')
  for (const file of [`${fetched}/release.tar.gz`, ...put]) {
    expect(spawnSync('git', ['check-ignore', '--quiet', file], { cwd: root }).status, file).toBe(0)
  }
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
  expect(settings).toHaveLength(19)
  const manual = read('docs/operations.md')
  for (const name of settings) {
    expect(workflow).toContain(`${name}: \${{ vars.${name} }}`)
    expect(manual).toMatch(new RegExp(`^ *\\|.*\`${name}\`.*\\|$`, 'm'))
  }
})
