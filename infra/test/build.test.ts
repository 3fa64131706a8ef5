import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { build } from '../build.ts'
import { routesByFunction } from '../routes.ts'
import { workers } from '../worker-list.ts'

const binaries = [...routesByFunction.keys(), ...workers.map(({ name }) => name)]

let root: string
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-build-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  fs.rmSync(root, { recursive: true })
})

/** Builds with a cargo whose functions all weigh little but this one, and gives what was printed. */
function buildWith(heavy: string, bytes: number): string[] {
  fs.writeFileSync(path.join(root, 'heavy'), randomBytes(bytes))
  const copies = binaries.map((name) => {
    const source = name === heavy ? `cp heavy` : 'echo light >'
    return `mkdir -p out/${name} && ${source} out/${name}/bootstrap`
  })
  fs.mkdirSync(path.join(root, 'bin'))
  fs.writeFileSync(path.join(root, 'bin/cargo'), ['#!/bin/sh', ...copies].join('\n'), { mode: 0o755 })
  vi.stubEnv('PATH', `${root}/bin:${process.env['PATH']}`)
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  build(root, path.join(root, 'out'), [])
  return printed.mock.calls.map(([line]) => String(line))
}

it('says what each function weighs', () => {
  expect(buildWith('webhook_deliveries', 2_000_000).sort()).toEqual(
    binaries.map((name) => `${name}: ${name === 'webhook_deliveries' ? '2.00' : '0.00'} MB zipped`).sort(),
  )
})

it('refuses an endpoint that weighs too much', () => {
  expect(() => buildWith('result_create', 3_500_001)).toThrow(
    /^result_create weighs \d+ bytes zipped; at most 3500000 are allowed/,
  )
})

it('refuses a worker that weighs too much', () => {
  expect(() => buildWith('retention', 3_500_001)).toThrow(/^retention weighs \d+ bytes zipped/)
})

it('takes nothing that an earlier build left behind', () => {
  buildWith('webhook_deliveries', 1)
  fs.writeFileSync(path.join(root, 'bin/cargo'), '#!/bin/sh\n', { mode: 0o755 })
  expect(() => build(root, path.join(root, 'out'), [])).toThrow('ENOENT')
})
