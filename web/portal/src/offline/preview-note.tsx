import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'

/** That this is how the portal is to be, and the way out (D-SETTINGS-4). It is here because the first screen has no room for it. */
export function PreviewNote() {
  const { t } = useTranslation('offline')
  return (
    <Message type="warning">
      {t('preview.text')} <a href="/api/public/preview">{t('preview.end')}</a>
    </Message>
  )
}
