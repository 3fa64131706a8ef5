import { Button, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { letterNotReturned, letterReturned } from '@/data/letters.ts'
import { paths } from '@/data/paths.ts'
import type { Returned as Letter } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

/** Letters that came back, scanned one after the other. */
export function Returned({ tenant }: { tenant: string }) {
  const { t } = useTranslation('letters')
  const problemText = useDeskProblemText()
  const field = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [letters, setLetters] = useState<readonly Letter[]>([])
  const [failure, setFailure] = useState<unknown>()
  const isUnknown = failure instanceof ApiError && failure.fieldErrors.some(({ field: name }) => name === 'code')

  const note = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    if (code.trim() !== '')
      try {
        const letter = await letterReturned(tenant, code.trim())
        setLetters([letter, ...letters.filter(({ account }) => account !== letter.account)])
        setCode('')
      } catch (caught) {
        setFailure(caught)
      }
    // The next one is scanned over what could not be read.
    field.current?.select()
  }
  const lift = async (account: string) => {
    setFailure(undefined)
    try {
      await letterNotReturned(tenant, account)
      setLetters(letters.filter((letter) => letter.account !== account))
    } catch (caught) {
      setFailure(caught)
    }
  }
  return (
    <section className="card fields" aria-labelledby="returned">
      <h2 id="returned">{t('returned')}</h2>
      <p className="soft">{t('returnedText')}</p>
      <form className="row-of" onSubmit={(event) => void note(event)}>
        <TextField
          ref={field}
          name="code"
          label={t('code')}
          autoComplete="off"
          maxLength={500}
          value={code}
          hasError={isUnknown}
          errorMessage={t('unknownCode')}
          onChange={({ target }) => setCode(target.value)}
        />
        <Button type="submit">{t('note')}</Button>
      </form>
      {failure !== undefined && !isUnknown && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      <div role="status">
        <ul className="plain">
          {letters.map(({ account, name, letteredAt }) => (
            <li key={account} className="row-of">
              <Link href={paths.customer(tenant, account)}>{name}</Link>
              <span className="identifier">{account}</span>
              {letteredAt && <span className="soft">{t('sentAt', { at: formatInstant(letteredAt) })}</span>}
              <Button size="small" aria-label={t('liftOne', { name })} onClick={() => void lift(account)}>
                {t('lift')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
