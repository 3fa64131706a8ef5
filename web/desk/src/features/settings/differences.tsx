import { useTranslation } from '@shared/i18n/react.tsx'
import { Heads } from '@/components/heads.tsx'
import { differences } from './documents.ts'
import { Place } from './place.tsx'

interface Props {
  file: string
  isPicture: boolean
  before: string | null | undefined
  after: string | null | undefined
  /** What the two columns are called. */
  heads: readonly [string, string]
}

/** What is different in a file. */
export function Differences({ file, isPicture, before, after, heads }: Props) {
  const { t } = useTranslation('settings')
  if (isPicture)
    return (
      <section aria-label={file}>
        <p>
          <code>{file}</code>
        </p>
        <div className="row-of">
          {[before, after].map((content, place) => (
            <figure key={heads[place]}>
              <figcaption className="soft">{heads[place]}</figcaption>
              {content === undefined ? (
                t('none')
              ) : (
                <img className="setting__logo" src={`data:image/png;base64,${content}`} alt="" />
              )}
            </figure>
          ))}
        </div>
      </section>
    )
  return (
    <table className="stacks differences">
      <caption>
        <code>{file}</code>
      </caption>
      <Heads names={[t('place'), ...heads]} />
      <tbody>
        {differences(before ?? undefined, after ?? undefined).map((found) => (
          <tr key={found.path}>
            <td data-name={t('place')}>
              <Place file={file} path={found.path} />
            </td>
            <td data-name={heads[0]}>{found.before ?? t('none')}</td>
            <td data-name={heads[1]}>{found.after ?? t('none')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
