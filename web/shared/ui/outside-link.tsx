import type { ReactNode } from 'react'
import { locale } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'

interface Props {
  href: string
  children: ReactNode
}

/** A link away from the portal. It opens beside it, so that what was typed is not lost, and says so. */
export function OutsideLink({ href, children }: Props) {
  const { t, language } = useTranslation()
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="visually-hidden" lang={locale(language)}>
        {' '}
        {t('newTab')}
      </span>
    </a>
  )
}
