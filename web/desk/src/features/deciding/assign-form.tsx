import { Button, Radio, RadioGroupField, SelectField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useState } from 'react'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { rateDisplayName } from '@shared/rules/obis.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { focusFault } from '@/components/focus-fault.ts'
import { placeLine } from '@/components/place.ts'
import { rateName } from '@/components/rate-name.ts'
import { SearchStatus } from '@/components/search-status.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { useJob } from '@/data/jobs.ts'
import { useSearch } from '@/data/search.ts'
import type { Decision, ReadingWithoutJob } from '@/data/types.ts'
import { SuggestionLine } from './suggestion-line.tsx'
import { useForm } from './use-form.ts'
import type { CaseWithoutJob } from './use-queue.ts'
import { useRefusals } from './use-refusals.ts'

interface Props {
  tenant: string
  item: CaseWithoutJob
  isSending: boolean
  /** Resolves to why it was not taken, if it was not. */
  onSend: (decision: Decision) => Promise<unknown>
  onCancel: () => void
}

/** To which job a reading goes: one that suggests itself, or one that is searched for. Enter sends, Escape goes back. */
export function AssignForm({ tenant, item, isSending, onSend, onCancel }: Props) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { t: common } = useTranslation()
  const lang = useStaffLanguage()
  const [job, setJob] = useState(item.suggestions[0]?.job ?? '')
  const [words, setWords] = useState('')
  const [register, setRegister] = useState('')
  const [why, setWhy] = useState('')
  const [late, setLate] = useState('')
  const [isTried, setTried] = useState(false)
  const searched = useSearch(tenant, words)
  const registers = useRegisters(tenant, job, item.read)
  const only = registers.length === 1 ? registers[0] : undefined
  const named = (only ?? registers.find(({ taskId }) => taskId === register))?.taskId
  const [value] = item.read.values
  const form = useForm(onCancel)

  const { note, isConfirming, asksLate, faultOf } = useRefusals([job, named].join(' '))
  const registerFault = faultOf('register')
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const [reason, lateReason] = [why.trim(), late.trim()]
    if (!job || (isConfirming && !reason)) {
      focusFault(form.current)
      return
    }
    const refusal = await onSend({
      kind: 'assign',
      version: item.version,
      job,
      ...(named && { register: named }),
      ...(isConfirming && { reason, confirmed: true }),
      ...(asksLate && lateReason && { late: lateReason }),
      lang,
    })
    note(refusal)
  }
  const found = searched.found?.filter((one) => one.job)
  const others = found?.filter((one) => !item.suggestions.some((known) => known.job === one.job)) ?? []
  return (
    <form
      ref={form}
      className="card decision-form"
      aria-label={t('assign')}
      noValidate
      onSubmit={(event) => void send(event)}
    >
      <h2>{t('assign')}</h2>
      <RadioGroupField
        legend={t('whichJob')}
        name="job"
        value={job}
        hasError={isTried && !job}
        errorMessage={t('needed')}
        onChange={({ target }) => setJob(target.value)}
      >
        {item.suggestions.map((suggestion) => (
          <Radio key={suggestion.job} value={suggestion.job}>
            <SuggestionLine suggestion={suggestion} />
          </Radio>
        ))}
        {others.map((one) => (
          <Radio key={one.job} value={one.job ?? ''}>
            <strong>{one.name}</strong> · {placeLine(one.place)} · <span className="identifier">{one.meterNumber}</span>
          </Radio>
        ))}
      </RadioGroupField>
      <TextField
        className="decision-form__wide"
        label={t('otherJob')}
        name="words"
        autoComplete="off"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <SearchStatus {...searched} found={found} />
      {registers.length > 0 && (
        <SelectField
          label={parts('register')}
          descriptiveText={value?.obis && t('readingSays', { rate: rateDisplayName(value.rateName, value.obis) })}
          name="register"
          value={named ?? ''}
          hasError={registerFault !== undefined}
          errorMessage={registerFault}
          onChange={({ target }) => setRegister(target.value)}
        >
          {!only && <option value="">{parts('choose')}</option>}
          {registers.map((task) => (
            <option key={task.taskId} value={task.taskId}>
              {rateName(task, common)}
            </option>
          ))}
        </SelectField>
      )}
      {isConfirming && (
        <TextField
          label={t('whyRight')}
          name="why"
          maxLength={1000}
          value={why}
          hasError={isTried && !why.trim()}
          errorMessage={t('needed')}
          onChange={({ target }) => setWhy(target.value)}
        />
      )}
      {asksLate && (
        <TextField
          label={t('whyLate')}
          name="late"
          maxLength={1000}
          value={late}
          onChange={({ target }) => setLate(target.value)}
        />
      )}
      <div className="row-of">
        <BusyButton type="submit" variation="primary" isLoading={isSending}>
          {t(isConfirming ? 'sendAnyway' : 'assign')}
        </BusyButton>
        <Button onClick={onCancel}>{common('back')}</Button>
      </div>
    </form>
  )
}

/** The registers of a job among which somebody has to say which one a reading of one value means: it names none, or none of this job's. */
function useRegisters(tenant: string, job: string, { values }: ReadingWithoutJob): readonly MeterRateTask[] {
  const { job: found } = useJob(tenant, job)
  const tasks = found?.file.job.meter.meterRateTasks ?? []
  const [value, ...others] = values
  if (!value || others.length > 0 || tasks.some(({ obis }) => obis === value.obis)) return []
  return value.obis || tasks.length > 1 ? tasks : []
}
