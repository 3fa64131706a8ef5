import { useEffect, useRef, useState } from 'react'

/**
 * A mail as a mail program shows it: in a document of its own, which runs nothing, fetches nothing and leads nowhere. The page's policy takes no styles
 * from text, so that they are set one by one.
 */
export function MailFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isThere, setThere] = useState(false)
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const shown = frame.current?.contentDocument
    if (!isThere || !shown) return undefined
    // Quotes in the mail's words are escaped, so that only attributes are found.
    const parsed = new DOMParser().parseFromString(html.replaceAll(' style="', ' data-style="'), 'text/html')
    for (const element of parsed.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset['style'] ?? ''
      delete element.dataset['style']
    }
    for (const link of parsed.querySelectorAll('a')) {
      link.removeAttribute('href')
      link.style.textDecoration ||= 'underline'
    }
    shown.documentElement.lang = parsed.documentElement.lang
    shown.body.style.cssText = parsed.body.style.cssText
    shown.body.replaceChildren(...parsed.body.childNodes)
    const grown = new ResizeObserver(() => setHeight(shown.body.scrollHeight))
    grown.observe(shown.body)
    return () => grown.disconnect()
  }, [html, isThere])
  return (
    <iframe
      ref={frame}
      className="mail"
      title={title}
      sandbox="allow-same-origin"
      srcDoc="<!doctype html><title>Mail</title>"
      height={height}
      onLoad={() => setThere(true)}
    />
  )
}
