import { expect, test } from 'vitest'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { addressesOf, jobsAt } from './filter.ts'

const meters = (addresses: [street: string, houseNumber: string][]) =>
  addresses.map(([street, houseNumber], index) =>
    sampleJob({
      id: `job-${index}`,
      meter: { meterAddress: { street, houseNumber, zip: '99999', city: 'Birkenfurt' } },
    }),
  )

const houses = (count: number, street: (index: number) => string) =>
  meters(Array.from({ length: count }, (_, index) => [street(index), String(index + 1)]))

test('many meters are offered by their addresses, in the order of the houses', () => {
  const jobs = [...houses(11, () => 'Lindenweg'), ...meters([['Birkenallee', '3']])]
  const addresses = addressesOf(jobs)
  expect(addresses?.all.slice(0, 3)).toEqual([
    'Birkenallee 3, 99999 Birkenfurt',
    'Lindenweg 1, 99999 Birkenfurt',
    'Lindenweg 2, 99999 Birkenfurt',
  ])
  expect(jobsAt(jobs, addresses, 'Lindenweg 10, 99999 Birkenfurt').map(({ id }) => id)).toEqual(['job-9'])
  expect(jobsAt(jobs, addresses, 'Lindenweg 99, 99999 Birkenfurt')).toBe(jobs)
})

test('a few meters, or those of one house, have no choice of addresses', () => {
  expect(addressesOf(houses(10, () => 'Lindenweg'))).toBeUndefined()
  expect(addressesOf(meters(Array.from({ length: 30 }, () => ['Lindenweg', '1'])))).toBeUndefined()
})

test('of very many houses the streets are offered', () => {
  const jobs = houses(2000, (index) => `Straße ${index % 4}`)
  const addresses = addressesOf(jobs)
  expect(addresses?.all).toHaveLength(4)
  expect(jobsAt(jobs, addresses, 'Straße 2, 99999 Birkenfurt')).toHaveLength(500)
  expect(addressesOf(houses(2000, () => 'Lindenweg'))).toBeUndefined()
})
