import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import './markdown.css'
import { renderMarkdown } from './markdown.ts'

/** A tenant's short text; `level` is that of its highest headings. */
export function MarkdownText({ text, level }: { text: string; level: number }) {
  const { t } = useTranslation()
  const prefix = useId()
  const newTab = t('newTab')
  const { html } = useMemo(() => renderMarkdown(text, { level, prefix, newTab }), [text, level, prefix, newTab])
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />
}
