import { Button } from '@aws-amplify/ui-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { surely } from '@/offline/on-demand.ts'

/** Without a network it opens when there is one again: it comes after the first screen. */
const QrDialog = lazy(async () => {
  await surely()
  return { default: (await import('./qr-dialog.tsx')).QrDialog }
})

interface Props {
  onToken: (token: string) => void
  /** The reader goes on with user name and password. */
  onFallBack: () => void
}

/** The login by a QR code that is held before the camera (L2). */
export function QrLogin({ onToken, onFallBack }: Props) {
  const { t } = useTranslation('login')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button type="button" size="large" isFullWidth onClick={() => setOpen(true)}>
        <Icon name="qr" />
        <span className="button-text">{t('scan.button')}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <QrDialog onToken={onToken} onFallBack={onFallBack} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
