import type { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { Reload } from './failure.tsx'

/** The whole portal could not start. */
export function StartFailure({ error }: { error: ApiError }) {
  const { t } = useTranslation()
  const problemText = useProblemText()
  const title = t(error.code === 'application-unknown' ? 'unknownTenant.title' : 'unavailable.title')
  return (
    <main className="start-failure">
      <title>{title}</title>
      <ScreenMessage icon="error" title={title} action={<Reload />}>
        <p>{problemText(error)}</p>
      </ScreenMessage>
    </main>
  )
}
