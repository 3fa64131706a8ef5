import { siteHeaders } from '../../../../infra/headers.ts'
import { Site } from '../server.ts'

/** The portal, or another folder, with its files compressed as CloudFront does. */
export async function compressedSite(root?: string): Promise<Site> {
  const site = await Site.listen()
  const behind = process.env['ZW_SITE'] ?? ''
  site.connect(behind, siteHeaders(behind))
  site.compressed = true
  if (root) site.root = root
  return site
}
