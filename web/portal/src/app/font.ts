import faces from '@fontsource-variable/atkinson-hyperlegible-next/wght.css?inline'
import { addPlainZero } from '@shared/ui/plain-zero/plain-zero.ts'

let isThere = false

/** Brings the portal's font (D-START-7): in a style sheet that is made here, where a file of its own would be one more request. */
export function showFont(): void {
  if (isThere) return
  isThere = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(faces)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  addPlainZero()
}
