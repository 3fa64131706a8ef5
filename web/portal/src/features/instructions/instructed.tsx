import { Button } from '@aws-amplify/ui-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { currentLanguage, foreignLang } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { instructionApplies } from '@shared/rules/instruction.ts'
import { coming } from '@shared/ui/coming.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useWideScreen } from '@shared/ui/media.ts'
import { AskedFor } from '@/components/asked-for.tsx'
import { useApplication } from '@/data/application.ts'
import { useInstructions } from '@/data/content.ts'
import './instructions.css'

const MarkdownText = coming(async () => (await import('@shared/ui/markdown-text.tsx')).MarkdownText)

/**
 * A meter's screen with the help on how to read it beside it, if the tenant has one for such meters (L2); where there is no room beside it, the help
 * lies over it, and the entry stays where it is.
 */
export function Instructed({ meter, children }: { meter: Job['meter']; children: ReactNode }) {
  const { t } = useTranslation('jobs')
  const isWide = useWideScreen()
  const { texts, lang } = useTexts(meter)
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  const hasHelp = texts.length > 0

  const text = texts.join('\n\n')

  useEffect(() => {
    // Where the meter hangs there may be no network; what does not come now is asked for with the text.
    if (hasHelp) MarkdownText.load().catch(() => undefined)
  }, [hasHelp])

  function close() {
    setOpen(false)
    opener.current?.focus()
  }

  return (
    <div className="instructed">
      {hasHelp && (
        <Button
          ref={opener}
          size="small"
          className="instructed__button"
          aria-expanded={isOpen}
          aria-controls={isOpen && isWide ? panelId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="help" size={1.25} />
          <span className="button-text">{t('instructions.button')}</span>
        </Button>
      )}
      <div
        className={hasHelp && isOpen && isWide ? 'instructed__columns instructed__columns--two' : 'instructed__columns'}
      >
        {hasHelp && isOpen && isWide && <Panel id={panelId} text={text} lang={lang} onClose={close} />}
        {children}
      </div>
      <Dialog
        open={hasHelp && isOpen && !isWide}
        title={t('instructions.title')}
        onClose={close}
        actions={<Button onClick={close}>{t('close', { area: 'common' })}</Button>}
      >
        <AskedFor part={MarkdownText} onMissing={close}>
          <MarkdownText text={text} level={3} lang={lang} />
        </AskedFor>
      </Dialog>
    </div>
  )
}

/** What the tenant has for such meters in the reader's language, else in its own. */
function useTexts(meter: Job['meter']): { texts: string[]; lang: string | undefined } {
  const { defaultLanguage } = useApplication()
  const all = useInstructions().filter((instruction) => instructionApplies(instruction, meter))
  const language = currentLanguage()
  const own = all.filter((instruction) => (instruction.language ?? defaultLanguage) === language)
  const usual = all.filter((instruction) => (instruction.language ?? defaultLanguage) === defaultLanguage)
  const isOwn = own.length > 0
  return {
    texts: (isOwn ? own : usual).map(({ content }) => content),
    lang: isOwn ? undefined : foreignLang(defaultLanguage),
  }
}

interface PanelProps {
  id: string
  text: string
  lang: string | undefined
  onClose: () => void
}

function Panel({ id, text, lang, onClose }: PanelProps) {
  const { t } = useTranslation('jobs')
  const title = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  useEffect(() => title.current?.focus(), [])
  const closeNow = useEffectEvent(onClose)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // A dialog above it takes the key for itself.
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) closeNow()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <aside id={id} className="panel instructions" aria-labelledby={titleId}>
      <div className="instructions__head">
        <h2 id={titleId} ref={title} tabIndex={-1}>
          {t('instructions.title')}
        </h2>
        <button type="button" className="icon-button" aria-label={t('close', { area: 'common' })} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <AskedFor part={MarkdownText} onMissing={onClose}>
        <MarkdownText text={text} level={3} lang={lang} />
      </AskedFor>
    </aside>
  )
}
