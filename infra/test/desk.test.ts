import { describe, expect, it } from 'vitest'
import { preview, production, restored } from './deployment.ts'
import { forward } from './edge.ts'

const API = 'abc.execute-api.eu-central-1.amazonaws.com'
const SITE = 'deskwebassetsbucket.s3.eu-central-1.amazonaws.com'
const STAGE = 'r'.repeat(40)
const DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'
const host = 'desk.example.de'

const ask = (uri: string, method = 'GET') => forward(production, uri, { host }, method, 'Desk')

describe('requests to the desk', () => {
  it.each([
    ['/api/desk/me', '/api/*'],
    ['/api/desk/tenants/birkenfurt/search', '/api/*'],
    ['/desk/login', '/desk/*'],
    ['/desk/callback/staff', '/desk/*'],
    ['/desk/logout', '/desk/*'],
  ])('for %s go to the API by the behaviour %s', async (uri, behavior) => {
    const forwarded = await ask(uri)
    expect(forwarded).toMatchObject({ origin: API, uri: `/${STAGE}${uri}`, behavior, cachePolicy: DISABLED })
    expect(forwarded.headersPolicy).toBe('ApiHeaders-id')
    expect(forwarded.methods).toEqual(expect.arrayContaining(['GET', 'POST', 'DELETE']))
  })

  it.each(['/', '/t/birkenfurt/customers/4711', '/login'])('for %s get the page', async (uri) => {
    const forwarded = await ask(uri)
    expect(forwarded).toMatchObject({ origin: SITE, uri: '/index.html', headersPolicy: 'DeskHeaders-id' })
    expect(forwarded.methods).toEqual(['GET', 'HEAD'])
  })

  it.each(['/api/pro/job', '/auth/token', '/api/public/application'])('for %s reach no function', async (uri) => {
    expect((await ask(uri)).origin).toBe(SITE)
  })
})

describe('the desk', () => {
  const distribution = (stage: typeof production) =>
    stage.one('aws:cloudfront/distribution:Distribution', 'DeskCdnDistribution').inputs

  it('has a name and an origin of its own, in a zone or with a certificate', () => {
    expect(distribution(production)['aliases']).toEqual([host])
    expect(distribution(restored)).toMatchObject({
      aliases: ['desk.stadtwerke.de'],
      viewerCertificate: { acmCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1' },
    })
  })

  it('is not there without a name, nor are its functions and its user pool', () => {
    expect(preview.all('aws:cloudfront/distribution:Distribution')).toHaveLength(1)
    expect(preview.all('aws:cognito/userPool:UserPool')).toEqual([])
    expect(Object.keys(preview.routes()).filter((route) => / (\/api)?\/desk\//.test(route))).toEqual([])
  })

  it('is behind the portal’s firewall', () => {
    const firewall = (name: string) =>
      production.one('aws:cloudfront/distribution:Distribution', `${name}CdnDistribution`).inputs['webAclId']
    expect(firewall('Desk')).toContain('PortalWaf')
    expect(firewall('Desk')).toBe(firewall('Portal'))
  })

  it('shows photos of the bucket, and sends to it and to itself alone', () => {
    const { inputs } = production.one('aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy', 'DeskHeaders')
    expect(inputs['securityHeadersConfig'].contentSecurityPolicy.contentSecurityPolicy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; " +
        "img-src 'self' blob: data: https://photosbucket.s3.eu-central-1.amazonaws.com; " +
        "connect-src 'self' https://photosbucket.s3.eu-central-1.amazonaws.com; " +
        "font-src 'self'; frame-src https://photosbucket.s3.eu-central-1.amazonaws.com; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
  })
})

// SST's defaults are for an application that anybody may sign up to; each of these is wrong there.
describe('the staff’s user pool', () => {
  const pool = production.one('aws:cognito/userPool:UserPool', 'StaffUserPool')
  const client = production.one('aws:cognito/userPoolClient:UserPoolClient', 'StaffDeskClient').inputs

  it('takes whom somebody invites, by an e-mail address and a second factor', () => {
    expect(pool.inputs).toMatchObject({
      adminCreateUserConfig: { allowAdminCreateUserOnly: true },
      usernameAttributes: ['email'],
      usernameConfiguration: { caseSensitive: false },
      mfaConfiguration: 'ON',
      softwareTokenMfaConfiguration: { enabled: true },
      accountRecoverySetting: { recoveryMechanisms: [{ name: 'verified_email', priority: 1 }] },
      userPoolTier: 'ESSENTIALS',
    })
    expect(pool.inputs['passwordPolicy'].minimumLength).toBeGreaterThanOrEqual(12)
    expect(pool.inputs['passwordPolicy'].temporaryPasswordValidityDays).toBe(7)
    const { emailSubject, emailMessage } = pool.inputs['adminCreateUserConfig'].inviteMessageTemplate
    expect(emailMessage).toContain('{username}')
    expect(emailMessage).toContain('{####}')
    expect(emailSubject.length).toBeLessThanOrEqual(140)
  })

  it('is kept', () => {
    expect(pool.inputs['deletionProtection']).toBe('ACTIVE')
    expect(pool.options.protect).toBe(true)
  })

  it('writes from one of our own domains', () => {
    expect(pool.inputs['emailConfiguration']).toMatchObject({
      emailSendingAccount: 'DEVELOPER',
      sourceArn: 'arn:aws:ses:eu-central-1:123456789012:identity/example.de',
      fromEmailAddress: 'noreply@example.de',
    })
  })

  it('gives codes to the desk’s server, and nothing to a browser', () => {
    expect(client).toMatchObject({
      allowedOauthFlows: ['code'],
      allowedOauthScopes: ['openid', 'email', 'profile'],
      callbackUrls: ['https://desk.example.de/desk/callback/staff'],
      generateSecret: true,
      preventUserExistenceErrors: 'ENABLED',
      enableTokenRevocation: true,
      explicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
      idTokenValidity: 15,
      accessTokenValidity: 15,
      tokenValidityUnits: { idToken: 'minutes', accessToken: 'minutes' },
    })
  })

  it('has a login page with a style, under a name of the region', () => {
    expect(production.one('aws:cognito/userPoolDomain:UserPoolDomain', 'StaffDomain').inputs).toMatchObject({
      domain: 'zaehlwerk-production-123456789012',
      managedLoginVersion: 2,
    })
    expect(production.all('aws:cognito/managedLoginBranding:ManagedLoginBranding')).toHaveLength(1)
  })

  it('keeps the client’s secret in a parameter that is encrypted', () => {
    const secret = production.one('aws:ssm/parameter:Parameter', 'DeskClientSecret').inputs
    expect(secret).toMatchObject({ type: 'SecureString', name: '/zaehlwerk/production/desk-client-secret' })
  })
})
