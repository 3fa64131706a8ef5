import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '@/api/types.ts'
import { formatCount } from '@/i18n/format.ts'
import { useToday } from '@/i18n/today.ts'
import { useSmallScreen } from '@/ui/media.ts'
import { JobRow } from './job-row.tsx'
import { orderJobs } from './order.ts'
import { remembered } from './remembered.ts'

/** Rows kept ready above and below what is to be seen (L9). */
const OVERSCAN = 10
const ROW_HEIGHT = 132

type Row = { kind: 'group'; key: string; text: string; count: number } | { kind: 'job'; key: string; job: Job }

interface Props {
  jobs: readonly Job[]
  /** The job that is open beside the list. */
  currentId: string | undefined
  jobPath: (jobId: string) => string
}

/** The meters: open ones first, then the done ones. Only the rows in sight exist, so that ten thousand are no burden. */
export function JobList({ jobs, ...rest }: Props) {
  const { t } = useTranslation('jobs')
  const today = useToday()
  const rows = useMemo<Row[]>(() => {
    const { open, done } = orderJobs(jobs, today)
    const group = (key: string, text: string, members: Job[]): Row[] =>
      members.length === 0
        ? []
        : [
            { kind: 'group', key, text, count: members.length },
            ...members.map((job): Row => ({ kind: 'job', key: `job ${job.id}`, job })),
          ]
    return [...group('open', t('openGroup'), open), ...group('done', t('doneGroup'), done)]
  }, [jobs, t, today])
  return useSmallScreen() ? <ListOnPage rows={rows} {...rest} /> : <ListInPane rows={rows} {...rest} />
}

type ListProps = Omit<Props, 'jobs'> & { rows: readonly Row[] }

const sizing = (rows: readonly Row[]) => ({
  count: rows.length,
  overscan: OVERSCAN,
  estimateSize: (index: number) => (rows[index]?.kind === 'group' ? 52 : ROW_HEIGHT),
  getItemKey: (index: number) => rows[index]?.key ?? index,
})

/** Alone on a small screen, the list scrolls with the page. */
function ListOnPage(props: ListProps) {
  const list = useRef<HTMLElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const virtualizer = useWindowVirtualizer({
    ...sizing(props.rows),
    scrollMargin,
    initialMeasurementsCache: remembered.measurements,
  })
  useLayoutEffect(() => {
    setScrollMargin(list.current?.offsetTop ?? 0)
    const remember = () => {
      remembered.offset = window.scrollY
    }
    window.addEventListener('scroll', remember, { passive: true })
    return () => {
      window.removeEventListener('scroll', remember)
      remembered.measurements = virtualizer.measurementsCache
    }
  }, [virtualizer])
  useEffect(() => {
    window.scrollTo(0, remembered.offset)
  }, [])
  return <Rows {...props} virtualizer={virtualizer} list={list} />
}

/** Where the reader was in the pane. Its rows are narrower than those of the page, and so have other heights. */
const rememberedPane: Pick<typeof remembered, 'offset' | 'measurements'> = { offset: 0, measurements: [] }

/** Beside a job, the list scrolls in its own pane. */
function ListInPane(props: ListProps) {
  const { rows, currentId } = props
  const pane = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    ...sizing(rows),
    getScrollElement: () => pane.current,
    initialOffset: () => rememberedPane.offset,
    initialMeasurementsCache: rememberedPane.measurements,
  })
  useLayoutEffect(
    () => () => {
      rememberedPane.measurements = virtualizer.measurementsCache
    },
    [virtualizer],
  )

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
        rememberedPane.offset = event.currentTarget.scrollTop
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
                {row.text} <span className="job-list__count figures">{formatCount(row.count)}</span>
              </h2>
            ) : (
              <JobRow job={row.job} href={jobPath(row.job.id)} isCurrent={row.job.id === currentId} />
            )}
          </div>
        )
      })}
    </nav>
  )
}
