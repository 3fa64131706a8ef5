/** Sharing jobs with sub-accounts (L5): the twin of `functions/domain/src/share.rs`. */

import type { FindingCode } from '@shared/contract/types.ts'
import { errorAt, type FindingOf } from './finding.ts'
import { trimmed } from './white-space.ts'

/** Most jobs of a share. */
export const MAX_JOBS = 999

/** Most characters of a share's name. */
export const MAX_NAME = 100

/** Most characters of a salutation. */
export const MAX_SALUTATION = 60

/** Why a share cannot be made, as far as the portal can know. */
export type Finding = FindingOf<
  Extract<FindingCode, 'NAME_REQUIRED' | 'NAME_TOO_LONG' | 'NAME_CHARACTERS' | 'JOBS_REQUIRED' | 'MAX_JOBS'>
>

// What ends a line, or does something else than stand in it.
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u

/** The name without white space around it, or what is wrong with it. */
export function shareName(text: string): { name: string } | { finding: Finding } {
  const name = trimmed(text)
  const { length } = Array.from(name)
  if (length === 0) return { finding: errorAt('NAME_REQUIRED', 'name') }
  if (length > MAX_NAME) return { finding: errorAt('NAME_TOO_LONG', 'name', MAX_NAME) }
  return BREAKS_LINE.test(name) ? { finding: errorAt('NAME_CHARACTERS', 'name') } : { name }
}

/** Why a mail cannot begin like that. */
export type SalutationFault = Extract<FindingCode, 'SALUTATION_TOO_LONG' | 'SALUTATION_CHARACTERS'>

// Words of letters, of which all can be seen.
const WORDS = /^[\p{L}\p{M} .'\-,]*$/u
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
// `example.org`, but not `Dr. Meier`, nor `u.a.`.
const HOST = /\.[\p{L}\p{M}]{2}/u

/**
 * How the recipient is addressed in a mail that comes in the utility's name: words of letters, and nothing that could be a message of its own
 * (D-MAILS-13). In the form in which compatible characters are one, without white space around it; null: it is empty.
 */
export function salutation(text: string): { salutation: string | null } | { fault: SalutationFault } {
  const composed = trimmed(text.normalize('NFKC'))
  if (Array.from(composed).length > MAX_SALUTATION) return { fault: 'SALUTATION_TOO_LONG' }
  const isTaken = WORDS.test(composed) && !INVISIBLE.test(composed) && !HOST.test(composed)
  return isTaken ? { salutation: composed || null } : { fault: 'SALUTATION_CHARACTERS' }
}

/** What is wrong with this number of jobs. */
export function checkJobCount(count: number): Finding | undefined {
  if (count === 0) return errorAt('JOBS_REQUIRED', 'jobIds')
  return count > MAX_JOBS ? errorAt('MAX_JOBS', 'jobIds', MAX_JOBS) : undefined
}

/** What decides whether a job may be shared. */
export interface ShareableJob {
  readonly jobPermissions: { readonly reShare: boolean }
  readonly config: { readonly features: { readonly reshareAllowed: boolean } }
}

/** Whether a job may be shared: its permission, and the portal or the job itself allowing it. */
export function isShareable(job: ShareableJob, portal: { readonly reshareAllowed: boolean }): boolean {
  return job.jobPermissions.reShare && (portal.reshareAllowed || job.config.features.reshareAllowed)
}
