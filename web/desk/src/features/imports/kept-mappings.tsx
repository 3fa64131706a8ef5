import { Button, SelectField } from '@aws-amplify/ui-react'
import { useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { forgetMapping, keepMapping } from '@/data/imports.ts'
import type { ImportFile } from '@/data/types.ts'
import { KeepDialog } from './keep-dialog.tsx'
import { fitted, type Mapping, parsed, strangers } from './mapping.ts'
import { MissingColumns } from './missing-columns.tsx'

interface Props {
  tenant: string
  file: ImportFile
  mapping: Mapping
  onChange: (mapping: Mapping) => void
  reload: () => Promise<unknown>
}

/** Mappings from before: taking one, from the tenant's or from a file, and keeping this one. */
export function KeptMappings({ tenant, file, mapping, onChange, reload }: Props) {
  const { t } = useTranslation('imports')
  const picker = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<'keep' | 'forget'>()
  const [told, setTold] = useState<{ lacks: readonly string[]; isBad: boolean }>()
  const taken = file.kept.find((one) => one.name === name)
  const fromFile = (read: Mapping | undefined) => {
    setTold({ lacks: read ? strangers(read, file.columns) : [], isBad: !read })
    if (read) onChange(fitted(read, file.columns))
  }
  const take = (mapping: unknown) => {
    setTold(undefined)
    onChange(mapping as Mapping)
  }
  return (
    <>
      <div className="row-of">
        {file.kept.length > 0 && (
          <SelectField
            name="kept"
            label={t('kept')}
            value={name}
            onChange={({ target }) => {
              setName(target.value)
              const kept = file.kept.find((one) => one.name === target.value)
              take(kept ? kept.mapping : file.suggested)
            }}
          >
            <option value="">{t('suggested')}</option>
            {file.kept.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </SelectField>
        )}
        <Button onClick={() => setAsked('keep')}>{t('keep')}</Button>
        {file.kept.some((one) => one.name === name) && (
          <Button onClick={() => setAsked('forget')}>{t('forget')}</Button>
        )}
        <Button onClick={() => picker.current?.click()}>{t('fromFile')}</Button>
        <input
          ref={picker}
          type="file"
          accept=".json"
          hidden
          onChange={({ target }) => {
            const picked = target.files?.[0]
            target.value = ''
            void picked?.text().then((text) => fromFile(parsed(text)))
          }}
        />
      </div>
      <MissingColumns
        of={taken?.name ?? file.suggestedOf ?? ''}
        missing={(taken ?? file).missing}
        fields={file.fields}
      />
      {told?.isBad && (
        <Message type="error" role="alert">
          {t('noMapping')}
        </Message>
      )}
      {told && told.lacks.length > 0 && (
        <Message type="warning" role="alert">
          {t('strangers', { columns: told.lacks.join(', ') })}
        </Message>
      )}
      {asked === 'forget' && (
        <AskDialog
          title={t('forgetTitle', { name })}
          go={t('forgetNow')}
          isDestructive
          work={async () => {
            await forgetMapping(tenant, name, file.kind)
            await reload()
            setName('')
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t('forgetText')}</p>
        </AskDialog>
      )}
      {asked === 'keep' && (
        <KeepDialog
          name={name}
          keep={async (wanted) => {
            await keepMapping(tenant, wanted, file.kind, mapping)
            await reload()
            setName(wanted)
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
