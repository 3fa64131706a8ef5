import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Heads } from '@/components/heads.tsx'
import { Pending } from '@/components/pending.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { goBack, useVersion } from '@/data/settings.ts'
import type { SettingsVersion } from '@/data/types.ts'
import { Differences } from './differences.tsx'
import { LOGO_FILE } from './documents.ts'
import type { Editing } from './use-editing.ts'

/** What was in effect, by whom, what is different now, and the way back. */
export function VersionsPart({ editing, onBack }: { editing: Editing; onBack: () => void }) {
  const { t } = useTranslation('settings')
  const { nameOf, ofCommand } = useByName()
  const { versions, state } = editing.settings
  const [shown, setShown] = useState<string>()
  const [asked, setAsked] = useState<SettingsVersion>()
  const name = ({ at, by }: SettingsVersion) => t('versionOf', { at: formatInstant(at), by: nameOf(by) })
  return (
    <section className="fields" aria-labelledby="versions">
      <h2 id="versions">{t('versions')}</h2>
      <table className="stacks">
        <Heads names={[t('at'), t('by'), t('changedFiles'), t('act')]} />
        <tbody>
          {versions.map((version) => (
            <tr key={version.id}>
              <th scope="row" data-name={t('at')}>
                {formatInstant(version.at)}
              </th>
              <td data-name={t('by')}>{version.byCommand ? ofCommand(version.by) : version.by}</td>
              <td data-name={t('changedFiles')}>{version.changed ? version.changed.join(', ') : t('firstVersion')}</td>
              <td data-name={t('act')}>
                {version.isCurrent ? (
                  t('inEffect')
                ) : (
                  <>
                    <Button
                      size="small"
                      aria-label={`${t('compare')}: ${formatInstant(version.at)}`}
                      aria-expanded={shown === version.id}
                      onClick={() => setShown(shown === version.id ? undefined : version.id)}
                    >
                      {t('compare')}
                    </Button>{' '}
                    <Button
                      size="small"
                      aria-label={`${t('back')}: ${formatInstant(version.at)}`}
                      onClick={() => setAsked(version)}
                    >
                      {t('back')}
                    </Button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown !== undefined && <Compared key={shown} editing={editing} version={shown} />}
      {asked && (
        <AskDialog
          title={t('backTitle')}
          go={t('backNow')}
          work={async () => {
            if (await editing.act(async () => goBack(editing.tenant, asked.id, state))) onBack()
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{name(asked)}</p>
          <p>{t('backText')}</p>
        </AskDialog>
      )}
    </section>
  )
}

/** What a version had otherwise than what is in effect. */
function Compared({ editing, version }: { editing: Editing; version: string }) {
  const { t } = useTranslation('settings')
  const { files, error, reload } = useVersion(editing.tenant, version)
  if (!files) return <Pending error={error} retry={() => void reload()} />
  const then = new Map(files.map(({ name, content }) => [name, content]))
  const now = new Map(
    editing.settings.files.flatMap(({ name, content }) => (content === undefined ? [] : [[name, content]])),
  )
  const changed = [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name))
  return (
    <section aria-label={t('compared')} className="card">
      <h3>{t('compared')}</h3>
      {changed.length === 0 && <p>{t('same')}</p>}
      {changed.toSorted().map((name) => (
        <Differences
          key={name}
          file={name}
          isPicture={name === LOGO_FILE}
          before={then.get(name)}
          after={now.get(name)}
          heads={[t('then'), t('now')]}
        />
      ))}
    </section>
  )
}
