import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { target } from './operator.ts'
import { Site } from './server.ts'

interface Stack {
  apiUrl: string
  s3Url: string
  /** What the operator's command needs to find the product's data. */
  environment: Record<string, string>
}

export default async function setup(): Promise<() => Promise<void>> {
  return (await startProduct()).stop
}

/** Starts the built portal in front of a whole product of its own, with the demo tenant and data that nobody keeps. */
export async function startProduct(): Promise<{ site: Site; stop: () => Promise<void> }> {
  const site = await Site.listen()
  // Ends by itself when its standard input closes, and so never outlives us.
  const child = spawn(
    `${target}/debug/local`,
    ['ephemeral', '--photo-reading', '--web-port', String(site.port), '--api-port', '0', '--s3-port', '0'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${target}/debug/local ended with ${String(code)}; "cargo build --package local" builds it`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  ended.catch(() => undefined)
  const { apiUrl, s3Url, environment } = JSON.parse(line) as Stack
  site.connect(apiUrl, s3Url)
  process.env['ZW_SITE'] = site.url
  process.env['ZW_STARTED'] = new Date().toISOString()
  process.env['ZW_OPERATOR'] = JSON.stringify(environment)
  // The mails stand beside the photos.
  process.env['ZW_MAIL'] = s3Url

  const stop = async () => {
    const gone = once(child, 'exit')
    child.stdin.end()
    await gone
    await site.close()
  }
  return { site, stop }
}
