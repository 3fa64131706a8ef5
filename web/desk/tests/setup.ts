import type { ServerOptions } from 'node:https'
import { fileURLToPath } from 'node:url'
import { deskHeaders, siteHeaders } from '../../../infra/headers.ts'
import { Site } from '../../portal/tests/server.ts'
import { startLocal } from '../../portal/tests/setup.ts'

export default async function setup(): Promise<() => Promise<void>> {
  return startDesk()
}

/** Starts the built desk in front of a whole product of its own, with production's headers and the demo tenants; the portal, to which it leads, is beside it. */
export async function startDesk(certificate?: ServerOptions): Promise<() => Promise<void>> {
  const site = await Site.listen(certificate)
  site.root = fileURLToPath(new URL('../dist', import.meta.url))
  const portal = await Site.listen()
  const ports = ['--desk-port', String(site.port), '--web-port', String(portal.port)]
  const { stack, stop } = await startLocal(...ports, ...(certificate ? ['--desk-tls'] : []))
  site.connect(stack.apiUrl, deskHeaders(stack.s3Url))
  portal.connect(stack.apiUrl, siteHeaders(stack.s3Url))
  process.env['ZW_DESK'] = site.url
  process.env['ZW_PORTAL'] = portal.url
  process.env['ZW_MAIL'] = stack.s3Url
  process.env['ZW_DESK_MEMBERS'] = JSON.stringify(stack.desk?.members ?? [])
  return async () => {
    await stop()
    await Promise.all([site.close(), portal.close()])
  }
}
