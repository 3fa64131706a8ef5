/**
 * Evaluates `sst.config.ts` for one stage as `sst deploy` does, with stand-ins for what is not there: the Pulumi engine
 * and the AWS provider (Pulumi's own mocks), the CLI's RPC server, and cargo. Prints what would be deployed as JSON.
 * It is a process of its own, because SST changes the working directory and Pulumi keeps one stack a process.
 *
 *     node program.ts <stage>
 */
import fs from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { answer, attributes } from './aws.ts'
import type { Evaluated, Registered } from './evaluate.ts'

const stage = process.argv[2] ?? ''
const source = path.resolve(import.meta.dirname, '../..')
const platform = path.join(source, '.sst/platform')
const require = createRequire(path.join(platform, 'package.json'))

// An error inside an `apply` leaves the registrations that wait for it pending for ever.
process.on('unhandledRejection', fail)
process.on('uncaughtException', fail)
setTimeout(() => fail(new Error('The evaluation did not end within ten minutes.')), 600_000).unref()

function fail(error: unknown): never {
  console.error(error)
  fs.rmSync(root, { recursive: true, force: true })
  process.exit(1)
}

/** A checkout after its builds, as far as the deployment reads it. */
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'zaehlwerk-infra-'))
const site = [
  'index.html',
  'service-worker.js',
  'icon.svg',
  'browser.js',
  'assets/index-1a2b3c.js',
  'assets/index-1a2b3c.css',
]
for (const application of ['portal', 'desk']) {
  for (const file of site) {
    const built = path.join(root, `web/${application}/dist`, file)
    fs.mkdirSync(path.dirname(built), { recursive: true })
    fs.writeFileSync(built, file)
  }
}

/** A cargo that notes how it was called and leaves a `bootstrap` for each binary. */
const binaries = ['api', 'workers'].flatMap((name) =>
  fs.readdirSync(path.join(source, `functions/lambdas/src/${name}`)).map((file) => path.parse(file).name),
)
const bin = path.join(root, 'bin')
const cargo = `#!/bin/sh
printf '%s\\n' "$@" > '${root}/cargo'
for name in ${binaries.join(' ')}; do
  mkdir -p "target/lambda/$name" && echo "$name" > "target/lambda/$name/bootstrap"
done
`
fs.mkdirSync(bin)
fs.writeFileSync(path.join(bin, 'cargo'), cargo, { mode: 0o755 })
/** An npm that notes the same; the sites are there. */
fs.writeFileSync(path.join(bin, 'npm'), `#!/bin/sh\nprintf '%s\\n' "$ZW_VERSION" "$@" > '${root}/npm'\n`, {
  mode: 0o755,
})
process.env['PATH'] = `${bin}:${process.env['PATH']}`

/** What SST's components ask of the CLI. */
const packaged: Evaluated['packaged'] = {}
const rpc = http.createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString()
  })
  request.on('end', () => {
    const call: { method: string; params: [{ functionID: string; bundle: string; handler: string }] } = JSON.parse(body)
    const reply = (result: unknown, error?: string) => response.end(JSON.stringify({ result, error: error ?? null }))
    if (call.method === 'Provider.Aws.Bootstrap') return reply({ asset: 'sst-asset', state: 'sst-state' })
    if (call.method === 'Runtime.Build') {
      const [{ functionID, bundle, handler }] = call.params
      packaged[functionID] = path.relative(root, bundle)
      return reply({ out: bundle, handler, errors: [], sourcemaps: [] })
    }
    return reply(null, `The stand-in of the CLI does not know ${call.method}.`)
  })
})
// A connection that is closed while a slow machine is about to use it again would end the evaluation.
rpc.keepAliveTimeout = 600_000
await new Promise<void>((resolve) => rpc.listen(0, '127.0.0.1', resolve))
const address = rpc.address()
if (address === null || typeof address === 'string') throw new Error('The stand-in of the CLI has no port.')
process.env['SST_SERVER'] = `http://127.0.0.1:${address.port}`

/** Options of a resource, with its provider and what it waits for as Pulumi knows them. */
type Options = Omit<Registered['options'], 'provider' | 'after'> & {
  provider?: { __name?: string }
  dependsOn?: { __name?: string } | { __name?: string }[]
}

/** As much of `@pulumi/pulumi` as is used here. */
interface Pulumi {
  runtime: {
    setMocks(mocks: object, project: string, stack: string, preview: boolean, organization: string): Promise<void>
    registerStackTransformation(
      transformation: (args: { type: string; name: string; opts: Options }) => undefined,
    ): void
    runInPulumiStack(program: () => Promise<unknown>): Promise<unknown>
    disconnect(): Promise<void>
  }
  output(value: unknown): { apply(use: (value: Evaluated['outputs']) => void): void }
}
const pulumi: Pulumi = require('@pulumi/pulumi')
const resources: Registered[] = []
const options = new Map<string, Registered['options']>()

