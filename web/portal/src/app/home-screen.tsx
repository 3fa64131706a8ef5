import { lazy, Suspense } from 'react'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { ContactCard } from '@/features/contact/contact-card.tsx'
import { HomePage } from '@/features/home/home-page.tsx'
import { paths } from './paths.ts'

const CommunicationCard = lazy(async () => {
  const [card] = await Promise.all([
    import('@/features/communication/communication-card.tsx'),
    loadTexts(['communication']),
  ])
  return { default: card.CommunicationCard }
})

/** The start of those who are logged in, with its cards. */
export function HomeScreen() {
  return (
    <HomePage jobsPath={paths.jobs()}>
      <Suspense>
        <CommunicationCard />
      </Suspense>
      <ContactCard path={paths.home()} />
    </HomePage>
  )
}
