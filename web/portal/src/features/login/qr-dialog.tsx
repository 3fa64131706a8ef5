import { Button, Loader } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '@shared/i18n/react.tsx'
import { coming } from '@shared/ui/coming.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { AskedFor } from '@/components/asked-for.tsx'
import type { CameraFault } from './scan/camera.ts'

const Scanner = coming(async () => (await import('./scan/scanner.tsx')).Scanner)

interface Props {
  onToken: (token: string) => void
  /** The reader goes on with user name and password. */
  onFallBack: () => void
  onClose: () => void
}

/** Looks for a QR code with the camera, and says what to do where that does not go (L2, L8). */
export function QrDialog({ onToken, onFallBack, onClose }: Props) {
  const { t } = useTranslation('login')
  const [fault, setFault] = useState<CameraFault>()

  function fallBack() {
    // A dialog that closes gives the focus back to its button; what follows comes after that.
    flushSync(onClose)
    onFallBack()
  }

  return fault ? (
    <Dialog
      key={fault}
      open
      title={t(`scan.${fault}.title`)}
      onClose={fallBack}
      actions={
        <Button variation="primary" onClick={fallBack}>
          {t('scan.toCredentials')}
        </Button>
      }
    >
      <p>{t(`scan.${fault}.text`)}</p>
    </Dialog>
  ) : (
    <Dialog
      open
      title={t('scan.title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('scan.cancel')}</Button>}
    >
      <AskedFor
        part={Scanner}
        meanwhile={<Loader size="large" aria-label={t('loading', { area: 'common' })} />}
        onMissing={onClose}
      >
        <Scanner
          onToken={(token) => {
            onClose()
            onToken(token)
          }}
          onFault={setFault}
        />
      </AskedFor>
    </Dialog>
  )
}
