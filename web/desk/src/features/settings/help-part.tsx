import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { MarkdownText } from '@shared/ui/markdown-text.tsx'
import { contentOf, fileOf, helpFile } from './documents.ts'
import { DraftArea } from './draft-field.tsx'
import { LanguageChoice, useLanguageChoice } from './language-choice.tsx'
import type { Editing } from './use-editing.ts'
import { useFault } from './use-fault.ts'

/** The help in each language, beside it how it looks. */
export function HelpPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { language, choose, languages } = useLanguageChoice(editing.settings)
  return (
    <section className="fields" aria-labelledby="help">
      <h2 id="help">{t('help')}</h2>
      <p className="soft">{t('markdown')}</p>
      <LanguageChoice {...{ language, choose, languages }} />
      <Help key={language} editing={editing} language={language} />
    </section>
  )
}

function Help({ editing, language }: { editing: Editing; language: string }) {
  const { t } = useTranslation('settings')
  const faultAt = useFault(editing.settings)
  const file = helpFile(language)
  const shown = fileOf(editing.settings, file)
  const kept = contentOf(shown) ?? ''
  const [typed, setTyped] = useState<string>()
  const lang = language.slice(0, 2)
  return (
    <div className="side-by-side">
      <DraftArea
        name="help"
        label={t('helpOf')}
        description={t('helpNone')}
        rows={24}
        lang={lang}
        value={kept}
        fault={faultAt(file)}
        onTyped={setTyped}
        save={async (text) => editing.replace(file, text.trim() === '' ? undefined : text, shown?.hash)}
      />
      <section className="card" aria-label={t('looksSo')}>
        <p className="soft">{t('looksSo')}</p>
        <MarkdownText text={typed ?? kept} level={3} lang={lang} />
      </section>
    </div>
  )
}
