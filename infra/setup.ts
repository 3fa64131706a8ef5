/**
 * Brings SST's own sources, its types and the Pulumi SDKs into `.sst/`, which the type check and the tests stand on.
 * Only the npm registry is asked: neither the Pulumi engine nor bun is fetched, because nothing is deployed here.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import packageJson from './package.json' with { type: 'json' }

const root = path.resolve(import.meta.dirname, '..')
const stamp = path.join(root, '.sst/installed')
const providers = /providers: .*/.exec(readFileSync(path.join(root, 'sst.config.ts'), 'utf8'))?.[0]
const wanted = `sst ${packageJson.devDependencies.sst}, ${providers}\n`

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('Installing SST and its providers into .sst (about a minute, once).')
  execFileSync('npx', ['--no', 'sst', 'install', '--stage', 'setup'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NO_BUN: '1', SST_SKIP_DEPENDENCY_CHECK: '1', DO_NOT_TRACK: '1' },
  })
  writeFileSync(stamp, wanted)
}
