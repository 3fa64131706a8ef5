import {
  type ChangeEvent,
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { currentLanguage, locale } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { MAX_POST_DECIMALS } from '@shared/rules/value.ts'
import './counter-field.css'
import {
  back,
  change,
  type Digits,
  type Entry,
  isSeparator,
  type Part,
  type Refusal,
  replace,
  type Step,
  separate,
} from './entry.ts'

interface Props {
  readonly entry: Entry
  readonly onChange: (change: (entry: Entry) => Entry) => void
  readonly digits: Digits
  /** The counter has just so many digits; else they are what is taken of a meter that is not known. */
  readonly hasTheseDigits?: boolean
  /** How many decimals the counter has that are shown masked and not asked for. */
  readonly masked: number
  /** The counter may show decimals that are not asked for. */
  readonly hidden: boolean
  /** Exactly so many decimals are wanted; undefined when any number is fine. */
  readonly exactly: number | undefined
  /** Names the group: "Zählerstand HT 1.8.1". */
  readonly label: string
  readonly labelId: string
  readonly unit: string | undefined
  /** Further texts that describe the field. */
  readonly describedBy: string
  /** What is to be mended: the decimals alone, the whole value, or nothing. */
  readonly invalid: 'decimals' | 'value' | undefined
  /** The reader has left the field by a key. A pointer says nothing: what then appeared would push away what it is about to press. */
  readonly onLeave: () => void
}

/** The entry of one value, in two parts like the counter itself (L5). The keys are those of `entry.ts`. */
export function CounterField({
  entry,
  onChange,
  digits,
  hasTheseDigits = false,
  masked,
  hidden,
  exactly,
  label,
  labelId,
  unit,
  describedBy,
  invalid,
  onLeave,
}: Props) {
  const { t } = useTranslation('reading')
  const pre = useRef<HTMLInputElement>(null)
  const post = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<Refusal>()
  const hintId = useId()
  const hasFraction = digits.post > 0
  const shown = digits.pre + (hasFraction ? (exactly ?? 4) : masked)

  function take(step: Step) {
    setRefusal(step.refusal)
    onChange(() => step.entry)
    if (step.entry.part === entry.part) return
    const next = (step.entry.part === 'post' && hasFraction ? post : pre).current
    next?.focus()
    next?.setSelectionRange(next.value.length, next.value.length)
  }

  function keyDown(part: Part, event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    const isBehind = part === 'post' || (!hasFraction && entry.part === 'post')
    if (event.key === 'Tab') {
      onLeave()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      leave(event.currentTarget)
      onLeave()
    } else if (isSeparator(event.key)) {
      event.preventDefault()
      if (part === 'pre') take({ entry: separate(entry) })
    } else if (event.key === 'Backspace' && isBehind && entry.post === '') {
      event.preventDefault()
      take({ entry: back(entry) })
    } else if (event.key.length === 1 && /\D/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      setRefusal('notDigits')
    }
  }

  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text').trim()
    // Digits alone go where the caret is; anything else is a whole value.
    if (/^\d+$/.test(text) && (entry.pre !== '' || entry.post !== '')) return
    event.preventDefault()
    take(replace(entry, text, digits))
  }

  const part = (name: Part) => ({
    className: `counter-field__part counter-field__part--${name}`,
    value: entry[name],
    inputMode: hasFraction ? ('decimal' as const) : ('numeric' as const),
    enterKeyHint: 'done' as const,
    autoComplete: 'off',
    autoCorrect: 'off',
    spellCheck: false,
    'aria-invalid': invalid === 'value' || (invalid === 'decimals' && (name === 'post' || !hasFraction)),
    onChange: (event: ChangeEvent<HTMLInputElement>) => take(change(entry, name, event.target.value, digits)),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => keyDown(name, event),
    onPaste: paste,
    onBlur: () => setRefusal(undefined),
    onFocus: () => onChange((entry) => (entry.part === name ? entry : { ...entry, part: name })),
  })

  function textOf(refusal: Refusal) {
    if (refusal !== 'full') return refusal
    if (!hasTheseDigits) return entry.part === 'pre' ? 'tooMany' : 'noMore'
    return hasFraction && entry.part === 'pre' ? 'fullBefore' : 'full'
  }

  useBackspaceOfPhones(post, () => entry.post === '' && take({ entry: back(entry) }))

  return (
    <div role="group" aria-labelledby={labelId} aria-describedby={`${hintId} ${describedBy}`} className="counter-field">
      <div className="counter-field__window" style={{ '--digits': shown } as CSSProperties}>
        <input
          ref={pre}
          {...part('pre')}
          size={digits.pre}
          style={{ inlineSize: `calc(${digits.pre} * var(--digit) + var(--padding))` }}
          placeholder={'0'.repeat(digits.pre)}
          aria-label={`${label}: ${t('value.pre')}`}
          aria-describedby={`${hintId} ${describedBy}`}
        />
        {(hasFraction || masked > 0) && (
          <span className="counter-field__mark" aria-hidden="true">
            {locale(currentLanguage()) === 'en' ? '.' : ','}
          </span>
        )}
        {hasFraction && (
          <input
            ref={post}
            {...part('post')}
            size={exactly ?? 3}
            style={{ inlineSize: `calc(${exactly ?? 4} * var(--digit) + var(--padding))` }}
            placeholder={'0'.repeat(exactly ?? 0)}
            aria-label={`${label}: ${t('value.post')}`}
            aria-describedby={`${hintId} ${describedBy}`}
          />
        )}
        {masked > 0 && (
          <span className="counter-field__part counter-field__part--masked" aria-hidden="true">
            {'•'.repeat(masked)}
          </span>
        )}
        {unit && <span className="counter-field__unit">{unit}</span>}
      </div>
      <p id={hintId} className="counter-field__hint">
        <DigitHint digits={digits} exactly={exactly} masked={masked} hidden={hidden} />
      </p>
      <p role="status" className="counter-field__refusal">
        {refusal && t(`refusal.${textOf(refusal)}`, { count: digits.pre })}
      </p>
    </div>
  )
}

