import { ApiError } from '@shared/api/client.ts'

/** Problems of which the server says in the reader's language what is wrong. */
const SPOKEN = new Set(['reading-invalid', 'read-already', 'entered-before', 'confirmation-required'])

/** What exactly the server says against what was sent. */
export function Reasons({ error }: { error: unknown }) {
  if (!(error instanceof ApiError)) return null
  return error.fieldErrors.map(({ field, message }) => (
    <p key={message} lang={SPOKEN.has(error.code) || field.startsWith('exchange.') ? undefined : 'en'}>
      {message}
    </p>
  ))
}
