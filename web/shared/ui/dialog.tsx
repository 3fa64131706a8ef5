import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import './dialog.css'
import { Icon } from './icon.tsx'
import { placeInDialog } from './topmost.ts'

interface Props {
  open: boolean
  title: string
  /** Takes the room that it can get. */
  isWide?: boolean
  /** Cannot be closed now: something is being done, or would be lost. */
  isLocked?: boolean
  /** Called by Escape and by the close button; the caller then renders with `open` false. */
  onClose: () => void
  children: ReactNode
  /** The buttons: the main one first. */
  actions: ReactNode
}

/** A modal dialog: the browser's own, which keeps the focus inside and closes on Escape. */
export function Dialog({ open, title, isWide = false, isLocked = false, onClose, children, actions }: Props) {
  const { t } = useTranslation()
  const element = useRef<HTMLDialogElement>(null)
  const notices = useRef<HTMLDivElement>(null)
  const titleId = useId()

  // Before the element is taken out of the page, which would lose the focus instead of giving it back.
  useLayoutEffect(() => {
    const dialog = element.current
    if (!open || !dialog) return
    dialog.showModal()
    const leave = notices.current ? placeInDialog(notices.current) : undefined
    return () => {
      leave?.()
      dialog.close()
    }
  }, [open])

  return (
    <dialog
      ref={element}
      className={isWide ? 'dialog dialog--wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (!isLocked) onClose()
      }}
      onClose={({ currentTarget: dialog }) => {
        // Browsers let no page keep a dialog open against a second Escape; ours opens again.
        if (!open || dialog.open) return
        if (isLocked) dialog.showModal()
        else onClose()
      }}
    >
      {open && (
        <>
          <div className="dialog__header">
            <h2 id={titleId} className="dialog__title">
              {title}
            </h2>
            <button type="button" className="icon-button" aria-label={t('close')} disabled={isLocked} onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          <div ref={notices} className="dialog__notices" />
          <div className="dialog__body">{children}</div>
          <div className="dialog__actions">{actions}</div>
        </>
      )}
    </dialog>
  )
}
