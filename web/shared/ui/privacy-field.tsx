import { CheckboxField } from '@aws-amplify/ui-react'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from '@shared/i18n/react.tsx'

interface Props {
  /** The policy's address; without one it is only named. */
  url: string | undefined
  checked: boolean
  onChange: (accepted: boolean) => void
  /** Why it is not enough as it is. */
  error?: string | undefined
}

/** The consent to the privacy policy. */
export function PrivacyField({ url, checked, onChange, error }: Props) {
  const { t } = useTranslation()
  return (
    <CheckboxField
      name="acceptsPrivacy"
      isRequired
      label={
        <Trans
          text={t(url ? 'privacy.link' : 'privacy.plain')}
          parts={{ policy: <PolicyLink url={url} />, hidden: <span className="visually-hidden" /> }}
        />
      }
      checked={checked}
      hasError={error !== undefined}
      errorMessage={error}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

/** The policy opens beside the form, so that what was typed is not lost. */
function PolicyLink({ url, children }: { url: string | undefined; children?: ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
