/** Fails with what the built files of an application ask of browsers that those at the floor do not have: `node build/check-floor.ts portal`. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { apisAboveFloor, stylesAboveFloor } from './above-floor.ts'
import { floor } from './floor.ts'

/** Names above the floor that may be in a built file all the same, by why they may. */
const ALLOWED: Record<string, readonly string[]> = {
  'a name of our own or of a library':
    'animation bytes durability getAllRecords intersection resize scrollMargin subject use zip'.split(' '),
  'a library asks for it first':
    'canIntercept detached fetchPriority imageSizes movementX movementY popover skipTransition toBase64 ViewTransition'.split(
      ' ',
    ),
  'DOMPurify asks for it first': ['createHTML', 'createPolicy', 'createScriptURL', 'getAttributeType', 'trustedTypes'],
  'in Chrome before 124 only its error has another name': ['AbortSignal.timeout'],
  // A rule with `:has()` is left out whole by Firefox before 121.
  'looks better or is quicker with it': [
    'accent-color',
    'contain-intrinsic-size',
    'content-visibility',
    'has',
    'text-wrap',
  ],
}

const finders: Record<string, (text: string) => string[]> = { '.js': apisAboveFloor, '.css': stylesAboveFloor }

const dist = join(import.meta.dirname, '..', process.argv[2] ?? '', 'dist')
const allowed = new Set(Object.values(ALLOWED).flat())
const faults = readdirSync(dist, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
  (finders[extname(file)]?.(readFileSync(join(dist, file), 'utf8')) ?? [])
    .filter((name) => !allowed.has(name))
    .map((name) => `${file}: ${name}`),
)
if (faults.length > 0) {
  const browsers = Object.entries(floor).map((one) => one.join(' '))
  console.error(
    `Not every browser from ${browsers.join(', ')} on has this (build/check-floor.ts says what may be there):`,
  )
  console.error(faults.join('\n'))
  process.exitCode = 1
}
