/**
 * D-PORTAL-8: loaded before Playwright (`--import`) for journeys in Debian's own Firefox, which it speaks to by WebDriver BiDi. Two things of
 * Playwright 1.65 keep it from that, and are mended while the file is loaded; a version without them ends here with a message.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const BUNDLE = '/playwright-core/lib/coreBundle.js'

/** What is there, what has to be there, and how often. */
const MENDED: [pattern: RegExp, replacement: string, count: number][] = [
  // Firefox ESR does not know this command, which is sent for each new context.
  [
    /await (this\.[\w.]+\.send\("emulation\.setMediaFeaturesOverride", \{[\s\S]*?\n {8}\}\));/g,
    'await $1.catch(() => {});',
    2,
  ],
  // A value that is set by the field's own property, which React watches, is no change to React. What an address's field had before
  // (`+=`: it has no selection) is to be replaced, as in other fields.
  [
    /inputElement\.value \+?= (value|text);/g,
    'Object.getOwnPropertyDescriptor(Object.getPrototypeOf(inputElement), "value").set.call(inputElement, $1);',
    2,
  ],
]

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(BUNDLE)) return nextLoad(url, context)
    let source = readFileSync(fileURLToPath(url), 'utf8')
    for (const [pattern, replacement, count] of MENDED) {
      const found = source.match(pattern)?.length ?? 0
      if (found !== count)
        throw new Error(`${url}: ${pattern} is there ${found} times and not ${count}; look at ${import.meta.filename}`)
      source = source.replaceAll(pattern, replacement)
    }
    return { format: 'commonjs', source, shortCircuit: true }
  },
})
