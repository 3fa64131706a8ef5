import { expect, it } from 'vitest'
import {
  bounds,
  counted,
  countedOfWorkers,
  euros,
  floodMillion,
  floods,
  hours,
  kept,
  neighbours,
  ofPhotoReadings,
  operations,
  passes,
  peak,
  photoReading,
  refreshed,
  runs,
} from '../capacity.ts'
import prices from '../prices.json' with { type: 'json' }
import routesJson from '../routes.json' with { type: 'json' }
import workersJson from '../workers.json' with { type: 'json' }
import { preview, production } from './deployment.ts'
import { forward } from './edge.ts'

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

it('a million readings cost at most 133 euros, where 235 were paid with 72 files and twenty looks a visit', () => {
  const sum = Object.values(euros().readings).reduce((total, value) => total + value, 0)
  expect(sum).toBeLessThanOrEqual(133)
})

it('what an edge is reckoned to keep is what is deployed', async () => {
  const { maxTtl } = production.one('aws:cloudfront/cachePolicy:CachePolicy', 'KeptAnswers').inputs
  expect(kept.seconds).toBe(maxTtl)
  for (const name of Object.keys(operations)) {
    const path = routesJson.find(({ operation }) => operation === name)?.path ?? ''
    const { cachePolicy } = await forward(production, path)
    expect(cachePolicy === 'KeptAnswers-id', name).toBe(kept.operations.includes(name))
  }
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

it('logs are paid for each request and each run, taken in and kept for as long as they are', () => {
  // Three each minute and six each quarter of an hour.
  expect(runs).toBe(30 * 24 * (3 * 60 + 6 * 4))
  const kept = production.all('aws:cloudwatch/logGroup:LogGroup').map(({ inputs }) => inputs['retentionInDays'] / 30)
  expect(new Set(kept)).toEqual(new Set([3]))
  const gigabyte = prices['CloudWatch Logs, GB taken in'] + 3 * prices['CloudWatch Logs, GB kept and month']
  expect(ofPhotoReadings(1e6)['Logs']).toBeCloseTo(0.95 * gigabyte, 9)
})

it('a metric is paid for in the hours in which it is told, and by each tenant for itself', () => {
  const own = prices['CloudWatch, a metric of one’s own and month'] / prices['US dollars for a euro']
  // All answers, logins, and readings of jobs: of what is counted, visitors and own readings are no part of a visit.
  expect(euros().readings['Metrics of tenants']).toBeCloseTo(3 * own, 9)
  expect(euros().rest['Metrics of tenants']).toBe(0)
  expect(euros().readings).not.toHaveProperty('Metrics of operations')
})

it('a flood is reckoned up to the bounds that are deployed', () => {
  const { defaultRouteSettings, routeSettings } = preview.one('aws:apigatewayv2/stage:Stage', 'ApiStage').inputs
  const { onDemandThroughput } = preview.one('aws:dynamodb/table:Table', 'TableTable').inputs
  const rules: { name: string; statement: { rateBasedStatement?: { limit: number } } }[] = production.one(
    'aws:wafv2/webAcl:WebAcl',
    'PortalWaf',
  ).inputs['rules']
  // The evaluated stage has 4,000 in place of the 3,000 that are there without a setting.
  const limit = (name: string) =>
    ((rules.find((rule) => rule.name === name)?.statement.rateBasedStatement?.limit ?? 0) * 3) / 4
  expect(bounds).toEqual({
    address: { calls: limit('RateLimitPerIP'), sessions: limit('RateLimitSessions') },
    gateway: defaultRouteSettings.throttlingRateLimit,
    sessions: routeSettings[0].throttlingRateLimit,
    reads: onDemandThroughput.maxReadRequestUnits,
    writes: onDemandThroughput.maxWriteRequestUnits,
  })
})

it('a flood costs what its requests and units cost', () => {
  const [calls, passwords, refused, table] = Object.values(floods())
  expect(calls?.addresses).toBe(500)
  expect(passwords?.addresses).toBe(250)
  const written = (500 * 3_600 * 3 * prices['DynamoDB on demand, a million write units']) / 1e6
  expect(passwords?.dollars).toBeGreaterThan(written)
  expect(refused?.dollars).toBeCloseTo(10_000 * 3_600 * 1.99e-6, 1)
  expect(table?.dollars).toBeCloseTo((12_000 * 0.1525 + 4_000 * 0.7625) * 3_600e-6, 6)
})

it('a flood at one tenant is none for the others until all together meet the gateway’s bounds', () => {
  const { requests, visits, concurrency } = peak(1e6)
  const [few, many] = [neighbours(200), neighbours(1_000)]
  expect(few).toMatchObject({ calls: 2_000, refused: 0, sessions: 400, sessionsRefused: 0 })
  // Lambda's share that is left for functions with none of their own.
  expect(few.concurrency - concurrency).toBeLessThan(900 - concurrency)
  expect(many.refused).toBeCloseTo(1 - 5_000 / (10_000 + requests), 9)
  expect(many.sessionsRefused).toBeCloseTo(1 - 500 / (2_000 + visits), 9)
})

it('the alarm of a flood goes off when a day of it would cost the month’s budget', () => {
  const { threshold } = production.one('aws:cloudwatch/metricAlarm:MetricAlarm', 'Flood').inputs
  // Five minutes, of which a day has 288, with the stage's budget of 200 dollars.
  const dollars = ((threshold * 288) / 1e6) * floodMillion()
  expect(dollars).toBeGreaterThan(180)
  expect(dollars).toBeLessThan(220)
  // The strongest minute of a season that the budget was raised for is no flood.
  const { requests, probes, visits } = peak(50e6)
  const threshold50 = (threshold / 200) * 4_000
  expect((requests + probes + 20 * visits) * 300).toBeLessThan(threshold50)
})
