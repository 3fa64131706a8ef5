import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import type { ImportFile } from '@/data/types.ts'

/** How much a file has and how it is written, so that a wrong one is noticed before anything is done with it. */
export function Contained({ file: { contents, sheet, columns, isTable } }: { file: ImportFile }) {
  const { t } = useTranslation('imports')
  if (!contents) return null
  const { rows, isAbout, encoding, separator } = contents
  const [about, counted] = isTable ? (['aboutRows', 'rows'] as const) : (['aboutLines', 'lines'] as const)
  const number = formatCount(rows)
  const facts = [
    isAbout ? t(about, { number }) : t(counted, { count: rows, number }),
    ...(isTable ? [t('columnCount', { count: columns.length })] : []),
    ...(sheet ? [t('sheet', { name: sheet.name, number: sheet.number, of: sheet.of })] : []),
    ...(encoding ? [t(`encodings.${encoding}`)] : []),
    ...(separator ? [t(`separators.${separator === ',' ? 'comma' : 'semicolon'}`)] : []),
  ]
  return (
    <>
      <p>{facts.join(' · ')}</p>
      {sheet && sheet.of > 1 && <Message type="info">{t('otherSheets')}</Message>}
      {sheet && sheet.hiddenRows > 0 && (
        <Message type="warning">
          {t('hiddenRows', { count: sheet.hiddenRows, number: formatCount(sheet.hiddenRows) })}
        </Message>
      )}
      {isTable && columns.length === 1 && <Message type="warning">{t('oneColumn')}</Message>}
    </>
  )
}
