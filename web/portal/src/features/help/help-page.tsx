import { Loader } from '@aws-amplify/ui-react'
import { useEffect, useMemo } from 'react'
import { currentLanguage } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type Heading, renderMarkdown } from '@shared/ui/markdown.ts'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useApplication } from '@/data/application.ts'
import { useHelp } from '@/data/content.ts'
import './help.css'

/** Headings of so many depths stand in the table of contents (L2). */
const CONTENTS_DEPTH = 2

/** The tenant's help for everybody, with its table of contents (L2). */
export function HelpPage() {
  const { t } = useTranslation('help')
  const { name } = useApplication()
  const { text, error } = useHelp(currentLanguage())
  return (
    <>
      <title>{`${t('title')} – ${name}`}</title>
      {text ? (
        <Help text={text} />
      ) : text === '' || error ? (
        <ScreenMessage icon="help" title={t('none.title')}>
          <p>{t('none.text')}</p>
        </ScreenMessage>
      ) : (
        <>
          <h1 className="help__title">{t('title')}</h1>
          <Loader size="large" aria-label={t('loading', { area: 'common' })} />
        </>
      )}
    </>
  )
}

function Help({ text }: { text: string }) {
  const { t } = useTranslation('help')
  const newTab = t('newTab', { area: 'common' })
  const { html, headings } = useMemo(() => renderMarkdown(text, { level: 2, prefix: 'help-', newTab }), [text, newTab])
  useEffect(() => {
    // The address named a place that was not there yet.
    const id = fragment(location.hash)
    if (id) document.getElementById(id)?.scrollIntoView()
  }, [])
  const listed = headings.filter(({ depth }) => depth <= CONTENTS_DEPTH)
  return (
    <div className="help">
      <h1 className="help__title">{t('title')}</h1>
      {listed.length > 1 && <Contents headings={listed} />}
      <div className="help__text panel markdown" dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  )
}

/** What the address names behind its `#`; a link that a mail mangled names nothing. */
function fragment(hash: string): string | undefined {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return undefined
  }
}

function Contents({ headings }: { headings: readonly Heading[] }) {
  const { t } = useTranslation('help')
  return (
    <nav className="help__contents panel" aria-labelledby="help-contents">
      <h2 id="help-contents">{t('contents')}</h2>
      <ul>
        {headings.map(({ id, text, depth }) => (
          <li key={id} className={`help__entry help__entry--${depth}`}>
            <a href={`#${encodeURIComponent(id)}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
