import { useTranslation } from '@shared/i18n/react.tsx'

/** What a preset is called: those that come along have a name in each language, the tenant's own have theirs. */
export function usePresetName(): (name: string) => string {
  const { t } = useTranslation('exports')
  return (name) => {
    if (name === 'plain') return t('presets.plain')
    if (name === 'sap-isu') return t('presets.sapIsu')
    return name
  }
}
