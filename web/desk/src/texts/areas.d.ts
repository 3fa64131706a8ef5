import '@shared/i18n/areas.d.ts'
import type desk from './de-FORMAL/desk.json'
import type search from './de-FORMAL/search.json'

declare module '@shared/i18n/areas.d.ts' {
  interface TextAreas {
    desk: typeof desk
    search: typeof search
  }
}
