import { useTranslation } from 'react-i18next'
import type { ApiError } from '@shared/api/client.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { isMeterValue } from '@shared/rules/value.ts'
import { checkOwn, type Fault, type FaultCode } from '@shared/rules/visitor-reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { type Draft, readingOf } from './draft.ts'

/** The faults that the form has words for. */
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
] as const satisfies readonly FaultCode[]

/** A fault with words. */
export type KnownFault = Fault & { readonly code: (typeof KNOWN)[number] }

const isKnown = (fault: { readonly code: string }): fault is KnownFault => KNOWN.some((code) => code === fault.code)

/** Everything that is wrong with a draft. */
export function useFaults(draft: Draft, today: IsoDate): KnownFault[] {
  const sessions = useSessions()
  const { features, config } = useApplication()
  const { readingDate, readingValue, photoIds, ...reading } = readingOf(draft, today)
  const isValue = isMeterValue(readingValue)
  const found: KnownFault[] = checkOwn(
    config.meterReading.queryPostDecimals,
    features.unknownReadingsImageRequired,
    { ...reading, readingDate, readingValue: isValue ? readingValue : '0', imageCount: photoIds.length },
    today,
  ).filter(isKnown)
  if (!isValue) found.push({ code: readingValue === '' ? 'REQUIRED' : 'CHARACTERS', field: 'readingValue' })
  if (sessions.length > 1 && !sessions.some(({ accountId }) => accountId === draft.accountId)) {
    found.push({ code: 'REQUIRED', field: 'accountId' })
  }
  // An empty day lies before every other.
  return readingDate === ''
    ? [...found.filter(({ field }) => field !== 'readingDate'), { code: 'REQUIRED', field: 'readingDate' }]
    : found
}

/** The server's remarks, each at the field that it is about. */
export const serverFaults = (error: ApiError): KnownFault[] =>
  error.fieldErrors
    .map(({ field, code, limit }) => ({
      code: code as FaultCode,
      field: field.replace(/[[.].*$/, ''),
      ...(typeof limit === 'string' && { limit }),
    }))
    .filter(isKnown)

/** Puts a fault into words. */
export function useFaultText(): (fault: KnownFault) => string {
  const { t } = useTranslation('unknownReading')
  return ({ code, field, limit = '' }) => {
    if (field === 'readingValue' && code === 'CHARACTERS') return t('value.notANumber')
    if (code === 'DECIMALS_TOO_MANY' && limit === '0') return t('value.noDecimals')
    return t(`fault.${code}`, { limit: code.startsWith('DATE_') ? formatDate(limit) : limit })
  }
}
