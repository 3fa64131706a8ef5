/**
 * Builds the functions and prints what they weigh: for this machine's processor (`make package`), or with `--arm64` for Lambda's,
 * where the deployment then finds them built.
 */
import path from 'node:path'
import { build, forLambda } from './build.ts'

const root = path.resolve(import.meta.dirname, '..')
if (process.argv.includes('--arm64')) {
  forLambda(root)
} else {
  const target = process.env['CARGO_TARGET_DIR'] ?? path.join(root, 'target')
  build(root, path.join(target, 'lambda'), ['--compiler', 'cargo'])
}
