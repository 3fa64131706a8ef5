import { Button, Loader } from '@aws-amplify/ui-react'
import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import type { CameraFault } from './scan/camera.ts'

const Scanner = lazy(async () => ({ default: (await import('./scan/scanner.tsx')).Scanner }))

interface Props {
  onToken: (token: string) => void
  /** The reader goes on with user name and password. */
  onFallBack: () => void
}

/** The login by a QR code that is held before the camera, and what to do where that does not go (L2, L8). */
export function QrLogin({ onToken, onFallBack }: Props) {
  const { t } = useTranslation('login')
  const [state, setState] = useState<'closed' | 'scanning' | CameraFault>('closed')
  const close = () => setState('closed')
  const fault = state === 'denied' || state === 'missing' ? state : undefined

  function fallBack() {
    // A dialog that closes gives the focus back to its button; what follows comes after that.
    flushSync(close)
    onFallBack()
  }

  return (
    <>
      <Button type="button" size="large" isFullWidth onClick={() => setState('scanning')}>
        <Icon name="qr" />
        <span className="button-text">{t('scan.button')}</span>
      </Button>
      <Dialog
        open={state === 'scanning'}
        title={t('scan.title')}
        onClose={close}
        actions={<Button onClick={close}>{t('scan.cancel')}</Button>}
      >
        <Suspense fallback={<Loader size="large" aria-label={t('loading', { area: 'common' })} />}>
          <Scanner
            onToken={(token) => {
              close()
              onToken(token)
            }}
            onFault={setState}
          />
        </Suspense>
      </Dialog>
      <Dialog
        open={fault !== undefined}
        title={fault ? t(`scan.${fault}.title`) : ''}
        onClose={fallBack}
        actions={
          <Button variation="primary" onClick={fallBack}>
            {t('scan.toCredentials')}
          </Button>
        }
      >
        <p>{fault && t(`scan.${fault}.text`)}</p>
      </Dialog>
    </>
  )
}
