import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { asksLate } from '@/components/late.ts'

/** What was said against a decision. It holds for just what this was `about`: another value, job or register is judged anew (D-CLEARING-7). */
export function useRefusals(about: string) {
  const [said, setSaid] = useState<{ readonly about: string; readonly refusals: readonly ApiError[] }>()
  const refusals = said?.about === about ? said.refusals : []
  const last = refusals.at(-1)
  const isWrong = last?.code === 'reading-invalid' || last?.code === 'request-invalid'
  return {
    /** Notes why what stands here was not taken. */
    note: (failure: unknown) => {
      setSaid(failure instanceof ApiError ? { about, refusals: [...refusals, failure] } : undefined)
    },
    /** Something else stands here by now than what was refused. */
    isMoot: said !== undefined && said.about !== about,
    isConfirming: refusals.some(({ code }) => code === 'confirmation-required'),
    asksLate: refusals.some(asksLate),
    /** What is wrong with a field. */
    faultOf: (name: string): string | undefined =>
      isWrong ? last.fieldErrors.find(({ field }) => field === name)?.message : undefined,
  }
}
