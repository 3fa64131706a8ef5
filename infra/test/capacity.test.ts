import { expect, it } from 'vitest'
import {
  counted,
  countedOfWorkers,
  euros,
  hours,
  ofPhotoReadings,
  operations,
  passes,
  photoReading,
  refreshed,
} from '../capacity.ts'
import prices from '../prices.json' with { type: 'json' }
import routesJson from '../routes.json' with { type: 'json' }
import workersJson from '../workers.json' with { type: 'json' }

it('the page has the figures that the arithmetic gives; after a change: npm run capacity --workspace infra', () => {
  const { before, after } = refreshed()
  expect(before).toBe(after)
})

it('the arithmetic has the memory of the deployed functions', () => {
  for (const [operation, { memory }] of Object.entries({ ...operations, photo_reading_create: photoReading })) {
    const route = routesJson.find((candidate) => candidate.operation === operation)
    expect(route?.memory, operation).toBe(memory)
  }
})

it('a million readings cost what their counted units cost', () => {
  const { readings, season } = euros()
  const units = (row: string) => counted.get(row) ?? { readUnits: Number.NaN, writeUnits: Number.NaN }
  const visits = 1e6 / 1.3
  const written =
    visits *
      (units('auth_token (password)').writeUnits +
        0.3 * units('auth_logout').writeUnits +
        units('crm_registration_info').writeUnits +
        0.25 * units('reading_receipts').writeUnits +
        // A reminder: the mail, its turn, and a note that it was sent.
        0.2 * (units('share_mail').writeUnits + 2)) +
    1e6 * units('result_create (photo ahead)').writeUnits
  const paid = (written / 1e6) * prices['DynamoDB on demand, a million write units']
  const database = readings['DynamoDB requests'] * prices['US dollars for a euro']
  expect(database).toBeGreaterThan(paid)
  // What a reading's calls read: 15 units, and one more in each for the sessions that have ended.
  expect(database - paid).toBeLessThan(21 * prices['DynamoDB on demand, a million read units'])
  expect(season['DynamoDB requests']).toBeCloseTo(readings['DynamoDB requests'] * 0.06, 6)
})

it('a photo that is read costs what text recognition costs, and what its request was counted to', () => {
  const { Textract, ...others } = ofPhotoReadings(1e6)
  expect(Textract).toBe(prices['Textract, a million photos'])
  const { readUnits = 0, writeUnits = 0 } = counted.get('photo_reading_create') ?? {}
  expect(others['DynamoDB']).toBeCloseTo(
    readUnits * prices['DynamoDB on demand, a million read units'] +
      writeUnits * prices['DynamoDB on demand, a million write units'],
    9,
  )
  for (const [service, dollars] of Object.entries(others)) expect(dollars, service).toBeGreaterThan(0)
  expect(Object.values(others).reduce((a, b) => a + b, 0)).toBeLessThan(0.02 * Textract)
})

it('every service of the bill is paid for a reading, and at rest only what is kept and gone through', () => {
  const { readings, rest } = euros()
  expect(Object.keys(readings).filter((service) => !readings[service])).toEqual(['Workers'])
  const atRest = ['DynamoDB storage and recovery', 'S3 (photos)', 'Workers']
  expect(Object.keys(rest).filter((service) => rest[service])).toEqual(atRest)
})

it('the workers that go through everything are through within their week, and cost what was counted', () => {
  const scheduled = workersJson.filter(({ trigger }) => 'schedule' in trigger).map(({ name }) => name)
  expect([...countedOfWorkers.keys()].filter((name) => scheduled.includes(name)).sort()).toEqual(
    Object.keys(passes).sort(),
  )
  for (const [worker, pass] of Object.entries(passes)) expect(hours(pass, 50e6, 3), worker).toBeLessThan(7 * 24)
  const { readUnits = 0 } = countedOfWorkers.get('account_expiry') ?? {}
  const accounts = 100_000 / 1.3 / 100
  const paid = (30 / 7) * ((accounts * readUnits) / 1e6) * prices['DynamoDB on demand, a million read units']
  expect(euros().rest['Workers'] * prices['US dollars for a euro']).toBeGreaterThan(paid)
})
