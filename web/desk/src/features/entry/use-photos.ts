import { useEffect, useRef, useState } from 'react'
import { prepare } from '@shared/photos/prepare.ts'
import type { PhotoFault } from '@shared/photos/resize.ts'
import { MAX_IMAGES } from '@shared/rules/reading.ts'

/** A picture that goes with a reading. */
export interface EntryPhoto {
  readonly id: string
  readonly blob: Blob
}

/** Photos and scans of one reading. */
export interface EntryPhotos {
  readonly photos: readonly EntryPhoto[]
  /** Why the last file is not among them. */
  readonly fault: PhotoFault | 'tooMany' | 'failed' | undefined
  readonly isPreparing: boolean
  readonly take: (files: readonly File[]) => Promise<void>
  readonly remove: (id: string) => void
}

const filesOf = (transfer: DataTransfer | null): File[] => Array.from(transfer?.files ?? [])

/** Takes pictures that are picked, dropped anywhere on the page, or pasted; with `isOff` none. */
export function usePhotos(isOff: boolean): EntryPhotos {
  const [photos, setPhotos] = useState<readonly EntryPhoto[]>([])
  const [fault, setFault] = useState<EntryPhotos['fault']>()
  const [isPreparing, setPreparing] = useState(false)

  const take = async (files: readonly File[]) => {
    const room = MAX_IMAGES - photos.length
    setFault(files.length > room ? 'tooMany' : undefined)
    setPreparing(true)
    for (const file of files.slice(0, room)) {
      try {
        const resized = await prepare(file)
        if ('fault' in resized) setFault(resized.fault)
        else setPhotos((before) => [...before, { id: crypto.randomUUID(), blob: resized.photo }])
      } catch {
        setFault('failed')
      }
    }
    setPreparing(false)
  }
  const remove = (id: string) => {
    setFault(undefined)
    setPhotos((before) => before.filter((photo) => photo.id !== id))
  }

  const takes = useRef<(files: readonly File[]) => void>(() => {})
  useEffect(() => {
    takes.current = (files) => {
      if (!isOff && !isPreparing && files.length > 0) void take(files)
    }
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    // Otherwise the browser leaves the page for the picture, and what was typed is gone.
    document.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), { signal })
    document.addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        takes.current(filesOf(event.dataTransfer))
      },
      { signal },
    )
    document.addEventListener(
      'paste',
      (event) => {
        const files = filesOf(event.clipboardData)
        if (files.length === 0) return
        event.preventDefault()
        takes.current(files)
      },
      { signal },
    )
    return () => listening.abort()
  }, [])
  return { photos, fault, isPreparing, take, remove }
}
