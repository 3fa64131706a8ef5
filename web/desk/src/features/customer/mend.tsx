import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { Message } from '@shared/ui/message.tsx'
import { useDeskProblemText } from '@/session/problem-text.ts'

interface Props {
  label: string
  work: () => Promise<unknown>
  onDone: () => void
}

/** A button for what makes something right again; what refuses it stands above. */
export function Mend({ label, work, onDone }: Props) {
  const problemText = useDeskProblemText()
  const [failure, setFailure] = useState<unknown>()
  const mend = async () => {
    setFailure(undefined)
    try {
      await work()
      onDone()
    } catch (caught) {
      setFailure(caught)
    }
  }
  return (
    <>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      <Button size="small" onClick={() => void mend()}>
        {label}
      </Button>
    </>
  )
}
