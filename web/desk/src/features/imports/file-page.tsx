import { Link } from 'wouter'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { useImportFile } from '@/data/imports.ts'
import { paths } from '@/data/paths.ts'
import { Contained } from './contained.tsx'
import { FileForm } from './file-form.tsx'
import './imports.css'

/** A file that was sent: what stands in it, which column is which field, what an import would do, and doing it. */
export function FilePage({ tenant, id }: { tenant: string; id: string }) {
  const { t } = useTranslation('imports')
  const { byWhom } = useByName()
  const { data, error, reload } = useImportFile(tenant, id)
  return (
    <Page title={data?.name ?? t('fileTitle')}>
      <p className="soft">
        {data && t('fileText', { kind: t(`kinds.${data.kind}`), by: byWhom(data.by), at: formatInstant(data.at) })}{' '}
        <Link href={paths.area(tenant, 'imports')}>{t('back')}</Link>
      </p>
      {data && <Contained file={data} />}
      {!data && <Pending error={error} retry={() => void reload()} />}
      {data?.refused && (
        <Message type="error">
          {t('refused')} <RunText text={data.refused} />
        </Message>
      )}
      {data && !data.refused && <FileForm key={data.id} tenant={tenant} file={data} reload={async () => reload()} />}
    </Page>
  )
}
