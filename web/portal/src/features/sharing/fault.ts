import type { Finding } from '@shared/rules/share.ts'

/** Why a share cannot be made: also what only the server sees. */
type Code = Finding['code'] | 'JOB_TWICE' | 'JOB_NOT_SHAREABLE' | 'MAX_SHARES'

const FAULTS: Record<Code, true> = {
  NAME_REQUIRED: true,
  NAME_TOO_LONG: true,
  NAME_CHARACTERS: true,
  JOBS_REQUIRED: true,
  MAX_JOBS: true,
  JOB_TWICE: true,
  JOB_NOT_SHAREABLE: true,
  MAX_SHARES: true,
}

/** Whether a field's code is one that has a text; a newer server may know others. */
export const isShareFault = (code: string | null | undefined): code is Code => Object.hasOwn(FAULTS, code ?? '')
