import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import type { OutboxEntry } from '@/device/entry.ts'

interface Props {
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** Asks before what was entered is given up; undefined in place of the entry: nothing is asked. */
export function DiscardDialog({ entry, ...does }: Props & { readonly entry: OutboxEntry | undefined }) {
  const { t } = useTranslation('offline')
  return (
    <Question title={t('discard.title')} text={entry && t('discard.text', { number: entry.meterNumber })} {...does} />
  )
}

/** How many readings wait to be sent, and how many are only begun. */
interface Unsent {
  readonly waiting: number
  readonly begun: number
}

/** Asks before so much is given up, of which nothing is told to whoever stands there; undefined: nothing is asked. */
export function DiscardAllDialog({ unsent, ...does }: Props & { readonly unsent: Unsent | undefined }) {
  const { t } = useTranslation('offline')
  const textOf = ({ waiting, begun }: Unsent) =>
    [waiting > 0 && t('discard.allWaiting', { count: waiting }), begun > 0 && t('discard.allBegun', { count: begun })]
      .filter(Boolean)
      .join(' ')
  return <Question title={t('discard.allTitle')} text={unsent && textOf(unsent)} {...does} />
}

function Question(props: Props & { readonly title: string; readonly text: string | undefined }) {
  const { title, text, onKeep, onDiscard } = props
  const { t } = useTranslation('offline')
  return (
    <Dialog
      open={text !== undefined}
      title={title}
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
      <p>{text}</p>
    </Dialog>
  )
}
