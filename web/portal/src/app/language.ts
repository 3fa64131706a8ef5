import { useEffect } from 'react'
import type { Application } from '@shared/contract/types.ts'
import { changeLanguage } from '@shared/i18n/i18n.ts'
import { chosenLanguage } from '@shared/ui/settings.ts'
import { type Session, useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'

/** The language that the reader chose, else the one that the utility noted for the account, else the tenant's. */
export function preferredLanguage(application: Application, sessions: readonly Session[]): string {
  const wishes = [chosenLanguage(), ...sessions.map(({ info }) => info.language)]
  const offered = (wish: string | null) => application.languages.some(({ name }) => name === wish)
  return wishes.find(offered) ?? application.defaultLanguage
}

/** Greets people in their language as soon as it is known who they are. */
export function useAccountLanguage(): void {
  const language = preferredLanguage(useApplication(), useSessions())
  useEffect(() => {
    void changeLanguage(language)
  }, [language])
}
