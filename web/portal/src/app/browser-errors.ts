import { reporter } from '@shared/api/browser-errors.ts'
import { api } from '@shared/api/client.ts'
import { isOnline } from '@/device/connectivity.ts'
import { patterns } from './paths.ts'

/** Tells the API of an uncaught error, while there is a network; a page that is left goes on telling. */
export const report = reporter({
  patterns: Object.values(patterns),
  mayTell: isOnline,
  tell: (body) => api.POST('/api/public/browser-errors', { body, keepalive: true }),
})
