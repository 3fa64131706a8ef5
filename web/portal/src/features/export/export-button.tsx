import { useId, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Drawing } from '@shared/ui/icon.tsx'
import { notify } from '@shared/ui/notify.ts'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'
import { useToday } from '@/data/today.ts'

interface Props {
  jobs: readonly Job[]
  /** The account that the jobs belong to; it names the file. */
  account: string
}

/** Saves the jobs as an Excel file, where the tenant offers that (L6); not before all are there: nothing in the file would say that some are missing. */
export function ExportButton({ jobs, account }: Props) {
  const { t } = useTranslation()
  const { xlsxExportEnabled } = useApplication().features
  const { isComplete } = useJobs()
  const reasonId = useId()
  const today = useToday()
  const [isBusy, setBusy] = useState(false)
  if (!xlsxExportEnabled || jobs.length === 0) return null

  async function save() {
    setBusy(true)
    try {
      const { exportJobs, fileName, saveFile } = await import('./export-jobs.ts')
      saveFile(await exportJobs(jobs), fileName(today, account))
    } catch {
      notify({ type: 'error', title: t('export.failed.title'), message: t('export.failed.text'), topic: 'export' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <BusyButton
        size="small"
        isLoading={isBusy}
        loadingText={t('export.busy')}
        isDisabled={!isComplete}
        aria-describedby={isComplete ? undefined : reasonId}
        title={isComplete ? undefined : t('export.incomplete')}
        onClick={() => void save()}
      >
        <Drawing size={1.25}>
          <rect x="3.500" y="4" width="17" height="16" rx="2.500" />
          <path d="M3.500 9.500h17M3.500 14.750h17M9.500 9.500V20" />
        </Drawing>
        <span className="button-text">{t('export.button')}</span>
      </BusyButton>
      {!isComplete && (
        <span id={reasonId} className="visually-hidden">
          {t('export.incomplete')}
        </span>
      )}
    </>
  )
}
