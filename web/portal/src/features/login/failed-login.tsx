import { Button } from '@aws-amplify/ui-react'
import { Link } from 'wouter'
import { problemCode, useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'

interface Props {
  /** What went wrong. */
  failure: unknown
  publicPath: string | undefined
  /** Sends the same once more. */
  onTryAgain: () => void
  onClose: () => void
}

/** Says why the login did not go, and what else can be done (L2, L8). */
export function FailedLogin({ failure, publicPath, onTryAgain, onClose }: Props) {
  const { t } = useTranslation('login')
  const { t: common } = useTranslation()
  const problemText = useProblemText()
  const code = problemCode(failure)
  const isRefused = code === 'login-failed'
  // Who has tried too often waits with the password only (D-SECURITY-1), and need not wait with the reading.
  const isWaiting = code === 'too-many-attempts'
  const mayBeTyped = isRefused || isWaiting || code === 'request-invalid'
  return (
    <Dialog
      open
      title={t('failed.title')}
      onClose={onClose}
      actions={
        <>
          {!mayBeTyped && (
            <Button variation="primary" onClick={onTryAgain}>
              {t('token.again')}
            </Button>
          )}
          <Button {...(mayBeTyped && { variation: 'primary' })} onClick={onClose}>
            {mayBeTyped ? t('failed.correct') : common('close')}
          </Button>
          {mayBeTyped && publicPath && (
            <Link href={publicPath} className="button-link button-link--plain">
              {t('failed.public')}
            </Link>
          )}
        </>
      }
    >
      <p>{problemText(failure)}</p>
      {isRefused && <p>{t('failed.hint')}</p>}
      {isWaiting && <p>{t('failed.waiting')}</p>}
    </Dialog>
  )
}
