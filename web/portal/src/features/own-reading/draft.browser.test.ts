import { expect, test } from 'vitest'
import { readDraft, writeDraft } from '@/device/drafts.ts'
import { NO_JOB } from '@/device/entry.ts'
import { OWN_READING, readState } from './draft.ts'

test('an empty draft that an older version kept is forgotten, and hides no other', async () => {
  const draft = { ...OWN_READING.empty, accountId: 'b', meterNumber: '4711' }
  const write = (accountId: string, content: unknown) => writeDraft({ accountId, jobId: NO_JOB, content, photos: [] })
  await write('a', { draft: { ...OWN_READING.empty, accountId: 'a' } })
  await write('b', { draft })
  expect(await readState(['a', 'b'])).toEqual({ draft })
  expect(await readDraft('a', NO_JOB)).toBeUndefined()
  expect(await readDraft('b', NO_JOB)).toBeDefined()
})
