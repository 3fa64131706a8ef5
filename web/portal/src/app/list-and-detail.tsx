import { type ReactNode, useEffect, useInsertionEffect, useRef } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useJob } from '@/data/jobs.ts'
import { Footer } from './footer.tsx'
import './list-and-detail.css'

interface Props {
  readonly jobId: string | undefined
  readonly list: ReactNode
  /** The meter that is open, or what stands in its place. */
  readonly children: ReactNode
}

/**
 * The meters and the one that is open, side by side (L2), each of which scrolls for itself. Whoever opens another one by keyboard goes on in it, and not in front of
 * the whole list; who comes by its address gets past the list with one key.
 */
export function ListAndDetail({ jobId, list, children }: Props) {
  const { t } = useTranslation()
  const detail = useRef<HTMLElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const shown = useRef(jobId)
  // Before the list goes to where it was left, which it can only where it scrolls.
  useInsertionEffect(() => {
    document.documentElement.dataset['layout'] = 'panes'
    return () => {
      delete document.documentElement.dataset['layout']
    }
  }, [])
  // After the shell's own focus on a new screen.
  useEffect(() => {
    if (shown.current === jobId) return
    shown.current = jobId
    pane.current?.scrollTo(0, 0)
    if (jobId) detail.current?.focus({ preventScroll: true })
  }, [jobId])
  const hasMeter = useJob(jobId ?? '').job !== undefined
  return (
    <div className="list-and-detail">
      {jobId && (
        <a className="skip-link" href="#detail">
          {t('skipToMeter')}
        </a>
      )}
      <div className="list-and-detail__list">{list}</div>
      <div ref={pane} className="list-and-detail__pane">
        <section
          id="detail"
          ref={detail}
          className="list-and-detail__detail"
          tabIndex={-1}
          aria-labelledby={hasMeter ? 'meter-number' : undefined}
        >
          {children}
        </section>
        <div className="list-and-detail__footer">
          <Footer />
        </div>
      </div>
    </div>
  )
}
