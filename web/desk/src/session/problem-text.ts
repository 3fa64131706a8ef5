import { ApiError } from '@shared/api/client.ts'
import { type DeskCode, isOfDesk } from '@shared/api/desk-codes.ts'
import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'

/** Translates what went wrong with a call of the desk into the reader's language. */
export function useDeskProblemText(): (error: unknown) => string {
  const { t } = useTranslation('desk')
  const shared = useProblemText()
  return (error) => {
    const code = error instanceof ApiError ? error.code : ''
    // Unlike the portal, the desk has a button by which such an address is tried again, …
    if (code === 'recipient-suppressed') return t('recipientSuppressed')
    // … can see why none goes out at all …
    if (code === 'mail-refused') return t('mailRefused')
    // … and asks for words where the portal asks for a second press.
    if (code === 'confirmation-required') return t('confirmationRequired')
    return isOfDesk(code) ? t(`problem.${code satisfies DeskCode}`) : shared(error)
  }
}
