import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { endSession, useSessions } from '@/data/sessions.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { logOutEverywhere } from '@/session/session.ts'

/** Where I am logged in, and the way to end that. */
export function SessionsPage() {
  const { t } = useTranslation('desk')
  const problemText = useDeskProblemText()
  const { sessions, error, reload } = useSessions()
  const [failure, setFailure] = useState<unknown>()
  const shown: unknown = failure ?? error
  const end = async (session: string) => {
    setFailure(undefined)
    await endSession(session)
    await reload()
  }
  return (
    <Page
      title={t('sessions.title')}
      tools={<Button onClick={() => void logOutEverywhere().catch(setFailure)}>{t('sessions.endAll')}</Button>}
    >
      {shown !== undefined && (
        <Message type="error" role="alert">
          {problemText(shown)}
        </Message>
      )}
      {sessions && (
        <table className="stacks">
          <Heads names={[t('sessions.device'), t('sessions.opened'), t('sessions.used'), t('sessions.end')]} />
          <tbody>
            {sessions.map(({ id, device, openedAt, usedAt, isCurrent }) => (
              <tr key={id}>
                <th scope="row" data-name={t('sessions.device')}>
                  {t(`device.${device}`)}
                </th>
                <td data-name={t('sessions.opened')}>{formatInstant(openedAt)}</td>
                <td data-name={t('sessions.used')}>{formatInstant(usedAt)}</td>
                <td data-name={t('sessions.end')}>
                  {isCurrent ? (
                    t('sessions.current')
                  ) : (
                    <Button
                      size="small"
                      aria-label={`${t('sessions.end')}: ${t(`device.${device}`)}, ${formatInstant(openedAt)}, ${formatInstant(usedAt)}`}
                      onClick={() => void end(id).catch(setFailure)}
                    >
                      {t('sessions.end')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Page>
  )
}
