/** What fills in a form beside the reader; what the reader has typed is theirs. */
import { useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { prepare } from '@shared/photos/prepare.ts'
import { plainObis } from '@shared/rules/obis.ts'
import { MAX_IMAGES } from '@shared/rules/reading.ts'
import { notify } from '@shared/ui/notify.ts'
import { type Entry, valueOf } from '@/components/counter/entry.ts'
import type { Photo } from '@/device/photo.ts'
import { readPhoto } from '@/offline/photo-reading.ts'
import { type ReadingEntry, rateDraft, withRate } from './draft.ts'
import type { Rate } from './rate.ts'
import { entryOf, type RemoteReading, useRemoteReading } from './remote.ts'

/** Whether nothing was typed. */
export const isEmpty = ({ pre, post }: Entry): boolean => pre === '' && post === ''

/** Fills in what comes from outside (L7). */
export function useRemoteFilling(job: Job, rates: readonly Rate[], { draft, setDraft, isSending }: ReadingEntry): void {
  const { t } = useTranslation('reading')

  async function receive({ meterNumber, results }: RemoteReading) {
    let taken = 0
    const isOurs = !isSending && (meterNumber === undefined || meterNumber === job.meter.meterNumber)
    const ours = (isOurs ? results : []).flatMap(({ obis, ...result }) => {
      const rate = rates.find(({ task }) => plainObis(task.obis) === obis)
      return rate ? [{ ...result, taskId: rate.task.taskId, digits: rate.digits }] : []
    })
    // All values before the first photo, which takes a while to prepare: in that the reader may type.
    for (const { value, taskId, digits } of ours) {
      const entry = value === undefined ? undefined : entryOf(value, digits)
      if (!entry || !isEmpty(rateDraft(draft, taskId).entry)) continue
      setDraft((draft) => withRate(draft, taskId, (rate) => (isEmpty(rate.entry) ? { ...rate, entry } : rate)))
      taken += 1
    }
    for (const { photos, taskId } of ours) {
      for (const photo of job.config.features.imagesForbidden ? [] : photos.slice(0, MAX_IMAGES)) {
        const prepared = await prepare(photo).catch(() => undefined)
        if (!prepared || !('photo' in prepared)) continue
        const added = { id: crypto.randomUUID(), blob: prepared.photo }
        setDraft((draft) =>
          withRate(draft, taskId, (rate) =>
            rate.photos.length < MAX_IMAGES ? { ...rate, photos: [...rate.photos, added] } : rate,
          ),
        )
        taken += 1
      }
    }
    const topic = `reading/${job.id}`
    if (taken > 0) notify({ type: 'info', title: t('remote.title'), message: t('remote.text'), topic })
    else notify({ type: 'warning', title: t('remote.noneTitle'), message: t('remote.none'), topic })
  }
  useRemoteReading((reading) => void receive(reading))
}

/** Fills in what a photo shows; it is the reader's to correct and to send. */
export function usePhotoFilling(job: Job, setDraft: ReadingEntry['setDraft']) {
  /** The rates in whose photos the counter is being looked for. */
  const [looking, setLooking] = useState<readonly string[]>([])

  async function look({ task: { taskId }, digits }: Rate, photo: Photo) {
    setLooking((others) => [...others, taskId])
    const value = await readPhoto(job, taskId, photo)
    setLooking((all) => all.toSpliced(all.indexOf(taskId), 1))
    const entry = value === undefined ? undefined : entryOf(value, digits)
    if (!entry) return
    setDraft((draft) =>
      withRate(draft, taskId, (rate) => {
        const isFree = isEmpty(rate.entry) && rate.photos.some(({ id }) => id === photo.id)
        return isFree ? { ...rate, entry, proposed: valueOf(entry) } : rate
      }),
    )
  }

  return { look, isLooking: (taskId: string) => looking.includes(taskId) }
}
