import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { openCommunication, useCommunicationAt } from './communication.ts'

/** The way to digital communication, in the bar (L2). */
export function CommunicationButton() {
  const { t } = useTranslation()
  if (!useCommunicationAt('MENU')) return null
  return (
    <button
      type="button"
      className="icon-button tool"
      aria-label={t('communication')}
      onClick={() => openCommunication('manual')}
    >
      <Icon name="mail" />
    </button>
  )
}
