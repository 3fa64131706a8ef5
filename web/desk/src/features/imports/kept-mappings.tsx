import { Button, SelectField, TextField } from '@aws-amplify/ui-react'
import { useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { keepMapping } from '@/data/imports.ts'
import type { ImportFile } from '@/data/types.ts'
import { fitted, type Mapping, parsed, strangers } from './mapping.ts'

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
  const [isAsking, setAsking] = useState(false)
  const [told, setTold] = useState<{ lacks: readonly string[]; isBad: boolean }>()
  const take = (taken: Mapping | undefined) => {
    setTold({ lacks: taken ? strangers(taken, file.columns) : [], isBad: !taken })
    if (taken) onChange(fitted(taken, file.columns))
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
              take((kept ? kept.mapping : file.suggested) as unknown as Mapping)
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
        <Button onClick={() => setAsking(true)}>{t('keep')}</Button>
        <Button onClick={() => picker.current?.click()}>{t('fromFile')}</Button>
        <input
          ref={picker}
          type="file"
          accept=".json"
          hidden
          onChange={({ target }) => {
            const picked = target.files?.[0]
            target.value = ''
            void picked?.text().then((text) => take(parsed(text)))
          }}
        />
      </div>
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
      {isAsking && (
        <AskDialog
          title={t('keepTitle')}
          go={t('keepNow')}
          check={() => name.trim() !== ''}
          work={async () => {
            await keepMapping(tenant, name.trim(), file.kind, mapping)
            await reload()
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        >
          <TextField
            name="name"
            label={t('keptName')}
            descriptiveText={t('keepText')}
            maxLength={60}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </AskDialog>
      )}
    </>
  )
}
