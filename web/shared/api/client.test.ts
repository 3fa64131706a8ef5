import { expect, test } from 'vitest'
import edge from '../../../functions/testing/recorded/edge.json' with { type: 'json' }
import { ApiError, api, unwrap, unwrapAnswer } from './client.ts'

const problem = {
  type: 'urn:zaehlwerk:problem:too-many-attempts',
  title: 'Too many attempts',
  status: 429,
  detail: 'Wait a little.',
  instance: 'r-1',
  code: 'too-many-attempts',
  fieldErrors: [{ field: 'username', message: 'no' }],
}

const failing = (status: number, error: unknown, headers: HeadersInit = {}) =>
  unwrap(Promise.resolve({ error, response: new Response(null, { status, headers }) })).catch(
    (caught: unknown) => caught,
  )

test('a problem becomes an error with its code, status, fields and pause', async () => {
  const error = await failing(429, problem, { 'retry-after': '90' })
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    code: 'too-many-attempts',
    status: 429,
    retryAfter: 90,
    fieldErrors: problem.fieldErrors,
    message: 'Wait a little.',
  })
})

test('a problem may say by a date when to come back', async () => {
  const headers = { date: 'Sun, 22 Nov 2026 08:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2026 08:02:00 GMT' }
  expect(await failing(503, problem, headers)).toMatchObject({ retryAfter: 120 })
})

/** What becomes of a call that is answered like this. */
function calling(status: number, body: string | null, headers: HeadersInit): Promise<unknown> {
  const fetch = async () => new Response(body, { status, headers })
  const call = api.GET('/api/public/application', { baseUrl: 'https://portal.example', fetch })
  return unwrap(call).catch((error: unknown) => error)
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const JSON_TYPE = { 'content-type': 'application/json' }

test.each<[string, number, string | null, Record<string, string>]>([
  ['a page of a firewall', 403, '<h1>403 ERROR</h1>', HTML],
  ['a page of a network that wants a login', 200, '<form>', HTML],
  ['an empty success', 200, null, {}],
  ['a refusal without its kind', 422, JSON.stringify(problem), JSON_TYPE],
  ['a refusal of the gateway', 404, '{"message":"Not Found"}', JSON_TYPE],
  ['a page that is gone', 410, 'Gone', { 'content-type': 'text/plain' }],
])('%s is no answer of the portal', async (_, status, body, headers) => {
  expect(await calling(status, body, { ...headers, 'retry-after': '30' })).toMatchObject({
    code: 'foreign-answer',
    status: undefined,
    retryAfter: 30,
    fieldErrors: [],
  })
})

test.each([
  [429, '<html>', HTML],
  [502, '<html>', HTML],
  [503, '{"message":"Service Unavailable"}', JSON_TYPE],
])('whoever answers %s wants to be asked later', async (status, body, headers) => {
  expect(await calling(status, body, { ...headers, 'retry-after': '60' })).toMatchObject({
    code: 'temporarily-unavailable',
    status,
    retryAfter: 60,
  })
})

test.each<[keyof typeof edge, object]>([
  ['firewallDefault', { code: 'foreign-answer', status: undefined }],
  ['firewallOurs', { code: 'temporarily-unavailable', status: 429, retryAfter: 60 }],
  ['edgeNoOrigin', { code: 'temporarily-unavailable', status: 502 }],
  ['edgeTimeOut', { code: 'temporarily-unavailable', status: 504 }],
  ['gatewayTooLarge', { code: 'foreign-answer', status: undefined }],
  ['gatewayThrottled', { code: 'temporarily-unavailable', status: 429 }],
  ['gatewayNoFunction', { code: 'temporarily-unavailable', status: 503 }],
  ['gatewayBrokenFunction', { code: 'internal-error', status: 500 }],
])('AWS’s %s is understood', async (name, error) => {
  const { status, body, headers } = edge[name]
  expect(await calling(status, body, headers)).toMatchObject(error)
})

test('what the gateway says about a function that broke is an internal error, whatever it says of its kind', async () => {
  const { status, body } = edge.gatewayBrokenFunction
  for (const headers of [JSON_TYPE, { 'apigw-requestid': 'RL2XYiwjPHcEMEQ=', 'content-type': 'text/plain' }]) {
    expect(await calling(status, body, headers)).toMatchObject({ code: 'internal-error', status: 500 })
  }
  expect(await calling(status, body, HTML)).toMatchObject({ code: 'temporarily-unavailable', status: 500 })
})

test('what the API answers arrives', async () => {
  expect(await calling(200, '{"name":"Birkenfurt"}', JSON_TYPE)).toEqual({ name: 'Birkenfurt' })
  const refused = await calling(404, JSON.stringify(problem), { 'content-type': 'application/problem+json' })
  expect(refused).toMatchObject({ code: 'too-many-attempts', status: 404 })
})

test('no answer is an error without a status', async () => {
  const error = await unwrap(Promise.reject(new TypeError('Failed to fetch'))).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'unreachable', status: undefined })
})

test('success gives the content, and 304 gives none', async () => {
  expect(await unwrap(Promise.resolve({ data: 7, response: new Response() }))).toBe(7)
  const unchanged = { response: new Response(null, { status: 304 }) }
  expect((await unwrapAnswer(Promise.resolve(unchanged))).data).toBeUndefined()
})
