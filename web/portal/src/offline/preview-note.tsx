import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useApplication } from '@/data/application.ts'

/** That this is how the portal is to be, and the way out (D-SETTINGS-4). It is here because the first screen has no room for it. */
export function PreviewNote() {
  const { t } = useTranslation('offline')
  if (!useApplication().isPreview) return null
  return (
    <Message type="warning">
      {t('preview.text')} <a href="/api/public/preview">{t('preview.end')}</a>
    </Message>
  )
}
