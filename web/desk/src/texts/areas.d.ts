import '@shared/i18n/areas.d.ts'
import type audit from './de-FORMAL/audit.json'
import type customer from './de-FORMAL/customer.json'
import type deciding from './de-FORMAL/deciding.json'
import type desk from './de-FORMAL/desk.json'
import type entry from './de-FORMAL/entry.json'
import type exports from './de-FORMAL/exports.json'
import type imports from './de-FORMAL/imports.json'
import type letters from './de-FORMAL/letters.json'
import type members from './de-FORMAL/members.json'
import type open from './de-FORMAL/open.json'
import type parts from './de-FORMAL/parts.json'
import type platform from './de-FORMAL/platform.json'
import type privacy from './de-FORMAL/privacy.json'
import type reminders from './de-FORMAL/reminders.json'
import type runs from './de-FORMAL/runs.json'
import type search from './de-FORMAL/search.json'
import type season from './de-FORMAL/season.json'
import type settings from './de-FORMAL/settings.json'
import type webhook from './de-FORMAL/webhook.json'

declare module '@shared/i18n/areas.d.ts' {
  interface TextAreas {
    audit: typeof audit
    customer: typeof customer
    deciding: typeof deciding
    desk: typeof desk
    entry: typeof entry
    exports: typeof exports
    imports: typeof imports
    letters: typeof letters
    members: typeof members
    open: typeof open
    parts: typeof parts
    platform: typeof platform
    privacy: typeof privacy
    reminders: typeof reminders
    runs: typeof runs
    search: typeof search
    season: typeof season
    settings: typeof settings
    webhook: typeof webhook
  }
}
