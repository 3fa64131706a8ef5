import type { ApiError } from '@shared/api/client.ts'
import type { FindingCode } from '@shared/contract/types.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { errorAt, type FindingOf } from '@shared/rules/finding.ts'
import { checkOwnReading, type Finding } from '@shared/rules/visitor-reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { type Draft, readingOf } from './draft.ts'

/** The findings that the form has words for. */
const KNOWN = [
  'REQUIRED',
  'TOO_SHORT',
  'TOO_LONG',
  'CHARACTERS',
  'PRE_DECIMALS',
  'DECIMALS_TOO_MANY',
  'IMAGE_REQUIRED',
  'IMAGE_TOO_MANY',
  'DATE_TOO_EARLY',
  'DATE_TOO_LATE',
] as const satisfies readonly Finding['code'][]

/** A finding with words. */
type KnownFinding = FindingOf<(typeof KNOWN)[number]>

const isKnown = (finding: FindingOf<FindingCode>): finding is KnownFinding =>
  KNOWN.some((code) => code === finding.code)

/** Everything that is wrong with a draft. */
export function useFindings(draft: Draft, today: IsoDate): KnownFinding[] {
  const sessions = useSessions()
  const { features, config } = useApplication()
  const { readingDate, readingValue, photoIds, ...reading } = readingOf(draft, today)
  const found: KnownFinding[] = checkOwnReading(
    config.meterReading.queryPostDecimals,
    features.unknownReadingsImageRequired,
    { ...reading, readingDate, readingValue: readingValue || '0', imageCount: photoIds.length },
    today,
  ).filter(isKnown)
  if (readingValue === '') found.push(errorAt('REQUIRED', 'readingValue'))
  if (sessions.length > 1 && !sessions.some(({ accountId }) => accountId === draft.accountId)) {
    found.push(errorAt('REQUIRED', 'accountId'))
  }
  // An empty day lies before every other.
  return readingDate === ''
    ? [...found.filter(({ field }) => field !== 'readingDate'), errorAt('REQUIRED', 'readingDate')]
    : found
}

/** The server's remarks, each at the field that it is about. */
export const serverFindings = (error: ApiError): KnownFinding[] =>
  error.fieldErrors
    .flatMap(({ field, code, limit }) =>
      code ? [errorAt(code, field.replace(/[[.].*$/, ''), limit ?? undefined)] : [],
    )
    .filter(isKnown)

/** Puts a finding into words. */
export function useFindingText(): (finding: KnownFinding) => string {
  const { t } = useTranslation('unknownReading')
  return ({ code, limit = '' }) => {
    return t(`fault.${code}`, { limit: code.startsWith('DATE_') ? formatDate(limit) : limit })
  }
}
