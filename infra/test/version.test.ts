import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { versionOf } from '../version.ts'
import { stages } from './deployment.ts'
import { VERSION } from './stages.ts'

describe('the version', () => {
  let root: string
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.de', ...words], {
      cwd: root,
      encoding: 'utf8',
    })
  beforeEach(() => {
    vi.stubEnv('ZW_VERSION', undefined)
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-version-'))
    git('init', '--quiet')
    fs.writeFileSync(path.join(root, 'code'), 'one')
    git('add', 'code')
    git('commit', '--quiet', '--message', 'One')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    fs.rmSync(root, { recursive: true })
  })

  it('is the commit', () => {
    expect(versionOf(root)).toMatch(/^[0-9a-f]{12}$/)
    expect(git('rev-parse', 'HEAD')).toContain(versionOf(root))
  })

  it('says that there is more than the commit', () => {
    const commit = versionOf(root)
    fs.writeFileSync(path.join(root, 'code'), 'two')
    expect(versionOf(root)).toBe(`${commit}-changed`)
  })

  it('is told where there is no git, and never made up', () => {
    fs.rmSync(path.join(root, '.git'), { recursive: true })
    expect(() => versionOf(root)).toThrow('ZW_VERSION')
    vi.stubEnv('ZW_VERSION', 'v0.1.0')
    expect(versionOf(root)).toBe('v0.1.0')
  })
})

describe.each(Object.entries(stages))('the version of %s', (_, stage) => {
  it('is in both sites, with every function, and printed', () => {
    expect(stage.evaluated.npm[0]).toBe(VERSION)
    for (const [binary, { inputs }] of stage.functions()) {
      expect(inputs['environment'].variables.VERSION, binary).toBe(VERSION)
    }
    expect(stage.evaluated.outputs['version']).toBe(VERSION)
  })
})
