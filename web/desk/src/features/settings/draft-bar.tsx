import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { applyDrafts, discardDrafts, fetchLetter, preview } from '@/data/settings.ts'
import type { SettingsFile } from '@/data/types.ts'
import { Differences } from './differences.tsx'
import { LOGO_FILE } from './documents.ts'
import { Place } from './place.tsx'
import type { Editing } from './use-editing.ts'

/** What is changed and not yet in effect: to be seen, put into effect, or given up. */
export function DraftBar({ editing, onApplied }: { editing: Editing; onApplied: () => void }) {
  const { t } = useTranslation('settings')
  const { tenant, settings, isBusy, act } = editing
  const [asked, setAsked] = useState<'apply' | 'discard'>()
  const drafts = settings.files.filter(({ draft }) => draft)
  const outdated = drafts.filter(({ draft }) => draft?.isOutdated)
  const isFaulty = settings.faults.length > 0
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
      <Faults editing={editing} />
      {outdated.map((file) => (
        <Outdated key={file.name} editing={editing} file={file} />
      ))}
      <div className="row-of">
        <Button isDisabled={isFaulty} onClick={() => void open()}>
          {t('preview')}
        </Button>
        <Button
          isDisabled={isFaulty}
          onClick={() =>
            void act(async () => {
              await fetchLetter(tenant, t('letterFile'))
              return undefined
            })
          }
        >
          {t('letter')}
        </Button>
        <Button onClick={() => setAsked('discard')}>{t('discard')}</Button>
        <Button
          variation="primary"
          isDisabled={isBusy || isFaulty || outdated.length > 0}
          onClick={() => setAsked('apply')}
        >
          {t('apply')}
        </Button>
      </div>
      {asked === 'apply' && (
        <AskDialog
          title={t('applyTitle')}
          go={t('applyNow')}
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

function Faults({ editing: { settings } }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const language = useStaffLanguage()
  if (settings.faults.length === 0) return null
  return (
    <Message type="error">
      <p>{t('faults', { count: settings.faults.length })}</p>
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

/** Somebody else changed the file meanwhile; whoever drafted it says what is meant. */
function Outdated({ editing, file }: { editing: Editing; file: SettingsFile }) {
  const { t } = useTranslation('settings')
  return (
    <Message type="warning">
      <p>{t('outdated', { file: file.name })}</p>
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
