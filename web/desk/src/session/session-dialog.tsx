import { Button } from '@aws-amplify/ui-react'
import { formatMoment } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { giveUp, loggedInElsewhere, stay, useSession } from './session.ts'

/** Says that the session ends or has ended; nothing on the page is lost by either. */
export function SessionDialog({ loginAddress }: { loginAddress: string }) {
  const { t } = useTranslation('desk')
  const session = useSession()
  const phase = session.kind === 'in' ? session.phase : 'open'
  return (
    <>
      <Dialog
        open={phase === 'ending'}
        title={t('session.endingTitle')}
        onClose={() => void stay()}
        actions={
          <Button variation="primary" onClick={() => void stay()}>
            {t('session.stay')}
          </Button>
        }
      >
        <p>{session.kind === 'in' && t('session.ending', { time: formatMoment(session.deadline) })}</p>
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
