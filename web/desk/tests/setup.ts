import { fileURLToPath } from 'node:url'
import { deskHeaders } from '../../../infra/headers.ts'
import { Site } from '../../portal/tests/server.ts'
import { startLocal } from '../../portal/tests/setup.ts'

/** Starts the built desk in front of a whole product of its own, with production's headers and the demo tenants. */
export default async function setup(): Promise<() => Promise<void>> {
  const site = await Site.listen()
  site.root = fileURLToPath(new URL('../dist', import.meta.url))
  const { stack, stop } = await startLocal('--desk-port', String(site.port))
  site.connect(stack.apiUrl, deskHeaders(stack.s3Url))
  process.env['ZW_DESK'] = site.url
  process.env['ZW_MAIL'] = stack.s3Url
  process.env['ZW_DESK_MEMBERS'] = JSON.stringify(stack.desk?.members ?? [])
  return async () => {
    await stop()
    await site.close()
  }
}
