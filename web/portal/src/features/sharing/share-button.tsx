import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { coming } from '@shared/ui/coming.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { AskedFor } from '@/components/asked-for.tsx'
import type { ShareDialogProps } from './share-dialog.tsx'
import { useShareable } from './shareable.ts'

const ShareDialog = coming(async () => {
  const [module] = await Promise.all([import('./share-dialog.tsx'), loadTexts(['sharing'])])
  return module.ShareDialog
})

type Props = Pick<ShareDialogProps, 'chosenId' | 'Export'> & { jobs: readonly Job[] }

/** Shares the jobs that may be shared; is not there when none may (L6). */
export function ShareButton({ jobs, ...dialog }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const shareable = useShareable(jobs)
  if (shareable.length === 0) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Icon name="share" size={1.25} />
        <span className="button-text">{t('share')}</span>
      </Button>
      {isOpen && (
        <AskedFor part={ShareDialog} onMissing={() => setOpen(false)}>
          <ShareDialog jobs={shareable} onClose={() => setOpen(false)} {...dialog} />
        </AskedFor>
      )}
    </>
  )
}
