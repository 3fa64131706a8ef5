import { Button } from '@aws-amplify/ui-react'
import { Link } from 'wouter'
import { problemCode, useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { useApplication } from '@/data/application.ts'

interface Props {
  /** What went wrong. */
  failure: unknown
  /** Where a reading is sent without a login; absent where the tenant does not allow that. */
  publicPath: string | undefined
  onTryAgain: () => void
  /** To the login with credentials; absent where an account is logged in and no other one can be beside it. */
  onLogIn: (() => void) | undefined
  onGiveUp: () => void
}

/** Says why the login by a link did not go, and what else can be done (L8). */
export function FailedLink({ failure, publicPath, onTryAgain, onLogIn, onGiveUp }: Props) {
  const { t } = useTranslation('login')
  const { t: common } = useTranslation()
  const { name } = useApplication()
  const problemText = useProblemText()
  const isInvalid = problemCode(failure) === 'link-invalid'
  const title = isInvalid ? problemText(failure) : t('token.failedTitle')
  return (
    <>
      <title>{`${title} – ${name}`}</title>
      <Dialog
        open
        title={title}
        onClose={onGiveUp}
        actions={
          <>
            {/* Who came by a QR code may have nothing else at hand: the link is good until the server says otherwise. */}
            {!isInvalid && (
              <Button variation="primary" onClick={onTryAgain}>
                {t('token.again')}
              </Button>
            )}
            <Button {...(isInvalid && { variation: 'primary' })} onClick={onLogIn ?? onGiveUp}>
              {onLogIn ? t('token.toLogin') : common('close')}
            </Button>
            {isInvalid && publicPath && (
              <Link href={publicPath} className="button-link button-link--plain" onClick={onGiveUp}>
                {t('failed.public')}
              </Link>
            )}
          </>
        }
      >
        <p>{isInvalid ? t('token.failedHint') : problemText(failure)}</p>
      </Dialog>
    </>
  )
}
