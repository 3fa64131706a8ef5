import { Button } from '@aws-amplify/ui-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Drawing, Icon } from '@shared/ui/icon.tsx'

/** What was copied is said for so long (L9). */
const COPIED_MS = 2000

interface Props {
  label: string
  value: string
  onCopied?: () => void
}

/** A text to be copied, and the button that does it. */
export function CopyField({ label, value, onCopied }: Props) {
  const { t } = useTranslation('sharing')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [copies, setCopies] = useState(0)
  const isCopied = copies > 0

  useEffect(() => {
    if (copies === 0) return
    const timer = setTimeout(() => setCopies(0), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copies])

  async function copy() {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // Without the permission the text is selected, so that the keyboard can copy it.
      return
    }
    setCopies((count) => count + 1)
    onCopied?.()
  }

  return (
    <div className="copy-field">
      <label htmlFor={id}>{label}</label>
      <div className="copy-field__row">
        <input ref={field} id={id} className="copy-field__value identifier" readOnly value={value} onCopy={onCopied} />
        <Button
          aria-label={t('copy.button', { what: label })}
          className="copy-field__button"
          onClick={() => void copy()}
        >
          {isCopied ? (
            <Icon name="check" size={1.25} />
          ) : (
            <Drawing size={1.25}>
              <rect x="8.500" y="8.500" width="12" height="12" rx="2.500" />
              <path d="M15.500 8.500V6A2.500 2.500 0 0 0 13 3.500H6A2.500 2.500 0 0 0 3.500 6v7A2.500 2.500 0 0 0 6 15.500h2.500" />
            </Drawing>
          )}
        </Button>
      </div>
      <span className={isCopied ? 'copy-field__done' : 'visually-hidden'} role="status">
        {isCopied && t('copy.done')}
      </span>
    </div>
  )
}
