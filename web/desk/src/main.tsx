import '@shared/api/fetched.ts'
import 'virtual:amplify.css'
import '@shared/ui/tokens.css'
import '@shared/ui/base.css'
import '@shared/ui/forced-colors.css'
import '@shared/ui/dialog.css'
import '@/app/desk.css'
import '@shared/ui/frame.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { catchFocus } from '@shared/ui/catch-focus.ts'
import { applyContrast, chosenLanguage } from '@shared/ui/settings.ts'
import { App } from '@/app/app.tsx'
import '@/app/watch-errors.ts'
import { startKeys } from '@/keys/actions.ts'
import { startSession } from '@/session/session.ts'
import { startTexts } from '@/texts/texts.ts'

applyContrast()
startKeys()
catchFocus()
const root = document.getElementById('root')
const start = async () => {
  await Promise.all([startTexts(chosenLanguage()), startSession()])
  if (!root) return
  // A screen that cannot be drawn says so, and its error counts as uncaught.
  createRoot(root, { onCaughtError: reportError }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  // Words and figures are there before their font.
  await import('@/app/font.ts')
}
start().catch(() => undefined)
