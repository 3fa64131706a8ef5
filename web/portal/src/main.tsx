import '@shared/api/fetched.ts'
import '@/app/ahead.ts'
import 'virtual:amplify.css'
import '@shared/ui/tokens.css'
import '@shared/ui/base.css'
import '@shared/ui/forced-colors.css'
// With the first style sheet: each more would be a request that the first screen waits for.
import '@shared/ui/counter.css'
import '@shared/ui/dialog.css'
import '@shared/ui/markdown.css'
import '@shared/ui/message.css'
import '@shared/ui/meter-icon.css'
import '@shared/ui/progress-bar.css'
import '@shared/ui/rich-text.css'
import '@/app/list-and-detail.css'
import '@/app/new-reading-page.css'
import '@/components/counter/counter-field.css'
import '@/components/photos/photos.css'
import '@/features/communication/communication.css'
import '@/features/contact/contact.css'
import '@/features/evaluation/evaluation.css'
import '@/features/home/home.css'
import '@/features/instructions/instructions.css'
import '@/features/introduction/introduction.css'
import '@/features/jobs/jobs.css'
import '@/features/jobs/onward.css'
import '@/features/login/login.css'
import '@/features/own-reading/own-reading.css'
import '@/features/reading/reading-form.css'
import '@/features/reading/reading.css'
import '@/offline/offline-status.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyContrast } from '@shared/ui/settings.ts'
import '@/app/watch-errors.ts'
// Both ways in need it; named here, it is in the file that both have.
import '@/auth/login.ts'
import '@/device/way-back.ts'
import '@/sw/unsent.ts'
import { App } from '@/app/app.tsx'
import { start } from '@/app/start.ts'
import { pause } from '@/device/pause.ts'
import { followed, prepareRest } from '@/early/begin.ts'
import { firstScreen } from '@/early/first-screen.ts'
import { surely } from '@/offline/on-demand.ts'

applyContrast()
const show = async () => {
  const started = await start()
  const root = document.getElementById('root')
  // A screen that cannot be drawn says so, and its error counts as uncaught.
  if (root)
    createRoot(root, { onCaughtError: reportError }).render(
      <StrictMode>
        <App start={started} />
      </StrictMode>,
    )
}
void show()

/** So long a reader looks at the introduction who does not go on at once. */
const LOOKED_AT_MS = 2_000

// Nothing of this holds up the first screen. A browser that refuses has a portal without offline start.
const continueStart = async () => {
  await firstScreen
  prepareRest()
  const { startUpdates, catchFocus } = await surely()
  catchFocus()
  // All texts are drawn anew with the font, and would be while the next screen is; where it is on the device, it is there at once.
  if (followed !== undefined && !navigator.serviceWorker?.controller) await pause(LOOKED_AT_MS)
  const { showFont } = await import('@/app/font.ts')
  showFont()
  await startUpdates()
}
continueStart().catch(() => undefined)
