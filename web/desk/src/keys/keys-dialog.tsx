import { Button, CheckboxField } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { currentActions, switchSingleKeys, useSingleKeys } from './actions.ts'
import { KeyName } from './key-name.tsx'

/** What keys do on the page below; it opens over it, so what is listed is what worked when it was opened. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('desk')
  const { t: common } = useTranslation()
  const areOn = useSingleKeys()
  return (
    <Dialog
      open={open}
      title={t('keys.title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <dl className="keys">
        {currentActions().map(({ key, label, reason }) => (
          <div key={key}>
            <dt>
              <KeyName value={key} />
            </dt>
            <dd>
              {label}
              {reason !== undefined && <small> {reason}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <CheckboxField
        name="single-keys"
        label={t('keys.on')}
        checked={areOn}
        onChange={({ target }) => switchSingleKeys(target.checked)}
      />
    </Dialog>
  )
}
