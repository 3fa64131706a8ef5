import { Button, Radio, RadioGroupField, SelectField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { rateDisplayName } from '@shared/rules/obis.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { placeLine } from '@/components/place.ts'
import { rateName } from '@/components/rate-name.ts'
import { useJob } from '@/data/jobs.ts'
import { useSearch } from '@/data/search.ts'
import type { Decision, ReadingWithoutJob } from '@/data/types.ts'
import { SuggestionLine } from './suggestion-line.tsx'
import { useForm } from './use-form.ts'
import type { CaseWithoutJob } from './use-queue.ts'

interface Props {
  tenant: string
  item: CaseWithoutJob
  isSending: boolean
  error: unknown
  onSend: (decision: Decision) => void
  onCancel: () => void
}

/** To which job a reading goes: one that suggests itself, or one that is searched for. Enter sends, Escape goes back. */
export function AssignForm({ tenant, item, isSending, error, onSend, onCancel }: Props) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { t: common } = useTranslation()
  const [job, setJob] = useState(item.suggestions[0]?.job ?? '')
  const [words, setWords] = useState('')
  const [register, setRegister] = useState('')
  const [why, setWhy] = useState('')
  const [late, setLate] = useState('')
  const [isTried, setTried] = useState(false)
  const { found } = useSearch(tenant, words)
  const registers = useRegisters(tenant, job, item.read)
  const only = registers.length === 1 ? registers[0] : undefined
  const named = (only ?? registers.find(({ taskId }) => taskId === register))?.taskId
  const [value] = item.read.values
  const form = useForm(onCancel)

  const code = error instanceof ApiError ? error.code : undefined
  const isConfirming = code === 'confirmation-required'
  const mayBeLate = code === 'read-already' || code === 'reading-invalid' || late !== ''
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const reason = why.trim()
    if (!job || (isConfirming && !reason)) return
    onSend({
      kind: 'assign',
      version: item.version,
      job,
      ...(named && { register: named }),
      ...(reason && { reason, confirmed: true }),
      ...(late.trim() && { late: late.trim() }),
    })
  }
  const others = found?.filter((one) => one.job && !item.suggestions.some((known) => known.job === one.job)) ?? []
  return (
    <form ref={form} className="card decision-form" aria-label={t('assign')} noValidate onSubmit={send}>
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
      {registers.length > 0 && (
        <SelectField
          label={parts('register')}
          descriptiveText={value?.obis && t('readingSays', { rate: rateDisplayName(value.rateName, value.obis) })}
          name="register"
          value={named ?? ''}
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
      {mayBeLate && (
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
