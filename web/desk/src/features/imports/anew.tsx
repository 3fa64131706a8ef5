import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import type { Imported } from '@/data/types.ts'

/** What a line is called that became this. */
type Verdict = 'created' | 'updated' | 'unchanged' | 'moved' | 'withoutAccount' | 'repeated' | 'faulty'

/** So many lines are named here; the file has all. */
const NAMED = 10

/** Which lines came out otherwise than the rehearsal showed. */
export function Anew({ anew: { count, lines } }: { anew: NonNullable<Imported['anew']> }) {
  const { t } = useTranslation('imports')
  const named = lines.slice(0, NAMED)
  return (
    <Message type="warning">
      {t('anew', { count, number: formatCount(count) })}
      <ul>
        {named.map(({ line, shown, became }) => (
          <li key={line}>
            {t('anewLine', {
              line,
              shown: t(`verdicts.${shown as Verdict}`),
              became: t(`verdicts.${became as Verdict}`),
            })}
          </li>
        ))}
      </ul>
      {count > named.length &&
        t('moreAnew', { count: count - named.length, number: formatCount(count - named.length) })}
    </Message>
  )
}
