import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { previewOf } from '@/data/customer.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

/** Opens the portal as the customer sees it; nothing can be done there (D-DESK-16). */
export function Preview({ tenant, account }: { tenant: string; account: string }) {
  const { t } = useTranslation('customer')
  const problemText = useDeskProblemText()
  const [failure, setFailure] = useState<unknown>()
  const open = async () => {
    setFailure(undefined)
    // Opened at once, because browsers let no page open a window later.
    const portal = window.open('', '_blank')
    try {
      const url = await previewOf(tenant, account)
      if (portal) {
        portal.opener = null
        portal.location.href = url
      }
    } catch (caught) {
      portal?.close()
      setFailure(caught)
    }
  }
  return (
    <>
      <Button onClick={() => void open()}>{t('preview')}</Button>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
    </>
  )
}
