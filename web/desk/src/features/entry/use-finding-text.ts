import { formatAbout, formatAmount, formatDate, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { judge } from '@shared/rules/expected.ts'
import { decimalText } from '@shared/rules/value.ts'
import { taskOf, unitOf } from '@/components/rate-name.ts'
import type { DeskJob } from '@/data/types.ts'
import type { Judged, Remark } from './judge.ts'

/** Puts a finding into words for a clerk: with what the value would mean, and what slip explains it. */
export function useFindingText(): (job: DeskJob, day: string, judged: Judged, finding: Remark) => string {
  const { t } = useTranslation('entry')
  return ({ file: { job }, rules }, day, { values }, { code, severity, taskId = '', limit = '' }) => {
    const task = taskOf(job, taskId)
    const value = values.find(({ register }) => register === taskId)?.value
    if ((code === 'EXPECTED_HIGH' || code === 'EXPECTED_LOW') && task && value !== undefined) {
      const judged = judge(rules.plausibility, job, task, day, value, undefined)
      if (!judged) return t(`finding.${code}`)
      const usual = t('usual', {
        used: withUnit(formatAmount(decimalText(judged.consumption)), unitOf(task)),
        day: formatDate(judged.since),
        annual: withUnit(formatAbout(Number(judged.annual) / 1e9), unitOf(task)),
      })
      return judged.mistake ? `${usual} ${t(`mistake.${judged.mistake}`)}` : usual
    }
    const isDay = /^\d{4}-/.test(limit)
    const said = t(`finding.${code}`, { limit: isDay ? formatDate(limit) : formatValue(limit), count: Number(limit) })
    const isRefused = severity === 'error' && (code === 'RANGE_BELOW' || code === 'RANGE_ABOVE')
    return isRefused ? `${said} ${t(`strict.${code}`)}` : said
  }
}
