/** The addresses of the desk's screens. None ever holds a name, a street, a meter number or a word that was searched for. */
import { ALL_SEASONS, paramsOf } from './open-filter.ts'
import type { OpenFilter } from './types.ts'

const queryOf = (params: Record<string, string | boolean>) =>
  new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)])).toString()
const at = (tenant: string, rest: string) => `/t/${encodeURIComponent(tenant)}/${rest}`

export const paths = {
  start: () => '/',
  sessions: () => '/sessions',
  platform: () => '/platform',
  platformTenant: (tenant: string) => `/platform/${encodeURIComponent(tenant)}`,
  loginDone: () => '/login/done',
  area: (tenant: string, area: AreaName) => at(tenant, area),
  /** What can be asked for the customers on the list of open jobs that this filter makes; at a part of the page. */
  toOpen: (tenant: string, area: 'letters' | 'reminders', filter: OpenFilter, part = '') =>
    `${at(tenant, area)}?${queryOf({ to: 'open', ...paramsOf(filter) })}${part && `#${part}`}`,
  /** The list of open jobs that this filter makes. */
  open: (tenant: string, filter: OpenFilter) =>
    `${at(tenant, 'open')}?${queryOf({ season: ALL_SEASONS, ...paramsOf(filter) })}`,
  customer: (tenant: string, account: string) => at(tenant, `customers/${encodeURIComponent(account)}`),
  entry: (tenant: string, job: string) => at(tenant, `entry/${encodeURIComponent(job)}`),
  importFile: (tenant: string, file: string) => at(tenant, `imports/${encodeURIComponent(file)}`),
  settings: (tenant: string, part: SettingsPart) => at(tenant, `settings/${part}`),
  /** The mails of a kind that were sent. */
  sent: (tenant: string, kind: string) => at(tenant, `season/mails?kind=${encodeURIComponent(kind)}`),
  /** What was read. */
  readings: (tenant: string) => at(tenant, 'season/readings'),
  decided: (tenant: string) => at(tenant, 'deciding/mine'),
  decision: (tenant: string) => at(tenant, 'deciding/next'),
  /** One of those that wait. */
  decide: (tenant: string, job: string, reading: string) =>
    at(tenant, `deciding/one/${encodeURIComponent(`${job} ${reading}`)}`),
  /** One that need not wait. */
  decideAnew: (tenant: string, job: string, reading: string) =>
    at(tenant, `deciding/anew/${encodeURIComponent(`${job} ${reading}`)}`),
}

/** The areas of a tenant, in the order of the navigation. */
export const AREAS = [
  'customers',
  'entry',
  'deciding',
  'season',
  'open',
  'imports',
  'letters',
  'reminders',
  'exports',
  'webhook',
  'settings',
  'members',
  'audit',
  'privacy',
] as const
export type AreaName = (typeof AREAS)[number]

/** The parts of the settings, in the order of their navigation. */
export const SETTINGS_PARTS = [
  'portal',
  'look',
  'texts',
  'mails',
  'help',
  'contact',
  'visitors',
  'accessibility',
  'exports',
  'files',
  'versions',
] as const

export type SettingsPart = (typeof SETTINGS_PARTS)[number]

/** What a part of an address says; one that was cut or mangled on its way says itself, which leads nowhere. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The tenant that a path of the desk is about. */
export function tenantOf(path: string): string | undefined {
  const [, tenant] = /^\/(?:t|invitation)\/([^/?#]+)/.exec(path) ?? []
  return tenant === undefined ? undefined : decoded(tenant)
}

/** The API's login, which leads back to this path of the desk; by the provider of this tenant's members, if they have one of their own. */
export const loginAddress = (returnTo: string, tenant?: string | null): string =>
  `/desk/login?${new URLSearchParams({ return: returnTo, ...(tenant && { tenant }) }).toString()}`
