import { Button } from '@aws-amplify/ui-react'
import { useRef } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BlobImage } from '@shared/photos/blob-image.tsx'
import { MAX_IMAGES } from '@shared/rules/reading.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import type { EntryPhotos } from './use-photos.ts'

/** Photos and scans that go with the reading. */
export function PhotoField({ photos, fault, isPreparing, take, remove }: EntryPhotos) {
  const { t } = useTranslation('entry')
  const picker = useRef<HTMLInputElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const isFull = photos.length >= MAX_IMAGES
  return (
    <fieldset className="entry-photos">
      <legend>{t('photos.title')}</legend>
      {photos.length > 0 && (
        <ul className="entry-photos__list">
          {photos.map(({ id, blob }, index) => (
            <li key={id}>
              <BlobImage picture={blob} alt={t('photos.one', { number: index + 1 })} />
              <Button
                size="small"
                aria-label={t('photos.remove', { number: index + 1 })}
                onClick={() => {
                  remove(id)
                  add.current?.focus()
                }}
              >
                {t('photos.removeShort')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <BusyButton ref={add} isOff={isFull || isPreparing} onClick={() => picker.current?.click()}>
        {t('photos.add')}
      </BusyButton>
      <p className="soft">{t(isFull ? 'photos.full' : 'photos.hint', { count: MAX_IMAGES })}</p>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ target }) => {
          const picked = Array.from(target.files ?? [])
          target.value = ''
          if (picked.length > 0) void take(picked)
        }}
      />
      <p role="status" className={fault && 'fault'}>
        {isPreparing ? t('photos.preparing') : fault && t(`photos.fault.${fault}`, { count: MAX_IMAGES })}
      </p>
    </fieldset>
  )
}
