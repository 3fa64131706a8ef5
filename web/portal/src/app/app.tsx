import { Suspense, use, useEffect } from 'react'
import { SWRConfig } from 'swr'
import { ErrorBoundary } from '@shared/ui/error-boundary.tsx'
import { firstScreenIsThere } from '@/early/first-screen.ts'
import { Failure } from './failure.tsx'
import { Portal } from './portal.tsx'
import { StartFailure } from './screens.ts'
import type { Start } from './start.ts'

/** The portal, once what it begins with is there; until then the page's own loading screen is to be seen. */
export function App({ start }: { start: Promise<Start> }) {
  return (
    <SWRConfig value={{ shouldRetryOnError: false }}>
      <Suspense>
        <ErrorBoundary fallback={<Failure />}>
          <Started start={start} />
        </ErrorBoundary>
      </Suspense>
    </SWRConfig>
  )
}

function Started({ start }: { start: Promise<Start> }) {
  const { error, token } = use(start)
  useEffect(() => {
    document.getElementById('loading')?.remove()
    if (error) firstScreenIsThere()
  }, [error])
  return error ? <StartFailure error={error} /> : <Portal token={token} />
}
