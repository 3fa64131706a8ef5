import { ApiError } from '@shared/api/client.ts'

/** Rules that a reason lets staff pass; who reads by themselves could not. */
const LATE = new Set<string | null | undefined>(['WINDOW_EXPIRED', 'DATE_TOO_EARLY'])

export const isLate = ({ code }: { readonly code?: string | null }): boolean => LATE.has(code)

/** A register has another reading than the one that is shown, or had the one that is sent: the job is to be fetched anew (D-READING-22). */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'read-already' || error.code === 'entered-before')

/** Whether what was refused is taken with a reason for being late. */
export const asksLate = (error: unknown): boolean => error instanceof ApiError && error.fieldErrors.some(isLate)
