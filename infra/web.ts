import { api, stageName } from './api.ts'
import { elsewhere, fileEnding, siteFiles } from './files.ts'
import { apiHeaders, siteHeaders } from './headers.ts'
import { domain, hasFirewall, hosts, rateLimit } from './stage.ts'
import { photos } from './storage.ts'

/** CloudFront's managed policy `CachingDisabled`. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'

/** What the portal asks to find out whether it is online, and the function at the edge answers (D-OUTBOX-9). */
const PROBE = { method: 'HEAD', uri: '/api/public/application' }

/** Seconds after which whom the firewall refuses may ask again: it counts anew about twice a minute. */
const RETRY_AFTER = 60

/** Statuses that CloudFront keeps for ten seconds unless told otherwise, whoever asked and whatever the answer says. */
const KEPT_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/** A condition of the firewall on a part of the request, as it was sent. */
const matches = (part: object, positionalConstraint: string, searchString: string) => ({
  byteMatchStatement: {
    fieldToMatch: part,
    positionalConstraint,
    searchString,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
})
const path = (constraint: 'STARTS_WITH' | 'EXACTLY', text: string) => matches({ uriPath: {} }, constraint, text)

/** Calls of the API are counted and refused; files and the probe cost next to nothing, and a first visit has twenty of them. */
const COUNTED = {
  andStatement: {
    statements: [
      { orStatement: { statements: [path('STARTS_WITH', '/api/'), path('STARTS_WITH', '/auth/')] } },
      {
        notStatement: {
          statements: [
            {
              andStatement: {
                // The firewall compares methods in lower case only where it is told to change them.
                statements: [matches({ method: {} }, 'EXACTLY', PROBE.method), path('EXACTLY', PROBE.uri)],
              },
            },
          ],
        },
      },
    ],
  },
}

/** What the firewall answers to whom it refuses: come later, and when. A 403 would say that it makes no sense to. */
const TOO_MANY = {
  responseCode: 429,
  responseHeaders: [{ name: 'retry-after', value: String(RETRY_AFTER) }],
}

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
    rateLimitPerIp: rateLimit,
    managedRules: { coreRuleSet: false, knownBadInputs: false, sqlInjection: false },
  },
  edge: {
    viewerRequest: {
      injection: [
        `if (event.request.method === "${PROBE.method}" && event.request.uri === "${PROBE.uri}")`,
        'return { statusCode: 200, headers: { "cache-control": { value: "no-store" } } };',
        // As isMissingFile() of files.ts says; below /assets/ the bucket is asked, which keeps the files of earlier versions.
        'const asked = event.request.uri;',
        `if (${fileEnding}.test(asked) && !${elsewhere}.test(asked) && !${JSON.stringify(siteFiles)}.includes(asked))`,
        'return { statusCode: 404, headers: { "cache-control": { value: "no-store" } } };',
        // The API throttles logins by the device's address; a client that sends this header itself is overruled.
        'event.request.headers["x-viewer-address"] = { value: event.viewer.ip };',
      ].join(' '),
    },
  },
  transform: {
    waf: (args) => {
      // Samples show whole addresses of requests, and a letter's link has its token there.
      const unsampled = { sampledRequestsEnabled: false }
      args.visibilityConfig = $util.output(args.visibilityConfig).apply((config) => ({ ...config, ...unsampled }))
      args.rules = $util.output(args.rules ?? []).apply((rules) =>
        rules.map((rule) => ({
          ...rule,
          action: { block: { customResponse: TOO_MANY } },
          statement: {
            rateBasedStatement: { aggregateKeyType: 'IP', limit: rateLimit, scopeDownStatement: COUNTED },
          },
          visibilityConfig: { ...rule.visibilityConfig, ...unsampled },
        })),
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
