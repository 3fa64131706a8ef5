import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Search } from './search.tsx'

/** The search over any screen; closing it leads back to where one was. */
export function SearchDialog({ tenant, onClose }: { tenant: string; onClose: () => void }) {
  const { t } = useTranslation('search')
  const { t: common } = useTranslation()
  return (
    <Dialog
      open
      isWide
      title={t('title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <Search tenant={tenant} onChosen={onClose} isFocused />
    </Dialog>
  )
}
