import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'
import type { Build } from './made.ts'
import { routesByFunction } from './routes.ts'
import { versionOf } from './version.ts'
import { workers } from './worker-list.ts'

/** The most that a function may weigh zipped for arm64, in bytes, by who waits while Lambda fetches it before a cold start (D-PLATFORM-29). */
const LIMITS = { customer: 3_200_000, staff: 4_600_000, nobody: 6_500_000 }

function limitOf(binary: string): number {
  const served = routesByFunction.get(binary)
  if (served === undefined) return LIMITS.nobody
  return served.every(({ path }) => path?.startsWith('/api/desk') || path?.startsWith('/desk/'))
    ? LIMITS.staff
    : LIMITS.customer
}

const ARM64 = '--arm64'

const WHAT = ['--release', '--locked', '--package', 'lambdas', '--features', 'deployed']

const binaries = [...routesByFunction.keys(), ...workers.map(({ name }) => name)]

const folder = (root: string) => path.join(root, 'target/lambda')

/** The folder with a function's `bootstrap`. */
export function bundle(binary: string): string {
  return path.join(folder($cli.paths.root), binary)
}

/**
 * Builds all functions into a folder, says what they weigh, and refuses what weighs too much for Lambda's processors. It is
 * one call of cargo for all, with the output's place named, because SST's own Rust build calls cargo once a function, builds
 * the whole workspace with it, and packages what an earlier build left behind when `CARGO_TARGET_DIR` is set.
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
    const most = machine.includes(ARM64) ? limitOf(binary) : Infinity
    if (size > most) throw new Error(`${binary} weighs ${size} bytes zipped; at most ${most} are allowed.`)
  }
}

/** The functions for Lambda's arm64 machines, in the folder that they are packaged from. */
export function functions(root: string): Build {
  const machine = [ARM64]
  return {
    root,
    name: 'functions',
    outputs: ['target/lambda'],
    without: ['.github', 'docs', 'infra'],
    more: JSON.stringify([WHAT, machine, LIMITS, binaries]),
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
