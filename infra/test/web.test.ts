import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { preview, production, restored } from './deployment.ts'
import { forward } from './edge.ts'
import { VERSION } from './stages.ts'

const functions = path.resolve(import.meta.dirname, '../../functions')
const API = 'abc.execute-api.eu-central-1.amazonaws.com'
const SITE = 'webassetsbucket.s3.eu-central-1.amazonaws.com'
const STAGE = 'r'.repeat(40)
const DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'
const KEPT = 'KeptAnswers-id'

describe('requests', () => {
  it.each([
    ['/api/public/application', '/api/public/application*', KEPT],
    ['/api/public/application/manifest/manifest.json', '/api/public/application*', KEPT],
    ['/api/public/communication/abcdefghijklmnop', '/api/*', DISABLED],
    ['/api/public/preview', '/api/*', DISABLED],
    ['/api/pro/job', '/api/*', DISABLED],
    ['/api/pro/job/1/meter-rate-tasks/2/result-images/3', '/api/*', DISABLED],
    ['/api/nonsense', '/api/*', DISABLED],
    ['/auth/token', '/auth/*', DISABLED],
    ['/auth/logout', '/auth/*', DISABLED],
  ])('for %s go to the API by the behaviour %s', async (uri, behavior, cachePolicy) => {
    const forwarded = await forward(production, uri)
    expect(forwarded).toMatchObject({ origin: API, uri: `/${STAGE}${uri}`, behavior, cachePolicy })
    expect(forwarded.headersPolicy).toBe('ApiHeaders-id')
    expect(forwarded.methods).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']))
  })

  it.each([
    ['/', '/index.html'],
    ['/m/abcdefghijklmnop', '/index.html'],
    ['/ablesung/4711', '/index.html'],
    ['/abmelden/abcdefghijklmnop', '/index.html'],
    ['/apix', '/index.html'],
    ['/authors', '/index.html'],
    ['/service-worker.js', '/service-worker.js'],
    ['/assets/index-1a2b3c.js', '/assets/index-1a2b3c.js'],
  ])('for %s go to the site’s %s', async (uri, file) => {
    const forwarded = await forward(production, uri)
    expect(forwarded).toMatchObject({ origin: SITE, uri: file, behavior: 'default', headersPolicy: 'SiteHeaders-id' })
    expect(forwarded.methods).toEqual(['GET', 'HEAD'])
  })

  // D-OUTBOX-9
  it('that look whether the portal is there are answered at the edge, and no other ones', async () => {
    const application = '/api/public/application'
    const answered = await forward(production, application, {}, 'HEAD')
    expect(answered).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    for (const [uri, method] of [
      [application, 'GET'],
      [`${application}/logo.png`, 'HEAD'],
      ['/', 'HEAD'],
    ] as const) {
      expect((await forward(production, uri, {}, method)).status).toBeUndefined()
    }
  })

  it.each(['/favicon.ico', '/apple-touch-icon.png', '/wp-login.php', '/.env', '/ablesung/index.html'])(
    'for %s are told that there is no such file',
    async (uri) => {
      expect((await forward(production, uri)).status).toBe(404)
    },
  )

  it.each(['/ablesung/zähler.7', '/m/abc.defghijklmnopq', '/browser.js', '/api/public/application/logo.png'])(
    'for %s are answered',
    async (uri) => {
      expect((await forward(production, uri)).status).toBeUndefined()
    },
  )

  it('tell the API the tenant’s host name and the device’s address, whatever the client says', async () => {
    const lies = {
      host: 'stadtwerke.zaehler.example.de',
      'x-forwarded-host': 'portal.example.de',
      'x-viewer-address': '198.51.100.1',
    }
    const { headers } = await forward(production, '/auth/token', lies)
    expect(headers).toMatchObject({
      'x-forwarded-host': 'stadtwerke.zaehler.example.de',
      'x-viewer-address': '192.0.2.1',
    })
  })

  // The portal says itself that it knows no such utility (`application-unknown`).
  it('under a name that is nobody’s get the portal, which asks whose it is', async () => {
    const host = 'nobody.zaehler.example.de'
    expect(await forward(production, '/', { host })).toMatchObject({ origin: SITE, uri: '/index.html' })
    const asked = await forward(production, '/api/public/application', { host })
    expect(asked).toMatchObject({ origin: API, cachePolicy: 'KeptAnswers-id', headers: { 'x-forwarded-host': host } })
  })

  it('for the desk’s part of the API are told that there is none', async () => {
    expect((await forward(production, '/api/desk/me')).status).toBe(404)
  })

  it('under CloudFront’s own name are refused where there is a better one', async () => {
    const host = 'd1.cloudfront.net'
    expect((await forward(production, '/api/pro/job', { host })).status).toBe(403)
    expect((await forward(preview, '/api/pro/job', { host })).status).toBeUndefined()
  })
})

