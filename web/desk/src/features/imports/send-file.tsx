import { Button, SelectField } from '@aws-amplify/ui-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { ProgressBar } from '@shared/ui/progress-bar.tsx'
import { HowFar, quarterOf } from '@/components/how-far.tsx'
import { MAX_BYTES, NotStored, sendFile } from '@/data/imports.ts'
import { IMPORT_KINDS, type ImportKind } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import './imports.css'

interface Props {
  tenant: string
  onSent: (file: string) => void
}

/** Takes a file, dropped or picked, and sends it. */
export function SendFile({ tenant, onSent }: Props) {
  const { t } = useTranslation('imports')
  const problemText = useDeskProblemText()
  const picker = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<ImportKind>('JOBS')
  const [isOver, setOver] = useState(false)
  const [part, setPart] = useState<number>()
  const [fault, setFault] = useState<'tooLarge' | 'empty' | 'several'>()
  const [failure, setFailure] = useState<unknown>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const take = async (files: readonly File[]) => {
    const [file, another] = files
    setFailure(undefined)
    setFault(undefined)
    if (!file) return
    if (another) return setFault('several')
    if (file.size === 0) return setFault('empty')
    if (file.size > MAX_BYTES) return setFault('tooLarge')
    const sending = new AbortController()
    abort.current = sending
    setPart(0)
    try {
      onSent(await sendFile(tenant, file, kind, { onPart: setPart, signal: sending.signal }))
    } catch (caught) {
      if (!sending.signal.aborted) setFailure(caught)
    } finally {
      setPart(undefined)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (part === undefined) void take(Array.from(event.dataTransfer.files))
  }
  const percent = part === undefined ? 0 : Math.floor(part * 100)
  return (
    <section className="card fields" aria-labelledby="send">
      <h2 id="send">{t('send')}</h2>
      <SelectField
        name="kind"
        label={t('kind')}
        value={kind}
        isDisabled={part !== undefined}
        onChange={({ target }) => setKind(IMPORT_KINDS.find((one) => one === target.value) ?? 'JOBS')}
      >
        {IMPORT_KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`kinds.${one}`)}
          </option>
        ))}
      </SelectField>
      <div
        className="drop"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {part === undefined ? (
          <>
            <Button onClick={() => picker.current?.click()}>{t('pick')}</Button>
            <span className="soft">{t('drop')}</span>
          </>
        ) : (
          <>
            <ProgressBar label={t('sending')} done={part} total={1} text={t('sent', { percent })} />
            <Button size="small" onClick={() => abort.current?.abort()}>
              {t('stop')}
            </Button>
          </>
        )}
        <HowFar
          text={part === undefined ? undefined : t('sent', { percent })}
          step={part === undefined ? '' : String(quarterOf(part))}
        />
        <input
          ref={picker}
          type="file"
          accept=".csv,.txt,.xlsx,.json,.jsonl"
          hidden
          onChange={({ target }) => {
            const picked = Array.from(target.files ?? [])
            target.value = ''
            void take(picked)
          }}
        />
      </div>
      {fault && (
        <Message type="error" role="alert">
          {t(`fault.${fault}`)}
        </Message>
      )}
      {failure !== undefined && (
        <Message type="error" role="alert">
          {failure instanceof NotStored ? t('fault.notStored', { host: failure.host }) : problemText(failure)}
        </Message>
      )}
    </section>
  )
}
