import { expect, test } from 'vitest'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { searchJobs } from './search.ts'

const flat = sampleJob({
  id: 'flat',
  customer: { customerNumber: 'K-4711', lastname: 'Öztürk' },
  meter: {
    meterNumber: '1EBZ0100000619',
    meterAddress: { street: 'Lindenallee', houseNumber: '12a', zip: '10115', city: 'Lindental' },
  },
})
const shop = sampleJob({
  id: 'shop',
  partner: { identifier: 'P99', company: 'Blumen Müller' },
  objectKey: 'OBJ-7',
  meter: { meterNumber: '8ZRI0100000777', meterAddress: { street: 'Markt', locationDescription: 'Keller links' } },
})

test.each([
  ['', ['flat', 'shop']],
  ['   ', ['flat', 'shop']],
  ['1ebz', ['flat']],
  ['0100000', ['flat', 'shop']],
  ['linden 12A', ['flat']],
  ['12a linden', ['flat']],
  ['linden markt', []],
  ['k-4711', ['flat']],
  ['ÖZTÜRK', ['flat']],
  ['blumen p99', ['shop']],
  ['obj-7', ['shop']],
  ['keller', ['shop']],
  ['task-1', []],
])('the search for "%s" finds %j', (search, ids) => {
  expect(searchJobs([flat, shop], search).map(({ id }) => id)).toEqual(ids)
})
