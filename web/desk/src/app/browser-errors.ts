import { reporter } from '@shared/api/browser-errors.ts'
import { api } from '@shared/api/client.ts'
import { isLoggedIn, unattended } from '@/session/session.ts'
import { patterns } from './screens.ts'

/** Tells the API of an uncaught error, where a member is logged in. */
export const report = reporter({
  patterns,
  mayTell: () => navigator.onLine && isLoggedIn(),
  tell: (body) => api.POST('/api/desk/browser-errors', { ...unattended, body, keepalive: true }),
})
