import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { contentOf, fileOf, helpFile, LOGO_FILE, languagesOf, readable, textsFile } from './documents.ts'
import { DraftArea, DraftChoice } from './draft-field.tsx'
import type { Editing } from './use-editing.ts'
import { useFault } from './use-fault.ts'

const ALWAYS = ['tenant.json', 'contact.json', 'instructions.json', 'exports.json'] as const

/** Each file as it is, for what has no field of its own. */
export function FilesPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { settings } = editing
  const [chosen, choose] = useState<string>('tenant.json')
  const of = languagesOf(settings).flatMap(({ name }) => [textsFile(name), helpFile(name)])
  const names = [...new Set([...ALWAYS, ...settings.files.map(({ name }) => name), ...of])].filter(
    (name) => name !== LOGO_FILE,
  )
  return (
    <section className="fields" aria-labelledby="files">
      <h2 id="files">{t('files')}</h2>
      <p className="soft">{t('filesText')}</p>
      <DraftChoice
        name="file"
        label={t('file')}
        value={chosen}
        options={names.map((name) => ({ value: name, label: name }))}
        save={choose}
      />
      <File key={chosen} editing={editing} name={chosen} />
    </section>
  )
}

function File({ editing, name }: { editing: Editing; name: string }) {
  const { t } = useTranslation('settings')
  const faultAt = useFault(editing.settings)
  const shown = fileOf(editing.settings, name)
  const content = contentOf(shown)
  return (
    <DraftArea
      name="content"
      label={t('contentOf', { file: name })}
      description={content === undefined ? t('noFile') : undefined}
      rows={28}
      isCode
      value={content === undefined ? '' : readable(content)}
      fault={faultAt(name)}
      save={async (typed) => editing.replace(name, typed.trim() === '' ? undefined : typed, shown?.hash)}
    />
  )
}