it('the function at the edge fits into CloudFront’s ten kilobytes', () => {
  for (const { inputs } of production.all('aws:cloudfront/function:Function')) {
    expect(Buffer.byteLength(inputs['code'])).toBeLessThanOrEqual(10 * 1024)
  }
})

describe('cache', () => {
  const policy = (name: string) => production.one('aws:cloudfront/cachePolicy:CachePolicy', name).inputs
  const key = { headersConfig: { headerBehavior: 'whitelist', headers: { items: ['x-forwarded-host'] } } }

  // D-OPERATIONS-13
  it('keeps for two minutes what everybody may see, by tenant and draft, whatever is behind its ?', async () => {
    expect(policy('KeptAnswers')).toMatchObject({ minTtl: 120, defaultTtl: 120, maxTtl: 120 })
    expect(policy('KeptAnswers')['parametersInCacheKeyAndForwardedToOrigin']).toEqual({
      headersConfig: { headerBehavior: 'whitelist', headers: { items: ['x-forwarded-host', 'x-draft-time'] } },
      cookiesConfig: { cookieBehavior: 'whitelist', cookies: { items: ['__Host-preview'] } },
      queryStringsConfig: { queryStringBehavior: 'none' },
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    })
    expect(readFileSync(path.join(functions, 'api/src/preview.rs'), 'utf8')).toContain(
      'const COOKIE: &str = "__Host-preview";',
    )
    // No answer of a public path depends on what is behind its `?`.
    const contract = JSON.parse(readFileSync(path.join(functions, 'api/openapi.json'), 'utf8'))
    const policies = await Promise.all(
      Object.keys(contract.paths).map(async (uri) => ({ uri, policy: (await forward(production, uri)).cachePolicy })),
    )
    const asked = policies.filter(({ policy }) => policy === 'KeptAnswers-id').map(({ uri }) => uri)
    expect(asked).toEqual([
      '/api/public/application',
      '/api/public/application/icon/{side}',
      '/api/public/application/logo.png',
      '/api/public/application/manifest/manifest.json',
      '/api/public/contact/{applicationId}',
      '/api/public/help/{applicationId}',
      '/api/public/help/{applicationId}/{language}',
      '/api/public/meterReadingHelp/{applicationId}',
    ])
    expect(JSON.stringify(asked.map((uri) => contract.paths[uri]))).not.toContain('"in":"query"')
  })

  it('keeps a draft’s answers for five seconds, and nobody without a draft chooses by when theirs are told apart', async () => {
    const at = async (cookies: Record<string, { value: string }>) =>
      (
        await forward(
          production,
          '/api/public/application',
          { host: 'stadtwerke.zaehler.example.de', 'x-draft-time': '1' },
          'GET',
          'Portal',
          cookies,
        )
      ).headers['x-draft-time']
    expect(await at({})).toBeUndefined()
    const now = Date.now() / 5_000
    expect(Math.abs(Number(await at({ '__Host-preview': { value: 'token' } })) - now)).toBeLessThan(12)
  })

  it.each(['PortalServerCachePolicy', 'DeskServerCachePolicy'])('of files (%s) knows no ?, either', (name) => {
    expect(policy(name)).toMatchObject({ minTtl: 0, defaultTtl: 0 })
    expect(policy(name)['parametersInCacheKeyAndForwardedToOrigin']).toMatchObject({
      ...key,
      cookiesConfig: { cookieBehavior: 'none' },
      queryStringsConfig: { queryStringBehavior: 'none' },
    })
  })

  // D-PLATFORM-6
  it('keeps no errors', () => {
    const { customErrorResponses } = production.one(
      'aws:cloudfront/distribution:Distribution',
      'PortalCdnDistribution',
    ).inputs
    const kept = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
    expect(customErrorResponses).toEqual(kept.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 })))
  })

  it('keeps hashed files for ever, and asks each time for what keeps its name', () => {
    const { files } = production.one('pulumi-nodejs:dynamic:Resource', 'WebAssetFiles.sst.aws.BucketFiles').inputs
    const rules = files.map(({ key, cacheControl }: { key: string; cacheControl: string }) => [key, cacheControl])
    expect(Object.fromEntries(rules)).toEqual({
      'index.html': 'no-cache',
      'service-worker.js': 'no-cache',
      'icon.svg': 'public, max-age=3600',
      'browser.js': 'public, max-age=3600',
      'assets/index-1a2b3c.js': 'public, max-age=31536000, immutable',
      'assets/index-1a2b3c.css': 'public, max-age=31536000, immutable',
    })
  })

  it('is not robbed of the files of the version before', () => {
    const site = production.one('pulumi-nodejs:dynamic:Resource', 'WebAssetFiles.sst.aws.BucketFiles')
    expect(site.inputs['purge']).toBe(false)
  })
})

