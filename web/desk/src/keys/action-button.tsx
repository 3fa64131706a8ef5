import { Button, type ButtonProps } from '@aws-amplify/ui-react'
import { useId } from 'react'
import { type Action, useSingleKeys } from './actions.ts'
import { KeyName } from './key-name.tsx'

/** A button for what a key does, too: its name, its hint and its reason come from the action. */
export function ActionButton({
  action,
  ...rest
}: { action: Action } & Pick<ButtonProps, 'variation' | 'size' | 'isLoading'>) {
  const areOn = useSingleKeys()
  const reasonId = useId()
  const isOff = action.reason !== undefined
  return (
    <>
      <Button
        {...rest}
        // Also while it loads: who pressed it stays there.
        isDisabled={false}
        aria-disabled={isOff}
        aria-describedby={isOff ? reasonId : undefined}
        aria-keyshortcuts={areOn ? action.key : undefined}
        title={action.reason}
        onClick={() => {
          if (!isOff) action.run()
        }}
      >
        {action.label}
        {areOn && (
          <span aria-hidden="true">
            {' '}
            <KeyName value={action.key} />
          </span>
        )}
      </Button>
      {isOff && (
        <span id={reasonId} className="visually-hidden">
          {action.reason}
        </span>
      )}
    </>
  )
}
