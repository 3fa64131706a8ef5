import { CheckboxField } from '@aws-amplify/ui-react'
import { type ReactNode, type Ref, useId } from 'react'

interface Props {
  ref?: Ref<HTMLInputElement> | undefined
  name: string
  label: ReactNode
  isRequired?: boolean
  checked: boolean
  onChange: (accepted: boolean) => void
  /** Why it is not enough as it is. */
  error?: string | undefined
}

/** A box that has to be checked, and says why: Amplify's own message belongs to no field for those who hear it. */
export function ConsentField({ error, onChange, ...rest }: Props) {
  const errorId = useId()
  const hasError = error !== undefined
  return (
    <CheckboxField
      {...rest}
      hasError={hasError}
      errorMessage={<span id={errorId}>{error}</span>}
      aria-invalid={hasError}
      aria-describedby={hasError ? errorId : undefined}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}
