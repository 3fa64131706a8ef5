import DOMPurify from 'dompurify'
import { marked } from 'marked'
import { useMemo } from 'react'

/** What a tenant's text may consist of; styles would be refused by the content security policy. */
const ALLOWED = {
  ALLOWED_TAGS: ['p', 'strong', 'em', 'a', 'ul', 'ol', 'li', 'br', 'h2', 'h3', 'h4', 'blockquote', 'code', 'hr'],
  ALLOWED_ATTR: ['href'],
}

/** A tenant's text, written in Markdown. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => DOMPurify.sanitize(marked.parse(text, { async: false }), ALLOWED), [text])
  // oxlint-disable-next-line react/no-danger -- sanitized above
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />
}
