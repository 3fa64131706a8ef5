import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'
import type { Build } from './made.ts'
import { routesByFunction } from './routes.ts'
import { versionOf } from './version.ts'
import { workers } from './worker-list.ts'

/** The most that a function may weigh zipped, in bytes: Lambda fetches it before each cold start. Those with the SDKs of DynamoDB and of S3 come closest. */
const LIMIT = 3_500_000

const WHAT = ['--release', '--locked', '--package', 'lambdas', '--features', 'deployed']

const binaries = [...routesByFunction.keys(), ...workers.map(({ name }) => name)]

const folder = (root: string) => path.join(root, 'target/lambda')

/** The folder with a function's `bootstrap`. */
export function bundle(binary: string): string {
  return path.join(folder($cli.paths.root), binary)
}

/**
 * Builds all functions into a folder, and says what they weigh. It is one call of cargo for all, with the output's place
 * named, because SST's own Rust build calls cargo once a function, builds the whole workspace with it, and packages what an
 * earlier build left behind when `CARGO_TARGET_DIR` is set.
 *
 * @param machine Options of `cargo lambda build` that say for which processor, and with which linker.
 */
export function build(root: string, output: string, machine: string[]): void {
  rmSync(output, { recursive: true, force: true })
  execFileSync('cargo', ['lambda', 'build', ...WHAT, ...machine, '--lambda-dir', output], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // Clippy in the compiler's place leaves out optimisations (D-PLATFORM-11).
    env: { ...process.env, RUSTC_WORKSPACE_WRAPPER: '' },
  })

  for (const binary of binaries) {
    const size = deflateRawSync(readFileSync(path.join(output, binary, 'bootstrap')), { level: 9 }).length
    console.error(`${binary}: ${(size / 1e6).toFixed(2)} MB zipped`)
    if (size > LIMIT) throw new Error(`${binary} weighs ${size} bytes zipped; at most ${LIMIT} are allowed.`)
  }
}

/** The functions for Lambda's arm64 machines, in the folder that they are packaged from. */
export function functions(root: string): Build {
  const machine = ['--arm64']
  return {
    root,
    name: 'functions',
    outputs: ['target/lambda'],
    without: ['.github', 'docs', 'infra'],
    more: JSON.stringify([WHAT, machine, LIMIT, binaries]),
    run: () => build(root, folder(root), machine),
  }
}

/** The portal and the desk, in the folders that are put into their buckets. */
export function sites(root: string): Build {
  const version = versionOf(root)
  return {
    root,
    name: 'sites',
    outputs: ['web/portal/dist', 'web/desk/dist'],
    without: ['.github', 'docs'],
    more: version,
    run() {
      execFileSync('npm', ['run', 'build', '--workspace', 'web'], {
        cwd: root,
        stdio: ['ignore', 2, 2],
        // A page says which version it is.
        env: { ...process.env, ZW_VERSION: version },
      })
    },
  }
}
