/** Has the browser keep a file under this name. */
export function keepFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
