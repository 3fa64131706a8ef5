/**
 * What was built, and from what: so that a deployment, and a look at what it would change, take what is there, and no build runs
 * with the account's rights (D-PLATFORM-14).
 */
import { execFileSync } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Something that is built from the checkout. */
export interface Build {
  /** The checkout. */
  root: string
  /** What it is, for messages and for the note of it. */
  name: string
  /** Folders with what was built. */
  outputs: string[]
  /** Folders of the checkout that it is not built from. */
  without: string[]
  /** What else decides about it. */
  more: string
  run(): void
}

/** A file with its name, so that neither can go over into the other; one that is not there counts as such. */
function add(hash: Hash, root: string, file: string): void {
  const name = path.join(root, file)
  const content = existsSync(name) && statSync(name).isFile() ? readFileSync(name) : undefined
  hash.update(`${file}\0${content?.length}\0`).update(content ?? '')
}

/** A checksum of the sources, those included that git does not have yet; none where git knows nothing. */
function ofSources({ root, without, more }: Build): string | undefined {
  // Settings of stages decide about the deployment and not about what is deployed.
  const except = [...without, '.env*'].map((folder) => `:!${folder}`)
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.', ...except]
  try {
    const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 })
    const hash = createHash('sha256').update(`${more}\0`)
    for (const file of new Set(files.split('\0').sort())) add(hash, root, file)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/** A checksum of what was built. */
function ofOutputs({ root, outputs }: Build): string {
  const hash = createHash('sha256')
  for (const output of outputs) {
    const folder = path.join(root, output)
    if (!existsSync(folder)) continue
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    for (const name of names) add(hash, root, path.join(output, name))
  }
  return hash.digest('hex')
}

const noteOf = ({ root, name }: Build) => path.join(root, 'target', `${name}.made`)

/** Builds it, and notes from what. */
export function make(build: Build): void {
  const note = noteOf(build)
  rmSync(note, { force: true })
  const sources = ofSources(build)
  build.run()
  if (sources === undefined) return
  mkdirSync(path.dirname(note), { recursive: true })
  writeFileSync(note, `${sources} ${ofOutputs(build)}\n`)
}

/** Builds it unless it is there; with `ZW_BUILD=none` it has to be. */
export function makeOnce(build: Build): void {
  const note = noteOf(build)
  const isThere = existsSync(note) && readFileSync(note, 'utf8') === `${ofSources(build)} ${ofOutputs(build)}\n`
  if (isThere) return
  if (process.env['ZW_BUILD'] === 'none') {
    throw new Error(`The ${build.name} are not built from these sources: npm run ${build.name} --workspace infra`)
  }
  make(build)
}
