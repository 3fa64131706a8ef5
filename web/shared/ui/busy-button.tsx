import { Button, type ButtonProps } from '@aws-amplify/ui-react'
import type { Ref } from 'react'

interface Props extends ButtonProps {
  /** It takes no press now, without anything being done here: the page says why. */
  isOff?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** Amplify's button that keeps the focus while it cannot be pressed: what is `disabled` loses it, and is passed over by a user who waits there. */
export function BusyButton({
  isLoading = false,
  isOff = false,
  isDisabled = false,
  className = '',
  onClick,
  ...rest
}: Props) {
  const isRefused = isLoading || isOff
  return (
    <Button
      {...rest}
      className={isOff ? `amplify-button--disabled ${className}` : className}
      isLoading={isLoading}
      // Else it follows from its loading.
      isDisabled={isDisabled}
      aria-disabled={isRefused || undefined}
      onClick={(event) => {
        // Of a form, too, whose Enter presses it.
        if (isRefused) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
