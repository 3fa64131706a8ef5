import { Button, CheckboxField, Radio, RadioGroupField, SelectField, TextAreaField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Files } from '@/components/runs/files.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { startLetters } from '@/data/letters.ts'
import type { Letters, Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { isUndecided } from './drawn.tsx'
import { LettersText } from './outcome.tsx'

interface Props {
  tenant: string
  runs: readonly Run[]
  seasons: Letters['seasons']
  season: string
  onSeason: (season: string) => void
  isBusy: boolean
  reload: () => Promise<unknown>
}

/** Whom letters go to. */
const TO = ['without', 'all', 'named'] as const

/** Who is to get a letter, who that would be, and drawing them. */
export function NewLetters({ tenant, runs, seasons, season, onSeason, isBusy, reload }: Props) {
  const { t } = useTranslation('letters')
  const language = useStaffLanguage()
  const problemText = useDeskProblemText()
  const [to, setTo] = useState<(typeof TO)[number]>('without')
  const [list, setList] = useState('')
  const [replyCards, setReplyCards] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const onlyWithoutMail = to === 'without'
  const accounts = to === 'named' ? [...new Set(list.split(/[\s,;]+/).filter(Boolean))].toSorted() : []
  const isEmpty = to === 'named' && accounts.length === 0
  const waits = runs.some(isUndecided)
  const shown = runs.find(
    ({ what, state, lettersTask, season: of }) =>
      what === 'DUE_LETTERS' &&
      state === 'DONE' &&
      (of ?? '') === season &&
      lettersTask?.onlyWithoutMail === onlyWithoutMail &&
      lettersTask.accounts.toSorted().join('\n') === accounts.join('\n') &&
      lettersTask.replyCards === replyCards,
  )
  const isOdd = failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === 'accounts')
  const start = async (trial: boolean) => {
    const wanted = { trial, onlyWithoutMail, accounts, replyCards, lang: language, ...(season !== '' && { season }) }
    await startLetters(tenant, wanted)
    await reload()
  }
  const show = async () => {
    setFailure(undefined)
    try {
      await start(true)
    } catch (caught) {
      setFailure(caught)
      await reload()
    }
  }
  return (
    <section className="card fields" aria-labelledby="new-letters">
      <h2 id="new-letters">{t('new')}</h2>
      {seasons.length > 0 && (
        <SelectField name="season" label={t('season')} value={season} onChange={({ target }) => onSeason(target.value)}>
          <option value="">{t('allSeasons')}</option>
          {seasons.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <RadioGroupField
        name="to"
        legend={t('to')}
        value={to}
        onChange={({ target }) => setTo(TO.find((one) => one === target.value) ?? 'without')}
      >
        <Radio value="without">{t('toWithoutMail')}</Radio>
        <Radio value="all">{t('toAll')}</Radio>
        <Radio value="named">{t('toNamed')}</Radio>
      </RadioGroupField>
      {to === 'named' && (
        <TextAreaField
          name="accounts"
          label={t('accounts')}
          rows={4}
          autoComplete="off"
          value={list}
          hasError={isOdd}
          errorMessage={t('badAccounts')}
          onChange={({ target }) => setList(target.value)}
        />
      )}
      <CheckboxField
        name="replyCards"
        label={t('replyCards')}
        checked={replyCards}
        onChange={({ target }) => setReplyCards(target.checked)}
      />
      <p className="soft">{t('newText')}</p>
      <div className="row-of">
        <Button isDisabled={isBusy || isEmpty} onClick={() => void show()}>
          {t('show')}
        </Button>
        <Button variation="primary" isDisabled={isBusy || waits || isEmpty} onClick={() => setAsking(true)}>
          {t('draw')}
        </Button>
      </div>
      {waits && <p>{t('waits')}</p>}
      {failure !== undefined && !isOdd && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {shown?.letters && (
        <div role="status">
          <p>
            {t('shown', { at: formatInstant(shown.askedAt) })} <LettersText {...shown.letters} isHandOver={false} />
          </p>
          {shown.files.length > 0 && <Files tenant={tenant} run={shown} />}
        </div>
      )}
      {isAsking && (
        <AskDialog
          title={t('drawTitle')}
          go={t('drawNow')}
          told={(refusal) =>
            refusal instanceof ApiError && refusal.fieldErrors.some(({ field }) => field === 'accounts')
              ? t('badAccounts')
              : undefined
          }
          work={async () => {
            await start(false)
            setAsking(false)
          }}
          onClose={() => {
            setAsking(false)
            void reload()
          }}
        >
          {shown?.letters ? (
            <p>
              {t('shown', { at: formatInstant(shown.askedAt) })} <LettersText {...shown.letters} isHandOver={false} />
            </p>
          ) : (
            <p>{t('notShown')}</p>
          )}
          <p>{t('drawText')}</p>
        </AskDialog>
      )}
    </section>
  )
}
