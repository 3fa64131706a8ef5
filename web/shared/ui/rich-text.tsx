import DOMPurify, { type Config } from 'dompurify'
import { useLayoutEffect, useRef } from 'react'
import { locale } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import './rich-text.css'

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BLOCKS = ['p', 'br', 'hr', 'div', 'blockquote', 'address', 'ul', 'ol', 'li', 'dl', 'dt', 'dd']
const WORDS = ['#text', 'a', 'abbr', 'b', 'code', 'em', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'u']
const TABLES = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']
const ATTRIBUTES = ['lang', 'title', 'scope', 'colspan', 'rowspan', 'start']

/** Text and its structure. Looks, pictures and forms are not the tenant's: the content security policy refuses most of them. */
const ALLOWED = {
  ALLOWED_TAGS: [...HEADINGS, ...BLOCKS, ...WORDS, ...TABLES],
  ALLOWED_ATTR: ['href', ...ATTRIBUTES],
  ADD_URI_SAFE_ATTR: ATTRIBUTES,
  ALLOWED_URI_REGEXP: /^(?:https:|mailto:|tel:|\/(?![/\\]))/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config

interface Props {
  /** HTML that the tenant wrote. */
  html: string
  /** Its language. */
  lang: string
}

/** A tenant's own text below the heading of a screen; what is more than text is left out. */
export function RichText({ html, lang }: Props) {
  const { t, language: shown } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const newTab = t('newTab')
  const language = locale(shown)

  useLayoutEffect(() => {
    const content = DOMPurify.sanitize(quiet(html), { ...ALLOWED, RETURN_DOM_FRAGMENT: true })
    lowerHeadings(content)
    for (const link of content.querySelectorAll<HTMLAnchorElement>('a[href^="https:" i]')) {
      link.target = '_blank'
      link.rel = 'noreferrer'
      link.append(hidden(` ${newTab}`, language))
    }
    place.current?.replaceChildren(content)
  }, [html, newTab, language])

  return <div ref={place} className="rich-text" lang={lang} />
}

/**
 * Browsers report styles and handlers against the content security policy while the text is being read, before they can be
 * taken out. Editors put styles everywhere, so they get other names first. This spares reports and protects from nothing.
 */
const quiet = (html: string): string =>
  html.replaceAll(/<\/?[a-z][^>]*>/gi, (tag) =>
    tag.replace(/^(<\/?)style\b/i, '$1template').replaceAll(/([\s"'/])(?:style|on[a-z]+)\s*=/gi, '$1data-left-out='),
  )

/** The screen has its heading already; a text that begins anew stands below it. */
function lowerHeadings(content: DocumentFragment): void {
  if (!content.querySelector('h1')) return
  for (const heading of content.querySelectorAll(HEADINGS.join())) {
    const lower = document.createElement(`h${Math.min(Number(heading.localName.slice(1)) + 1, HEADINGS.length)}`)
    for (const { name, value } of heading.attributes) lower.setAttribute(name, value)
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
}

function hidden(text: string, lang: string): HTMLElement {
  const span = document.createElement('span')
  span.className = 'visually-hidden'
  span.lang = lang
  span.textContent = text
  return span
}
