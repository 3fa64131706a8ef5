/** A photo that is ready to be sent. */
export interface Photo {
  readonly id: string
  readonly blob: Blob
}
