/** The screens of a tenant by their paths, each fetched with its texts when it is needed. */
import type { ComponentType } from 'react'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { coming } from '@shared/ui/coming.tsx'

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

const Customers = coming<ScreenProps>(async () => {
  const [page] = await Promise.all([import('@/features/search/customers-page.tsx'), loadTexts(['search'])])
  return page.CustomersPage
})

export const screens: readonly Screen[] = [{ path: '/t/:tenant/customers', Screen: Customers }]
