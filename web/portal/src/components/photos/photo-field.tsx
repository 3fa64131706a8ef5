import { Loader } from '@aws-amplify/ui-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { Trans, useTranslation } from '@shared/i18n/react.tsx'
import { BlobImage } from '@shared/photos/blob-image.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Drawing, Icon } from '@shared/ui/icon.tsx'
import type { Photo } from '@/device/photo.ts'
import './photos.css'
import { prepare } from '@shared/photos/prepare.ts'
import type { PhotoFault } from '@shared/photos/resize.ts'

export interface PhotoFieldProps {
  /** Names the group for those who do not see it: "Fotos zu HT". */
  readonly label: string
  /** How many photos may be added at most. */
  readonly most: number
  readonly photos: readonly Photo[]
  readonly onChange: (change: (photos: readonly Photo[]) => readonly Photo[]) => void
  /** Called with each photo that was taken, once it is among the others. */
  readonly onTaken?: ((photo: Photo) => void) | undefined
  /** Called when photos that were picked begin to be made fit for sending, and when they are among the others. */
  readonly onPreparing?: ((isPreparing: boolean) => void) | undefined
  /** What is wrong with the photos, in words. */
  readonly error?: string | undefined
}

type Fault = PhotoFault | 'tooMany' | 'failed'

/** Two buttons stand side by side on a phone; the word that both share is heard and not seen. */
const hiddenWord = { hidden: <span className="visually-hidden" /> }

/** A phone or tablet: its browser opens the camera for `capture`; others would only show a second file dialog. */
const hasCamera = () => matchMedia('(any-pointer: coarse)').matches

/** Takes photos from the camera or from files, shows them, and lets them go again (L5). */
export function PhotoField({ label, most, photos, onChange, onTaken, onPreparing, error }: PhotoFieldProps) {
  const { t } = useTranslation('photos')
  const camera = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const [preparing, setPreparing] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const messageId = useId()

  async function take(event: ChangeEvent<HTMLInputElement>) {
    const picked = Array.from(event.target.files ?? [])
    event.target.value = ''
    if (picked.length === 0) return
    setPreparing(true)
    onPreparing?.(true)
    setFault(picked.length > most - photos.length ? 'tooMany' : undefined)
    for (const file of picked.slice(0, most - photos.length)) {
      try {
        const resized = await prepare(file)
        if ('fault' in resized) setFault(resized.fault)
        else {
          const photo = { id: crypto.randomUUID(), blob: resized.photo }
          onChange((before) => [...before, photo])
          onTaken?.(photo)
        }
      } catch {
        setFault('failed')
      }
    }
    setPreparing(false)
    onPreparing?.(false)
  }

  function remove(photo: Photo) {
    setFault(undefined)
    onChange((before) => before.filter(({ id }) => id !== photo.id))
    add.current?.focus()
  }

  const full = photos.length >= most
  const message = fault ? t(`fault.${fault}`, { count: most }) : error

  return (
    <div role="group" aria-label={label} aria-describedby={messageId} className="photos">
      {photos.length > 0 && (
        <ul className="photos__list">
          {photos.map((photo, index) => (
            <Thumbnail key={photo.id} photo={photo} number={index + 1} remove={() => remove(photo)} />
          ))}
        </ul>
      )}
      <div className="photos__buttons">
        {hasCamera() && (
          <BusyButton isOff={full || preparing} onClick={() => camera.current?.click()}>
            <Camera />
            <Trans text={t('take')} parts={hiddenWord} />
          </BusyButton>
        )}
        <BusyButton ref={add} isOff={full || preparing} onClick={() => files.current?.click()}>
          {!hasCamera() && <Camera />}
          {hasCamera() ? <Trans text={t('choose')} parts={hiddenWord} /> : t('add')}
        </BusyButton>
      </div>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={(event) => void take(event)}
      />
      <input ref={files} type="file" accept="image/*" multiple hidden onChange={(event) => void take(event)} />
      <div id={messageId} role="status" className="photos__message" data-error={message !== undefined}>
        {preparing ? (
          <>
            <Loader size="small" aria-hidden />
            {t('preparing')}
          </>
        ) : (
          (message ?? (full && t('full', { count: most })))
        )}
      </div>
    </div>
  )
}

function Thumbnail({ photo, number, remove }: { photo: Photo; number: number; remove: () => void }) {
  const { t } = useTranslation('photos')
  return (
    <li className="photo">
      <BlobImage picture={photo.blob} alt={t('photo', { number })} />
      <button type="button" className="photo__remove" onClick={remove} aria-label={t('remove', { number })}>
        <Icon name="close" size={1.5} />
      </button>
    </li>
  )
}

const Camera = () => (
  <Drawing size={1.375}>
    <path d="M4 7.500h3.500L9 5h6l1.500 2.500H20a1.500 1.500 0 0 1 1.500 1.500v9a1.500 1.500 0 0 1-1.500 1.500H4A1.500 1.500 0 0 1 2.500 18V9A1.500 1.500 0 0 1 4 7.500z" />
    <circle cx="12" cy="13" r="3.750" />
  </Drawing>
)
