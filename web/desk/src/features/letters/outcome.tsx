import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { MailsText } from '@/components/runs/mails-text.tsx'
import type { Run } from '@/data/types.ts'

/** What came out of a run of letters or invitations, in a sentence. */
export function Outcome({ run: { what, letters, lettersEnd, mails } }: { run: Run }) {
  const { t } = useTranslation('letters')
  return (
    <>
      {letters && <LettersText {...letters} isHandOver={what === 'HAND_OVER'} />}
      {lettersEnd &&
        ` · ${t(lettersEnd.isHandedOver ? 'wasHandedOver' : 'wasCalledBack', { by: lettersEnd.by, at: formatInstant(lettersEnd.at) })}`}
      {mails && what === 'DUE_INVITATIONS' && t('due', { count: mails.due, number: formatCount(mails.due) })}
      {mails && what === 'INVITATIONS' && <MailsText mails={mails} />}
    </>
  )
}

type Letters = NonNullable<Run['letters']>

/** How many letters became what. */
export function LettersText({ isHandOver, ...letters }: Letters & { isHandOver: boolean }) {
  const { t } = useTranslation('letters')
  const count = (number: number) => ({ count: number, number: formatCount(number) })
  const more = (['newLogins', 'byMail', 'had', 'questionMarks'] as const).flatMap((kind) =>
    letters[kind] > 0 ? [t(kind, count(letters[kind]))] : [],
  )
  const leftOut =
    letters.leftOut > 0 ? [t(isHandOver ? 'toTakeOut' : 'leftOut', count(letters.leftOut))] : ([] as string[])
  return <>{[t('letters', count(letters.letters)), ...more, ...leftOut].join(', ')}</>
}
