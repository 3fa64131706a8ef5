import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useDeskProblemText } from '@/session/problem-text.ts'

/** In the place of what has not come: that it is on its way, or why it does not come. */
export function Pending({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation('parts')
  const problemText = useDeskProblemText()
  if (error === undefined)
    return (
      <p className="soft" role="status">
        {t('loading')}
      </p>
    )
  return (
    <Message type="error" role="alert">
      <p>{problemText(error)}</p>
      <Button size="small" onClick={retry}>
        {t('retry')}
      </Button>
    </Message>
  )
}
