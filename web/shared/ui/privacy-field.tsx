import type { ReactNode, Ref } from 'react'
import { Trans, useTranslation } from '@shared/i18n/react.tsx'
import { ConsentField } from './consent-field.tsx'

interface Props {
  ref?: Ref<HTMLInputElement> | undefined
  /** The policy's address; without one it is only named. */
  url: string | undefined
  checked: boolean
  onChange: (accepted: boolean) => void
  /** Why it is not enough as it is. */
  error?: string | undefined
}

/** The consent to the privacy policy. */
export function PrivacyField({ url, ...rest }: Props) {
  const { t } = useTranslation()
  return (
    <ConsentField
      {...rest}
      name="acceptsPrivacy"
      isRequired
      label={
        <Trans
          text={t(url ? 'privacy.link' : 'privacy.plain')}
          parts={{ policy: <PolicyLink url={url} />, hidden: <span className="visually-hidden" /> }}
        />
      }
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
