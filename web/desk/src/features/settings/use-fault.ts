import { useStaffLanguage } from '@/components/use-staff-language.ts'
import type { Settings } from '@/data/types.ts'

/** What is wrong at a place of a file, in the member's language. */
export function useFault(settings: Settings): (file: string, path?: string) => string | undefined {
  const language = useStaffLanguage()
  return (file, path) => {
    const found = settings.faults.filter((fault) => fault.file === file && (path === undefined || fault.path === path))
    if (found.length === 0) return undefined
    return found
      .map(({ path: place, reason }) =>
        path === undefined && place !== '' ? `${place}: ${reason[language]}` : reason[language],
      )
      .join('; ')
  }
}
