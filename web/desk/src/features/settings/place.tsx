import { useTranslation } from '@shared/i18n/react.tsx'
import { placeName } from './place-name.ts'

/** A place of a file as people know it: the part of the settings and the field's label; the path, where there is no field. Several of one kind are counted from 1. */
export function Place({ file, path }: { file: string; path: string }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('common')
  const { t: exports } = useTranslation('exports')
  const name = placeName({ t, common, exports }, file, path)
  if (!name) return <code>{path === '' ? t('whole') : path}</code>
  const before = [t(`part.${name.part}`), ...name.labels.slice(0, -1)]
  return (
    <>
      <small className="soft">{before.join(' › ')}</small> {name.labels.at(-1)}
    </>
  )
}
