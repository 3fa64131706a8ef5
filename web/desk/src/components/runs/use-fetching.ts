import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { NotFetched } from '@/data/download.ts'
import { fetchFile } from '@/data/runs.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

/** Has the browser keep files of runs, and tells why one did not come. */
export function useFetching(tenant: string) {
  const { t } = useTranslation('runs')
  const problemText = useDeskProblemText()
  const [failure, setFailure] = useState<unknown>()
  const fetchOne = async (run: string, file: string) => {
    setFailure(undefined)
    try {
      await fetchFile(tenant, run, file)
    } catch (caught) {
      setFailure(caught)
    }
  }
  const said = () => (failure instanceof NotFetched ? t('notFetched', { host: failure.host }) : problemText(failure))
  return { fetchOne, failure: failure === undefined ? undefined : said() }
}
