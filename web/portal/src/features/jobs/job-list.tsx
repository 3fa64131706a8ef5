import { useVirtualizer, useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '@shared/contract/types.ts'
import { formatCount } from '@shared/i18n/format.ts'
import { useSmallScreen } from '@shared/ui/media.ts'
import { JobRow } from './job-row.tsx'
import { keepPlace, type Place, type Remembered } from './remembered.ts'

/** Rows kept ready above and below what is to be seen (L9). */
const OVERSCAN = 10
const ROW_HEIGHT = 132

/** Meters under one heading. */
export interface JobGroup {
  key: string
  text: string
  jobs: readonly Job[]
  /** Drawn back behind the others. */
  isFaded?: boolean
  /** There is nothing to open. */
  isInactive?: boolean
}

type Row = { kind: 'group'; key: string; group: JobGroup } | { kind: 'job'; key: string; group: JobGroup; job: Job }

interface Props {
  groups: readonly JobGroup[]
  remembered: Remembered
  /** The job that is open beside the list. */
  currentId: string | undefined
  jobPath: (jobId: string) => string
}

/** The meters in their groups. Only the rows in sight exist, so that ten thousand are no burden. */
export function JobList({ groups, ...rest }: Props) {
  const rows = useMemo<Row[]>(
    () =>
      groups
        .filter(({ jobs }) => jobs.length > 0)
        .flatMap((group) => [
          { kind: 'group', key: group.key, group },
          ...group.jobs.map((job): Row => ({ kind: 'job', key: `job ${job.id}`, group, job })),
        ]),
    [groups],
  )
  return useSmallScreen() ? <ListOnPage rows={rows} {...rest} /> : <ListInPane rows={rows} {...rest} />
}

type ListProps = Omit<Props, 'groups'> & { rows: readonly Row[] }

/** The same for the same rows: with another function for the keys all places would be computed anew, in every frame. */
const useSizing = (rows: readonly Row[]) =>
  useMemo(
    () => ({
      count: rows.length,
      overscan: OVERSCAN,
      estimateSize: (index: number) => (rows[index]?.kind === 'group' ? 52 : ROW_HEIGHT),
      getItemKey: (index: number) => rows[index]?.key ?? index,
    }),
    [rows],
  )

/** Notes the place when the list goes, or the page. */
function useKeptPlace(remembered: Remembered, place: Place, virtualizer: { takeSnapshot: () => VirtualItem[] }) {
  useLayoutEffect(() => {
    const keep = () => keepPlace(remembered, place, virtualizer.takeSnapshot())
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [remembered, place, virtualizer])
}

/** Alone on a small screen, the list scrolls with the page. */
function ListOnPage(props: ListProps) {
  const place = props.remembered.page
  const list = useRef<HTMLElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const virtualizer = useWindowVirtualizer({
    ...useSizing(props.rows),
    scrollMargin,
    initialMeasurementsCache: place.measurements,
  })
  useLayoutEffect(() => {
    setScrollMargin(list.current?.offsetTop ?? 0)
    const remember = () => {
      place.offset = window.scrollY
    }
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [place])
  useKeptPlace(props.remembered, place, virtualizer)
  useEffect(() => {
    window.scrollTo(0, place.offset)
  }, [place])
  return <Rows {...props} virtualizer={virtualizer} list={list} />
}

/** Beside a job, the list scrolls in its own pane. */
function ListInPane(props: ListProps) {
  const { rows, currentId } = props
  const place = props.remembered.pane
  const pane = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    ...useSizing(rows),
    getScrollElement: () => pane.current,
    initialOffset: () => place.offset,
    initialMeasurementsCache: place.measurements,
  })
  useKeptPlace(props.remembered, place, virtualizer)

  // Who comes by an address sees the row of the meter that is open; its page of jobs may still be on its way.
  const hasShownCurrent = useRef(currentId === undefined)
  useEffect(() => {
    if (hasShownCurrent.current) return
    const index = rows.findIndex((row) => row.kind === 'job' && row.job.id === currentId)
    if (index < 0) return
    hasShownCurrent.current = true
    virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [rows, currentId, virtualizer])

  return (
    <div
      ref={pane}
      className="job-list__pane"
      onScroll={(event) => {
        place.offset = event.currentTarget.scrollTop
      }}
    >
      <Rows {...props} virtualizer={virtualizer} />
    </div>
  )
}

interface RowsProps<Scroller extends Element | Window> extends ListProps {
  virtualizer: Virtualizer<Scroller, Element>
  list?: RefObject<HTMLElement | null>
}

function Rows<Scroller extends Element | Window>(props: RowsProps<Scroller>) {
  const { rows, currentId, jobPath, virtualizer, list } = props
  const { t } = useTranslation('jobs')
  const { scrollMargin } = virtualizer.options
  return (
    <nav ref={list} className="job-list" aria-label={t('listLabel')} style={{ blockSize: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]
        if (!row) return null
        return (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="job-list__row"
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            {row.kind === 'group' ? (
              <h2 className="job-list__group">
                {row.group.text} <span className="job-list__count figures">{formatCount(row.group.jobs.length)}</span>
              </h2>
            ) : (
              <JobRow
                job={row.job}
                href={row.group.isInactive ? undefined : jobPath(row.job.id)}
                isCurrent={row.job.id === currentId}
                isFaded={row.group.isFaded ?? false}
              />
            )}
          </div>
        )
      })}
    </nav>
  )
}
