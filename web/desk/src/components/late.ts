import { ApiError } from '@shared/api/client.ts'

/** Rules that a reason lets staff pass; who reads by themselves could not. */
const LATE = new Set<string | null | undefined>(['WINDOW_EXPIRED', 'WINDOW_NOT_OPEN', 'DATE_TOO_EARLY'])

export const isLate = ({ code }: { readonly code?: string | null }): boolean => LATE.has(code)

/** A register has a reading, which keeps its place unless it is named as the one that is replaced. */
export const isReadAlready = (error: unknown): boolean => error instanceof ApiError && error.code === 'read-already'

/** Whether what was refused is taken with a reason for being late. */
export const asksLate = (error: unknown): boolean => error instanceof ApiError && error.fieldErrors.some(isLate)