await pulumi.runtime.setMocks(
  {
    newResource({ type, name, inputs, id }: Registered & { id?: string }) {
      // With an id it is one that exists and is only looked up.
      if (id) return { id, state: { ...inputs, ...attributes(type, id, inputs) } }
      resources.push({ type, name, inputs, options: {} })
      return { id: `${name}-id`, state: { ...inputs, ...attributes(type, name, inputs) } }
    },
    call: ({ token, inputs }: { token: string; inputs: Record<string, unknown> }) => answer(token, inputs),
  },
  'zaehlwerk',
  stage,
  false,
  'organization',
)

/** Bundles a text as the CLI bundles its own around `sst.config.ts` (`pkg/js/js.go`), and imports the bundle. */
async function load<T>(name: string, contents: string, more: { globals?: string; define?: object; inject?: string[] }) {
  const outfile = path.join(platform, `${name}.${stage}.${process.pid}.mjs`)
  const banner = `import { createRequire as __createRequire } from 'node:module'
const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname`
  await require('esbuild').build({
    stdin: { contents, resolveDir: source, sourcefile: 'eval.ts', loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    nodePaths: [path.join(platform, 'node_modules')],
    external: ['@pulumi/*', '@aws-sdk/*', 'undici', 'esbuild', 'archiver', 'glob', 'vite', '@pulumiverse/*'],
    banner: { js: `${banner}\n` },
    define: more.define,
    inject: more.inject,
    outfile,
    logLevel: 'error',
    plugins: [
      {
        name: 'globals',
        setup(build: { onLoad(filter: object, load: (args: { path: string }) => object | undefined): void }) {
          build.onLoad({ filter: /\.(js|ts)$/ }, (args) => {
            if (args.path.includes('/.sst/')) return undefined
            return { contents: `${more.globals ?? ''}\n${fs.readFileSync(args.path, 'utf8')}`, loader: 'default' }
          })
        },
      },
    ],
  })
  try {
    return (await import(pathToFileURL(outfile).href)) as T
  } finally {
    fs.rmSync(outfile)
  }
}

const config = path.join(source, 'sst.config.ts')
const { app } = await load<{ app: Evaluated['app'] }>(
  'sst.app',
  `import mod from '${config}'; export const app = mod.app({ stage: '${stage}' })`,
  { globals: 'const $config = (input) => input;' },
)

const providers: { alias: string; package: string }[] = JSON.parse(
  fs.readFileSync(path.join(source, '.sst/provider-lock.json'), 'utf8'),
)
const { evaluate } = await load<{ evaluate(before: () => void): Promise<unknown> }>(
  'sst.config',
  `import { run } from '${platform}/src/auto/run.ts'
   import mod from '${config}'
   export const evaluate = (before) => run(async () => { before(); return mod.run() })`,
  {
    globals: [
      ...providers.map((provider) => `import * as ${provider.alias} from '${provider.package}';`),
      `import * as sst from '${platform}/src/components';`,
    ].join('\n'),
    define: {
      $app: JSON.stringify({ ...app, stage }),
      $cli: JSON.stringify({
        command: 'deploy',
        dev: false,
        paths: { home: os.tmpdir(), root, work: path.join(root, '.sst'), platform },
        state: { version: {} },
      }),
      $dev: 'false',
    },
    inject: [path.join(platform, 'src/shim/run.js')],
  },
)

// Standard output is for the result.
console.log = console.error
let outputs: Evaluated['outputs'] = {}
await pulumi.runtime.runInPulumiStack(async () => {
  const printed = await evaluate(() => {
    // Registered after SST's own, so that what these do to the options is seen.
    pulumi.runtime.registerStackTransformation(({ type, name, opts }) => {
      const { protect, retainOnDelete, ignoreChanges, provider, dependsOn = [] } = opts
      const after = [dependsOn].flat().flatMap(({ __name }) => __name ?? [])
      options.set(`${type} ${name}`, {
        protect,
        retainOnDelete,
        ignoreChanges,
        provider: provider?.__name,
        ...(after.length > 0 && { after }),
      })
      return undefined
    })
  })
  pulumi.output(printed).apply((values) => {
    outputs = values
  })
})
await pulumi.runtime.disconnect()

/** How a program was called, nothing if it was not. */
function noted(program: string): string[] {
  const file = path.join(root, program)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').replaceAll(root, '.').trim().split('\n') : []
}

const result: Evaluated = {
  app,
  cargo: noted('cargo'),
  npm: noted('npm'),
  binaries,
  outputs,
  packaged,
  resources: resources.map((resource) => ({
    ...resource,
    options: options.get(`${resource.type} ${resource.name}`) ?? {},
  })),
}
fs.rmSync(root, { recursive: true, force: true })
// Leaving at once would cut off what the pipe has no room for yet.
process.stdout.write(JSON.stringify(result), () => process.exit(0))
