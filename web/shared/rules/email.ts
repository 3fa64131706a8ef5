/** E-mail addresses (L5, P5). The twin of `functions/domain/src/email.rs`. */
import { trimmed } from './white-space.ts'

/** Most characters of an address (P9). */
const MAX_EMAIL = 120

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/

/** Whether mails can be sent to it: no quotes, no comments, a host with a dot. */
export function isEmail(typed: string): boolean {
  const text = trimmed(typed)
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const labels = text.slice(at + 1).split('.')
  return (
    text.length <= MAX_EMAIL &&
    at <= 64 &&
    LOCAL.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label))
  )
}
