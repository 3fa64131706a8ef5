import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, FOREIGN, UNREACHABLE } from '@shared/api/client.ts'
import '@shared/api/fetched.ts'
import { file } from '@shared/api/files.ts'

declare const fetched: (load: () => Promise<string>, ...files: string[]) => Promise<string>

const script = () => new Response('', { headers: { 'content-type': 'text/javascript' } })
const ask = vi.fn<(file: string) => Promise<Response>>()

beforeEach(() => {
  ask.mockReset()
  vi.stubGlobal('fetch', ask)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const load = async () => 'the module'

test('each file is fetched before its module is imported, and never again', async () => {
  ask.mockImplementation(async () => script())
  expect(await fetched(load, 'one.js', 'other.js')).toBe('the module')
  await fetched(load, 'other.js')
  expect(ask.mock.calls.map(([file]) => file)).toEqual(['/assets/one.js', '/assets/other.js'])
})

test('a file that is on its way is not asked for by the next who needs it', async () => {
  ask.mockImplementation(async () => script())
  await Promise.all([file('shared.js'), fetched(load, 'shared.js'), fetched(load, 'shared.js')])
  expect(ask).toHaveBeenCalledTimes(1)
})

test('a file that was lost twice is none of our faults, and can be asked for again', async () => {
  ask.mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(fetched(load, 'lost.js')).rejects.toMatchObject(new ApiError(UNREACHABLE))
  expect(ask).toHaveBeenCalledTimes(2)
  ask.mockImplementation(async () => script())
  expect(await fetched(load, 'lost.js')).toBe('the module')
})

test.each([
  [new Response('<html>', { headers: { 'content-type': 'text/html' } }), { code: FOREIGN }],
  [new Response('', { status: 511 }), { code: FOREIGN }],
  [new Response('', { status: 404 }), { name: 'Error', message: 'missing.js' }],
])('a page in its place is no file, and one that is missing is told', async (answer, failure) => {
  ask.mockImplementation(async () => answer.clone())
  await expect(fetched(load, 'missing.js')).rejects.toMatchObject(failure)
})
