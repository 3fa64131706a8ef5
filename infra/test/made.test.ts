import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { functions } from '../build.ts'
import { type Build, make, makeOnce } from '../made.ts'

let root: string
let runs: number
const write = (file: string, text: string) => {
  fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), text)
}
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.de', ...words], { cwd: root, stdio: 'pipe' })

/** A build that copies its source. */
const build = (more = 'arm64'): Build => ({
  root,
  name: 'things',
  outputs: ['out'],
  without: ['docs'],
  more,
  run() {
    runs += 1
    write('out/thing', fs.readFileSync(path.join(root, 'code'), 'utf8'))
  },
})

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-made-'))
  runs = 0
  write('.gitignore', 'out\ntarget\n')
  write('code', 'one')
  write('other', 'one')
  write('docs/page.md', 'one')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'One')
})
afterEach(() => {
  vi.unstubAllEnvs()
  fs.rmSync(root, { recursive: true })
})

describe('what was built', () => {
  it('is taken while its sources are the same', () => {
    makeOnce(build())
    makeOnce(build())
    write('docs/page.md', 'two')
    write('.env.production', 'ZAEHLWERK_BUDGET=200')
    git('add', 'docs')
    git('commit', '--quiet', '--message', 'Two')
    makeOnce(build())
    expect(runs).toBe(1)
  })

  it.each<[string, () => void]>([
    ['a source has changed', () => write('code', 'two')],
    ['a source is new', () => write('more', 'two')],
    ['a source is gone', () => fs.rmSync(path.join(root, 'other'))],
    ['it was changed itself', () => write('out/thing', 'two')],
    ['there is more of it', () => write('out/other', 'two')],
    ['it is gone', () => fs.rmSync(path.join(root, 'out'), { recursive: true })],
    ['git does not know', () => fs.rmSync(path.join(root, '.git'), { recursive: true })],
  ])('is built again when %s', (_, change) => {
    makeOnce(build())
    change()
    makeOnce(build())
    expect(runs).toBe(2)
  })

  it('is built again for another machine, and when somebody says so', () => {
    makeOnce(build())
    makeOnce(build('x86'))
    make(build('x86'))
    expect(runs).toBe(3)
  })

  it('is not taken after a build that failed', () => {
    make(build())
    const failing = {
      ...build(),
      run: () => {
        throw new Error('The disk is full.')
      },
    }
    expect(() => make(failing)).toThrow('The disk is full.')
    makeOnce(build())
    expect(runs).toBe(2)
  })

  it('is taken or missed, and never built, where nothing may be built', () => {
    vi.stubEnv('ZW_BUILD', 'none')
    expect(() => makeOnce(build())).toThrow('things are not built from these sources')
    make(build())
    makeOnce(build())
    expect(runs).toBe(1)
  })
})

it('the functions are compiled from nothing that their build leaves out of account', () => {
  const checkout = path.resolve(import.meta.dirname, '../..')
  const sources = execFileSync('git', ['grep', '-oE', 'include(_str|_bytes)?!\\("[^"]+"', '--', 'functions'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  const included = [...sources.matchAll(/^([^:]+):.*"([^"]+)"$/gm)].map(([, file = '', name = '']) =>
    path.normalize(path.join(path.dirname(file), name)),
  )
  expect(included.length).toBeGreaterThan(5)
  for (const file of included) {
    expect(functions(checkout).without.filter((folder) => file.startsWith(`${folder}/`), file)).toEqual([])
  }
})
