/** What the distributions have in common: a site and the API under one name. */
import { api, stageName } from './api.ts'
import { areAllOurs, type Domain } from './domains.ts'
import { elsewhere, fileEnding, siteFiles } from './files.ts'
import { apiHeaders } from './headers.ts'
import { released } from './releases.ts'
import { photos } from './storage.ts'

/** CloudFront's managed policy `CachingDisabled`. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'

/** Seconds for which an edge answers by itself what the API says to everybody, with any `Cache-Control` (D-OPERATIONS-13). */
const KEPT_SECONDS = 120
/** The same for a browser that is shown a draft, which may have changed since. */
const KEPT_OF_DRAFT_SECONDS = 5
/** The cookie of a browser that is shown one, and the header by which the edge tells the draft's answers of one time from those of another. */
const DRAFT_COOKIE = '__Host-preview'
const DRAFT_TIME = 'x-draft-time'

/** By the tenant's name and the draft that the browser is shown; nothing that is behind a `?` is another answer. */
const keptAnswers = new aws.cloudfront.CachePolicy('KeptAnswers', {
  comment: 'What the API says to everybody',
  minTtl: KEPT_SECONDS,
  defaultTtl: KEPT_SECONDS,
  maxTtl: KEPT_SECONDS,
  parametersInCacheKeyAndForwardedToOrigin: {
    headersConfig: { headerBehavior: 'whitelist', headers: { items: ['x-forwarded-host', DRAFT_TIME] } },
    cookiesConfig: { cookieBehavior: 'whitelist', cookies: { items: [DRAFT_COOKIE] } },
    queryStringsConfig: { queryStringBehavior: 'none' },
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  },
})

/** Statuses that CloudFront keeps for ten seconds unless told otherwise, for every request and regardless of what the answer says. */
const KEPT_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

/** A policy that sets these headers on every answer, regardless of what the origin sent. */
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
          // A tenant's own name may be the head of names that we know nothing of (D-SECURITY-7).
          includeSubdomains: areAllOurs,
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

const apiHeadersPolicy = headersPolicy('ApiHeaders', apiHeaders)

/** Where photos are, and are sent to. */
export const photoOrigin = $interpolate`https://${photos.nodes.bucket.bucketRegionalDomainName}`

interface Front {
  domain: Domain | undefined
  /** What the function at the edge does first, in CloudFront's JavaScript; `asked` is the path. */
  edge: string[]
  /** The site's headers. */
  headers: $util.Input<Record<string, string>>
  /** Patterns of what is never kept at the edge, each with the beginnings of the paths that the API answers. */
  api: Record<string, string[]>
  /** Patterns of what is the same for everybody who asks by the host's name, and is kept for some seconds. */
  kept: string[]
  /** Its own firewall. */
  waf?: sst.aws.RouterArgs['waf']
  firewall?: NonNullable<sst.aws.RouterArgs['transform']>['waf']
  /** The firewall of another distribution. */
  webAclArn?: $util.Input<string | undefined>
}

/** CloudFront before a site and the API. */
export function front(name: string, site: string, given: Front): sst.aws.Router {
  const siteHeadersPolicy = headersPolicy(`${site}Headers`, given.headers)
  const router = new sst.aws.Router(name, {
    domain: given.domain,
    ...(given.waf === undefined ? {} : { waf: given.waf }),
    edge: {
      viewerRequest: {
        injection: [
          'const asked = event.request.uri;',
          ...given.edge,
          // As isMissingFile() of files.ts says; below /assets/ the bucket is asked, which keeps the files of earlier versions.
          `if (${fileEnding}.test(asked) && !${elsewhere}.test(asked) && !${JSON.stringify(siteFiles)}.includes(asked))`,
          `return ${ANSWER_404};`,
          `if (event.request.cookies["${DRAFT_COOKIE}"])`,
          `event.request.headers["${DRAFT_TIME}"] = { value: String(Math.floor(Date.now() / ${1000 * KEPT_OF_DRAFT_SECONDS})) };`,
          `else delete event.request.headers["${DRAFT_TIME}"];`,
          // The API throttles logins by the device's address; a client that sends this header itself is overruled.
          'event.request.headers["x-viewer-address"] = { value: event.viewer.ip };',
        ].join(' '),
      },
    },
    transform: {
      cachePolicy: (args) => {
        // A file is the same for any query string.
        args.parametersInCacheKeyAndForwardedToOrigin = $util
          .output(args.parametersInCacheKeyAndForwardedToOrigin)
          .apply((parameters) => ({
            ...parameters,
            headersConfig: { headerBehavior: 'whitelist', headers: { items: ['x-forwarded-host'] } },
            queryStringsConfig: { queryStringBehavior: 'none' },
          }))
      },
      ...(given.firewall === undefined ? {} : { waf: given.firewall }),
      cdn: (args) => {
        const site = $util.output(args.defaultCacheBehavior)
        args.defaultCacheBehavior = site.apply((behavior) => ({
          ...behavior,
          allowedMethods: ['GET', 'HEAD'],
          responseHeadersPolicyId: siteHeadersPolicy.id,
        }))
        const answers = site.apply((behavior) => ({ ...behavior, responseHeadersPolicyId: apiHeadersPolicy.id }))
        args.orderedCacheBehaviors = [
          ...given.kept.map((pathPattern) =>
            answers.apply((behavior) => ({ ...behavior, pathPattern, cachePolicyId: keptAnswers.id })),
          ),
          // Never cached, regardless of what an answer says: the cache's key knows no access token and no cookie.
          ...Object.keys(given.api).map((pathPattern) =>
            answers.apply((behavior) => ({ ...behavior, pathPattern, cachePolicyId: CACHING_DISABLED })),
          ),
        ]
        // What one reader may not see, another one may; and a fault of a moment must not last (D-PLATFORM-6).
        args.customErrorResponses = KEPT_ERRORS.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 }))
        if (given.webAclArn !== undefined) args.webAclArn = $util.output(given.webAclArn).apply((arn) => arn ?? '')
        args.transform = {
          distribution: { httpVersion: 'http2and3', isIpv6Enabled: true, priceClass: 'PriceClass_100' },
        }
      },
    },
  })
  for (const path of Object.values(given.api).flat()) {
    router.route(path, api.url, { rewrite: { regex: '^', to: $interpolate`/${stageName}` } })
  }
  return router
}

/** The answer of the edge for what is not there. */
export const ANSWER_404 = '{ statusCode: 404, headers: { "cache-control": { value: "no-store" } } }'

/** The files of an application of `web`, which is built before anything is deployed. */
export function files(name: string, application: string, router: sst.aws.Router): void {
  new sst.aws.StaticSite(
    name,
    {
      // Without a build of SST's own, which would run with the account's rights (D-PLATFORM-14).
      path: `web/${application}/dist`,
      router: { instance: router },
      assets: {
        // A page that is open in a browser still asks for the files of the version that it was loaded with.
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
    },
    {
      // A page must find the functions that it was written for.
      transformations: [
        ({ type, props, opts }) =>
          type === 'pulumi-nodejs:dynamic:Resource' ? { props, opts: { ...opts, dependsOn: [released] } } : undefined,
      ],
    },
  )
}
