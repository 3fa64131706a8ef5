import { Button } from '@aws-amplify/ui-react'
import { formatSecond } from '@shared/i18n/format.ts'
import type { Run } from '@/data/types.ts'

interface Props {
  run: Run
  name: string
  onFetch: () => void
}

/** Fetches a file of a run. Files of several runs have the same name: users of a screen reader tell them apart by when they were asked for. */
export function FileButton({ run, name, onFetch }: Props) {
  return (
    <Button size="small" className="file" onClick={onFetch}>
      {name}
      <span className="visually-hidden">, {formatSecond(run.askedAt)}</span>
    </Button>
  )
}
