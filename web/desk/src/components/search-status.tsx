import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useDeskProblemText } from '@/session/problem-text.ts'

interface Props {
  /** What the words find; undefined until it is known. */
  found: readonly unknown[] | undefined
  isSearching: boolean
  hasMore: boolean
  error: unknown
}

/** How a search stands: it goes on, found so many, or was refused. */
export function SearchStatus({ found, isSearching, hasMore, error }: Props) {
  const { t } = useTranslation('search')
  const problemText = useDeskProblemText()
  return (
    <>
      <p className="soft" role="status">
        {isSearching && t('searching')}
        {!isSearching && found && t(hasMore ? 'foundMore' : 'found', { count: found.length })}
      </p>
      {error !== undefined && (
        <Message type="error" role="alert">
          {problemText(error)}
        </Message>
      )}
    </>
  )
}
