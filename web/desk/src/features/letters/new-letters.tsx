import { CheckboxField, Radio, RadioGroupField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { OpenFilterWords } from '@/components/open-filter-words.tsx'
import { Files } from '@/components/runs/files.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { startLetters } from '@/data/letters.ts'
import type { Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { isUndecided } from './drawn.tsx'
import { LettersText } from './outcome.tsx'
import { Refused } from './refused.tsx'
import { type Chosen, isAbout, type Recipients } from './use-recipients.ts'

interface Props {
  tenant: string
  runs: readonly Run[]
  whom: Recipients['whom']
  chosen: Chosen
  isBusy: boolean
  reload: () => Promise<unknown>
  /** Why it could not be listed who would get one, or that it could. */
  failure: unknown
  onFailure: (failure: unknown) => void
}

/** Which of them get a letter. */
const TO = ['without', 'all'] as const

/** Who is to get a letter, who that would be, and drawing them. */
export function NewLetters({ tenant, runs, whom, chosen, isBusy, reload, failure, onFailure }: Props) {
  const { t } = useTranslation('letters')
  const language = useStaffLanguage()
  const problemText = useDeskProblemText()
  const [to, setTo] = useState<(typeof TO)[number]>('without')
  const [replyCards, setReplyCards] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isList = whom === 'accounts'
  const onlyWithoutMail = !isList && to === 'without'
  const isEmpty = isList && chosen.accounts.length === 0
  const waits = runs.some(isUndecided)
  const shown = runs.find(
    (run) =>
      run.what === 'DUE_LETTERS' &&
      run.state === 'DONE' &&
      isAbout(run, chosen) &&
      run.lettersTask?.onlyWithoutMail === onlyWithoutMail &&
      run.lettersTask.replyCards === replyCards,
  )
  const refused = runs.find(({ what }) => what === 'DUE_LETTERS' || what === 'LETTERS')
  const start = async (trial: boolean) => {
    await startLetters(tenant, {
      trial,
      ...chosen,
      accounts: [...chosen.accounts],
      onlyWithoutMail,
      replyCards,
      lang: language,
    })
    await reload()
  }
  const show = async () => {
    onFailure(undefined)
    try {
      await start(true)
    } catch (caught) {
      onFailure(caught)
      await reload()
    }
  }
  return (
    <section className="card fields" aria-labelledby="new-letters">
      <h2 id="new-letters">{t('new')}</h2>
      {isList ? (
        <p>{t('namedText')}</p>
      ) : (
        <RadioGroupField
          name="to"
          legend={t('to')}
          value={to}
          onChange={({ target }) => setTo(TO.find((one) => one === target.value) ?? 'without')}
        >
          <Radio value="without">{t('toWithoutMail')}</Radio>
          <Radio value="all">{t('toAll')}</Radio>
        </RadioGroupField>
      )}
      <CheckboxField
        name="replyCards"
        label={t('replyCards')}
        checked={replyCards}
        onChange={({ target }) => setReplyCards(target.checked)}
      />
      <p className="soft">{t('newText')}</p>
      <div className="row-of">
        <BusyButton isOff={isBusy || isEmpty} onClick={() => void show()}>
          {t('show')}
        </BusyButton>
        <BusyButton variation="primary" isOff={isBusy || waits || isEmpty} onClick={() => setAsking(true)}>
          {t('draw')}
        </BusyButton>
      </div>
      {waits && <p>{t('waits')}</p>}
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      <Refused run={refused} chosen={chosen} />
      <div role="status">
        {shown?.letters && (
          <>
            <p>
              {t('shown', { at: formatInstant(shown.askedAt) })} <LettersText {...shown.letters} isHandOver={false} />
            </p>
            {shown.files.length > 0 && <Files tenant={tenant} run={shown} />}
          </>
        )}
      </div>
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
          {chosen.filter && (
            <p>
              <OpenFilterWords filter={chosen.filter} />
            </p>
          )}
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
