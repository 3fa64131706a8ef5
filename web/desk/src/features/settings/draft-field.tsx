import { CheckboxField, SelectField, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface FieldProps {
  name: string
  label: ReactNode
  description?: ReactNode
  value: string
  /** What is wrong with what is kept. */
  fault?: string | undefined
  /** Keeps it; whether that was done. */
  save: (value: string) => Promise<boolean>
}

/**
 * What is typed is kept when the field is left; what could not be kept stays in it. It is kept as a change of what was shown when typing began: what another
 * member did since must not look as if it had been seen.
 */
function useTyped({ value, save }: Pick<FieldProps, 'value' | 'save'>) {
  const [typed, setTyped] = useState<string>()
  const begun = useRef(save)
  const newest = useRef({ value, save })
  const turn = useRef(Promise.resolve())
  /** What was not kept, as far as is known: an answer may be lost. */
  const unanswered = useRef<string>(undefined)
  useLayoutEffect(() => {
    newest.current = { value, save }
  })
  const isUnkept = typed !== undefined
  useEffect(() => {
    if (!isUnkept) return undefined
    // A member who closes the window is asked first; whose page is hidden has agreed (`session.ts`).
    const ask = (event: BeforeUnloadEvent) => {
      if (!document.documentElement.hidden) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnkept])
  const keep = async (text: string, before: Promise<void>) => {
    await before
    if (newest.current.value === unanswered.current) begun.current = newest.current.save
    if (text !== newest.current.value && !(await begun.current(text))) {
      unanswered.current = text
      return
    }
    unanswered.current = undefined
    // What was typed meanwhile changes what was kept just now.
    begun.current = newest.current.save
    setTyped((now) => (now === text ? undefined : now))
  }
  return {
    shown: typed ?? value,
    type: (text: string) => {
      if (!isUnkept) begun.current = save
      setTyped(text)
    },
    leave: () => {
      if (typed !== undefined) turn.current = keep(typed, turn.current)
    },
  }
}

interface LineProps extends FieldProps {
  type?: 'text' | 'number' | 'url'
  isShort?: boolean
}

export function DraftLine({ name, label, description, value, fault, save, type = 'text', isShort = false }: LineProps) {
  const typed = useTyped({ value, save })
  return (
    <TextField
      name={name}
      label={label}
      descriptiveText={description}
      type={type}
      autoComplete="off"
      className={isShort ? 'setting--short' : ''}
      value={typed.shown}
      hasError={fault !== undefined}
      errorMessage={fault}
      onChange={({ target }) => typed.type(target.value)}
      onBlur={typed.leave}
    />
  )
}

interface AreaProps extends FieldProps {
  rows: number
  lang?: string
  isCode?: boolean
  /** Told what is typed, before it is kept. */
  onTyped?: (text: string) => void
}

export function DraftArea({ name, label, description, value, fault, save, rows, lang, isCode, onTyped }: AreaProps) {
  const typed = useTyped({ value, save })
  return (
    <TextAreaField
      name={name}
      label={label}
      descriptiveText={description}
      rows={rows}
      autoComplete="off"
      spellCheck={!isCode}
      lang={lang}
      className={isCode ? 'setting--code' : ''}
      value={typed.shown}
      hasError={fault !== undefined}
      errorMessage={fault}
      onChange={({ target }) => {
        typed.type(target.value)
        onTyped?.(target.value)
      }}
      onBlur={typed.leave}
    />
  )
}

interface SwitchProps {
  name: string
  label: ReactNode
  isOn: boolean
  save: (isOn: boolean) => void
}

export function DraftSwitch({ name, label, isOn, save }: SwitchProps) {
  return <CheckboxField name={name} label={label} checked={isOn} onChange={({ target }) => save(target.checked)} />
}

interface ChoiceProps {
  name: string
  label: ReactNode
  description?: ReactNode
  value: string
  fault?: string | undefined
  options: readonly { readonly value: string; readonly label: string }[]
  save: (value: string) => void
}

export function DraftChoice({ name, label, description, value, fault, options, save }: ChoiceProps) {
  return (
    <SelectField
      name={name}
      label={label}
      descriptiveText={description}
      value={value}
      hasError={fault !== undefined}
      errorMessage={fault}
      onChange={({ target }) => save(target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  )
}
