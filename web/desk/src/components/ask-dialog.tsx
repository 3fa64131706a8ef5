import { Button } from '@aws-amplify/ui-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { focusFault } from './focus-fault.ts'

interface Props {
  title: string
  /** What the main button says. */
  go: string
  /** It shows a table. */
  isWide?: boolean
  /** It cannot be undone. */
  isDestructive?: boolean
  /** It cannot be done, for a reason that the dialog says. */
  isDisabled?: boolean
  /** Whether what was typed is enough, and what is not is said; nothing is called otherwise. */
  check?: () => boolean
  /** Does it; the caller then closes the dialog. */
  work: () => Promise<unknown>
  /** Words for a refusal that means something else here than everywhere. */
  told?: (failure: unknown) => string | undefined
  onClose: () => void
  children: ReactNode
}

/** Asks for what it takes to do something, or once more before it is done. A refusal is said in it, and what was typed stays. */
export function AskDialog({
  title,
  go,
  isWide = false,
  isDestructive = false,
  isDisabled = false,
  check,
  work,
  told,
  onClose,
  children,
}: Props) {
  const { t } = useTranslation('desk')
  const problemText = useDeskProblemText()
  const form = useId()
  const fields = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  const submit = async () => {
    setFailure(undefined)
    if (isBusy || isDisabled) return
    if (check?.() === false) {
      focusFault(fields.current)
      return
    }
    setBusy(true)
    try {
      await work()
    } catch (caught) {
      setFailure(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={title}
      isWide={isWide}
      isLocked={isBusy}
      onClose={onClose}
      actions={
        <>
          <BusyButton
            type="submit"
            form={form}
            variation={isDestructive ? 'destructive' : 'primary'}
            isLoading={isBusy}
            isDisabled={isDisabled}
          >
            {go}
          </BusyButton>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <form
        ref={fields}
        id={form}
        className="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {failure !== undefined && (
          <Message type="error" role="alert" isAnswer>
            {told?.(failure) ?? problemText(failure)}
          </Message>
        )}
      </form>
    </Dialog>
  )
}
