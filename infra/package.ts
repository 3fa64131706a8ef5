/**
 * Builds the functions and prints what they weigh: for this machine's processor (`make package`), or with `--arm64` for Lambda's;
 * with `--sites` the portal and the desk. A deployment takes what it finds built.
 */
import path from 'node:path'
import { build, functions, sites } from './build.ts'
import { make } from './made.ts'

const root = path.resolve(import.meta.dirname, '..')
if (process.argv.includes('--arm64')) {
  make(functions(root))
} else if (process.argv.includes('--sites')) {
  make(sites(root))
} else {
  const target = process.env['CARGO_TARGET_DIR'] ?? path.join(root, 'target')
  build(root, path.join(target, 'lambda'), ['--compiler', 'cargo'])
}
