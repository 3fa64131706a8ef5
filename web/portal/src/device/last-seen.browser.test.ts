import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, UNREACHABLE } from '@shared/api/client.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { database } from './db.ts'
import { lastSeen } from './last-seen.ts'
import { forgetJobs, keepJob, keepJobs, readJobs } from './seen-jobs.ts'

beforeEach(async () => {
  const db = await database()
  await Promise.all([db.clear('jobs'), db.clear('answers')])
})

afterEach(() => vi.useRealTimers())

const job = (login: string, id: string) => sampleJob({ login, id })
const ids = async (accountId: string) => (await readJobs(accountId))?.jobs.map(({ id }) => id)

test('an answer is there when there is no network, or the server is out of order', async () => {
  await expect(lastSeen('/key', () => Promise.resolve('first'))).resolves.toBe('first')
  await expect.poll(async () => (await database()).get('answers', '/key')).toBe('first')
  const failing = (error: ApiError) => async () => {
    throw error
  }
  await expect(lastSeen('/key', failing(new ApiError(UNREACHABLE)))).resolves.toBe('first')
  await expect(lastSeen('/key', failing(new ApiError('x', { status: 503 })))).resolves.toBe('first')
  await expect(lastSeen('/key', failing(new ApiError('application-unknown', { status: 404 })))).rejects.toMatchObject({
    status: 404,
  })
  await expect(lastSeen('/key', () => Promise.resolve('second'))).resolves.toBe('second')
})

test('what was never seen fails as it does', async () => {
  await expect(lastSeen('/new', () => Promise.reject(new ApiError(UNREACHABLE)))).rejects.toMatchObject({
    code: UNREACHABLE,
  })
})

test('a network that takes longer than 3 s gets what was seen', async () => {
  await (await database()).put('answers', 'seen', '/slow')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const answer = lastSeen('/slow', () => new Promise<string>(() => undefined))
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(3_000)
  await expect(answer).resolves.toBe('seen')
})

test('jobs that the server no longer has are gone, those of another account are not', async () => {
  await keepJobs('a1', { etag: '"1"', doubtful: [], jobs: [job('a1', 'x'), job('a1', 'y')] })
  await keepJobs('a2', { etag: '"2"', doubtful: [], jobs: [job('a2', 'x')] })
  await keepJobs('a1', { etag: '"3"', doubtful: [], jobs: [job('a1', 'y')] })
  expect(await readJobs('a1')).toMatchObject({ etag: '"3"', jobs: [{ id: 'y' }] })
  expect(await ids('a2')).toEqual(['x'])
})

test('of many jobs the first ones are told of before all are read, and all are there once', async () => {
  const jobs = Array.from({ length: 600 }, (_, index) => job('a1', String(index).padStart(4, '0')))
  await keepJobs('a1', { etag: '"1"', doubtful: [], jobs })
  const others = jobs.slice(0, 2).map((one) => ({ ...one, login: 'a2' }))
  await keepJobs('a2', { etag: '"2"', doubtful: [], jobs: others })
  const told: string[][] = []
  const seen = await readJobs('a1', (first) => told.push(first.map(({ id }) => id)))
  const all = jobs.map(({ id }) => id)
  expect(told).toEqual([all.slice(0, 250)])
  expect(seen?.jobs.map(({ id }) => id)).toEqual(all)
  await readJobs('a2', () => expect.fail('two jobs are no more than the first ones'))
})

test('of jobs that changed only these are written', async () => {
  const [x, y] = [job('a1', 'x'), job('a1', 'y')]
  await keepJobs('a1', { etag: '"1"', doubtful: [], jobs: [x, y] })
  // It is not written again, because it is not among the fresh ones.
  const jobs = [
    { ...x, done: true },
    { ...y, done: true },
  ]
  await keepJobs('a1', { etag: '"2"', doubtful: [], jobs }, { etag: '"1"', fresh: jobs.slice(1) })
  expect(await readJobs('a1')).toEqual({ etag: '"2"', doubtful: [], jobs: [x, jobs[1]] })
})

test('what changed is kept on top of the list that it changed, and of no other', async () => {
  const [x, y, z] = [job('a1', 'x'), job('a1', 'y'), job('a1', 'z')]
  const changed = { ...z, done: true }
  const since = { etag: '"1"', fresh: [changed] }
  const now = { etag: '"2"', doubtful: [], jobs: [x, y, changed] }
  // It cannot be copied, as if there were no room: the others are there, and no tag.
  const broken = { ...y, failure: () => undefined }
  await keepJobs('a1', { etag: '"1"', doubtful: [], jobs: [x, broken] })
  expect(await readJobs('a1')).not.toMatchObject({ etag: '"1"' })
  await keepJobs('a1', now, since)
  expect(await readJobs('a1')).toEqual(now)
  // Another tab has kept a list of another moment, in which one of them was not yet.
  await keepJobs('a1', { etag: '"0"', doubtful: [], jobs: [x, z] })
  await keepJobs('a1', now, since)
  expect(await readJobs('a1')).toEqual(now)
})

test('while another tab keeps its jobs this one waits', async () => {
  let done = () => {}
  const other = navigator.locks.request('zaehlwerk-seen-jobs', () => new Promise<void>((resolve) => (done = resolve)))
  const written = keepJobs('a1', { etag: '"1"', doubtful: [], jobs: [job('a1', 'x')] })
  await expect.poll(async () => (await navigator.locks.query()).pending?.length).toBe(1)
  expect(await readJobs('a1')).toBeUndefined()
  done()
  await Promise.all([other, written])
  expect(await ids('a1')).toEqual(['x'])
})

test('a job that came by itself is one to be asked for beside what changed', async () => {
  await keepJobs('a1', { etag: '"1"', doubtful: [], jobs: [job('a1', 'x')] })
  for (const done of [true, false, true]) await keepJob({ ...job('a1', 'x'), slot: 17, done })
  expect(await readJobs('a1')).toMatchObject({ etag: '"1"', doubtful: [17], jobs: [{ id: 'x', done: true }] })
})

test('a tag as an earlier portal kept it is none', async () => {
  await keepJobs('a1', { etag: '"1"', doubtful: [], jobs: [job('a1', 'x')] })
  await (await database()).put('answers', '"1"', 'tag/a1')
  expect(await readJobs('a1')).toMatchObject({ etag: null, doubtful: [], jobs: [{ id: 'x' }] })
})

test('who is not logged in leaves nothing behind, and an empty portfolio is one', async () => {
  await keepJobs('a1', { etag: '"1"', doubtful: [], jobs: [] })
  await keepJobs('a2', { etag: '"2"', doubtful: [], jobs: [job('a2', 'x')] })
  await forgetJobs(['a1'])
  expect(await readJobs('a1')).toEqual({ etag: '"1"', doubtful: [], jobs: [] })
  expect(await readJobs('a2')).toBeUndefined()
})
