import { useState } from 'react'
import { useFilters } from '@/data/address.ts'
import { filterOf, isSameFilter, OPEN_FILTERS } from '@/data/open-filter.ts'
import type { OpenFilter, Run } from '@/data/types.ts'

/** How recipients are chosen. */
export const WHOM = ['season', 'open', 'accounts'] as const

const FILTERS = { to: WHOM, ...OPEN_FILTERS } as const

/** Whom letters and invitations are about: a season, a selection of open jobs, or a list of accounts. */
export interface Chosen {
  readonly season?: string
  readonly filter?: OpenFilter
  readonly accounts: readonly string[]
}

/** Who is chosen; all but a list of accounts is in the address. */
export function useRecipients() {
  const { values, unknown, set } = useFilters(FILTERS)
  const [list, setList] = useState('')
  const whom = WHOM.find((one) => one === values.to) ?? 'season'
  const accounts = whom === 'accounts' ? [...new Set(list.split(/[\s,;]+/).filter(Boolean))].toSorted() : []
  const chosen: Chosen =
    whom === 'open'
      ? { filter: filterOf(values), accounts }
      : { ...(values.season && { season: values.season }), accounts }
  return { whom, chosen, values, unknown, set, list, setList }
}

export type Recipients = ReturnType<typeof useRecipients>

/** Whether a run was about those who are chosen. */
export const isAbout = ({ season, filter, lettersTask }: Run, chosen: Chosen): boolean =>
  isSameFilter(filter, chosen.filter) &&
  (chosen.filter !== undefined || (season ?? '') === (chosen.season ?? '')) &&
  (lettersTask?.accounts ?? []).toSorted().join('\n') === chosen.accounts.join('\n')
