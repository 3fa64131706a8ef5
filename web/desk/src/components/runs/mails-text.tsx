import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Run } from '@/data/types.ts'

/** What became of the mails of a run; nothing, if it sent none. */
export function MailsText({ mails }: { mails: NonNullable<Run['mails']> }) {
  const { t } = useTranslation('runs')
  const counted = (['sent', 'suppressed', 'rehearsed', 'later', 'failed'] as const).flatMap((kind) =>
    mails[kind] > 0 ? [t(kind, { count: mails[kind], number: formatCount(mails[kind]) })] : [],
  )
  return <>{counted.length > 0 ? counted.join(', ') : t('nobody')}</>
}
