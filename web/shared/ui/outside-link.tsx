import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { locale } from '@shared/i18n/i18n.ts'

interface Props {
  href: string
  children: ReactNode
}

/** A link away from the portal. It opens beside it, so that what was typed is not lost, and says so. */
export function OutsideLink({ href, children }: Props) {
  const { t, i18n } = useTranslation()
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="visually-hidden" lang={locale(i18n.language)}>
        {' '}
        {t('newTab')}
      </span>
    </a>
  )
}
