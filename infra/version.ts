import { execFileSync } from 'node:child_process'

/**
 * Which version is deployed: the commit of the checkout, marked if there is more than that in it. A checkout without git says it in
 * `ZW_VERSION`, as the build of the sites reads it.
 */
export function versionOf(root: string): string {
  const told = process.env['ZW_VERSION']
  if (told) return told
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}-changed`
  } catch (cause) {
    throw new Error('Git does not know the version that is deployed; set ZW_VERSION.', { cause })
  }
}
