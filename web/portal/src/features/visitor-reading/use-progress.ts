import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useToday } from '@/data/today.ts'
import { type Config, type Draft, emptyDraft, findingsOf, STEPS, type Step } from './draft.ts'

/** Where the visitor is in the flow; leaving the screen forgets it. */
export interface Progress {
  readonly step: Step
  readonly draft: Draft
  /** Something was entered. */
  readonly isTouched: boolean
}

const start = (config: Config): Progress => ({ step: 'METER', draft: emptyDraft(config), isTouched: false })

const stepOfEntry = (): Step => {
  const { readingStep } = (history.state ?? {}) as { readingStep?: Step }
  return readingStep ?? 'METER'
}

const depthOf = (step: Step) => STEPS.indexOf(step)

function goToFirstEntry() {
  const depth = depthOf(stepOfEntry())
  if (depth > 0) history.go(-depth)
}

/**
 * The draft and its step. Each step is an entry of the browser's history, under the same address, so that its way back is one step
 * back (D-VISITORS-1).
 */
export function useProgress(config: Config) {
  const [progress, setProgress] = useState<Progress>(() => start(config))
  const today = useToday()
  const { step } = progress

  /** The furthest step up to this one that nothing is missing before. */
  const reachable = (wanted: Step): Step =>
    STEPS.find((step) => step === wanted || findingsOf(step, config, progress.draft, today, false).length > 0) ?? wanted

  const arrive = useEffectEvent(() => {
    // What was sent stays sent.
    if (step === 'DONE') return
    const wanted = stepOfEntry()
    const next = reachable(wanted)
    if (next === wanted) setProgress((progress) => ({ ...progress, step: wanted }))
    else history.go(depthOf(next) - depthOf(wanted))
  })

  const hasBegun = useRef(false)
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    // Who comes back to a later step, or loads it anew, begins at the first one: what was entered is gone.
    if (!hasBegun.current) goToFirstEntry()
    hasBegun.current = true
    const pop = () => arrive()
    window.addEventListener('popstate', pop)
    return () => {
      hasLeft.current = true
      window.removeEventListener('popstate', pop)
    }
  }, [])

  function go(to: Step) {
    const by = depthOf(to) - depthOf(step)
    if (by < 0) return history.go(by)
    history.pushState({ ...history.state, readingStep: to }, '')
    setProgress(({ draft, ...progress }) => {
      // The day that was shown with the values goes with them, also past midnight.
      const readingDate = step === 'METER_READING' ? (draft.readingDate ?? today) : draft.readingDate
      return { ...progress, step: to, draft: { ...draft, readingDate } }
    })
  }

  /** It has arrived; until then the visitor may have gone back, or away. */
  function finish() {
    if (hasLeft.current) return
    // There is no way back into what was sent.
    goToFirstEntry()
    setProgress((progress) => ({ ...progress, step: 'DONE' }))
  }

  return {
    progress,
    go,
    finish,
    change: (change: (draft: Draft) => Draft) =>
      setProgress((progress) => ({ ...progress, draft: change(progress.draft), isTouched: true })),
    restart: () => setProgress(start(config)),
  }
}