/** Goes on to the next counter of the form, else to its main button, else to what stands next; without a form to nothing. */
function leave(field: HTMLInputElement) {
  const counter = field.closest('.counter-field')
  const controls = field.form?.querySelectorAll<HTMLElement>(':is(input, select, textarea, button):enabled') ?? []
  const after = [...controls].filter((control) => {
    const isAfter = field.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING
    return isAfter && !counter?.contains(control) && control.getClientRects().length > 0 && control.tabIndex >= 0
  })
  const next =
    after.find((control) => control.closest('.counter-field')) ??
    after.find((control) => control.matches('[type=submit]')) ??
    after[0]
  if (next) next.focus()
  else field.blur()
}

function DigitHint({ digits, exactly, masked, hidden }: Pick<Props, 'digits' | 'exactly' | 'masked' | 'hidden'>) {
  const { t } = useTranslation('reading')
  const before = t('value.digits', { count: digits.pre })
  if (digits.post > 0) {
    if (exactly !== undefined) return `${before}, ${t('value.decimals', { count: exactly })}.`
    const isAny = digits.post >= MAX_POST_DECIMALS
    return `${before}, ${isAny ? t('value.decimalsAny') : t('value.decimalsUpTo', { count: digits.post })}.`
  }
  if (masked > 0) return `${before}. ${t('value.masked')}.`
  return hidden ? `${before}; ${t('value.decimalsNone')}.` : t('value.only', { count: digits.pre })
}

/** Some phone keyboards name no key; their Backspace in an empty field shows only before the input. */
function useBackspaceOfPhones(field: { readonly current: HTMLInputElement | null }, pressed: () => void): void {
  const latest = useRef(pressed)
  useEffect(() => {
    latest.current = pressed
  })
  useEffect(() => {
    const input = field.current
    const beforeInput = (event: InputEvent) => {
      if (event.inputType === 'deleteContentBackward') latest.current()
    }
    input?.addEventListener('beforeinput', beforeInput)
    return () => input?.removeEventListener('beforeinput', beforeInput)
  }, [field])
}
