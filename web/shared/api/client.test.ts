import { expect, test } from 'vitest'
import { ApiError, unwrap, unwrapAnswer } from './client.ts'

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

test.each([[undefined], [''], ['<html>'], [{ message: 'forbidden' }], [null]])(
  'an answer without a problem, %j, is an internal error',
  async (body) => {
    expect(await failing(502, body)).toMatchObject({ code: 'internal-error', status: 502, fieldErrors: [] })
  },
)

test('no answer is an error without a status', async () => {
  const error = await unwrap(Promise.reject(new TypeError('Failed to fetch'))).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'unreachable', status: undefined })
})

test('success gives the content, and 304 gives none', async () => {
  expect(await unwrap(Promise.resolve({ data: 7, response: new Response() }))).toBe(7)
  const unchanged = { response: new Response(null, { status: 304 }) }
  expect((await unwrapAnswer(Promise.resolve(unchanged))).data).toBeUndefined()
})
