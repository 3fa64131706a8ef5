import { Button, type ButtonProps } from '@aws-amplify/ui-react'
import type { Ref } from 'react'

/** Amplify's button that keeps the focus while something is done: what is `disabled` loses it, and is passed over by whoever waits there. */
export function BusyButton({
  isLoading = false,
  isDisabled = false,
  onClick,
  ...rest
}: ButtonProps & { ref?: Ref<HTMLButtonElement> }) {
  return (
    <Button
      {...rest}
      isLoading={isLoading}
      // Else it follows from its loading.
      isDisabled={isDisabled}
      aria-disabled={isLoading || undefined}
      onClick={(event) => {
        // Of a form, too, whose Enter presses it.
        if (isLoading) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
