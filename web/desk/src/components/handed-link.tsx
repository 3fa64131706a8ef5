import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { ShownOnce } from './shown-once.tsx'

interface Props {
  /** Who is invited. */
  email: string
  link: string
  onClose: () => void
}

/** Shows the link of an invitation whose mail did not go out, once. */
export function HandedLink({ email, link, onClose }: Props) {
  const { t } = useTranslation('parts')
  return (
    <Dialog
      open
      title={t('handOver.title')}
      isLocked
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('handOver.done')}</Button>}
    >
      <p>{t('handOver.text', { email })}</p>
      <ShownOnce text={link} />
    </Dialog>
  )
}
