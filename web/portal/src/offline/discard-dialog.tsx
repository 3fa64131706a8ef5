import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import type { OutboxEntry } from '@/device/entry.ts'

interface Props {
  /** The entry that is asked about; undefined while nothing is. */
  readonly entry: OutboxEntry | undefined
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** Asks before what was entered is given up. */
export function DiscardDialog({ entry, onKeep, onDiscard }: Props) {
  const { t } = useTranslation('offline')
  return (
    <Dialog
      open={entry !== undefined}
      title={t('discard.title')}
      onClose={onKeep}
      actions={
        <>
          <Button variation="primary" onClick={onKeep}>
            {t('discard.keep')}
          </Button>
          <Button variation="destructive" onClick={onDiscard}>
            {t('discard.confirm')}
          </Button>
        </>
      }
    >
      {entry && <p>{t('discard.text', { number: entry.meterNumber })}</p>}
    </Dialog>
  )
}