describe('site', () => {
  // D-PLATFORM-14
  it('is taken from where it was built before, by no command of the deployment', () => {
    expect(production.all('command:local:Command').map(({ name }) => name)).toEqual(['Release'])
    expect(production.evaluated.npm).toEqual([VERSION, 'run', 'build', '--workspace', 'web'])
    for (const [name, application] of [
      ['Web', 'portal'],
      ['DeskWeb', 'desk'],
    ]) {
      const { files } = production.one('pulumi-nodejs:dynamic:Resource', `${name}AssetFiles.sst.aws.BucketFiles`).inputs
      const sources: string[] = files.map(({ source }: { source: string }) => source)
      expect(sources).toContainEqual(expect.stringContaining(`/web/${application}/dist/index.html`))
    }
  })

  it('costs nobody anything for telling the edge that it changed', () => {
    const names = production.all('pulumi-nodejs:dynamic:Resource').map(({ name }) => name)
    expect(names).not.toContainEqual(expect.stringMatching(/Invalidation/))
  })
})

describe('headers', () => {
  const policy = (name: string) =>
    production.one('aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy', name).inputs

  it('of pages allow the portal’s own code, and photos to the bucket', () => {
    const { securityHeadersConfig, customHeadersConfig } = policy('SiteHeaders')
    expect(securityHeadersConfig.contentSecurityPolicy).toEqual({
      override: true,
      contentSecurityPolicy:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
        "connect-src 'self' https://photosbucket.s3.eu-central-1.amazonaws.com; font-src 'self'; manifest-src 'self'; " +
        "worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    })
    expect(customHeadersConfig.items).toEqual([
      { header: 'cross-origin-resource-policy', value: 'same-origin', override: true },
      {
        header: 'permissions-policy',
        value: 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
        override: true,
      },
      { header: 'cross-origin-opener-policy', value: 'unsafe-none', override: true },
    ])
  })

  it('of answers allow nothing', () => {
    expect(policy('ApiHeaders')['securityHeadersConfig'].contentSecurityPolicy).toEqual({
      override: true,
      contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
    })
  })

  it.each(['SiteHeaders', 'DeskHeaders', 'ApiHeaders'])(
    'in %s forbid guessing, framing, referrers and plain HTTP',
    (name) => {
      expect(policy(name)['securityHeadersConfig']).toMatchObject({
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: 'DENY', override: true },
        referrerPolicy: { referrerPolicy: 'no-referrer', override: true },
        strictTransportSecurity: { accessControlMaxAgeSec: 63_072_000, override: true },
      })
    },
  )

  // D-SECURITY-7
  it('forbid plain HTTP below a name of our own zone, and never below a tenant’s', () => {
    for (const [stage, isOurs] of [
      [production, true],
      [restored, false],
      [preview, false],
    ] as const) {
      const policies = stage.all('aws:cloudfront/responseHeadersPolicy:ResponseHeadersPolicy')
      expect(policies.length).toBeGreaterThan(1)
      for (const { name, inputs } of policies) {
        expect(inputs['securityHeadersConfig'].strictTransportSecurity.includeSubdomains, name).toBe(isOurs)
      }
    }
  })
})

describe('distribution', () => {
  const distribution = (stage: typeof production) =>
    stage.one('aws:cloudfront/distribution:Distribution', 'PortalCdnDistribution').inputs

  it('has the tenants’ names, with a certificate and records in the zone', () => {
    const names = ['portal.example.de', 'zaehler.example.de', '*.zaehler.example.de']
    expect(distribution(production)['aliases']).toEqual(names)
    expect(distribution(production)['viewerCertificate']).toMatchObject({ minimumProtocolVersion: 'TLSv1.2_2021' })
    for (const type of ['A', 'AAAA']) {
      const records = production.all('aws:route53/record:Record').filter(({ inputs }) => inputs['type'] === type)
      expect(records.map(({ inputs }) => inputs['name'])).toEqual(expect.arrayContaining(names))
    }
    const { domainName, subjectAlternativeNames } = production.one(
      'aws:acm/certificate:Certificate',
      'PortalCdnSslCertificate',
    ).inputs
    expect([domainName, ...subjectAlternativeNames]).toEqual(names)
    expect(distribution(preview)['aliases']).toEqual([])
  })

  it('has a tenant’s own name with a certificate that was made before, and makes no record', () => {
    expect(distribution(restored)).toMatchObject({
      aliases: ['zaehler.stadtwerke.de'],
      viewerCertificate: { acmCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1' },
    })
    expect(restored.all('aws:acm/certificate:Certificate')).toEqual([])
    expect(restored.all('aws:route53/record:Record')).toEqual([])
  })

  it('is near to readers in Europe, by the newest protocols', () => {
    for (const stage of [production, preview]) {
      expect(distribution(stage)).toMatchObject({
        enabled: true,
        httpVersion: 'http2and3',
        isIpv6Enabled: true,
        priceClass: 'PriceClass_100',
      })
    }
  })

  it('speaks HTTPS only', () => {
    const { defaultCacheBehavior, orderedCacheBehaviors } = distribution(production)
    for (const behavior of [defaultCacheBehavior, ...orderedCacheBehaviors]) {
      expect(behavior.viewerProtocolPolicy).toBe('redirect-to-https')
    }
  })

  it('has a firewall with rate limits and without samples of addresses, in production', () => {
    const firewall = production.one('aws:wafv2/webAcl:WebAcl', 'PortalWaf').inputs
    expect(distribution(production)['webAclId']).toContain('PortalWaf')
    expect(firewall['defaultAction']).toEqual({ allow: {} })
    const [listed, ...limits] = firewall['rules']
    expect(firewall['rules'].map(({ priority }: { priority: number }) => priority)).toEqual([0, 1, 2, 3])
    // Who is on the list is counted, and sends within a narrower limit.
    expect(listed).toMatchObject({
      overrideAction: { none: {} },
      statement: {
        managedRuleGroupStatement: {
          vendorName: 'AWS',
          name: 'AWSManagedRulesAmazonIpReputationList',
          ruleActionOverrides: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'].map((name) => ({
            name,
            actionToUse: { count: {} },
          })),
        },
      },
    })
    const host = { header: { name: 'host', textTransformations: [{ priority: 0, type: 'LOWERCASE' }] } }
    const narrowed = limits.map(({ statement: { rateBasedStatement } }: Rule) => {
      const { limit, aggregateKeyType, customKeys } = rateBasedStatement
      return [limit, aggregateKeyType, customKeys]
    })
    expect(narrowed).toEqual([
      [400, 'IP', undefined],
      [800, 'CUSTOM_KEYS', [host, { ip: {} }]],
      [4_000, 'IP', undefined],
    ])
    for (const { action } of limits) {
      expect(action).toEqual({
        block: { customResponse: { responseCode: 429, responseHeaders: [{ name: 'retry-after', value: '60' }] } },
      })
    }
    for (const { visibilityConfig } of [firewall, ...firewall['rules']]) {
      expect(visibilityConfig.sampledRequestsEnabled).toBe(false)
    }
    expect(preview.all('aws:wafv2/webAcl:WebAcl')).toEqual([])
    expect(production.all('aws:wafv2/webAclLoggingConfiguration:WebAclLoggingConfiguration')).toEqual([])
  })

  it.each([
    ['POST', '/api/pro/job/1/meterRateTask/result', true],
    ['GET', '/api/public/application', true],
    ['HEAD', '/api/pro/job', true],
    ['POST', '/auth/token', true],
    ['GET', '/desk/login', true],
    ['HEAD', '/api/public/application', false],
    ['GET', '/', false],
    ['GET', '/assets/index-1a2b3c.js', false],
    ['GET', '/m/abcdefghijklmnop', false],
    ['GET', '/apix', false],
  ])('counts %s %s: %s', (method, uriPath, counted) => {
    expect(counts('RateLimitPerIP', { method, uriPath })).toBe(counted)
    // Those of an address on Amazon's list, and no others.
    expect(counts('RateLimitListed', { method, uriPath })).toBe(false)
    const label = 'awswaf:managed:aws:amazon-ip-list:AWSManagedIPReputationList'
    expect(counts('RateLimitListed', { method, uriPath, label })).toBe(counted)
  })

  it.each([
    ['POST', '/auth/token', true],
    ['POST', '/auth/token-unknown-readings', true],
    ['POST', '/auth/logout', false],
    ['GET', '/auth/token', false],
    ['POST', '/api/pro/upload', false],
  ])('counts %s %s among those that get a session: %s', (method, uriPath, counted) => {
    expect(counts('RateLimitSessions', { method, uriPath })).toBe(counted)
  })
})

