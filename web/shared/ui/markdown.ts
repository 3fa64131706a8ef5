import DOMPurify from 'dompurify'
import { Marked } from 'marked'

/** A heading with the address at which it can be reached. */
export interface Heading {
  readonly id: string
  readonly text: string
  /** As it is written: `#` is 1. */
  readonly depth: number
}

export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

interface Options {
  /** The level of a heading of depth 1, below the screen's own. */
  readonly level: number
  /** Goes before the ids of the headings, so that they are like no other on the screen. */
  readonly prefix: string
  /** What is said about links that leave the portal. */
  readonly newTab: string
}

/** What a text consists of; styles and what runs or is typed into are none of it. */
const TAGS = (
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li dl dt dd ' +
  'a strong b em i u s del sub sup kbd mark img table thead tbody tr th td'
).split(' ')
const ATTRIBUTES = ['href', 'title', 'src', 'alt', 'start', 'colspan', 'rowspan']

const TAG = /<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gi

/**
 * Markup in the text keeps its plain tags only. What is safe is decided afterwards; but a browser reports each style and
 * each handler that its policy stops, even where nothing runs.
 */
const plainTags = (html: string) =>
  html.replaceAll(TAG, (_, end: string, name: string) => (TAGS.includes(name.toLowerCase()) ? `<${end}${name}>` : ''))

const marked = new Marked({ renderer: { html: ({ text }) => plainTags(text) } })

/** A tenant's Markdown as markup that is safe to show, with its headings. */
export function renderMarkdown(text: string, { level, prefix, newTab }: Options): Rendered {
  const safe = DOMPurify.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
  // A document of its own: nothing in it is fetched.
  const { body } = new DOMParser().parseFromString(safe, 'text/html')
  for (const image of body.querySelectorAll('img')) keepOrDescribe(image)
  for (const link of body.querySelectorAll('a')) leaveByNewTab(link, newTab)
  return { headings: nameHeadings(body, level, prefix), html: body.innerHTML }
}

/** Pictures come with the text: the portal shows none of other sites. */
function keepOrDescribe(image: HTMLImageElement): void {
  const source = image.getAttribute('src') ?? ''
  if (!source.startsWith('data:image/')) image.replaceWith(image.alt)
}

function leaveByNewTab(link: HTMLAnchorElement, newTab: string): void {
  if (!/^https?:/i.test(link.getAttribute('href') ?? '')) return
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  const note = link.ownerDocument.createElement('span')
  note.className = 'visually-hidden'
  note.textContent = ` ${newTab}`
  link.append(note)
}

function nameHeadings(body: HTMLElement, level: number, prefix: string): Heading[] {
  const ids = new Set<string>()
  return Array.from(body.querySelectorAll('h1, h2, h3, h4, h5, h6'), (heading) => {
    const depth = Number(heading.tagName.slice(1))
    const text = heading.textContent.trim()
    const id = freeId(prefix + slug(text), ids)
    const lowered = heading.ownerDocument.createElement(`h${Math.min(depth + level - 1, 6)}`)
    lowered.id = id
    lowered.append(...heading.childNodes)
    heading.replaceWith(lowered)
    return { id, text, depth }
  })
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}-${count}`
  taken.add(id)
  return id
}
