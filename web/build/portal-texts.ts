/** The portal's own texts for an application that only shows them: the tenant's members see what they replace. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const PREFIX = 'virtual:portal-texts/'

/** Texts by key, grouped at will. */
interface Texts {
  readonly [key: string]: string | Texts
}

const folders = (language: string) =>
  ['portal/src/texts', 'shared/i18n'].map((folder) =>
    fileURLToPath(new URL(`../${folder}/${language}/`, import.meta.url)),
  )

/** `home.welcome` and so on with their texts. */
function flat(texts: Texts, prefix: string): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[`${prefix}.${key}`, text] as [string, string]] : flat(text, `${prefix}.${key}`),
  )
}

function textsOf(language: string): Record<string, string> {
  const files = folders(language).flatMap((folder) => readdirSync(folder).map((file) => [folder, file] as const))
  const areas = files.map(([folder, file]) => {
    const texts = JSON.parse(readFileSync(folder + file, 'utf8')) as Texts
    return flat(texts, file.replace(/\.json$/, ''))
  })
  return Object.fromEntries(areas.flat().toSorted(([one], [other]) => one.localeCompare(other)))
}

/** Makes `virtual:portal-texts/<language>` a module whose default is every text of the portal in that language, by key. */
export const portalTexts = (): Plugin => ({
  name: 'portal texts',
  resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
  load: (id) =>
    id.startsWith(`\0${PREFIX}`) ? `export default ${JSON.stringify(textsOf(id.slice(PREFIX.length + 1)))}` : null,
})
