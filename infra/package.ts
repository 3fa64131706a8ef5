/** Builds the functions for this machine's processor instead of Lambda's, and prints what they weigh: `make package`. */
import path from 'node:path'
import { build } from './build.ts'

const root = path.resolve(import.meta.dirname, '..')
const target = process.env['CARGO_TARGET_DIR'] ?? path.join(root, 'target')
build(root, path.join(target, 'lambda'), ['--compiler', 'cargo'])
