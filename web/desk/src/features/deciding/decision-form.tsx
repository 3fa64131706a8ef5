import { Button, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isMeterValue } from '@shared/rules/value.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { focusFault } from '@/components/focus-fault.ts'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import type { Decision } from '@/data/types.ts'
import { useForm } from './use-form.ts'
import type { Case } from './use-queue.ts'
import { useRefusals } from './use-refusals.ts'

export type FormKind = Exclude<Decision['kind'], 'assign' | 'agree'>

interface Props {
  kind: FormKind
  item: Case
  /** Why what it sent was not taken. */
  failed?: ReactNode
  isSending: boolean
  /** Resolves to why it was not taken, if it was not. */
  onSend: (decision: Decision) => Promise<unknown>
  onCancel: () => void
}

const valueOf = (text: string) => text.trim().replace(',', '.')

/** What a decision needs beside its kind. Enter sends, Escape goes back. */
export function DecisionForm({ kind, item, failed, isSending, onSend, onCancel }: Props) {
  const { t } = useTranslation('deciding')
  const { t: common } = useTranslation()
  const lang = useStaffLanguage()
  const [text, setText] = useState('')
  const [value, setValue] = useState('')
  const [finalValue, setFinalValue] = useState('')
  const [number, setNumber] = useState('')
  const [oldNumber, setOldNumber] = useState('')
  const [day, setDay] = useState(item.day)
  const [isTried, setTried] = useState(false)
  const form = useForm(onCancel)

  const [known, old, newNumber, went] = [valueOf(value), valueOf(finalValue), number.trim(), oldNumber.trim()]
  // The utility's file may bring the new meter before the customer reads it.
  const isOfNew = newNumber === item.number
  const { note, isMoot, isConfirming, faultOf } = useRefusals([known, old, newNumber, went, day].join(' '))
  const { version } = item
  // Customers have the portal, or an address of their account's.
  const isUnread = kind === 'reject' && item.kind === 'withoutJob' && !item.read.sender && item.email === undefined
  const decisionOf = (): Decision | undefined => {
    const reason = text.trim()
    const decided = { kind, version, lang }
    if (kind === 'release') return decided
    if (kind === 'reject') return reason ? { ...decided, reason } : undefined
    if (kind === 'aside') return reason ? { ...decided, note: reason } : undefined
    if (!isMeterValue(known)) return undefined
    if (kind === 'correct')
      return { ...decided, value: known, ...(reason && { reason }), ...(isConfirming && { confirmed: true }) }
    if (!isMeterValue(old) || !day || (isOfNew && !went)) return undefined
    const numbers = { ...(newNumber && { newNumber }), ...(isOfNew && { oldNumber: went }) }
    const exchange = { day, finalValue: old, initialValue: known, ...numbers }
    return { ...decided, exchange, ...(isConfirming && { confirmed: true }) }
  }
  const decision = decisionOf()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (decision) note(await onSend(decision))
    else focusFault(form.current)
  }
  const [numberFault, dayFault] = ['newNumber', 'day'].map((field) => faultOf(`exchange.${field}`))
  const oldNumberFault = isTried && !went ? t('needed') : faultOf('exchange.oldNumber')
  const valueFault = faultOf('value')
  const wrong = (text: string) => isTried && !isMeterValue(valueOf(text))
  const numberFaultOf = (text: string) => t(text.trim() === '' ? 'needed' : 'noNumber')
  return (
    <>
      {!isMoot && failed}
      <form
        ref={form}
        className="card decision-form"
        aria-label={t(`form.${kind}`)}
        noValidate
        onSubmit={(event) => void send(event)}
      >
        <h2>{t(`form.${kind}`)}</h2>
        {kind === 'release' && <p>{t('notExchanged')}</p>}
        {kind === 'exchange' && (
          <>
            <TextField
              label={t('finalValue')}
              name="final"
              inputMode="decimal"
              autoComplete="off"
              value={finalValue}
              hasError={wrong(finalValue)}
              errorMessage={numberFaultOf(finalValue)}
              onChange={({ target }) => setFinalValue(target.value)}
            />
            <TextField
              label={t('newNumber')}
              name="new-number"
              className="identifier"
              autoComplete="off"
              value={number}
              hasError={numberFault !== undefined}
              errorMessage={numberFault}
              onChange={({ target }) => setNumber(target.value)}
            />
            {isOfNew && <OldNumber value={oldNumber} fault={oldNumberFault} onChange={setOldNumber} />}
            <TextField
              label={t('exchangeDay')}
              name="day"
              type="date"
              value={day}
              hasError={(isTried && !day) || dayFault !== undefined}
              errorMessage={dayFault ?? t('needed')}
              onChange={({ target }) => setDay(target.value)}
            />
          </>
        )}
        {(kind === 'correct' || kind === 'exchange') && (
          <TextField
            label={t(kind === 'correct' ? 'rightValue' : 'initialValue')}
            name="value"
            inputMode="decimal"
            autoComplete="off"
            value={value}
            hasError={wrong(value) || valueFault !== undefined}
            errorMessage={valueFault ?? numberFaultOf(value)}
            onChange={({ target }) => setValue(target.value)}
          />
        )}
        {kind === 'reject' && (
          <TextAreaField
            label={t(isUnread ? 'rejectUnread' : 'rejectWords')}
            descriptiveText={t('rejectKeys')}
            name="text"
            rows={3}
            maxLength={1000}
            value={text}
            hasError={isTried && !text.trim()}
            errorMessage={t('needed')}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        {(kind === 'aside' || kind === 'correct') && (
          <TextField
            label={t(kind === 'aside' ? 'note' : 'why')}
            name="text"
            maxLength={1000}
            value={text}
            hasError={isTried && kind === 'aside' && !text.trim()}
            errorMessage={t('needed')}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        <div className="row-of">
          <BusyButton type="submit" variation="primary" isLoading={isSending}>
            {t(isConfirming ? 'sendAnyway' : isUnread ? 'reject' : `send.${kind}`)}
          </BusyButton>
          <Button onClick={onCancel}>{common('back')}</Button>
        </div>
      </form>
    </>
  )
}

interface OldNumberProps {
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

/** The number of the meter that went, which nobody knows from a reading of the one that came. */
function OldNumber({ value, fault, onChange }: OldNumberProps) {
  const { t } = useTranslation('deciding')
  return (
    <TextField
      label={t('oldNumber')}
      descriptiveText={t('isOfNew')}
      name="old-number"
      className="identifier"
      autoComplete="off"
      value={value}
      hasError={fault !== undefined}
      errorMessage={fault}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
