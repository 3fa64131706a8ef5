import { useTranslation } from '@shared/i18n/react.tsx'

/** What the command line writes where neither `--by` nor the machine says who gives the command (`domain::audit::NAMELESS`). */
const NAMELESS = 'unknown'

/** Says who did something: the name that was kept, or that it was a command of which nobody is known. */
export function useByName() {
  const { t } = useTranslation('parts')
  return {
    /** By itself, as in a table; `unnamed` where the words for a command do not fit. */
    nameOf: (by: string, unnamed = t('byCommand')): string => (by === NAMELESS ? unnamed : by),
    /** Who gave a command. */
    ofCommand: (by: string): string => (by === NAMELESS ? t('byCommand') : `${by} · ${t('byCommand')}`),
    /** In a sentence. */
    byWhom: (by: string): string => (by === NAMELESS ? t('byCommand') : t('byWhom', { name: by })),
  }
}
