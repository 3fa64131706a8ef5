import { Button } from '@aws-amplify/ui-react'
import type { RefObject } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'

interface Props {
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly titleId: string
  readonly homePath: string
  /** Another meter. */
  readonly onAgain: () => void
}

/** The reading has arrived. */
export function DoneStep({ heading, titleId, homePath, onAgain }: Props) {
  const { t } = useTranslation('publicReading')
  return (
    <div className="done">
      <span className="done__check">
        <Icon name="check" size={3} />
      </span>
      <h2 id={titleId} ref={heading} tabIndex={-1} className="wizard__title">
        {t('headings.DONE')}
      </h2>
      <p>{t('done.text')}</p>
      <div className="done__buttons">
        <Button onClick={onAgain}>{t('done.again')}</Button>
        <Link href={homePath} className="button-link">
          {t('home')}
        </Link>
      </div>
    </div>
  )
}
