import { useVirtualizer, useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import {
  type MouseEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import type { Job } from '@shared/contract/types.ts'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useSmallScreen } from '@shared/ui/media.ts'
import { useToday } from '@/data/today.ts'
import { useWaitingEntries } from '@/offline/replay.ts'
import { JobRow, type RowWords } from './job-row.tsx'
import { keepPlace, type Place, type Remembered } from './remembered.ts'

/** Rows kept ready above and below what is to be seen (L9). */
const OVERSCAN = 10
/** What a row takes before any is measured: beside a meter, and on a small screen. Of the rest it is taken that they are like those that are drawn. */
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
  const words = useRowWords()
  return useSmallScreen() ? (
    <ListOnPage rows={rows} words={words} {...rest} />
  ) : (
    <ListInPane rows={rows} words={words} {...rest} />
  )
}

type ListProps = Omit<Props, 'groups'> & { rows: readonly Row[]; words: RowWords }

function useRowWords(): RowWords {
  const { t: tCommon } = useTranslation()
  const { t } = useTranslation('jobs')
  const { t: tOffline } = useTranslation('offline')
  const today = useToday()
  const waiting = useWaitingEntries()
  return useMemo(() => ({ tCommon, t, tOffline, today, waiting }), [tCommon, t, tOffline, today, waiting])
}

/** How much most of the jobs take that are drawn, in pixels; nothing before some are. */
function usualHeight(
  virtualizer: Pick<Virtualizer<Element, Element>, 'getVirtualItems' | 'elementsCache'>,
  rows: readonly Row[],
): number | undefined {
  const { elementsCache } = virtualizer
  const sizes = virtualizer
    .getVirtualItems()
    .filter(({ index, key }) => rows[index]?.kind === 'job' && elementsCache.has(key))
    .map(({ size }) => size)
    .toSorted((a, b) => a - b)
  return sizes[sizes.length >> 1]
}

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
function useKeptPlace(
  remembered: Remembered,
  place: Place,
  virtualizer: { takeSnapshot: () => VirtualItem[] },
  rowHeight: number | undefined,
) {
  useLayoutEffect(() => {
    const keep = () => keepPlace(remembered, place, virtualizer.takeSnapshot(), rowHeight)
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [remembered, place, virtualizer, rowHeight])
}

/** Alone on a small screen, the list scrolls with the page. */
function ListOnPage(props: ListProps) {
  const place = props.remembered.page
  const list = useRef<HTMLElement>(null)
  const [rowHeight, setRowHeight] = useState(place.rowHeight)
  const virtualizer = useWindowVirtualizer({
    ...useSizing(props.rows, rowHeight ?? ROW_HEIGHT.page),
    scrollMargin: useRoomAbove(list) ?? 0,
    initialMeasurementsCache: place.measurements,
  })
  useLayoutEffect(() => {
    const remember = () => {
      place.offset = virtualizer.scrollOffset ?? 0
    }
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [place, virtualizer])
  useKeptPlace(props.remembered, place, virtualizer, rowHeight)
  const items = virtualizer.getVirtualItems()
  useLayoutEffect(() => {
    if (rowHeight === undefined) setRowHeight(usualHeight(virtualizer, props.rows))
  }, [rowHeight, items, virtualizer, props.rows])
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
  const [rowHeight, setRowHeight] = useState(place.rowHeight)
  const paneOf = () => list.current?.closest('.jobs') ?? null
  const virtualizer = useVirtualizer({
    ...useSizing(rows, rowHeight ?? ROW_HEIGHT.pane),
    getScrollElement: paneOf,
    scrollMargin: room ?? 0,
    initialOffset: () => place.offset,
    initialMeasurementsCache: place.measurements,
  })
  useLayoutEffect(() => {
    const pane = paneOf()
    const remember = () => {
      place.offset = virtualizer.scrollOffset ?? 0
    }
    pane?.addEventListener('scroll', remember, { passive: true })
    return () => pane?.removeEventListener('scroll', remember)
  }, [place, virtualizer])
  useKeptPlace(props.remembered, place, virtualizer, rowHeight)
  const items = virtualizer.getVirtualItems()
  useLayoutEffect(() => {
    if (rowHeight === undefined) setRowHeight(usualHeight(virtualizer, rows))
  }, [rowHeight, items, virtualizer, rows])

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
  const { rows, words, currentId, jobPath, virtualizer, list } = props
  const { scrollMargin } = virtualizer.options
  const open = useOpen()
  return (
    <nav
      ref={list}
      className="job-list"
      data-drawn-in-sight
      aria-label={words.t('listLabel')}
      style={{ blockSize: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]
        if (!row) return null
        return (
          <ListRow
            key={key}
            row={row}
            words={words}
            index={index}
            start={start - scrollMargin}
            isCurrent={row.kind === 'job' && row.job.id === currentId}
            jobPath={jobPath}
            onOpen={open}
            measure={virtualizer.measureElement}
          />
        )
      })}
    </nav>
  )
}

/** Follows a row's link without a load. A `Link` does so, too, but each listens for every change of the address. */
function useOpen(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const [, navigate] = useLocation()
  return useCallback(
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      navigate(event.currentTarget.pathname)
    },
    [navigate],
  )
}

interface ListRowProps {
  row: Row
  words: RowWords
  index: number
  /** Where it begins in the list, in pixels. */
  start: number
  isCurrent: boolean
  jobPath: (jobId: string) => string
  onOpen: (event: MouseEvent<HTMLAnchorElement>) => void
  measure: (element: Element | null) => void
}

/** Drawn once, as long as it stays where it is: a list that is scrolled draws the rows that come, and no other. */
const ListRow = memo(function ListRow({ row, words, index, start, isCurrent, jobPath, onOpen, measure }: ListRowProps) {
  const { group } = row
  return (
    <div ref={measure} data-index={index} className="job-list__row" style={{ transform: `translateY(${start}px)` }}>
      {row.kind === 'group' ? (
        <h2 className="job-list__group">
          {group.text} <span className="job-list__count figures">{formatCount(group.jobs.length)}</span>
        </h2>
      ) : (
        <JobRow
          job={row.job}
          words={words}
          href={group.isInactive ? undefined : jobPath(row.job.id)}
          isCurrent={isCurrent}
          isFaded={group.isFaded ?? false}
          onOpen={onOpen}
        />
      )}
    </div>
  )
})
