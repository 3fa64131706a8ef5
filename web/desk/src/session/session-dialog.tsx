import { Button } from '@aws-amplify/ui-react'
import { formatMoment } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { awaitEnd, giveUp, loggedInElsewhere, stay, useSession } from './session.ts'

/** Says that the session ends or has ended; nothing on the page is lost by either. */
export function SessionDialog({ loginAddress }: { loginAddress: string }) {
  const { t } = useTranslation('desk')
  const session = useSession()
  const phase = session.kind === 'in' ? session.phase : 'open'
  const isLast = session.kind === 'in' && session.isLast
  const goOn = () => (isLast ? awaitEnd() : void stay())
  return (
    <>
      <Dialog
        open={phase === 'ending'}
        title={t('session.endingTitle')}
        onClose={goOn}
        actions={
          <Button variation="primary" onClick={goOn}>
            {t(isLast ? 'session.seen' : 'session.stay')}
          </Button>
        }
      >
        <p>
          {session.kind === 'in' &&
            t(isLast ? 'session.endingLast' : 'session.ending', { time: formatMoment(session.deadline) })}
        </p>
      </Dialog>
      <Dialog
        open={phase === 'ended'}
        title={t('session.endedTitle')}
        onClose={giveUp}
        actions={
          <>
            <a className="button-link" href={loginAddress} target="_blank" rel="noopener noreferrer">
              {t('session.again')}
            </a>
            <Button onClick={() => void loggedInElsewhere()}>{t('session.done')}</Button>
            <Button variation="link" onClick={giveUp}>
              {t('session.later')}
            </Button>
          </>
        }
      >
        <p>{t('session.ended')}</p>
      </Dialog>
    </>
  )
}
