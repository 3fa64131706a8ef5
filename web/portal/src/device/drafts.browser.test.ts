import { beforeEach, expect, test, vi } from 'vitest'
import { database } from './db.ts'
import type { KeptDraft } from './drafts.ts'
import type { SendTaskResults } from './entry.ts'

type Drafts = typeof import('./drafts.ts')

const PLACE = ['tabs', 'job'] as const

const draft = (content: unknown, photoIds: readonly string[] = []): KeptDraft => ({
  accountId: PLACE[0],
  jobId: PLACE[1],
  content,
  photos: photoIds.map((id) => ({ id, blob: new Blob([id], { type: 'image/jpeg' }) })),
})

/** What the tab would show in a form that is opened now. */
const shown = (tab: Drafts) => {
  const kept = tab.currentDraft(...PLACE)
  return kept && [kept.content, ...kept.photos.map(({ id }) => id)]
}

let tabs = 0

/** A tab of its own: the module once more, over the same database and channel. */
async function openTab(): Promise<Drafts> {
  tabs += 1
  const tab = (await import(/* @vite-ignore */ `./drafts.ts?tab=${tabs}`)) as Drafts
  await tab.startDrafts()
  return tab
}

beforeEach(async () => {
  const db = await database()
  await Promise.all([db.clear('outbox'), db.clear('photos'), db.clear('drafts')])
})

// D-OUTBOX-14
test('a tab that was open before begins with what another one has typed since, and with nothing once that is given up', async () => {
  const [here, there] = [await openTab(), await openTab()]
  await there.writeDraft(draft('1'))
  await here.writeDraft(draft('12', ['photo']))
  expect(shown(here)).toEqual(['12', 'photo'])
  await expect.poll(() => shown(there)).toEqual(['12', 'photo'])
  await here.deleteDraft(...PLACE)
  await expect.poll(() => shown(there)).toBeUndefined()
  await there.writeDraft(draft('3'))
  await expect.poll(() => shown(here)).toEqual(['3'])
  await there.deleteDrafts(PLACE[0])
  await expect.poll(() => shown(here)).toBeUndefined()
})

test('tabs that write at the same time end with what the device has', async () => {
  const [here, there] = [await openTab(), await openTab()]
  await Promise.all([here.writeDraft(draft('here')), there.writeDraft(draft('there'))])
  const kept = (await here.readDraft(...PLACE))?.content
  await expect.poll(() => [shown(here), shown(there)]).toEqual([[kept], [kept]])
})

test('what one tab sends is no draft in another, and what it takes back is one again', async () => {
  const outbox = await import('@/offline/outbox.ts')
  const there = await openTab()
  await there.writeDraft(draft('1', ['sent']))
  const entry: SendTaskResults & { key: string } = {
    kind: 'send-task-results',
    accountId: PLACE[0],
    jobId: PLACE[1],
    meterNumber: '1EBZ',
    key: 'tabs',
    reading: { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['sent'] }] },
  }
  await outbox.enqueue(entry, draft('1', ['sent']).photos)
  await expect.poll(() => shown(there)).toBeUndefined()
  const waiting = await outbox.readEntry('tabs')
  if (!waiting) throw new Error('nothing waits')
  await outbox.takeBack(waiting, () => 'again')
  await expect.poll(() => shown(there)).toEqual(['again', 'sent'])
})

test('a page that comes back from the memory of the browser begins with what others have typed meanwhile', async () => {
  const tab = await openTab()
  await tab.writeDraft(draft('old', ['photo']))
  await tab.writeDraft({ ...draft('sent'), jobId: 'other' })
  const db = await database()
  await db.put('drafts', { accountId: PLACE[0], jobId: PLACE[1], content: 'new', photoIds: [] })
  await db.delete('drafts', [PLACE[0], 'other'])
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.poll(() => shown(tab)).toEqual(['new'])
  expect(tab.currentDraft(PLACE[0], 'other')).toBeUndefined()
})

test('what is typed while a page that came back reads the others is not lost', async () => {
  const tab = await openTab()
  const db = await database()
  await db.put('drafts', { accountId: PLACE[0], jobId: PLACE[1], content: 'theirs', photoIds: [] })
  await db.put('drafts', { accountId: PLACE[0], jobId: 'other', content: 'theirs', photoIds: [] })
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  // It has begun to read by then.
  await tab.startDrafts()
  await tab.writeDraft(draft('mine'))
  await expect.poll(() => tab.currentDraft(PLACE[0], 'other')?.content).toBe('theirs')
  expect(shown(tab)).toEqual(['mine'])
})

test('what the device had no room for is not lost to a page that comes back', async () => {
  const tab = await openTab()
  await tab.writeDraft(draft('kept'))
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await expect(tab.writeDraft(draft('newer', ['photo']))).rejects.toThrow()
  put.mockRestore()
  await (await database()).put('drafts', { accountId: PLACE[0], jobId: 'other', content: 'theirs', photoIds: [] })
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.poll(() => tab.currentDraft(PLACE[0], 'other')?.content).toBe('theirs')
  expect(shown(tab)).toEqual(['newer', 'photo'])
})
