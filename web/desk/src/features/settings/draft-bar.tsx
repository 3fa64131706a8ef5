import { Button } from '@aws-amplify/ui-react'
import { useId, useState } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { applyDrafts, discardDrafts, fetchLetter, preview } from '@/data/settings.ts'
import type { SettingsFile } from '@/data/types.ts'
import { Differences } from './differences.tsx'
import { LOGO_FILE } from './documents.ts'
import { Place } from './place.tsx'
import type { Editing } from './use-editing.ts'

interface Props {
  editing: Editing
  /** The last change was not kept. */
  hasFailed: boolean
  onApplied: () => void
}

/** What is changed and not yet in effect: to be seen, put into effect, or given up. */
export function DraftBar({ editing, hasFailed, onApplied }: Props) {
  const { t } = useTranslation('settings')
  const { tenant, settings, isBusy, act } = editing
  const [asked, setAsked] = useState<'apply' | 'discard'>()
  const drafts = settings.files.filter(({ draft }) => draft)
  const outdated = drafts.filter(({ draft }) => draft?.isOutdated)
  const isFaulty = settings.faults.length > 0
  const isOff = isFaulty || outdated.length > 0
  const reasonId = useId()
  const [isWaiting, setWaiting] = useState(false)
  if (isWaiting && !isBusy) {
    setWaiting(false)
    if (drafts.length > 0 && !isOff && !hasFailed) setAsked('apply')
  }
  if (drafts.length === 0) return <p className="soft">{t('noDrafts')}</p>

  const close = () => setAsked(undefined)
  const open = async () => {
    // Opened at once, because browsers let no page open a window later.
    const portal = window.open('', '_blank')
    const done = await act(async () => {
      const url = await preview(tenant)
      if (portal) portal.location.href = url
      return undefined
    })
    if (!done) portal?.close()
  }
  return (
    <section className="card fields" aria-labelledby="drafts">
      <h2 id="drafts">{t('drafts', { count: drafts.length })}</h2>
      <ul className="plain">
        {drafts.map(({ name, draft }) => (
          <li key={name}>
            <code>{name}</code>{' '}
            <small className="soft">{draft && t('draftBy', { by: draft.by, at: formatInstant(draft.at) })}</small>
          </li>
        ))}
      </ul>
      <Faults editing={editing} id={reasonId} />
      {outdated.map((file, index) => (
        <Outdated key={file.name} editing={editing} file={file} id={index === 0 && !isFaulty ? reasonId : undefined} />
      ))}
      <div className="row-of">
        <BusyButton isOff={isFaulty} aria-describedby={isFaulty ? reasonId : undefined} onClick={() => void open()}>
          {t('preview')}
        </BusyButton>
        <BusyButton
          isOff={isFaulty}
          aria-describedby={isFaulty ? reasonId : undefined}
          onClick={() =>
            void act(async () => {
              await fetchLetter(tenant, t('letterFile'))
              return undefined
            })
          }
        >
          {t('letter')}
        </BusyButton>
        <Button onClick={() => setAsked('discard')}>{t('discard')}</Button>
        <BusyButton
          variation="primary"
          isOff={isOff}
          aria-describedby={isOff ? reasonId : undefined}
          // Who presses it in a field's place is asked once what was typed there is kept.
          onClick={() => (isBusy ? setWaiting(true) : setAsked('apply'))}
        >
          {t('apply')}
        </BusyButton>
      </div>
      {asked === 'apply' && (
        <AskDialog
          title={t('applyTitle')}
          go={t('applyNow')}
          isWide
          work={async () => {
            if (await act(async () => applyDrafts(tenant, settings.state))) onApplied()
            close()
          }}
          onClose={close}
        >
          <p>{t('applyText')}</p>
          {drafts.map(({ name, content, draft }) => (
            <Differences
              key={name}
              file={name}
              isPicture={name === LOGO_FILE}
              before={content}
              after={draft?.content}
              heads={[t('now'), t('soon')]}
            />
          ))}
        </AskDialog>
      )}
      {asked === 'discard' && (
        <AskDialog
          title={t('discardTitle')}
          go={t('discardNow')}
          isDestructive
          work={async () => {
            await act(async () => discardDrafts(tenant, settings.state))
            close()
          }}
          onClose={close}
        >
          <p>{t('discardText', { count: drafts.length })}</p>
        </AskDialog>
      )}
    </section>
  )
}

/** A path whose places are counted from 0, as programs do, counted from 1. */
const fromOne = (path: string): string => path.replace(/\[(\d+)\]/g, (_, place) => `[${Number(place) + 1}]`)

function Faults({ editing: { settings }, id }: { editing: Editing; id: string }) {
  const { t } = useTranslation('settings')
  const language = useStaffLanguage()
  if (settings.faults.length === 0) return null
  return (
    <Message type="error">
      <p id={id}>{t('faults', { count: settings.faults.length })}</p>
      <ul>
        {settings.faults.map(({ file, path, reason }) => (
          <li key={`${file} ${path} ${reason.de}`}>
            {path === '' ? <code>{file}</code> : <Place file={file} path={fromOne(path)} />}: {reason[language]}
          </li>
        ))}
      </ul>
    </Message>
  )
}

/** Another member changed the file meanwhile; the author of the draft says what is meant. */
function Outdated({ editing, file, id }: { editing: Editing; file: SettingsFile; id: string | undefined }) {
  const { t } = useTranslation('settings')
  return (
    <Message type="warning">
      <p id={id}>{t('outdated', { file: file.name })}</p>
      <div className="row-of">
        <Button size="small" onClick={() => void editing.edit(file.name, (content) => content)}>
          {t('keepMine')}
        </Button>
        <Button size="small" onClick={() => void editing.replace(file.name, file.content ?? undefined, file.hash)}>
          {t('takeTheirs')}
        </Button>
      </div>
    </Message>
  )
}
