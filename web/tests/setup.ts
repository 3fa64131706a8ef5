import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Site } from './server.ts'

interface Stack {
  apiUrl: string
  s3Url: string
}

const target = process.env['CARGO_TARGET_DIR'] ?? fileURLToPath(new URL('../../target', import.meta.url))

/** Starts the built portal in front of a whole product of its own, with the demo tenant and data that nobody keeps. */
export default async function setup(): Promise<() => Promise<void>> {
  const site = await Site.listen()
  // Ends by itself when its standard input closes, and so never outlives us.
  const child = spawn(
    `${target}/debug/local`,
    ['ephemeral', '--web-port', String(site.port), '--api-port', '0', '--s3-port', '0'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${target}/debug/local ended with ${String(code)}; "cargo build --workspace --bins" builds it`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  ended.catch(() => undefined)
  const { apiUrl, s3Url } = JSON.parse(line) as Stack
  site.connect(apiUrl, s3Url)
  process.env['ZW_SITE'] = site.url
  process.env['ZW_STARTED'] = new Date().toISOString()

  return async () => {
    const gone = once(child, 'exit')
    child.stdin.end()
    await gone
    await site.close()
  }
}
