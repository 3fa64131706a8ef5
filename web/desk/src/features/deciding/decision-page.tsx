import { useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useFilters } from '@/data/address.ts'
import { paths } from '@/data/paths.ts'
import type { Decision } from '@/data/types.ts'
import { ActionButton } from '@/keys/action-button.tsx'
import { type Action, useActions } from '@/keys/actions.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { CaseView } from './case-view.tsx'
import { DecisionForm, type FormKind } from './decision-form.tsx'
import { Failed } from './failed.tsx'
import { FILTERS, waitingFilter } from './filter.ts'
import { type Case, useQueue } from './use-queue.ts'
import './deciding.css'

/** One screen a decision, each with its key, and the next one without waiting. */
export function DecisionPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('deciding')
  const { values, query } = useFilters(FILTERS)
  const { current, error, done, failed, advance, settle, takeBack, bringBack } = useQueue(tenant, waitingFilter(values))
  const problemText = useDeskProblemText()
  const [undoError, setUndoError] = useState<unknown>()
  const undo: Action = {
    key: 'z',
    label: t('undo'),
    reason: done ? undefined : t('nothingToUndo'),
    run: () => {
      setUndoError(undefined)
      takeBack().catch(setUndoError)
    },
  }
  useActions([undo])
  const list = `${paths.area(tenant, 'deciding')}${query && `?${query}`}`
  return (
    <Page title={t('decide')} tools={<Link href={list}>{t('toList')}</Link>}>
      <div className="done-note" role="status">
        {done && (
          <>
            {t(`did.${done.kind}`, { number: done.item.reading.meterNumber ?? done.item.reading.obis })}{' '}
            <ActionButton action={undo} size="small" />
          </>
        )}
      </div>
      {undoError !== undefined && (
        <Message type="error" role="alert">
          {problemText(undoError)}
        </Message>
      )}
      {failed && (
        <Failed
          error={failed.error}
          number={failed.item.reading.meterNumber ?? failed.item.reading.obis}
          action={t('lookAgain')}
          onAction={() => void bringBack(failed.item).catch(setUndoError)}
        />
      )}
      {!current && <Pending error={error} retry={() => void advance()} />}
      {current === 'none' && <Message type="success">{t('allDone')}</Message>}
      {current && current !== 'none' && (
        <Deciding
          key={`${current.job.file.job.id} ${current.reading.id} ${current.reading.version}`}
          tenant={tenant}
          item={current}
          settle={settle}
          skip={() => void advance()}
        />
      )}
    </Page>
  )
}

interface Props {
  tenant: string
  item: Case
  settle: (item: Case, decision: Decision) => Promise<void>
  skip: () => void
}

function Deciding({ tenant, item, settle, skip }: Props) {
  const { t } = useTranslation('deciding')
  const [form, setForm] = useState<FormKind>()
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const send = async (decision: Decision) => {
    if (isSending) return
    setSending(true)
    setFailure(undefined)
    try {
      await settle(item, decision)
    } catch (caught) {
      setFailure(caught)
    }
    setSending(false)
  }
  const { version } = item.reading
  const actions: Action[] = [
    { key: 'f', label: t('release'), run: () => void send({ kind: 'release', version }) },
    { key: 'k', label: t('correct'), run: () => setForm('correct') },
    { key: 't', label: t('exchange'), run: () => setForm('exchange') },
    { key: 'a', label: t('reject'), run: () => setForm('reject') },
    { key: 'b', label: t('putAside'), run: () => setForm('aside') },
    { key: 'n', label: t('next'), run: skip },
  ]
  useActions(actions)
  return (
    <>
      <div className="row-of" role="group" aria-label={t('decide')}>
        {actions.map((action) => (
          <ActionButton
            key={action.key}
            action={action}
            size="small"
            {...(action.key === 'f' && { variation: 'primary', isLoading: isSending })}
          />
        ))}
      </div>
      {failure !== undefined && (
        <Failed
          error={failure}
          number={item.reading.meterNumber ?? item.reading.obis}
          action={t('next')}
          onAction={skip}
        />
      )}
      {form && (
        <DecisionForm
          key={form}
          kind={form}
          item={item}
          isSending={isSending}
          error={failure}
          onSend={(decision) => void send(decision)}
          onCancel={() => setForm(undefined)}
        />
      )}
      <CaseView tenant={tenant} item={item} />
    </>
  )
}
