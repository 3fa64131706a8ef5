import { mutate } from 'swr'
import { ApiError } from '@shared/api/client.ts'
import { untilThere } from '@shared/api/until-there.ts'
import type { Application } from '@shared/contract/types.ts'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { applyTenantColors } from '@shared/ui/tenant-colors.ts'
import { currentSessions, startSessions } from '@/auth/sessions.ts'
import { fetchApplication } from '@/data/application.ts'
import { keys } from '@/data/keys.ts'
import { isOnline, onConnectivity, startConnectivity } from '@/device/connectivity.ts'
import { pause } from '@/device/pause.ts'
import { followed, prepareRest, settingsCameAt } from '@/early/begin.ts'
import { firstScreen } from '@/early/first-screen.ts'
import { surely } from '@/offline/on-demand.ts'
import { startTexts } from '@/texts/texts.ts'
import type { FollowedLink } from './follow-link.ts'
import { preferredLanguage } from './language.ts'
import { paths } from './paths.ts'
import { HomeScreen, Introduction, JobsPage, LoginPage, StartFailure, TokenLogin } from './screens.ts'

/** The main layout appears so long after the settings have come (L9). */
const SETTLE_MS = 500

/** So much longer the loading screen may be there for what is nearly there: a screen without it would be gone before it is read (D-START-6). */
const PATIENCE_MS = 500

/** What the portal begins with. */
export interface Start {
  /** Absent when the settings could not be had. */
  application?: Application
  /** Why they could not. */
  error?: ApiError
  /** A link that was followed and has led nowhere yet. */
  link?: FollowedLink
}

/** Fetches what every screen needs. Never rejects. */
export async function start(): Promise<Start> {
  try {
    const application = await fetchApplication()
    await mutate(keys.application, application, { revalidate: false })
    applyTenantColors(application.theme)
    const settled = settle()
    const late = settled.then(() => pause(PATIENCE_MS))
    await startSessions(application.applicationId)
    if (followed !== undefined || currentSessions().length > 0) prepareRest()
    const jobs = keptJobs()
    const link = await follow(application, late)
    await texts(application)
    // For the list and the meter, while there is nothing to see.
    if (followed !== undefined) loadTexts(['reading']).catch(() => undefined)
    await Promise.all([firstParts(link, late), jobs, settled])
    startConnectivity()
    onConnectivity(() => {
      // The list says itself when that fails.
      if (isOnline() && currentSessions().length > 0)
        void surely().then(({ reloadJobs }) => reloadJobs().catch(() => undefined))
    })
    return { application, ...(link && { link }) }
  } catch (error) {
    try {
      await texts()
      await StartFailure.load()
    } catch {
      // What says so does not come either.
      await untilThere(fetchApplication)
      location.reload()
      return new Promise(() => undefined)
    }
    return { error: error instanceof ApiError ? error : new ApiError('internal-error') }
  }
}

/** Goes where the link leads that was followed, while the loading screen is to be seen; answers with what is left of it for a screen to do. */
async function follow(application: Application, late: Promise<void>): Promise<FollowedLink | undefined> {
  if (followed === undefined) return undefined
  try {
    const { followLink } = await import('./follow-link.ts')
    return await followLink(application, followed, late)
  } catch {
    // Its file did not come; the screen asks again.
    return { token: followed }
  }
}

/** What the first screen consists of; what does not come says so where it is shown. */
async function firstParts(link: FollowedLink | undefined, late: Promise<void>): Promise<void> {
  try {
    if (link) await TokenLogin.load()
    else if (currentSessions().length === 0) await LoginPage.load()
    // Before the list is drawn, which would lose its place with it (D-START-7).
    else if (followed === undefined)
      await Promise.race([Promise.all([font(), screenAt(location.pathname)?.load()]), late])
    else await Promise.race([screenAt(location.pathname)?.load(), late])
  } catch {
    // A screen that needs it asks again.
  }
}

async function font(): Promise<void> {
  const { showFont } = await import('./font.ts')
  showFont()
}

/** The screens that most people begin with who are logged in. */
function screenAt(path: string): { load: () => Promise<unknown> } | undefined {
  if (path === paths.introduction()) return Introduction
  if (path === paths.home()) return HomeScreen
  return path === paths.jobs() || path.startsWith(paths.job('')) ? JobsPage : undefined
}

/** The jobs of the last visit. */
async function keptJobs(): Promise<void> {
  try {
    if (currentSessions().length > 0) await import('@/data/jobs.ts').then(({ startJobs }) => startJobs())
    // No jobs are to be seen on a device where no account is logged in.
    else void firstScreen.then(surely).then(({ forgetOthersJobs }) => forgetOthersJobs())
  } catch {
    // A screen that needs them asks for today's.
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
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(settingsCameAt() + SETTLE_MS - performance.now(), 0)))
