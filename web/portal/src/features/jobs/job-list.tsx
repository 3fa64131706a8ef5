import { useVirtualizer, useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useSmallScreen } from '@shared/ui/media.ts'
import { JobRow } from './job-row.tsx'
import { keepPlace, type Place, type Remembered } from './remembered.ts'

/** Rows kept ready above and below what is to be seen (L9). */
const OVERSCAN = 10
/** What a row takes before it is measured: beside a meter, and on a small screen. */
const ROW_HEIGHT = { pane: 51, page: 112 }
const GROUP_HEIGHT = 40

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
const useSizing = (rows: readonly Row[], rowHeight: number) =>
  useMemo(
    () => ({
      count: rows.length,
      overscan: OVERSCAN,
      estimateSize: (index: number) => (rows[index]?.kind === 'group' ? GROUP_HEIGHT : rowHeight),
      getItemKey: (index: number) => rows[index]?.key ?? index,
    }),
    [rows, rowHeight],
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
  const virtualizer = useWindowVirtualizer({
    ...useSizing(props.rows, ROW_HEIGHT.page),
    scrollMargin: useRoomAbove(list) ?? 0,
    initialMeasurementsCache: place.measurements,
  })
  useLayoutEffect(() => {
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

/** Beside a job, the list scrolls in a pane, with what stands above it. */
function ListInPane(props: ListProps) {
  const { rows, currentId } = props
  const place = props.remembered.pane
  const list = useRef<HTMLElement>(null)
  const room = useRoomAbove(list)
  const paneOf = () => list.current?.closest('.jobs') ?? null
  const virtualizer = useVirtualizer({
    ...useSizing(rows, ROW_HEIGHT.pane),
    getScrollElement: paneOf,
    scrollMargin: room ?? 0,
    initialOffset: () => place.offset,
    initialMeasurementsCache: place.measurements,
  })
  useLayoutEffect(() => {
    const pane = paneOf()
    const remember = () => {
      place.offset = pane?.scrollTop ?? 0
    }
    pane?.addEventListener('scroll', remember, { passive: true })
    return () => pane?.removeEventListener('scroll', remember)
  }, [place])
  useKeptPlace(props.remembered, place, virtualizer)

  // A meter that was opened elsewhere, or by its address, is in sight here, too; its page of jobs may still be on its way.
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (shown.current === currentId || room === undefined) return
    const index = rows.findIndex((row) => row.kind === 'job' && row.job.id === currentId)
    if (index < 0) return
    shown.current = currentId
    virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [rows, currentId, virtualizer, room])
  // What mounts anew, as everything does under StrictMode, begins at the place that was kept.
  useEffect(
    () => () => {
      shown.current = undefined
    },
    [],
  )

  return <Rows {...props} virtualizer={virtualizer} list={list} />
}

/** How far down the list begins in what scrolls, once that is known: what stands above it changes its height. */
function useRoomAbove(list: RefObject<HTMLElement | null>): number | undefined {
  const [room, setRoom] = useState<number>()
  useLayoutEffect(() => {
    const measure = () => setRoom(list.current?.offsetTop ?? 0)
    const observer = new ResizeObserver(measure)
    for (const part of list.current?.parentElement?.children ?? []) if (part !== list.current) observer.observe(part)
    measure()
    return () => observer.disconnect()
  }, [list])
  return room
}

interface RowsProps<Scroller extends Element | Window> extends ListProps {
  virtualizer: Virtualizer<Scroller, Element>
  list: RefObject<HTMLElement | null>
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
