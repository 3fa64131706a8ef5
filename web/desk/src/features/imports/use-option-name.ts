import { useTranslation } from '@shared/i18n/react.tsx'

const KNOWN = [
  'ELECTRIC_METER',
  'GAS_METER',
  'WATER_METER',
  'WATER_WARM_METER',
  'HEAT_METER',
  'GENERIC_METER',
  'PHONE',
  'CARD',
  'EMAIL',
  'TECHNICIAN',
  'IMPORT',
] as const

/** What people call one of the few things that a field can be; those that few know go by their own names. */
export function useOptionName(): (option: string) => string {
  const { t } = useTranslation('imports')
  return (option) => {
    const known = KNOWN.find((one) => one === option)
    return known ? t(`options.${known}`) : option
  }
}
