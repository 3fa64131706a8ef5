import { Button, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isMeterValue } from '@shared/rules/value.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import type { Decision } from '@/data/types.ts'
import { useForm } from './use-form.ts'
import type { Case } from './use-queue.ts'

export type FormKind = Exclude<Decision['kind'], 'assign' | 'agree'>

interface Props {
  kind: FormKind
  item: Case
  isSending: boolean
  error: unknown
  onSend: (decision: Decision) => void
  onCancel: () => void
}

const valueOf = (text: string) => text.trim().replace(',', '.')

/** What a decision needs beside its kind. Enter sends, Escape goes back. */
export function DecisionForm({ kind, item, isSending, error, onSend, onCancel }: Props) {
  const { t } = useTranslation('deciding')
  const { t: common } = useTranslation()
  const [text, setText] = useState('')
  const [value, setValue] = useState('')
  const [finalValue, setFinalValue] = useState('')
  const [number, setNumber] = useState('')
  const [day, setDay] = useState(item.day)
  const [isTried, setTried] = useState(false)
  const form = useForm(onCancel)

  const isConfirming = error instanceof ApiError && error.code === 'confirmation-required'
  const { version } = item
  const decisionOf = (): Decision | undefined => {
    const [known, old] = [valueOf(value), valueOf(finalValue)]
    const reason = text.trim()
    if (kind === 'release') return { kind, version }
    if (kind === 'reject') return reason ? { kind, version, reason } : undefined
    if (kind === 'aside') return reason ? { kind, version, note: reason } : undefined
    if (!isMeterValue(known)) return undefined
    if (kind === 'correct')
      return { kind, version, value: known, ...(reason && { reason }), ...(isConfirming && { confirmed: true }) }
    if (!isMeterValue(old)) return undefined
    const newNumber = number.trim()
    return {
      kind,
      version,
      exchange: { day, finalValue: old, initialValue: known, ...(newNumber && { newNumber }) },
    }
  }
  const decision = decisionOf()
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (decision) onSend(decision)
  }
  const wrong = (text: string) => isTried && !isMeterValue(valueOf(text))
  return (
    <form ref={form} className="card decision-form" aria-label={t(`form.${kind}`)} noValidate onSubmit={send}>
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
            errorMessage={t('noNumber')}
            onChange={({ target }) => setFinalValue(target.value)}
          />
          <TextField
            label={t('newNumber')}
            name="new-number"
            className="identifier"
            autoComplete="off"
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
          <TextField
            label={t('exchangeDay')}
            name="day"
            type="date"
            value={day}
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
          hasError={wrong(value)}
          errorMessage={t('noNumber')}
          onChange={({ target }) => setValue(target.value)}
        />
      )}
      {kind === 'reject' && (
        <TextAreaField
          label={t('rejectWords')}
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
          {t(isConfirming ? 'sendAnyway' : `send.${kind}`)}
        </BusyButton>
        <Button onClick={onCancel}>{common('back')}</Button>
      </div>
    </form>
  )
}
