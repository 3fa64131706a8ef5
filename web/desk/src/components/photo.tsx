import { Button } from '@aws-amplify/ui-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import useSWR from 'swr'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type PhotoId, photoAddress } from '@/data/jobs.ts'
import './photo.css'

interface Props extends PhotoId {
  /** What it shows, for those who do not see it. */
  label: string
}

const ZOOMS = [1, 2, 4]

/** A photo in place: it can be turned, brought nearer, and then moved. */
export function Photo({ label, ...photo }: Props) {
  const { t } = useTranslation('parts')
  const { data, error, isValidating, mutate } = useSWR(
    ['photo', photo.tenant, photo.job, photo.reading, photo.image],
    () => photoAddress(photo),
    {
      revalidateOnReconnect: false,
    },
  )
  const [turn, setTurn] = useState(0)
  const [zoom, setZoom] = useState(0)
  const [opened] = useState(Date.now)
  /** How often it could not be loaded: its address may have expired, so that another one is asked for once. */
  const [failures, setFailures] = useState(0)
  const failed = async () => {
    if (failures === 0) await mutate()
    setFailures(failures + 1)
  }
  const retry = async () => {
    await mutate()
    setFailures(0)
  }
  // What is kept from an earlier look may have expired; without another one it is tried, as this clock may be wrong.
  const url = data && !(isValidating && Date.parse(data.expiresAt) <= opened) ? data.url : undefined
  const factorAt = (step: number) => ZOOMS[step % ZOOMS.length] ?? 1
  const factor = factorAt(zoom)
  const next = factorAt(zoom + 1)
  const zoomText = next > 1 ? t('photo.zoom', { factor: formatCount(next) }) : t('photo.whole')
  const frame = useRef<HTMLDivElement>(null)
  const enlarge = () => {
    const seen = frame.current
    if (!seen) return
    const x = (seen.scrollLeft + seen.clientWidth / 2) / seen.scrollWidth
    const y = (seen.scrollTop + seen.clientHeight / 2) / seen.scrollHeight
    flushSync(() => setZoom(zoom + 1))
    // What was in the middle stays there.
    seen.scrollTo(x * seen.scrollWidth - seen.clientWidth / 2, y * seen.scrollHeight - seen.clientHeight / 2)
  }
  if (error !== undefined || failures > 1)
    return (
      <div className="photo__missing">
        <p role="status">{t('photo.missing')}</p>
        <Button size="small" isLoading={isValidating} onClick={() => void retry()}>
          {t('retry')}
        </Button>
      </div>
    )
  return (
    <figure className="photo">
      <div
        ref={frame}
        className="photo__frame"
        {...(factor > 1 && { role: 'group', 'aria-label': `${t('photo.part')}: ${label}`, tabIndex: 0 })}
      >
        <div className="photo__stage" style={{ inlineSize: `${factor * 100}%` }}>
          {url && (
            <img
              key={failures}
              className={turn % 2 === 1 ? 'photo__across' : undefined}
              src={url}
              alt={label}
              style={{ rotate: `${turn * 90}deg` }}
              onError={() => void failed()}
            />
          )}
        </div>
      </div>
      <figcaption className="row-of">
        <button
          type="button"
          className="plain-button"
          aria-label={`${t('photo.turn')}: ${label}`}
          onClick={() => setTurn(turn + 1)}
        >
          {t('photo.turn')}
        </button>
        <button type="button" className="plain-button" aria-label={`${zoomText}: ${label}`} onClick={enlarge}>
          {zoomText}
        </button>
      </figcaption>
    </figure>
  )
}
