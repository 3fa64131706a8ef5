import { TextField } from '@aws-amplify/ui-react'
import { type ChangeEvent, type CompositionEvent, useState } from 'react'
import { flushSync } from 'react-dom'

interface Props {
  readonly autoCapitalize?: 'characters'
  readonly autoComplete?: string
  readonly autoCorrect?: 'off'
  readonly className?: string
  readonly inputMode?: 'numeric'
  readonly spellCheck?: false
  readonly type?: 'email'
  readonly label: string
  readonly descriptiveText?: string
  readonly size?: 'large'
  readonly isRequired?: boolean
  readonly value: string
  /** What of a typed text is taken. */
  readonly clean: (typed: string) => string
  readonly onType: (value: string) => void
  /** What is wrong with it, in words; shown once the field was left. */
  readonly error: string | undefined
}

/** A field that leaves out what it does not take, with the caret where it was. */
export function CleanField({ value, clean, onType, error, ...props }: Props) {
  const [wasLeft, setLeft] = useState(false)
  const isWrong = wasLeft && error !== undefined

  function take(input: HTMLInputElement) {
    const caret = clean(input.value.slice(0, input.selectionStart ?? input.value.length)).length
    const typed = clean(input.value)
    flushSync(() => onType(typed))
    if (input.type === 'text') input.setSelectionRange(caret, caret)
  }

  return (
    <TextField
      {...props}
      value={value}
      hasError={isWrong}
      errorMessage={error}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        // An accent that waits for its letter is not a character yet.
        if ((event.nativeEvent as InputEvent).isComposing) onType(event.target.value)
        else take(event.target)
      }}
      onCompositionEnd={(event: CompositionEvent<HTMLInputElement>) => take(event.currentTarget)}
      onBlur={() => setLeft(value !== '')}
    />
  )
}
