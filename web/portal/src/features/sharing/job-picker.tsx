import { Button, SearchField } from '@aws-amplify/ui-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { shortAddressLine } from '@shared/i18n/address.ts'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { searchJobs } from '@shared/rules/search.ts'

interface Props {
  jobs: readonly Job[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Which meters are meant: those with a mark, among those that a search finds. Only the rows in sight exist. */
export function JobPicker({ jobs, chosen, onChange }: Props) {
  const { t } = useTranslation('sharing')
  const [search, setSearch] = useState('')
  const deferred = useDeferredValue(search)
  const found = useMemo(() => searchJobs(jobs, deferred), [jobs, deferred])
  const pane = useRef<HTMLDivElement>(null)
  const id = useId()
  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 60,
    overscan: 10,
  })

  function mark(ids: readonly string[], isMarked: boolean) {
    const next = new Set(chosen)
    for (const jobId of ids) {
      if (isMarked) next.add(jobId)
      else next.delete(jobId)
    }
    onChange(next)
  }

  return (
    <fieldset className="job-picker">
      <legend className="visually-hidden">
        {t('picker.title', { count: chosen.size, chosen: formatCount(chosen.size) })}
      </legend>
      <SearchField
        label={t('picker.search')}
        labelHidden
        placeholder={t('picker.placeholder')}
        clearButtonLabel={t('picker.clear')}
        hasSearchButton={false}
        hasSearchIcon
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onClear={() => setSearch('')}
      />
      <p className={found.length > 0 ? 'visually-hidden' : ''} role="status">
        {found.length === 0 && t('picker.nothing')}
      </p>
      <div className="job-picker__all">
        <Button
          size="small"
          onClick={() =>
            mark(
              found.map((job) => job.id),
              true,
            )
          }
        >
          {t('picker.all')}
        </Button>
        <Button
          size="small"
          onClick={() =>
            mark(
              found.map((job) => job.id),
              false,
            )
          }
        >
          {t('picker.none')}
        </Button>
      </div>
      {/* A pane that scrolls must be reachable by keyboard, with any content. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={pane} className="job-picker__pane" tabIndex={0} role="group" aria-label={t('picker.list')}>
        <div className="job-picker__rows" data-drawn-in-sight style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const job = found[index]
            if (!job) return null
            return (
              // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is deeper than the rule looks
              <label
                key={job.id}
                ref={virtualizer.measureElement}
                data-index={index}
                className="job-picker__row"
                htmlFor={`${id}${job.id}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <input
                  type="checkbox"
                  id={`${id}${job.id}`}
                  checked={chosen.has(job.id)}
                  onChange={(event) => mark([job.id], event.target.checked)}
                />
                <span>
                  <strong className="identifier">{job.meter.meterNumber}</strong>
                  <span>{shortAddressLine(job)}</span>
                </span>
              </label>
            )
          })}
        </div>
      </div>
    </fieldset>
  )
}
