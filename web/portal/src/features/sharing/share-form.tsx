import { CheckboxField, TextField } from '@aws-amplify/ui-react'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type Finding, MAX_JOBS, MAX_NAME } from '@shared/rules/share.ts'
import { Message } from '@shared/ui/message.tsx'
import { JobPicker } from './job-picker.tsx'

/** What is to be shared, and as what. */
export interface ShareDraft {
  /** Undefined until the name was changed by hand: until then it follows the meters. */
  name: string | undefined
  allowToReShare: boolean
  chosen: ReadonlySet<string>
}

interface Props {
  jobs: readonly Job[]
  draft: ShareDraft
  name: string
  fault: Finding['code'] | undefined
  isPickerOpen: boolean
  onChange: (change: (draft: ShareDraft) => ShareDraft) => void
}

/** The name of the access, what it may do, and its meters. */
export function ShareForm({ jobs, draft, name, fault, isPickerOpen, onChange }: Props) {
  const { t } = useTranslation('sharing')
  const nameFault =
    fault === 'NAME_REQUIRED' || fault === 'NAME_TOO_LONG' || fault === 'NAME_CHARACTERS' ? fault : undefined
  return (
    <div className="share-form">
      <p>{t('form.intro')}</p>
      <TextField
        label={t('form.name')}
        descriptiveText={t('form.nameHint')}
        value={name}
        autoComplete="off"
        hasError={nameFault !== undefined}
        errorMessage={nameFault && t(`fault.${nameFault}`, { count: MAX_NAME })}
        onChange={(event) => {
          const { value } = event.target
          onChange((before) => ({ ...before, name: value }))
        }}
      />
      <CheckboxField
        label={t('form.reshare')}
        name="allowToReShare"
        checked={draft.allowToReShare}
        onChange={(event) => {
          const { checked } = event.target
          onChange((before) => ({ ...before, allowToReShare: checked }))
        }}
      />
      {jobs.length > 1 && (
        <details className="share-form__jobs" open={isPickerOpen}>
          <summary>{t('form.jobs', { count: draft.chosen.size })}</summary>
          <JobPicker
            jobs={jobs}
            chosen={draft.chosen}
            onChange={(chosen) => onChange((before) => ({ ...before, chosen }))}
          />
        </details>
      )}
      <div role="status">
        {(fault === 'MAX_JOBS' || fault === 'JOBS_REQUIRED') && (
          <Message type={fault === 'MAX_JOBS' ? 'error' : 'info'}>
            <p>{t(`fault.${fault}`, { count: MAX_JOBS })}</p>
          </Message>
        )}
      </div>
    </div>
  )
}
