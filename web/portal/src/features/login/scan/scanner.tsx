import { Loader } from '@aws-amplify/ui-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { linkToken } from '@/early/link.ts'
import { type CameraFault, cameraFault, closeCamera, openCamera } from './camera.ts'
import { createDetector } from './detector.ts'
import './scanner.css'

/** Pause between two looks at the picture: a hand that holds a letter does not move faster. */
const LOOK_MS = 120

interface Props {
  /** The token of the first login link that was seen. */
  onToken: (token: string) => void
  onFault: (fault: CameraFault) => void
}

/** The camera's picture, searched for a login link until there is one (L5). */
export function Scanner({ onToken, onFault }: Props) {
  const { t } = useTranslation('login')
  const element = useRef<HTMLVideoElement>(null)
  const [isReady, setReady] = useState(false)
  const [isForeign, setForeign] = useState(false)

  const look = useEffectEvent((code: string): boolean => {
    const token = linkToken(code)
    setForeign(token === undefined)
    if (token) onToken(token)
    return token !== undefined
  })
  const fail = useEffectEvent((error: unknown) => onFault(cameraFault(error)))

  useEffect(() => {
    const ended = new AbortController()
    scan(element.current, ended.signal, () => setReady(true), look).catch((error: unknown) => {
      if (!ended.signal.aborted) fail(error)
    })
    return () => ended.abort()
  }, [])

  return (
    <div className="scanner">
      <div className="scanner__picture">
        {!isReady && <Loader size="large" aria-label={t('loading', { area: 'common' })} />}
        <video ref={element} muted playsInline aria-label={t('scan.picture')} hidden={!isReady} />
      </div>
      <div role="status">
        {isForeign ? (
          <Message type="warning">
            <p>{t('scan.foreign')}</p>
          </Message>
        ) : (
          <p className="scanner__hint">{t('scan.hint')}</p>
        )}
      </div>
    </div>
  )
}

async function scan(
  video: HTMLVideoElement | null,
  signal: AbortSignal,
  onReady: () => void,
  look: (code: string) => boolean,
): Promise<void> {
  if (!video) return
  const stream = await openCamera()
  // The dialog may have been closed while the reader was asked for the camera.
  if (signal.aborted) return closeCamera(stream)
  signal.addEventListener('abort', () => closeCamera(stream))
  const detect = await createDetector().catch((error: unknown) => {
    closeCamera(stream)
    throw error
  })
  video.srcObject = stream
  await video.play()
  onReady()
  while (!signal.aborted) {
    const code = await detect(video)
    if (code !== undefined && !signal.aborted && look(code)) return closeCamera(stream)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
