import 'virtual:amplify.css'
import '@shared/ui/tokens.css'
import '@shared/ui/base.css'
import '@shared/ui/forced-colors.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyContrast } from '@shared/ui/settings.ts'
import '@/device/way-back.ts'
import { App } from '@/app/app.tsx'
import { start } from '@/app/start.ts'
import { firstScreen } from '@/early/first-screen.ts'
import { startUpdates } from '@/sw/update.ts'

applyContrast()
const started = start()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App start={started} />
    </StrictMode>,
  )
}
// Nothing of this holds up the first screen. A browser that refuses has a portal without offline start.
void firstScreen
  .then(() => import('@/app/font.ts'))
  .then(startUpdates)
  .catch(() => undefined)
