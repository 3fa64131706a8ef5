import { useState } from 'react'
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

/** A photo in place: it can be turned and brought nearer. */
export function Photo({ label, ...photo }: Props) {
  const { t } = useTranslation('parts')
  const { data, error } = useSWR(
    ['photo', photo.tenant, photo.job, photo.reading, photo.image],
    () => photoAddress(photo),
    {
      revalidateOnReconnect: false,
    },
  )
  const [turn, setTurn] = useState(0)
  const [zoom, setZoom] = useState(0)
  const [isMissing, setMissing] = useState(false)
  const factor = ZOOMS[zoom % ZOOMS.length] ?? 1
  if (error !== undefined || isMissing) return <p className="photo__missing">{t('photo.missing')}</p>
  return (
    <figure className="photo">
      <div className="photo__frame">
        {data && (
          <img
            src={data.url}
            alt={label}
            style={{ transform: `rotate(${turn * 90}deg) scale(${factor})` }}
            onError={() => setMissing(true)}
          />
        )}
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
        <button
          type="button"
          className="plain-button"
          aria-label={`${t('photo.zoom', { factor: formatCount(factor) })}: ${label}`}
          onClick={() => setZoom(zoom + 1)}
        >
          {t('photo.zoom', { factor: formatCount(factor) })}
        </button>
      </figcaption>
    </figure>
  )
}
