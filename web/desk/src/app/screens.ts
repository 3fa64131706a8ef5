/** The screens of a tenant by their paths, each fetched with its texts when it is needed. */
import type { ComponentType } from 'react'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { coming } from '@shared/ui/coming.tsx'
import { paths } from '@/data/paths.ts'

/** What every screen is told. */
interface ScreenProps {
  tenant: string
  /** What the path names; empty where it names nothing. */
  id: string
}

interface Screen {
  readonly path: string
  readonly Screen: ComponentType<ScreenProps>
}

/** Of those who run the product. */
export const Platform = coming(async () => {
  const [page] = await Promise.all([import('@/features/platform/platform-page.tsx'), loadTexts(['platform', 'parts'])])
  return page.PlatformPage
})

export const PlatformTenant = coming<{ tenant: string }>(async () => {
  const [page] = await Promise.all([import('@/features/platform/tenant-page.tsx'), loadTexts(['platform', 'parts'])])
  return page.TenantPage
})

const Customers = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/search/customers-page.tsx'), loadTexts(['search'])])
  return page.CustomersPage
})

const Customer = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/customer/customer-page.tsx'), loadTexts(['customer', 'parts'])])
  return page.CustomerPage
})

const Entry = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/entry/entry-page.tsx'), loadTexts(['entry', 'parts'])])
  return page.EntryPage
})

const Deciding = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/deciding/deciding-page.tsx'), loadTexts(['deciding', 'parts'])])
  return page.DecidingPage
})

const decisionPage = async () => {
  const [page] = await Promise.all([
    import('@/features/deciding/decision-page.tsx'),
    loadTexts(['deciding', 'parts', 'search']),
  ])
  return page
}

const Decision = coming<ScreenProps>(async () => (await decisionPage()).DecisionPage)

const DecideAnew = coming<ScreenProps>(async () => (await decisionPage()).DecideAnewPage)

const Mine = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/deciding/mine-page.tsx'), loadTexts(['deciding', 'parts'])])
  return page.MinePage
})

const Season = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/season/season-page.tsx'), loadTexts(['season', 'parts'])])
  return page.SeasonPage
})

const Sent = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/sent/sent-page.tsx'), loadTexts(['season', 'parts'])])
  return page.SentPage
})

const Readings = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/readings/readings-page.tsx'), loadTexts(['season', 'parts'])])
  return page.ReadingsPage
})

const Open = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/open/open-page.tsx'), loadTexts(['open', 'parts'])])
  return page.OpenPage
})

const Exports = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([
    import('@/features/exports/exports-page.tsx'),
    loadTexts(['exports', 'runs', 'parts']),
  ])
  return page.ExportsPage
})

const Imports = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([
    import('@/features/imports/imports-page.tsx'),
    loadTexts(['imports', 'runs', 'parts']),
  ])
  return page.ImportsPage
})

const ImportFile = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([
    import('@/features/imports/file-page.tsx'),
    loadTexts(['imports', 'runs', 'parts']),
  ])
  return page.FilePage
})

const Letters = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([
    import('@/features/letters/letters-page.tsx'),
    loadTexts(['letters', 'runs', 'parts']),
  ])
  return page.LettersPage
})

const Reminders = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([
    import('@/features/reminders/reminders-page.tsx'),
    loadTexts(['reminders', 'runs', 'parts']),
  ])
  return page.RemindersPage
})

const Webhook = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/webhook/webhook-page.tsx'), loadTexts(['webhook', 'parts'])])
  return page.WebhookPage
})

const Settings = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([
    import('@/features/settings/settings-page.tsx'),
    loadTexts(['settings', 'parts', 'exports']),
  ])
  return page.SettingsPage
})

const Members = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/members/members-page.tsx'), loadTexts(['members', 'parts'])])
  return page.MembersPage
})

const Audit = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/audit/audit-page.tsx'), loadTexts(['audit', 'parts'])])
  return page.AuditPage
})

const Privacy = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/privacy/privacy-page.tsx'), loadTexts(['privacy', 'parts'])])
  return page.PrivacyPage
})

/** A tenant's addresses, and others with something in them. */
export const TENANT = '/t/:tenant/*?'
export const PLATFORM_TENANT = `${paths.platform()}/:tenant`
export const INVITATION = '/invitation/:tenant/:token'

export const screens: readonly Screen[] = [
  { path: '/t/:tenant/customers', Screen: Customers },
  { path: '/t/:tenant/customers/:id', Screen: Customer },
  { path: '/t/:tenant/entry/:id?', Screen: Entry },
  { path: '/t/:tenant/deciding', Screen: Deciding },
  { path: '/t/:tenant/deciding/next', Screen: Decision },
  { path: '/t/:tenant/deciding/one/:id', Screen: Decision },
  { path: '/t/:tenant/deciding/anew/:id', Screen: DecideAnew },
  { path: '/t/:tenant/deciding/mine', Screen: Mine },
  { path: '/t/:tenant/season', Screen: Season },
  { path: '/t/:tenant/season/mails', Screen: Sent },
  { path: '/t/:tenant/season/readings', Screen: Readings },
  { path: '/t/:tenant/open', Screen: Open },
  { path: '/t/:tenant/imports', Screen: Imports },
  { path: '/t/:tenant/imports/:id', Screen: ImportFile },
  { path: '/t/:tenant/letters', Screen: Letters },
  { path: '/t/:tenant/reminders', Screen: Reminders },
  { path: '/t/:tenant/exports', Screen: Exports },
  { path: '/t/:tenant/webhook', Screen: Webhook },
  { path: '/t/:tenant/settings/:id?', Screen: Settings },
  { path: '/t/:tenant/members', Screen: Members },
  { path: '/t/:tenant/audit', Screen: Audit },
  { path: '/t/:tenant/privacy', Screen: Privacy },
]

/** The addresses of all screens as the router matches them. */
export const patterns: readonly string[] = [
  '/',
  '/login',
  paths.loginDone(),
  paths.sessions(),
  paths.platform(),
  PLATFORM_TENANT,
  INVITATION,
  ...screens.map(({ path }) => path),
  TENANT,
]
