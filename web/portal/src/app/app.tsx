import { Suspense, useEffect, useLayoutEffect } from 'react'
import { SWRConfig } from 'swr'
import { ErrorBoundary } from '@shared/ui/error-boundary.tsx'
import { firstScreenIsThere } from '@/early/first-screen.ts'
import { Failure } from './failure.tsx'
import { Portal } from './portal.tsx'
import { StartFailure } from './screens.ts'
import type { Start } from './start.ts'

/** The portal; until what it begins with is there, the page's own loading screen is to be seen. */
export function App({ start }: { start: Start }) {
  const { error, link } = start
  // In the frame in which the portal appears.
  useLayoutEffect(() => document.getElementById('loading')?.remove(), [])
  useEffect(() => {
    if (error) firstScreenIsThere()
  }, [error])
  return (
    <SWRConfig value={{ shouldRetryOnError: false }}>
      <Suspense>
        <ErrorBoundary fallback={<Failure />}>
          {error ? <StartFailure error={error} /> : <Portal followed={link} />}
        </ErrorBoundary>
      </Suspense>
    </SWRConfig>
  )
}
