import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'

/** Says that only this page has what was typed: the device has no room, or the browser keeps nothing. */
export function UnkeptMessage() {
  const { t } = useTranslation('offline')
  return (
    <Message type="warning" title={t('unkept.title')} role="alert">
      <p>{t('unkept.text')}</p>
    </Message>
  )
}
