/** The portal's font, after the first screen (D-START-2): in a style sheet that is made here, where one of its own would be one more request. */
import letters from '@fontsource-variable/atkinson-hyperlegible-next/wght.css?inline'
import zero from '@shared/ui/plain-zero/plain-zero.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(`${letters}${zero}`)
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