interface Rule {
  name: string
  statement: {
    rateBasedStatement: {
      limit: number
      aggregateKeyType: string
      customKeys?: object[]
      scopeDownStatement: Statement
    }
  }
}

/** Whether a limit of the firewall counts a request. */
function counts(name: string, request: Record<string, string>): boolean {
  const rules: Rule[] = production.one('aws:wafv2/webAcl:WebAcl', 'PortalWaf').inputs['rules']
  const statement = rules.find((rule) => rule.name === name)?.statement.rateBasedStatement.scopeDownStatement
  if (statement === undefined) throw new Error(`The firewall has no ${name}.`)
  return holds(statement, request)
}

interface Statement {
  andStatement?: { statements: Statement[] }
  orStatement?: { statements: Statement[] }
  notStatement?: { statements: Statement[] }
  labelMatchStatement?: { scope: 'NAMESPACE'; key: string }
  byteMatchStatement?: {
    fieldToMatch: object
    positionalConstraint: 'STARTS_WITH' | 'EXACTLY'
    searchString: string
  }
}

/** Whether a firewall's statement holds for a request. */
function holds(statement: Statement, request: Record<string, string>): boolean {
  const { andStatement, orStatement, notStatement, labelMatchStatement, byteMatchStatement } = statement
  if (andStatement) return andStatement.statements.every((part) => holds(part, request))
  if (orStatement) return orStatement.statements.some((part) => holds(part, request))
  if (notStatement) return !notStatement.statements.some((part) => holds(part, request))
  if (labelMatchStatement) return (request['label'] ?? '').startsWith(labelMatchStatement.key)
  if (!byteMatchStatement) throw new Error('a statement of another kind')
  const { fieldToMatch, positionalConstraint, searchString } = byteMatchStatement
  const text = request[Object.keys(fieldToMatch)[0] ?? ''] ?? ''
  return positionalConstraint === 'EXACTLY' ? text === searchString : text.startsWith(searchString)
}
