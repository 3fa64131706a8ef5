import type { Problem } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { ApiError, type FOREIGN, type PHOTO_STUCK, type UNREACHABLE } from './client.ts'
import type { DeskCode } from './desk-codes.ts'

/** What can go wrong: what the server names, and what it cannot. What only the desk meets is explained there. */
type Code = Exclude<Problem['code'], DeskCode> | typeof UNREACHABLE | typeof FOREIGN | typeof PHOTO_STUCK

/** The codes that have a text; a server newer than this portal may know others. */
const CODES: Record<Code, true> = {
  unreachable: true,
  'foreign-answer': true,
  'photo-stuck': true,
  'session-ended': true,
  'malformed-request': true,
  'token-missing': true,
  'token-invalid': true,
  'token-expired': true,
  'login-failed': true,
  'link-invalid': true,
  'refresh-invalid': true,
  'role-missing': true,
  'credentials-needed': true,
  'feature-disabled': true,
  'not-found': true,
  'application-unknown': true,
  'method-not-allowed': true,
  conflict: true,
  'receipt-blocked': true,
  'registration-missing': true,
  'request-too-large': true,
  'unsupported-media-type': true,
  'request-invalid': true,
  'share-invalid': true,
  'recipient-suppressed': true,
  'mail-refused': true,
  'reading-invalid': true,
  'confirmation-required': true,
  'meter-exchanged': true,
  'job-closed': true,
  'photo-invalid': true,
  'upload-missing': true,
  'idempotency-key-reused': true,
  'too-many-attempts': true,
  'too-many-readings': true,
  'too-many-renewals': true,
  'too-many-recipients': true,
  'internal-error': true,
  'crm-unavailable': true,
  'temporarily-unavailable': true,
}

/** The code by which an error is explained; an error that is not the API's is an internal one. */
export function problemCode(error: unknown): Code {
  return error instanceof ApiError && isKnown(error.code) ? error.code : 'internal-error'
}

const isKnown = (code: string): code is Code => Object.hasOwn(CODES, code)

/** Translates what went wrong with a call into the reader's language. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('errors')
  return (error) => {
    const seconds = (error instanceof ApiError && error.retryAfter) || 0
    const code = problemCode(error)
    if (code === 'too-many-attempts' || code === 'too-many-renewals')
      return t(code, { count: Math.ceil(seconds / 60) || 1 })
    if (code === 'too-many-recipients') return t(code, { count: Math.ceil(seconds / 3600) || 1 })
    return t(code)
  }
}
