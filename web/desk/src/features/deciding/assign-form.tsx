import { Button, SelectField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { formatDate, formatValue, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { plainObis, rateDisplayName } from '@shared/rules/obis.ts'
import type { LowerReason } from '@shared/rules/reading.ts'
import { cut } from '@shared/rules/value.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { focusFault } from '@/components/focus-fault.ts'
import { isOvertaken } from '@/components/late.ts'
import { isExplained, isLower, LowerReasonField, possibleReason } from '@/components/lower-reason.tsx'
import { rateName, taskOf, unitOf } from '@/components/rate-name.ts'
import { replacedBy, stands, useBeforeLine, useWordsAbout } from '@/components/replaced.ts'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { useJob } from '@/data/jobs.ts'
import type { Decision, DeskJob, Reading, ReadingWithoutJob } from '@/data/types.ts'
import { JobChoice } from './job-choice.tsx'
import { useForm } from './use-form.ts'
import type { CaseWithoutJob } from './use-queue.ts'
import { useRefusals } from './use-refusals.ts'

interface Props {
  tenant: string
  item: CaseWithoutJob
  /** Why what it sent was not taken. */
  failed?: ReactNode
  isSending: boolean
  /** Resolves to why it was not taken, if it was not. */
  onSend: (decision: Decision) => Promise<unknown>
  onCancel: () => void
}

/** To which job a reading goes: one that suggests itself, or one that is searched for. Enter sends, Escape goes back. */
export function AssignForm({ tenant, item, failed, isSending, onSend, onCancel }: Props) {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { t: common } = useTranslation()
  const lang = useStaffLanguage()
  const [job, setJob] = useState(item.suggestions[0]?.job ?? '')
  const [register, setRegister] = useState('')
  const [why, setWhy] = useState('')
  // Who sent it may have said so.
  const [chosen, setChosen] = useState<LowerReason | undefined>(
    item.read.readingReason === 'METER_CHANGE' ? 'METER_CHANGE' : undefined,
  )
  const [isTried, setTried] = useState(false)
  const known = useJob(tenant, job)
  const tasks = known.job?.file.job.meter.meterRateTasks ?? []
  const registers = askedRegisters(tasks, item.read)
  const only = registers.length === 1 ? registers[0] : undefined
  const named = (only ?? registers.find(({ taskId }) => taskId === register))?.taskId
  const lacksRegister = registers.length > 0 && !named
  const { values } = item.read
  const [value] = values
  const meant = tasks.find(({ taskId }) => taskId === named) ?? (tasks.length === 1 ? tasks[0] : undefined)
  const taskFor = ({ obis }: (typeof values)[number]) => taskOfCode(tasks, obis) ?? meant
  const isLow = (one: (typeof values)[number]) => isLower(taskFor(one), one.value)
  const lower = values.some(isLow)
  const lowerReason = possibleReason(chosen, lower)
  /** Whether nothing is asked but what the reason says; which register is below its range is not told, so that each has to be lower. */
  const isAnswered = (refusal: unknown) =>
    refusal instanceof ApiError &&
    refusal.code === 'confirmation-required' &&
    refusal.fieldErrors.every(({ code }) =>
      isExplained(code ?? undefined, lowerReason, code === 'RANGE_BELOW' ? values.every(isLow) : lower),
    )
  const form = useForm(onCancel)
  const replaced = values.flatMap((one) => replacedAs(known.job, taskFor(one), item.day, one.value))
  const replaces = replaced.map(({ id }) => id)
  const [late, setLate] = useWordsAbout([job, ...replaces].join(' '))

  const { note, isMoot, isConfirming, asksLate, faultOf } = useRefusals([job, named, lowerReason].join(' '))
  const needsLate = asksLate || replaces.length > 0
  const lateText = replaces.length > 0 ? 'whyRejected' : 'whyLate'
  const registerFault = faultOf('register')
  const replacedLine = useReplacedLine(known.job)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const [reason, lateReason] = [why.trim(), late.trim()]
    if (!job || lacksRegister || (isConfirming && !reason) || (needsLate && !lateReason)) {
      focusFault(form.current)
      return
    }
    const assigned = (confirmation: { reason: string; confirmed: true } | undefined) =>
      onSend({
        kind: 'assign',
        version: item.version,
        job,
        ...(named && { register: named }),
        ...(lowerReason && { lowerReason }),
        ...confirmation,
        ...(needsLate && { late: lateReason, replaces }),
        lang,
      })
    const refusal = await assigned(isConfirming ? { reason, confirmed: true } : undefined)
    const isSaid = !isConfirming && lowerReason && isAnswered(refusal)
    const left = isSaid ? await assigned({ reason: parts(`lowerReason.${lowerReason}`), confirmed: true }) : refusal
    note(left)
    if (isOvertaken(left)) known.retry()
  }
  return (
    <>
      {!isMoot && failed}
      <form
        ref={form}
        className="card decision-form"
        aria-label={t('assign')}
        noValidate
        onSubmit={(event) => void send(event)}
      >
        <h2>{t('assign')}</h2>
        <JobChoice
          tenant={tenant}
          suggestions={item.suggestions}
          job={job}
          isMissing={isTried && !job}
          onChange={setJob}
        />
        {registers.length > 0 && (
          <SelectField
            label={parts('register')}
            descriptiveText={value?.obis && t('readingSays', { rate: rateDisplayName(value.rateName, value.obis) })}
            name="register"
            value={named ?? ''}
            hasError={(isTried && lacksRegister) || registerFault !== undefined}
            errorMessage={registerFault ?? t('needed')}
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
        <LowerReasonField reason={lowerReason} lower={lower} onChange={setChosen} />
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
        {needsLate && (
          <TextField
            label={t(replaced.some(stands) ? 'whyInstead' : lateText)}
            descriptiveText={replaced.map(replacedLine).join(' · ')}
            name="late"
            maxLength={1000}
            value={late}
            hasError={isTried && !late.trim()}
            errorMessage={t('needed')}
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
    </>
  )
}

/** What of a register a sent value would replace: the value is cut as the job's own are. */
function replacedAs(job: DeskJob | undefined, task: MeterRateTask | undefined, day: string, value: string) {
  if (!job || !task) return []
  const readingValue = cut(value, task.postDecimals ?? Number.POSITIVE_INFINITY)
  const read = { channel: 'PORTAL', readingDate: day, readingValue } as const
  return replacedBy(job, task.taskId, read)
}

/** Says of which register a reading is, and that it would be replaced, or what became of it before. */
function useReplacedLine(job: DeskJob | undefined) {
  const { t } = useTranslation('deciding')
  const { t: common } = useTranslation()
  const beforeLine = useBeforeLine()
  return (reading: Reading): string => {
    const task = job && taskOf(job.file.job, reading.taskId)
    if (!task) return ''
    const rate = rateName(task, common)
    if (!stands(reading)) return `${rate}: ${beforeLine(job.file, reading)}`
    const value = withUnit(formatValue(reading.readingValue), unitOf(task))
    return t('present', { rate, value, day: formatDate(reading.readingDate) })
  }
}

/** The registers of a job among which the clerk has to say which one a reading of one value means: it names none, or none of this job's. */
function askedRegisters(tasks: readonly MeterRateTask[], { values }: ReadingWithoutJob): readonly MeterRateTask[] {
  const [value, ...others] = values
  if (!value || others.length > 0 || taskOfCode(tasks, value.obis)) return []
  return value.obis || tasks.length > 1 ? tasks : []
}

const taskOfCode = (tasks: readonly MeterRateTask[], obis: string | null | undefined) =>
  tasks.find((task) => obis && plainObis(task.obis) === plainObis(obis))
