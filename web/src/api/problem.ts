import { useTranslation } from 'react-i18next'
import { ApiError } from './client.ts'

/** Codes of functions/api that have a text; the rest reads as an internal error. */
const CODES = [
  'unreachable',
  'session-ended',
  'malformed-request',
  'token-missing',
  'token-invalid',
  'token-expired',
  'login-failed',
  'link-invalid',
  'refresh-invalid',
  'role-missing',
  'not-found',
  'application-unknown',
  'method-not-allowed',
  'conflict',
  'request-too-large',
  'unsupported-media-type',
  'request-invalid',
  'reading-invalid',
  'confirmation-required',
  'photo-invalid',
  'upload-missing',
  'idempotency-key-reused',
  'too-many-attempts',
  'internal-error',
  'temporarily-unavailable',
] as const

type Code = (typeof CODES)[number]

/** The code by which an error is explained; an error that is not the API's is an internal one. */
export function problemCode(error: unknown): Code {
  const code = error instanceof ApiError ? error.code : 'internal-error'
  return CODES.find((known) => known === code) ?? 'internal-error'
}

/** Translates what went wrong with a call into the reader's language. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('errors')
  return (error) => {
    const minutes = Math.ceil(((error instanceof ApiError && error.retryAfter) || 60) / 60)
    const code = problemCode(error)
    return code === 'too-many-attempts' ? t(code, { count: minutes }) : t(code)
  }
}
