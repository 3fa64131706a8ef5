import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { paths, SETTINGS_PARTS } from '@/data/paths.ts'
import { isLost } from '@/data/settings.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { learnRehearsal } from '@/session/session.ts'
import { AccessibilityPart } from './accessibility-part.tsx'
import { ContactPart } from './contact-part.tsx'
import { at, fileOf, parsed, REHEARSAL, TENANT_FILE } from './documents.ts'
import { DraftBar } from './draft-bar.tsx'
import { ExportsPart } from './exports-part.tsx'
import { FilesPart } from './files-part.tsx'
import { HelpPart } from './help-part.tsx'
import { Overtaken } from './items.ts'
import { LookPart } from './look-part.tsx'
import { MailsPart } from './mails-part.tsx'
import { PortalPart } from './portal-part.tsx'
import './settings.css'
import { TextsPart } from './texts-part.tsx'
import { type Editing, useEditing } from './use-editing.ts'
import { VersionsPart } from './versions-part.tsx'
import { VisitorsPart } from './visitors-part.tsx'

/** What the tenant sets itself: looked at, drafted, put into effect, taken back. `id` is the part that is shown. */
export function SettingsPage({ tenant, id }: { tenant: string; id: string }) {
  const { t } = useTranslation('settings')
  const problemText = useDeskProblemText()
  const { settings, error, failure, isBusy, act, edit, replace, reload } = useEditing(tenant)
  const [done, setDone] = useState<'applied' | 'drafted'>()
  const part = SETTINGS_PARTS.find((one) => one === id) ?? SETTINGS_PARTS[0]
  const isInRehearsal = settings && at(parsed(fileOf(settings, TENANT_FILE)?.content ?? undefined), REHEARSAL) === true
  useEffect(() => {
    if (isInRehearsal !== undefined) learnRehearsal(tenant, isInRehearsal)
  }, [tenant, isInRehearsal])
  const told = (name: 'applied' | 'drafted') => () => setDone(name)
  const heard = async (work: Promise<boolean>) => {
    setDone(undefined)
    return work
  }
  const editing: Editing | undefined = settings && {
    tenant,
    settings,
    isBusy,
    edit: async (file, change) => heard(edit(file, change)),
    replace: async (file, content, shown) => heard(replace(file, content, shown)),
    act: async (work) => heard(act(work)),
  }
  return (
    <Page title={t('title')}>
      <div role="status" className="keeping">
        {isBusy && <p className="soft">{t('keeping')}</p>}
        {!isBusy && done && <Message type="success">{t(done)}</Message>}
        {!isBusy && failure === undefined && settings && settings.faults.length > 0 && (
          <p className="soft">{t('keptFaulty', { count: settings.faults.length })}</p>
        )}
      </div>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {t(isLost(failure) ? 'perhapsKept' : 'notKept')}{' '}
          {failure instanceof Overtaken ? t('overtaken') : problemText(failure)}
        </Message>
      )}
      {!editing && <Pending error={error} retry={() => void reload()} />}
      {editing && (
        <>
          <DraftBar editing={editing} hasFailed={failure !== undefined} onApplied={told('applied')} />
          <nav className="parts" aria-label={t('parts')}>
            {SETTINGS_PARTS.map((one) => (
              <Link key={one} href={paths.settings(tenant, one)} aria-current={one === part ? 'page' : undefined}>
                {t(`part.${one}`)}
              </Link>
            ))}
          </nav>
          <Part part={part} editing={editing} onBack={told('drafted')} />
        </>
      )}
    </Page>
  )
}

interface PartProps {
  part: (typeof SETTINGS_PARTS)[number]
  editing: Editing
  onBack: () => void
}

function Part({ part, editing, onBack }: PartProps) {
  switch (part) {
    case 'portal':
      return <PortalPart editing={editing} />
    case 'look':
      return <LookPart editing={editing} />
    case 'texts':
      return <TextsPart editing={editing} />
    case 'mails':
      return <MailsPart editing={editing} />
    case 'visitors':
      return <VisitorsPart editing={editing} />
    case 'accessibility':
      return <AccessibilityPart editing={editing} />
    case 'help':
      return <HelpPart editing={editing} />
    case 'contact':
      return <ContactPart editing={editing} />
    case 'exports':
      return <ExportsPart editing={editing} />
    case 'files':
      return <FilesPart editing={editing} />
    case 'versions':
      return <VersionsPart editing={editing} onBack={onBack} />
  }
}
