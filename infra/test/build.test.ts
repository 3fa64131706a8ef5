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
function buildWith(heavy: string, bytes: number, machine = ['--arm64']): string[] {
  fs.writeFileSync(path.join(root, 'heavy'), randomBytes(bytes))
  const copies = binaries.map((name) => {
    const source = name === heavy ? `cp heavy` : 'echo light >'
    return `mkdir -p out/${name} && ${source} out/${name}/bootstrap`
  })
  fs.mkdirSync(path.join(root, 'bin'))
  fs.writeFileSync(path.join(root, 'bin/cargo'), ['#!/bin/sh', ...copies].join('\n'), { mode: 0o755 })
  vi.stubEnv('PATH', `${root}/bin:${process.env['PATH']}`)
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  build(root, path.join(root, 'out'), machine)
  return printed.mock.calls.map(([line]) => String(line))
}

it('says what each function weighs', () => {
  expect(buildWith('webhook_deliveries', 2_000_000).sort()).toEqual(
    binaries.map((name) => `${name}: ${name === 'webhook_deliveries' ? '2.00' : '0.00'} MB zipped`).sort(),
  )
})

it.each([
  ['a function that a customer waits for', 'result_create', 3_200_000],
  ['one that both customers and whoever is lost wait for', 'fallback', 3_200_000],
  ['one that the staff waits for', 'desk_letter', 4_600_000],
  ["the staff's login", 'desk_login', 4_600_000],
  ['a worker', 'runs', 6_500_000],
])('refuses %s when it weighs too much: %s', (_, name, most) => {
  expect(() => buildWith(name, most + 1)).toThrow(
    new RegExp(`^${name} weighs \\d+ bytes zipped; at most ${most} are allowed`),
  )
})

it('takes one that weighs just so much', () => {
  expect(buildWith('desk_letter', 4_500_000)).toContain('desk_letter: 4.50 MB zipped')
})

it('takes any for the processor of whoever looks what they weigh', () => {
  expect(buildWith('result_create', 3_300_000, ['--compiler', 'cargo'])).toContain('result_create: 3.30 MB zipped')
})

it('takes nothing that an earlier build left behind', () => {
  buildWith('webhook_deliveries', 1)
  fs.writeFileSync(path.join(root, 'bin/cargo'), '#!/bin/sh\n', { mode: 0o755 })
  expect(() => build(root, path.join(root, 'out'), [])).toThrow('ENOENT')
})
