import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { asksLate } from '@/components/late.ts'
import type { Judged } from './judge.ts'

interface Asked {
  /** Why it is taken outside the time for it. */
  readonly late: boolean
  /** Why just these are right. */
  readonly why: string | undefined
}

/** What refusals of an entry asked for. It is asked for from then on, for the next refusal need not say it again; other values are judged anew. */
export function useAsked(day: string, { values, reason }: Pick<Judged, 'values' | 'reason'>) {
  const content = JSON.stringify([day, values, reason])
  const [asked, setAsked] = useState<Asked>({ late: false, why: undefined })
  const [refused, setRefused] = useState<{ readonly content: string; readonly error: ApiError }>()
  const said = refused?.content === content && refused.error.code === 'reading-invalid' ? refused.error.fieldErrors : []
  return {
    /** Notes why what stands here was not taken. */
    note: (error: unknown) => {
      if (!(error instanceof ApiError)) return
      setRefused({ content, error })
      setAsked(({ late, why }) => ({
        late: late || asksLate(error),
        why: error.code === 'confirmation-required' ? content : why,
      }))
    },
    late: asked.late,
    why: asked.why === content,
    /** What is wrong with the value of a register. */
    faultOf: (register: string): string | undefined => {
      const place = values.findIndex((value) => value.register === register)
      return said.find(({ field }) => field === `values[${place}].value`)?.message
    },
  }
}
