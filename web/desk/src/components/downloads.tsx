import { useState } from 'react'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useDeskProblemText } from '@/session/problem-text.ts'

interface Props<Format extends string> {
  formats: readonly Format[]
  /** Fetches the file; rejects with what stands in its way. */
  download: (format: Format) => Promise<void>
}

/** Buttons that fetch what is shown as a file, and what stands in its way. */
export function Downloads<Format extends string>({ formats, download }: Props<Format>) {
  const problemText = useDeskProblemText()
  const [busy, setBusy] = useState<Format>()
  const [error, setError] = useState<unknown>()
  const start = async (format: Format) => {
    setBusy(format)
    setError(undefined)
    try {
      await download(format)
    } catch (failure) {
      setError(failure)
    }
    setBusy(undefined)
  }
  return (
    <>
      {formats.map((format) => (
        <BusyButton key={format} size="small" isLoading={busy === format} onClick={() => void start(format)}>
          {format.toUpperCase()}
        </BusyButton>
      ))}
      {error !== undefined && (
        <Message type="error" role="alert">
          {problemText(error)}
        </Message>
      )}
    </>
  )
}
