import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { SeasonDialog } from '@/components/season-dialog.tsx'
import { deleteSeason } from '@/data/season.ts'
import type { Season, SeasonName } from '@/data/types.ts'

interface Props {
  tenant: string
  season: SeasonName
  reload: () => Promise<Season | undefined>
  /** The season is not there any more. */
  onGone: () => void
}

const isGone = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'not-found'

/** What a lead may do with a season itself. */
export function SeasonActions({ tenant, season, reload, onGone }: Props) {
  const { t } = useTranslation('season')
  const [asked, setAsked] = useState<'change' | 'delete'>()
  const close = () => setAsked(undefined)
  return (
    <>
      <Button size="small" onClick={() => setAsked('change')}>
        {t('change')}
      </Button>
      <Button size="small" onClick={() => setAsked('delete')}>
        {t('delete')}
      </Button>
      {asked === 'change' && (
        <SeasonDialog
          tenant={tenant}
          season={season}
          reload={async () => (await reload())?.seasons.find(({ id }) => id === season.id)}
          onDone={async () => {
            await reload()
            close()
          }}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <AskDialog
          title={t('deleteTitle', { name: season.name })}
          go={t('deleteNow')}
          isDestructive
          work={async () => {
            await deleteSeason(tenant, season.id).catch((caught: unknown) => {
              // Another member deleted it, or the answer to the first try was lost.
              if (!isGone(caught)) throw caught
            })
            close()
            onGone()
            await reload()
          }}
          told={(failure) => (failure instanceof ApiError && failure.code === 'conflict' ? t('hasJobs') : undefined)}
          onClose={close}
        >
          <p>{t('deleteText')}</p>
        </AskDialog>
      )}
    </>
  )
}
