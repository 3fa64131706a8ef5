import { mutate } from 'swr'
import { ApiError } from '@shared/api/client.ts'
import type { Application } from '@shared/contract/types.ts'
import { applyTenantColors } from '@shared/ui/tenant-colors.ts'
import { currentSessions, startSessions } from '@/auth/sessions.ts'
import { fetchApplication } from '@/data/application.ts'
import { keys } from '@/data/keys.ts'
import { isOnline, onConnectivity, startConnectivity } from '@/device/connectivity.ts'
import { followed, forgetLinkToken, settingsCameAt } from '@/early/begin.ts'
import { firstScreen } from '@/early/first-screen.ts'
import { surely } from '@/offline/on-demand.ts'
import { startTexts } from '@/texts/texts.ts'
import { preferredLanguage } from './language.ts'
import { LoginPage, StartFailure, TokenLogin } from './screens.ts'

/** The main layout appears so long after the settings have come (L9). */
const SETTLE_MS = 500

/** What the portal begins with. */
export interface Start {
  /** Absent when the settings could not be had. */
  application?: Application
  /** Why they could not. */
  error?: ApiError
  /** The token of the link that was followed. */
  token?: string
}

/** Fetches what every screen needs. Never rejects. */
export async function start(): Promise<Start> {
  forgetLinkToken()
  try {
    const application = await fetchApplication()
    await mutate(keys.application, application, { revalidate: false })
    applyTenantColors(application.theme)
    await Promise.all([
      startSessions(application.applicationId).then(() => Promise.all([texts(application), firstParts()])),
      settle(),
    ])
    startConnectivity()
    onConnectivity(() => {
      // The list says itself when that fails.
      if (isOnline() && currentSessions().length > 0)
        void surely().then(({ reloadJobs }) => reloadJobs().catch(() => undefined))
    })
    return { application, ...(followed && { token: followed }) }
  } catch (error) {
    await texts()
    await StartFailure.load()
    return { error: error instanceof ApiError ? error : new ApiError('internal-error') }
  }
}

/** What the first screen consists of; what does not come says so where it is shown. */
async function firstParts(): Promise<void> {
  try {
    if (currentSessions().length > 0) await import('@/data/jobs.ts').then(({ startJobs }) => startJobs())
    // Nobody's jobs are to be seen on a device where nobody is logged in.
    else void firstScreen.then(surely).then(({ forgetOthersJobs }) => forgetOthersJobs())
    if (followed) await TokenLogin.load()
    else if (currentSessions().length === 0) await LoginPage.load()
  } catch {
    // A screen that needs it asks again.
  }
}

function texts(application?: Application): Promise<void> {
  const byBrowser = navigator.language.startsWith('de') ? 'de-FORMAL' : 'en-FORMAL'
  return startTexts({
    language: application ? preferredLanguage(application, currentSessions()) : byBrowser,
    overlay: application?.translations ?? {},
  })
}

const settle = () =>
  new Promise((resolve) => setTimeout(resolve, Math.max(settingsCameAt() + SETTLE_MS - performance.now(), 0)))
