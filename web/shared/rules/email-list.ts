import { isEmail } from './email.ts'

/** Addresses in one field (L5): separated by white space, commas or semicolons, each of them once, as it was typed first. */
export function splitEmails(typed: string): { valid: string[]; invalid: string[] } {
  const byName = new Map<string, string>()
  for (const address of typed.split(/[\p{White_Space}\uFEFF,;]+/u)) {
    const name = address.toLowerCase()
    if (name && !byName.has(name)) byName.set(name, address)
  }
  const all = [...byName.values()]
  return { valid: all.filter(isEmail), invalid: all.filter((address) => !isEmail(address)) }
}
