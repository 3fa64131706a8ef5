import { createElement, type ReactNode } from 'react'
import { SWRConfig, useSWRConfig } from 'swr'
import { beforeEach, expect, test } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { sampleJob } from '@shared/testing/sample-job.ts'

/** The API as far as lists need it: those that it gives, by the account that asks. */
const server = new Map<string, () => Response>()

const unchanged = () => new Response(null, { status: 304 })
const broken = () =>
  new Response(JSON.stringify({ status: 500, code: 'internal-error' }), {
    status: 500,
    headers: { 'content-type': 'application/problem+json' },
  })

// The client keeps the `fetch` that it finds when it is loaded.
const realFetch = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  if (pathname === '/auth/logout') return new Response(null, { status: 204 })
  if (pathname !== '/api/pro/job') return realFetch(request)
  const answer = server.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
  if (!answer) throw new TypeError('Failed to fetch')
  return answer()
}

const { forgetData, noteClosed, reloadJobs, replaceJob, startJobs, useJobs } = await import('./jobs.ts')
const { keepJobs } = await import('@/device/seen-jobs.ts')
const { fresh } = await import('@/auth/access-token.ts')
const { addSession, logout } = await import('@/auth/sessions.ts')

async function logIn(accountId: string, parentId: string | null = null): Promise<void> {
  const info = { id: accountId, name: accountId, parentId, parentName: null, language: null }
  const session = { accountId, username: null, login: 'token', roles: [], refreshToken: 'r', info } as const
  await addSession({ ...session, roles: [] }, fresh(accountId, 900_000), false)
}

const once = ({ children }: { children: ReactNode }) =>
  createElement(SWRConfig, { value: { shouldRetryOnError: false } }, children)

/** What the screens know once nothing more is on its way. */
async function settled() {
  const { result } = await renderHook(() => useJobs(), { wrapper: once })
  await expect.poll(() => result.current.error).toBeDefined()
  const { jobs, isArriving, isComplete } = result.current
  return { ids: jobs?.map(({ id }) => id), isArriving, isComplete }
}

beforeEach(async () => {
  await logout()
  await forgetData()
  server.clear()
  await keepJobs('a', { etag: '"1"', doubtful: [], jobs: ['1', '2'].map((id) => sampleJob({ id, login: 'a' })) })
  await logIn('a')
})

const KEPT = { ids: ['1', '2'], isArriving: false, isComplete: false }

test('without a network the meters that are on the device are seen beside an account whose list never came', async () => {
  await logIn('c')
  await startJobs()
  expect(await settled()).toEqual(KEPT)
})

test('a list that did not change is seen where the other one cannot be had', async () => {
  await logIn('c')
  await startJobs()
  server.set('a', unchanged)
  server.set('c', broken)
  expect(await settled()).toEqual(KEPT)
})

test('so is one that has just come', async () => {
  await logIn('b')
  await logIn('c')
  await startJobs()
  server.set('a', unchanged)
  server.set('b', () => Response.json({ jobs: [sampleJob({ id: '3', login: 'b' })], nextCursor: null }))
  server.set('c', broken)
  expect(await settled()).toEqual({ ...KEPT, ids: ['1', '2', '3'] })
})

test('a job that both lists have is there once while a third one cannot be had', async () => {
  await keepJobs('b', { etag: '"1"', doubtful: [], jobs: [sampleJob({ id: '2', login: 'b' })] })
  await logIn('b', 'a')
  await logIn('c')
  await startJobs()
  server.set('a', unchanged)
  expect(await settled()).toEqual(KEPT)
})

test('what a device had no room to keep all of is not taken for all of it, and changes with what becomes of a job', async () => {
  // It cannot be copied, as if there were no room: the others are there, and no tag.
  const broken = { ...sampleJob({ id: '3', login: 'a' }), failure: () => undefined }
  await keepJobs('a', { etag: '"2"', doubtful: [], jobs: [broken] })
  await startJobs()
  expect(await settled()).toEqual(KEPT)
  await noteClosed('a', '2')
  const { result } = await renderHook(() => useJobs(), { wrapper: once })
  expect(result.current.jobs?.filter((job) => job.closed).map(({ id }) => id)).toEqual(['2'])
})

test('the answer to a reading is seen in the turn in which it came', async () => {
  await startJobs()
  server.set('a', unchanged)
  const { result } = await renderHook(() => ({ jobs: useJobs(), cache: useSWRConfig().cache }), { wrapper: once })
  await expect.poll(() => result.current.jobs.isComplete).toBe(true)
  const { cache } = result.current
  void replaceJob(sampleJob({ id: '2', login: 'a', done: true }))
  // Nothing has been waited for.
  const lists = [...cache.keys()].map((key) => cache.get(key)?.data).filter(Array.isArray)
  const states = lists.flat().flatMap(({ id, done }: { id: string; done: boolean }) => (id === '2' ? [done] : []))
  expect(states).toEqual([true])
})

// D-OUTBOX-1
test('a job of which a refusal says that it is closed is closed until the list says something else', async () => {
  await startJobs()
  server.set('a', unchanged)
  const { result } = await renderHook(() => useJobs(), { wrapper: once })
  const closed = () => result.current.jobs?.filter((job) => job.closed).map(({ id }) => id)
  await expect.poll(closed).toEqual([])
  await noteClosed('a', '2')
  await expect.poll(closed).toEqual(['2'])
  await reloadJobs()
  expect(closed()).toEqual(['2'])
  const jobs = ['1', '2'].map((id) => sampleJob({ id, login: 'a' }))
  server.set('a', () => Response.json({ jobs, nextCursor: null }))
  await reloadJobs()
  await expect.poll(closed).toEqual([])
})
