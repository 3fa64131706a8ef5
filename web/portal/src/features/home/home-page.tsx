import type { ReactNode } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useApplication } from '@/data/application.ts'
import { AccountsCard } from './accounts-card.tsx'
import { ReadingsCard } from './readings-card.tsx'
import './home.css'

interface Props {
  jobsPath: string
  /** Further cards. */
  children?: ReactNode
}

/** What a person sees first after the login. */
export function HomePage({ jobsPath, children }: Props) {
  const { t } = useTranslation('home')
  const { name } = useApplication()
  return (
    <div className="home">
      <title>{name}</title>
      <header className="home__welcome">
        <h1>{t('welcome', { name })}</h1>
        <p className="home__intro">{t('intro')}</p>
      </header>
      <ReadingsCard jobsPath={jobsPath} />
      <div className="home__cards">
        <AccountsCard />
        {children}
      </div>
    </div>
  )
}
