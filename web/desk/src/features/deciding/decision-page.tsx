import { useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { useFilters } from '@/data/address.ts'
import { paths } from '@/data/paths.ts'
import type { Decision } from '@/data/types.ts'
import { ActionButton } from '@/keys/action-button.tsx'
import { type Action, useActions } from '@/keys/actions.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { DecidedAlready, useMe } from '@/session/session.ts'
import { AssignForm } from './assign-form.tsx'
import { CaseView } from './case-view.tsx'
import { DecidedNote } from './decided-note.tsx'
import { DecisionForm, type FormKind } from './decision-form.tsx'
import { Failed } from './failed.tsx'
import { FILTERS, isNarrowed, waitingFilter } from './filter.ts'
import { ProposalNote } from './proposal-note.tsx'
import { useGivenBack } from './use-given-back.ts'
import { type Case, type Doing, type Picked, useQueue } from './use-queue.ts'
import { WithoutJobView } from './without-job-view.tsx'
import './deciding.css'

/** What went out is decided anew, and so is what never waited (D-CLEARING-7). */
export function DecideAnewPage({ tenant, id }: { tenant: string; id: string }) {
  return <DecisionPage tenant={tenant} id={id} isAnew />
}

/** One screen a decision, each with its key, and the next one without waiting. */
export function DecisionPage({ tenant, id, isAnew = false }: { tenant: string; id: string; isAnew?: boolean }) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { values, query } = useFilters(FILTERS)
  const filter = waitingFilter(values)
  const { current, error, done, failed, doing, skip, settle, withdraw, takeBack, lookAgain, dismiss } = useQueue(
    tenant,
    filter,
    pickedOf(id, isAnew),
  )
  const problemText = useDeskProblemText()
  const [undoError, setUndoError] = useState<unknown>()
  const undo: Action = {
    key: 'z',
    label: t('undo'),
    reason: done ? doing && t(`doing.${doing}`) : t('nothingToUndo'),
    run: () => {
      setUndoError(undefined)
      takeBack().catch(setUndoError)
    },
  }
  useActions([undo])
  const list = `${paths.area(tenant, 'deciding')}${query && `?${query}`}`
  const isOfWaiting = !current || typeof current === 'string' || isWaiting(current)
  return (
    <Page title={parts(isOfWaiting ? 'decide' : 'decideAnew')} tools={<Link href={list}>{t('toList')}</Link>}>
      <div className="done-note">
        {/* Without the button, whose reason changes with everything that is done next. */}
        <span role="status">{done && t(`did.${done.kind}`, { number: done.item.number })}</span>
        {done && <ActionButton action={undo} size="small" />}
      </div>
      {undoError !== undefined && (
        <Message type="error" role="alert">
          {problemText(undoError)}
        </Message>
      )}
      {failed.map(({ item, error }) => (
        <Failed
          key={`${item.job} ${item.reading}`}
          error={error}
          number={item.number}
          action={t('lookAgain')}
          onAction={() => void lookAgain(item).catch(setUndoError)}
          onDismiss={() => dismiss(item)}
        />
      ))}
      {!current && <Pending error={error} retry={() => void skip()} />}
      <div role="status">
        {typeof current === 'string' && (
          <Message type={current === 'none' ? 'success' : 'warning'}>
            {t(current !== 'none' ? current : isNarrowed(filter) ? 'allDoneOfChosen' : 'allDone')}
          </Message>
        )}
      </div>
      {typeof current === 'string' && <GoOn doing={doing} skip={() => void skip()} />}
      {current && typeof current !== 'string' && (
        <Deciding
          key={`${current.job} ${current.reading} ${current.version}`}
          tenant={tenant}
          item={current}
          doing={doing}
          settle={settle}
          withdraw={withdraw}
          skip={() => void skip()}
        />
      )}
    </Page>
  )
}

interface GoOnProps {
  doing: Doing | undefined
  skip: () => void
}

/** Where there is nothing to decide about: that is another matter when the clerk asks again. */
function GoOn({ doing, skip }: GoOnProps) {
  const { t } = useTranslation('deciding')
  const next: Action = { key: 'n', label: t('next'), reason: doing && t(`doing.${doing}`), run: skip }
  useActions([next])
  return (
    <div className="row-of">
      <ActionButton action={next} size="small" />
    </div>
  )
}

/** The reading that an address names. */
function pickedOf(id: string, isAnew: boolean): Picked | undefined {
  const [job, reading] = id.split(' ')
  return job && reading ? { job, reading, isAnew } : undefined
}

const isWaiting = (item: Case): boolean => item.kind === 'withoutJob' || item.read.state === 'waits'

