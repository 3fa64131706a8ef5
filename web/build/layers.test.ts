import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { applicationOf, fault, layers, rootOf } from './layers.ts'

const sources = import.meta.glob<string>(
  [
    '../shared/**/*.{ts,tsx}',
    '../*/src/**/*.{ts,tsx}',
    '!../**/*.test.*',
    // Tests in all but the name: they read what stands beside `web`.
    '!../shared/rules/{golden,differential}.ts',
  ],
  { eager: true, query: '?raw', import: 'default' },
)

const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'([^']+)'/g

/** A file of ours that is imported, below `web`; undefined for a package, and for data outside. */
function target(from: string, name: string): string | undefined {
  if (name.startsWith('@shared/')) return name.slice(1)
  if (name.startsWith('@/')) return posix.join(applicationOf(from), 'src', name.slice(2))
  const file = name.startsWith('.') ? posix.join(posix.dirname(from), name) : undefined
  return file?.startsWith('../') ? undefined : file
}

const files = Object.entries(sources).map(([path, text]) => ({ path: path.slice(3), text }))

test('the table names every folder, and no other', () => {
  const found = new Set(
    files.flatMap(({ path }) => {
      const [application = '', ...rest] = path.split('/')
      const [folder, file] = application === 'shared' ? rest : rest.slice(1)
      return file === undefined ? [] : [posix.join(application, application === 'shared' ? '' : 'src', folder ?? '')]
    }),
  )
  expect([...found].toSorted()).toEqual(layers.map(rootOf).toSorted())
})

test('every file imports from the layers below its own', () => {
  expect(files.length).toBeGreaterThan(200)
  const faults = files.flatMap(({ path, text }) =>
    [...text.matchAll(IMPORT)].flatMap(([, name = '']) => {
      const to = target(path, name)
      const found = to && fault(path, to)
      return found ? [`${path} imports ${name}: ${found}`] : []
    }),
  )
  expect(faults).toEqual([])
})

test.each([
  ['shared/rules/window.ts', 'shared/api/client.ts', 'shared/api is above shared/rules'],
  ['shared/ui/dialog.tsx', 'portal/src/data/jobs.ts', 'applications do not import each other'],
  ['portal/src/auth/call.ts', 'desk/src/auth/call.ts', 'desk/src/auth/call.ts is in no layer'],
  [
    'portal/src/features/jobs/order.ts',
    'portal/src/features/home/home-page.tsx',
    'parts of portal/src/features do not',
  ],
])('%s may not import %s', (from, to, why) => {
  expect(fault(from, to)).toContain(why)
})

test('a layer sees itself and those below it', () => {
  expect(fault('portal/src/features/login/scan/scanner.tsx', 'portal/src/features/login/link.ts')).toBeUndefined()
  expect(fault('portal/src/app/start.ts', 'portal/src/features/login/link.ts')).toBeUndefined()
  expect(fault('portal/src/main.tsx', 'portal/src/app/app.tsx')).toBeUndefined()
})
