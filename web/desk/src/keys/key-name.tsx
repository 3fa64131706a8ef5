import { useTranslation } from '@shared/i18n/react.tsx'

const NAMES = { Escape: 'escape', Enter: 'enter', ArrowDown: 'arrowDown', ArrowUp: 'arrowUp' } as const

const isNamed = (value: string): value is keyof typeof NAMES => Object.hasOwn(NAMES, value)

/** A key as it is printed on it. */
export function KeyName({ value }: { value: string }) {
  const { t } = useTranslation('desk')
  return <kbd>{isNamed(value) ? t(`keys.${NAMES[value]}`) : value.toUpperCase()}</kbd>
}