interface Props {
  tenant: string
  item: Case
  /** What is going on: until it is over, nothing can be done about this one. */
  doing: Doing | undefined
  settle: (item: Case, decision: Decision) => Promise<void>
  withdraw: (item: Case, at: string) => Promise<void>
  skip: () => void
}

function Deciding({ tenant, item, doing, settle, withdraw, skip }: Props) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const [form, setForm] = useState<FormKind | 'assign'>()
  useGivenBack(form !== undefined)
  const lang = useStaffLanguage()
  const [failure, setFailure] = useState<{ error: unknown; kind: Decision['kind'] | undefined }>()
  const isBusy = doing !== undefined
  /** Opens a form; what was said against another one goes with it. */
  const choose = (chosen?: FormKind | 'assign') => {
    if (chosen !== form) setFailure(undefined)
    setForm(chosen)
  }
  /** Does it; resolves to what went wrong. */
  const attempt = async (act: () => Promise<void>, kind?: Decision['kind']): Promise<unknown> => {
    setFailure(undefined)
    try {
      await act()
      return undefined
    } catch (caught) {
      setFailure({ error: caught, kind })
      return caught
    }
  }
  const send = async (decision: Decision) => attempt(async () => settle(item, decision), decision.kind)
  const { version } = item
  const me = useMe()
  const proposal = item.kind === 'ofJob' ? item.read.proposal : undefined
  const isOwn = proposal?.member === me.id
  const second: Action = isOwn
    ? { key: 'w', label: t('withdraw'), run: () => void attempt(async () => withdraw(item, proposal.at)) }
    : { key: 'g', label: t('agree'), run: () => void send({ kind: 'agree', version, lang }) }
  const named = item.kind === 'ofJob' && item.read.decision?.exchange
  // What counts as it is has nothing to be released from.
  const isReleased = item.kind === 'ofJob' && item.read.state === 'counts' && !named
  const isExchanged =
    item.kind === 'ofJob' && !isReleased && (item.read.doubts.includes('METER_CHANGE') || Boolean(named))
  const main = proposal ? second.key : item.kind !== 'ofJob' ? 'o' : isExchanged ? 't' : isReleased ? 'k' : 'f'
  const release: Action = {
    key: 'f',
    label: t('release'),
    // An exchange that was told is not passed over by one key.
    run: isExchanged ? () => choose('release') : () => void send({ kind: 'release', version }),
  }
  const ofJob: Action[] = [
    ...(isReleased ? [] : [release]),
    { key: 'k', label: t('correct'), run: () => choose('correct') },
    { key: 't', label: t('exchange'), run: () => choose('exchange') },
  ]
  const all: Action[] = [
    ...(proposal ? [second] : []),
    ...(item.kind === 'ofJob' ? ofJob : [{ key: 'o', label: t('assign'), run: () => choose('assign') }]),
    { key: 'a', label: t('reject'), run: () => choose('reject') },
    ...(isWaiting(item) ? [{ key: 'b', label: t('putAside'), run: () => choose('aside') }] : []),
    { key: 'n', label: t('next'), run: skip },
  ]
  const actions = all.map((action) => (doing ? { ...action, reason: t(`doing.${doing}`) } : action))
  useActions(actions)
  const failed = failure && (
    <Failed
      error={failure.error}
      agreedTo={failure.kind === 'agree' ? proposal?.kind : undefined}
      number={item.number}
      action={t('next')}
      onAction={skip}
    />
  )
  // What another member did holds whatever is typed; what was done without a form is said without one.
  const isOfForm = form !== undefined && failure?.kind === form && !(failure.error instanceof DecidedAlready)
  return (
    <>
      <div className="row-of" role="group" aria-label={parts('decide')}>
        {actions.map((action) => (
          <ActionButton
            key={action.key}
            action={action}
            size="small"
            {...(action.key === main && { variation: 'primary', isLoading: isBusy })}
          />
        ))}
      </div>
      <div role="status">
        {item.read.decision ? (
          <DecidedNote made={item.read.decision} />
        ) : (
          isReleased && <Message type="info">{t('counts')}</Message>
        )}
      </div>
      {proposal && <ProposalNote proposal={proposal} />}
      {!isOfForm && failed}
      {form === 'assign' && item.kind === 'withoutJob' && (
        <AssignForm
          tenant={tenant}
          item={item}
          failed={isOfForm && failed}
          isSending={isBusy}
          onSend={send}
          onCancel={() => choose()}
        />
      )}
      {form && form !== 'assign' && (
        <DecisionForm
          key={form}
          kind={form}
          item={item}
          failed={isOfForm && failed}
          isSending={isBusy}
          onSend={send}
          onCancel={() => choose()}
        />
      )}
      {item.kind === 'ofJob' ? (
        <CaseView tenant={tenant} item={item} />
      ) : (
        <WithoutJobView tenant={tenant} item={item} />
      )}
    </>
  )
}
