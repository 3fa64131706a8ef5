import { api, stageName } from './api.ts'
import { apiHeaders, siteHeaders } from './headers.ts'
import { domain, hasFirewall, hosts } from './stage.ts'
import { photos } from './storage.ts'

/** CloudFront's managed policy `CachingDisabled`. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'

/** Requests of one address in five minutes above which the firewall answers 403; many households can share an address. */
const RATE_LIMIT = 3_000

/** Statuses that CloudFront keeps for ten seconds unless told otherwise, whoever asked and whatever the answer says. */
const KEPT_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/** A policy that sets these headers on every answer, whatever the origin sent. */
function headersPolicy(name: string, headers: $util.Input<Record<string, string>>) {
  const known = $util.output(headers).apply((given) => {
    const {
      'content-security-policy': contentSecurityPolicy = '',
      'strict-transport-security': transport = '',
      'referrer-policy': referrerPolicy = '',
      'x-frame-options': frameOption = '',
      'x-content-type-options': _,
      ...custom
    } = given
    return {
      security: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        strictTransportSecurity: {
          accessControlMaxAgeSec: Number(/max-age=(\d+)/.exec(transport)?.[1]),
          includeSubdomains: transport.includes('includeSubDomains'),
          override: true,
        },
        referrerPolicy: { referrerPolicy, override: true },
        frameOptions: { frameOption, override: true },
        contentTypeOptions: { override: true },
      },
      custom: { items: Object.entries(custom).map(([header, value]) => ({ header, value, override: true })) },
    }
  })
  return new aws.cloudfront.ResponseHeadersPolicy(name, {
    securityHeadersConfig: known.security,
    customHeadersConfig: known.custom,
  })
}

const photoOrigin = $interpolate`https://${photos.nodes.bucket.bucketRegionalDomainName}`
const siteHeadersPolicy = headersPolicy('SiteHeaders', photoOrigin.apply(siteHeaders))
const apiHeadersPolicy = headersPolicy('ApiHeaders', apiHeaders)

/** CloudFront: the portal, `/api` and `/auth` under one name, and under each tenant's name. */
export const portal = new sst.aws.Router('Portal', {
  domain,
  waf: hasFirewall && {
    rateLimitPerIp: RATE_LIMIT,
    managedRules: { coreRuleSet: false, knownBadInputs: false, sqlInjection: false },
  },
  edge: {
    viewerRequest: {
      // The API throttles logins by the device's address; a client that sends this header itself is overruled.
      injection: 'event.request.headers["x-viewer-address"] = { value: event.viewer.ip };',
    },
  },
  transform: {
    waf: (args) => {
      // Samples show whole addresses of requests, and a letter's link has its token there.
      const unsampled = { sampledRequestsEnabled: false }
      args.visibilityConfig = $util.output(args.visibilityConfig).apply((config) => ({ ...config, ...unsampled }))
      args.rules = $util
        .output(args.rules ?? [])
        .apply((rules) =>
          rules.map((rule) => ({ ...rule, visibilityConfig: { ...rule.visibilityConfig, ...unsampled } })),
        )
    },
    cdn: (args) => {
      const site = $util.output(args.defaultCacheBehavior)
      args.defaultCacheBehavior = site.apply((behavior) => ({
        ...behavior,
        allowedMethods: ['GET', 'HEAD'],
        responseHeadersPolicyId: siteHeadersPolicy.id,
      }))
      const answers = site.apply((behavior) => ({ ...behavior, responseHeadersPolicyId: apiHeadersPolicy.id }))
      args.orderedCacheBehaviors = [
        // Cached by the tenant's host name, and only as far as the answer's own Cache-Control allows.
        answers.apply((behavior) => ({ ...behavior, pathPattern: '/api/public/*' })),
        // Never cached, whatever an answer says: the cache's key knows no access token.
        ...['/api/*', '/auth/*'].map((pathPattern) =>
          answers.apply((behavior) => ({ ...behavior, pathPattern, cachePolicyId: CACHING_DISABLED })),
        ),
      ]
      // What one reader may not see, another one may; and a fault of a moment must not last (D-PLATFORM-6).
      args.customErrorResponses = KEPT_ERRORS.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 }))
      args.transform = { distribution: { httpVersion: 'http2and3', isIpv6Enabled: true, priceClass: 'PriceClass_100' } }
    },
  },
})

for (const prefix of ['/api', '/auth']) {
  portal.route(prefix, api.url, { rewrite: { regex: '^', to: $interpolate`/${stageName}` } })
}

new sst.aws.StaticSite('Web', {
  path: 'web',
  build: { command: 'npm run build', output: 'portal/dist' },
  // SST writes types of the site's environment, which has none, into the sources unless told another place.
  vite: { types: '../.sst/vite-env.d.ts' },
  router: { instance: portal },
  assets: {
    // A portal that is open in a browser still asks for the files of the version that it was loaded with.
    purge: false,
    fileOptions: [
      { files: '**', cacheControl: 'public, max-age=3600' },
      { files: 'assets/**', cacheControl: 'public, max-age=31536000, immutable' },
      { files: ['index.html', 'service-worker.js'], cacheControl: 'no-cache' },
    ],
  },
  // Nothing that keeps its name is cached for longer than an hour.
  invalidation: false,
  transform: {
    assets: (args) => {
      args.cors = false
    },
  },
})

/** Pages of the portal, and no others, may send photos. */
new aws.s3.BucketCorsConfiguration('PhotosCors', {
  bucket: photos.name,
  corsRules: [
    {
      allowedOrigins: hosts.length > 0 ? hosts.map((host) => `https://${host}`) : [portal.url],
      allowedMethods: ['PUT'],
      allowedHeaders: ['content-type', 'if-none-match'],
      maxAgeSeconds: 3600,
    },
  ],
})
