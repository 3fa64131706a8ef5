import { locale } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { RichText } from '@shared/ui/rich-text.tsx'
import { useApplication } from '@/data/application.ts'
import './accessibility.css'
import { Statement } from './statement.tsx'

/** The accessibility statement: the tenant's own, else the standard one (P2). */
export function AccessibilityPage() {
  const { t, language } = useTranslation('accessibility')
  const application = useApplication()
  const { customContent } = application.accessibility
  const isReadInGerman = locale(language) === 'de'
  return (
    <div className="accessibility">
      <title>{`${t('title')} – ${application.name}`}</title>
      <h1>{t('title')}</h1>
      {customContent?.trim() ? (
        <div className="panel">
          <RichText html={customContent} lang={locale(application.defaultLanguage)} />
        </div>
      ) : (
        <>
          {!isReadInGerman && (
            <Message type="info">
              <p>{t('germanOnly')}</p>
            </Message>
          )}
          <Statement />
        </>
      )}
    </div>
  )
}
