/** The portal's font, after the first screen (D-START-2): in a style sheet that is made here, where a file of its own would be one more request. */
import faces from '@fontsource-variable/atkinson-hyperlegible-next/wght.css?inline'
import '@shared/ui/plain-zero/plain-zero.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(faces)
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
