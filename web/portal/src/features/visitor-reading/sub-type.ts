import { type TenantText, tenantText } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useApplication } from '@/data/application.ts'
import type { Config } from './draft.ts'

type SubType = NonNullable<Config['meters'][string]>['subTypeMeterConfigs'][number]

/** What a sub-type is called and how it is described, in the reader's language where the tenant has translated it. */
export function useSubTypeTexts(): (subType: SubType) => { label: TenantText; description: TenantText | undefined } {
  // Another language is another text.
  useTranslation()
  const { defaultLanguage } = useApplication()
  return ({ meterType, subType, subTypeLabel, subTypeDescription }) => {
    const key = `publicReading.subType.${meterType}.${subType}`
    return {
      label: tenantText(`${key}.label`, subTypeLabel, defaultLanguage),
      description: subTypeDescription
        ? tenantText(`${key}.description`, subTypeDescription, defaultLanguage)
        : undefined,
    }
  }
}
