import { useApplication } from '@/data/application.ts'

/** The document's title: the screen, then the tenant. */
export function PageTitle({ children }: { children: string }) {
  const { name } = useApplication()
  return <title>{`${children} – ${name}`}</title>
}
