import { files, front, photoOrigin } from './distribution.ts'
import { deskDomain } from './domains.ts'
import { deskHeaders } from './headers.ts'
import { portal } from './web.ts'

/** CloudFront: the desk and its part of the API, under a name of their own, behind the portal's firewall. */
export const desk =
  deskDomain &&
  front('Desk', 'Desk', {
    domain: deskDomain,
    headers: photoOrigin.apply(deskHeaders),
    api: { '/api/*': ['/api/desk'], '/desk/*': ['/desk/login', '/desk/callback', '/desk/logout'] },
    kept: [],
    edge: [],
    webAclArn: portal.nodes.cdn.nodes.distribution.webAclId,
  })

if (desk) files('DeskWeb', 'desk', desk)
