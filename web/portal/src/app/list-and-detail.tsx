import { type ReactNode, useEffect, useInsertionEffect, useRef } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useSmallScreen } from '@shared/ui/media.ts'
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
 * The meters and the one that is open, side by side, each of which scrolls for itself, or one of the two alone on a small screen (L2). A reader who
 * opens another one by keyboard goes on in it, and not in front of the whole list; one who comes by its address gets past the list with one key. Both keep
 * their place in the tree when the screen becomes another one, and with it what was begun in them.
 */
export function ListAndDetail({ jobId, list, children }: Props) {
  const { t } = useTranslation()
  const detail = useRef<HTMLElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const shown = useRef(jobId)
  const isSmall = useSmallScreen()
  // Before the list goes to where it was left, which it can only where it scrolls.
  useInsertionEffect(() => {
    if (isSmall) return
    document.documentElement.dataset['layout'] = 'panes'
    return () => {
      delete document.documentElement.dataset['layout']
    }
  }, [isSmall])
  // After the shell's own focus on a new screen.
  useEffect(() => {
    if (shown.current === jobId) return
    shown.current = jobId
    if (isSmall) return
    pane.current?.scrollTo(0, 0)
    if (jobId) detail.current?.focus({ preventScroll: true })
  }, [jobId, isSmall])
  const hasMeter = useJob(jobId ?? '').job !== undefined
  return (
    <div className={isSmall ? 'list-or-detail' : 'list-and-detail'}>
      {jobId && !isSmall && (
        <a className="skip-link" href="#detail">
          {t('skipToMeter')}
        </a>
      )}
      {(!jobId || !isSmall) && <div className="list-and-detail__list">{list}</div>}
      {(jobId || !isSmall) && (
        <div ref={pane} className="list-and-detail__pane">
          <section
            id="detail"
            ref={detail}
            className="list-and-detail__detail"
            tabIndex={-1}
            aria-labelledby={hasMeter && !isSmall ? 'meter-number' : undefined}
          >
            {children}
          </section>
          {!isSmall && (
            <div className="list-and-detail__footer">
              <Footer />
            </div>
          )}
        </div>
      )}
    </div>
  )
}
