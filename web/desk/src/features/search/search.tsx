import { Button } from '@aws-amplify/ui-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { placeLine } from '@/components/place.ts'
import { SearchStatus } from '@/components/search-status.tsx'
import { paths } from '@/data/paths.ts'
import { useSearch } from '@/data/search.ts'
import type { FoundCustomer } from '@/data/types.ts'
import './search.css'

interface Props {
  tenant: string
  /** A customer was chosen; the address is theirs already. */
  onChosen?: () => void
  isFocused?: boolean
}

/** Words, and under them one line for each customer whom they find. Up, down and Enter choose without leaving the field. */
export function Search({ tenant, onChosen, isFocused = false }: Props) {
  const { t } = useTranslation('search')
  const [, navigate] = useLocation()
  const [words, setWords] = useState('')
  const [active, setActive] = useState(0)
  const { found, isCurrent, isSearching, error, hasMore, more } = useSearch(tenant, words)
  /** For which words Enter was pressed before their answer was there. */
  const [awaited, setAwaited] = useState<string>()
  const listId = useId()
  const optionId = (index: number) => `${listId}-${index}`
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [isFocused])

  const choose = (customer: FoundCustomer | undefined) => {
    if (!customer) return
    navigate(paths.customer(tenant, customer.account))
    onChosen?.()
  }
  const goTo = (index: number) => {
    setActive(index)
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    const count = found?.length ?? 0
    if (event.nativeEvent.isComposing) return
    // What other words found cannot be chosen.
    if (event.key === 'Enter' && !isCurrent) setAwaited(words)
    else if (count === 0) return
    else if (event.key === 'ArrowDown') goTo((active + 1) % count)
    else if (event.key === 'ArrowUp') goTo((active + count - 1) % count)
    else if (event.key === 'Enter') choose(found?.[active])
    else return
    event.preventDefault()
  }
  const only = isCurrent && awaited === words && found?.length === 1 ? found[0]?.account : undefined
  useEffect(() => {
    if (only === undefined) return
    navigate(paths.customer(tenant, only))
    onChosen?.()
  }, [only, navigate, onChosen, tenant])
  return (
    <div className="search" role="search">
      <label className="search__label">
        <span className="amplify-label">{t('label')}</span>
        <input
          ref={field}
          className="search__field"
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-expanded={Boolean(found?.length)}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={found?.length ? optionId(active) : undefined}
          value={words}
          onChange={({ target }) => {
            setWords(target.value)
            setActive(0)
          }}
          onKeyDown={onKey}
        />
      </label>
      <p className="soft">{t('hint')}</p>
      <SearchStatus found={found} isSearching={isSearching} hasMore={hasMore} error={error} />
      <div id={listId} className="search__list" role="listbox" aria-label={t('results')} aria-busy={!isCurrent}>
        {found?.map((customer, index) => (
          // The keys are the field's: the focus never comes here.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={`${customer.account} ${customer.meterNumber ?? ''}`}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="search__row"
            onClick={() => {
              if (isCurrent) choose(customer)
            }}
            onPointerMove={() => setActive(index)}
          >
            <strong>{customer.name}</strong>
            <span>{placeLine(customer.place)}</span>
            <span className="identifier">{customer.meterNumber && t('meter', { number: customer.meterNumber })}</span>
            <span className="identifier soft">{customer.account}</span>
          </div>
        ))}
      </div>
      {hasMore && (
        <Button
          size="small"
          isLoading={isSearching}
          onClick={() => {
            more()
            // By whose keys one of them is chosen.
            field.current?.focus()
          }}
        >
          {t('more')}
        </Button>
      )}
    </div>
  )
}
