import { useId, useMemo } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import './markdown.css'
import { renderMarkdown } from './markdown.ts'

interface Props {
  text: string
  /** That of its highest headings. */
  level: number
  /** The language, where it is not that of the screen. */
  lang?: string | undefined
}

/** A tenant's short text. */
export function MarkdownText({ text, level, lang }: Props) {
  const { t } = useTranslation()
  const prefix = useId()
  const newTab = t('newTab')
  const { html } = useMemo(() => renderMarkdown(text, { level, prefix, newTab }), [text, level, prefix, newTab])
  return <div className="markdown" lang={lang} dangerouslySetInnerHTML={{ __html: html }} />
}
