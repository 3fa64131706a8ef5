/** The layers of the applications' sources, as the table in `README.md` has them: each sees the shared rows and its own application's above it. */
import { readFileSync } from 'node:fs'

const ROW = /^\| `([^`]+)` \|/gm

/** Stands in a row for each of the folders in its place, which do not see each other. */
const EACH = '/<area>'

const table = readFileSync(new URL('../README.md', import.meta.url), 'utf8').match(/^## Layers\n(.*?)^## /ms)?.[1] ?? ''

/** Folders from the bottom to the top: `shared/rules`, `portal/src/features/<area>`. */
export const layers: readonly string[] = [...table.matchAll(ROW)].map(([, folder = '']) => folder)

/** The application of a folder; what all stand on is `shared`. */
export const applicationOf = (folder: string): string => folder.split('/')[0] ?? ''

/** The folder of a row: without the places that it stands for. */
export const rootOf = (layer: string): string => layer.replace(EACH, '')

/** Why a file may not import another one; undefined when it may. Both are paths below `web`. */
export function fault(from: string, to: string): string | undefined {
  const [lower, upper] = [placeOf(to), placeOf(from)]
  // What starts an application lies in no folder.
  if (!upper) return undefined
  if (!lower) return `${to} is in no layer`
  if (upper.folder === lower.folder) return undefined
  if (!['shared', applicationOf(from)].includes(applicationOf(to))) return 'applications do not import each other'
  if (upper.row === lower.row) return `parts of ${rootOf(layers[upper.row] ?? '')} do not import each other`
  return lower.row < upper.row ? undefined : `${lower.folder} is above ${upper.folder}`
}

interface Place {
  /** Its row in the table. */
  row: number
  folder: string
}

function placeOf(file: string): Place | undefined {
  const row = layers.findIndex((layer) => file.startsWith(`${rootOf(layer)}/`))
  const layer = layers[row]
  if (layer === undefined) return undefined
  const depth = layer.split('/').length
  return { row, folder: file.split('/').slice(0, depth).join('/') }
}
