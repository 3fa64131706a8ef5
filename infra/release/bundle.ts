/** What a version is made of, as one file: what was built, and the notes from what (`made.ts`). */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** Folders with what is deployed; in their place comes what the bundle has. */
const FOLDERS = ['target/lambda', 'web/portal/dist', 'web/desk/dist']

/** With these a deployment knows that the rest was built from the sources that it deploys. */
const NOTES = ['target/functions.made', 'target/sites.made']

const tar = (root: string, words: string[]) =>
  execFileSync('tar', ['--directory', root, ...words], { stdio: 'inherit' })

/** Packs what was built in a checkout. */
export function pack(root: string, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  tar(root, ['--create', '--gzip', '--file', file, ...FOLDERS, ...NOTES])
}

/** Puts it into a checkout, in place of what is there. */
export function unpack(root: string, file: string): void {
  for (const name of [...FOLDERS, ...NOTES]) rmSync(path.join(root, name), { recursive: true, force: true })
  tar(root, ['--extract', '--gzip', '--file', file])
}
