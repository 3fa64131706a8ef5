import { Button } from '@aws-amplify/ui-react'
import { useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'

/** A text that is shown this once, and a button that copies it. */
export function ShownOnce({ text }: { text: string }) {
  const { t } = useTranslation('parts')
  const shown = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // Selected first, so that the keyboard can copy it where the page may not.
    if (shown.current) getSelection()?.selectAllChildren(shown.current)
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <>
      <p>
        <code ref={shown} className="identifier">
          {text}
        </code>
      </p>
      <div className="row-of">
        <Button size="small" onClick={() => void copy()}>
          {t('copy')}
        </Button>
        <span role="status">{isCopied && t('copied')}</span>
      </div>
    </>
  )
}
