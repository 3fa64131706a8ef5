import { Button, TextAreaField } from '@aws-amplify/ui-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type Finding, MAX_COMMENT } from '@shared/rules/reading.ts'
import { Icon } from '@shared/ui/icon.tsx'
import { useFindingText } from './finding-text.ts'

interface Props {
  readonly comment: string
  /** Keys of our own texts, or the tenant's texts as they are. */
  readonly presets: readonly string[]
  /** The tenant wants comments at all. */
  readonly isOffered: boolean
  /** An unusual value must be explained. */
  readonly isRequired: boolean
  readonly finding: Finding | undefined
  readonly onChange: (comment: string) => void
}

/** The comment on the readings: a suggestion or free text (L5). */
export function CommentField({ comment, presets, isOffered, isRequired, finding, onChange }: Props) {
  const { t } = useTranslation('reading')
  const findingText = useFindingText()
  const [isOpened, setOpened] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const presetsId = useId()

  if (!isOpened && !isRequired && comment === '') {
    if (!isOffered) return null
    return (
      <Button
        variation="link"
        className="comment__open"
        onClick={() => {
          flushSync(() => setOpened(true))
          field.current?.focus()
        }}
      >
        <Icon name="plus" size={1.25} />
        {t('comment.add')}
      </Button>
    )
  }
  return (
    <div className="comment">
      <TextAreaField
        ref={field}
        label={isRequired ? t('comment.label') : t('comment.labelOptional')}
        descriptiveText={t('comment.length', { length: Array.from(comment).length, max: MAX_COMMENT })}
        rows={3}
        value={comment}
        isRequired={isRequired}
        hasError={finding !== undefined && finding.code !== 'COMMENT_REQUIRED'}
        errorMessage={finding && findingText(finding)}
        onChange={(event) => onChange(event.target.value)}
      />
      {presets.length > 0 && (
        <div role="group" aria-labelledby={presetsId} className="comment__presets">
          <span id={presetsId}>{t('comment.presets')}</span>
          {presets.map((preset) => {
            const text = preset === 'meterWasChanged' ? t('comment.preset.meterWasChanged') : preset
            return (
              <Button
                key={preset}
                size="small"
                aria-pressed={comment === text}
                onClick={() => onChange(comment === text ? '' : text)}
              >
                {text}
              </Button>
            )
          })}
        </div>
      )}
    </div>
  )
}
