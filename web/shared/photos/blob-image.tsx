import { useCallback } from 'react'

/** A picture that is in memory; its address lives as long as the element. */
export function BlobImage({ picture, alt }: { picture: Blob; alt: string }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(picture)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [picture],
  )
  return <img ref={show} alt={alt} />
}
