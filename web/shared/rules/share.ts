/** Sharing jobs with sub-accounts (L5): the twin of `functions/domain/src/share.rs`. */

/** Most jobs of a share. */
export const MAX_JOBS = 999

/** Most characters of a share's name. */
export const MAX_NAME = 100

/** Why a share cannot be made, as far as the portal can know. */
export type ShareFault = 'NAME_REQUIRED' | 'NAME_TOO_LONG' | 'NAME_CHARACTERS' | 'JOBS_REQUIRED' | 'MAX_JOBS'

// White space as Unicode has it, and the byte order mark, which some programs leave in copied text.
const AROUND = /^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu

// What ends a line, or does something else than stand in it.
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u

/** The name without white space around it, or what is wrong with it. */
export function shareName(text: string): { name: string } | { fault: ShareFault } {
  const name = text.replaceAll(AROUND, '')
  const { length } = Array.from(name)
  if (length === 0) return { fault: 'NAME_REQUIRED' }
  if (length > MAX_NAME) return { fault: 'NAME_TOO_LONG' }
  return BREAKS_LINE.test(name) ? { fault: 'NAME_CHARACTERS' } : { name }
}

/** What is wrong with this number of jobs. */
export function jobCountFault(count: number): ShareFault | null {
  if (count === 0) return 'JOBS_REQUIRED'
  return count > MAX_JOBS ? 'MAX_JOBS' : null
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
