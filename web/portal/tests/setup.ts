import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { siteHeaders } from '../../../infra/headers.ts'
import { target } from './operator.ts'
import { Site } from './server.ts'

export interface Stack {
  apiUrl: string
  s3Url: string
  /** The file of the functions' log lines. */
  log: string
  /** What the operator's command needs to find the product's data. */
  environment: Record<string, string>
  /** The members who can log in at the desk. */
  desk?: { members: { username: string; password: string }[] }
}

export default async function setup(): Promise<() => Promise<void>> {
  return (await startProduct()).stop
}

/** Starts the built portal in front of a whole product of its own, with the demo tenant and data that is not kept. */
export async function startProduct(): Promise<{ site: Site; stop: () => Promise<void> }> {
  const site = await Site.listen()
  const { stack, stop } = await startLocal('--photo-reading', '--web-port', String(site.port))
  const { apiUrl, s3Url } = stack
  site.connect(apiUrl, siteHeaders(s3Url))
  process.env['ZW_SITE'] = site.url
  process.env['ZW_STARTED'] = new Date().toISOString()
  // The mails stand beside the photos.
  process.env['ZW_MAIL'] = s3Url
  return {
    site,
    stop: async () => {
      await stop()
      await site.close()
    },
  }
}

/** Starts the API and what it needs, behind the pages at the ports that these words name. */
export async function startLocal(...words: string[]): Promise<{ stack: Stack; stop: () => Promise<void> }> {
  // Ends by itself when its standard input closes, and so never outlives us.
  const child = spawn(`${target}/debug/local`, ['ephemeral', ...words, '--api-port', '0', '--s3-port', '0'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${target}/debug/local ended with ${String(code)}; "cargo build --package local" builds it`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  ended.catch(() => undefined)
  const stack = JSON.parse(line) as Stack
  process.env['ZW_LOG'] = stack.log
  process.env['ZW_OPERATOR'] = JSON.stringify(stack.environment)
  return {
    stack,
    stop: async () => {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}
