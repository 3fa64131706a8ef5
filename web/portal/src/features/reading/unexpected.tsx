import type { Job } from '@shared/contract/types.ts'
import { formatAbout, formatAmount, formatDate, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { judge } from '@shared/rules/expected.ts'
import type { Finding } from '@shared/rules/reading.ts'
import { decimalText } from '@shared/rules/value.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { valueOf } from '@/components/counter/entry.ts'
import { useApplication } from '@/data/application.ts'
import type { RateDraft } from './draft.ts'
import type { Rate } from './rate.ts'

/** Whether the remark is that the meter used to count something else. */
export const isUnexpected = ({ code }: Finding): boolean => code === 'EXPECTED_LOW' || code === 'EXPECTED_HIGH'

/** Whether the remark is that the counter seems to have gone back. */
export const isLower = ({ code }: Finding): boolean => code === 'HISTORIC_LOWER' || code === 'CONTINUITY_LOWER'

interface Props {
  readonly job: Job
  readonly rate: Rate
  readonly draft: RateDraft
  readonly readingDate: IsoDate
}

/** What the value would mean, what is usual, and which slip would explain it. */
export function Unexpected({ job, rate, draft, readingDate }: Props) {
  const { t } = useTranslation('reading')
  const { plausibility } = useApplication().config
  const value = valueOf(draft.entry)
  const judged =
    value === undefined ? undefined : judge(plausibility, job, rate.task, readingDate, value, draft.lowerReason)
  if (!judged?.verdict) return null
  const { since, consumption, annual, mistake } = judged
  const words = {
    used: withUnit(formatAmount(decimalText(consumption)), rate.unit),
    date: formatDate(since),
    annual: withUnit(formatAbout(Number(annual) / 1e9), rate.unit),
  }
  return (
    <>
      <span className="figures">{t('expected.usual', words)}</span> {mistake && t(`expected.mistake.${mistake}`)}
    </>
  )
}
