import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { openCommunication, useCommunicationAt } from './communication.ts'

/** The way to digital communication, on the start screen (L2). */
export function CommunicationCard() {
  const { t } = useTranslation('communication')
  const communication = useCommunicationAt('HOME')
  if (!communication) return null
  const { isRegistered } = communication
  return (
    <section className="panel communication-card">
      <h2 className="communication-card__title">{t('title')}</h2>
      <p>{t(isRegistered ? 'card.registered' : 'card.text')}</p>
      <Button onClick={() => openCommunication('manual')}>
        <Icon name="mail" size={1.25} />
        <span className="button-text">{t(isRegistered ? 'card.receipts' : 'card.register')}</span>
      </Button>
    </section>
  )
}
