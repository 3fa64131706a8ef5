import { expect, test } from 'vitest'
import deFormal from '@shared/i18n/de-FORMAL/errors.json'
import openapi from '../../../functions/api/openapi.json'
import { ApiError } from './client.ts'
import { isOfDesk } from './desk-codes.ts'
import { problemCode } from './problem.ts'

const codes = openapi.components.schemas.ProblemCode.enum.filter((code) => !isOfDesk(code))

test.each(codes)('the code %s has a text of its own', (code) => {
  expect(problemCode(new ApiError(code, { status: 400 }))).toBe(code)
  expect(Object.keys(deFormal).map((key) => key.replace(/_(one|other)$/, ''))).toContain(code)
})

test('what is not known reads as an internal error', () => {
  expect(problemCode(new ApiError('something-new', { status: 418 }))).toBe('internal-error')
  expect(problemCode(new Error('a fault in the portal'))).toBe('internal-error')
  expect(problemCode(undefined)).toBe('internal-error')
})

test('no answer and an ended session have texts, too', () => {
  expect(problemCode(new ApiError('unreachable'))).toBe('unreachable')
  expect(problemCode(new ApiError('session-ended'))).toBe('session-ended')
  expect(problemCode(new ApiError('foreign-answer'))).toBe('foreign-answer')
})
