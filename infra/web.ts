import { ANSWER_404, files, front, photoOrigin } from './distribution.ts'
import { domain } from './domains.ts'
import { siteHeaders } from './headers.ts'
import { deskHost, hasFirewall, hasOwnNames, hosts, rateLimit } from './stage.ts'
import { photos } from './storage.ts'

/** What the portal asks to find out whether it is online, and the function at the edge answers (D-OUTBOX-9). */
const PROBE = { method: 'HEAD', uri: '/api/public/application' }

/** Seconds after which whom the firewall refuses may ask again: it counts anew about twice a minute. */
const RETRY_AFTER = 60

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
      {
        orStatement: {
          statements: [path('STARTS_WITH', '/api/'), path('STARTS_WITH', '/auth/'), path('STARTS_WITH', '/desk/')],
        },
      },
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
  block: {
    customResponse: {
      responseCode: 429,
      responseHeaders: [{ name: 'retry-after', value: String(RETRY_AFTER) }],
    },
  },
}

/** The firewall's name, by which it is told apart in CloudWatch too. */
export const firewallName = hasFirewall ? `${$app.name}-${$app.stage}` : undefined

// Samples show whole addresses of requests, and a letter's link has its token there.
const visible = (metricName: string) => ({
  cloudwatchMetricsEnabled: true,
  metricName,
  sampledRequestsEnabled: false,
})

/** Calls of the API that get a session: one of a visit's ten, and what a guesser calls. */
const SESSIONS = {
  andStatement: {
    statements: [path('STARTS_WITH', '/auth/token'), matches({ method: {} }, 'EXACTLY', 'POST')],
  },
}

/** Amazon's list of addresses that were seen in attacks, and the names of its rules and labels. */
const LISTED = {
  group: 'AWSManagedRulesAmazonIpReputationList',
  rules: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'],
  label: 'awswaf:managed:aws:amazon-ip-list:',
}

/** A share of what an address may call in five minutes; WAF takes 10 at least. */
const share = (part: number) => Math.max(10, Math.floor(rateLimit * part))

/** The firewall's rules, in their order: the narrowest limit first. */
const RULES = [
  {
    // Only labelled: a household whose router was taken over has to send its reading, too (D-OPERATIONS-5).
    name: 'Listed',
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: LISTED.group,
        ruleActionOverrides: LISTED.rules.map((name) => ({ name, actionToUse: { count: {} } })),
      },
    },
  },
  {
    name: 'RateLimitListed',
    action: TOO_MANY,
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        limit: share(1 / 10),
        scopeDownStatement: {
          andStatement: {
            statements: [COUNTED, { labelMatchStatement: { scope: 'NAMESPACE', key: LISTED.label } }],
          },
        },
      },
    },
  },
  {
    // By the tenant's name, too: who tries passwords at one tenant keeps no reader behind the same address from another one.
    name: 'RateLimitSessions',
    action: TOO_MANY,
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [
          { header: { name: 'host', textTransformations: [{ priority: 0, type: 'LOWERCASE' }] } },
          { ip: {} },
        ],
        limit: share(1 / 5),
        scopeDownStatement: SESSIONS,
      },
    },
  },
  {
    name: 'RateLimitPerIP',
    action: TOO_MANY,
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: rateLimit, scopeDownStatement: COUNTED } },
  },
]

/** The rules that refuse, by which the firewall's metrics are told apart. */
export const firewallRules = RULES.filter(({ action }) => action !== undefined).map(({ name }) => name)

/** CloudFront: the portal, `/api` and `/auth` under one name, and under each tenant's name. */
export const portal = front('Portal', 'Site', {
  domain,
  headers: photoOrigin.apply(siteHeaders),
  api: { '/api/*': ['/api'], '/auth/*': ['/auth'] },
  kept: ['/api/public/application*', '/api/public/help/*', '/api/public/contact/*', '/api/public/meterReadingHelp/*'],
  edge: [
    `if (event.request.method === "${PROBE.method}" && asked === "${PROBE.uri}")`,
    'return { statusCode: 200, headers: { "cache-control": { value: "no-store" } } };',
    // The staff's calls come by the desk's own name.
    `if (asked.startsWith("/api/desk/")) return ${ANSWER_404};`,
  ],
  waf: hasFirewall,
  firewall: (args) => {
    args.name = firewallName
    args.visibilityConfig = visible(firewallName ?? '')
    args.rules = RULES.map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: visible(`${firewallName}-${rule.name}`),
    }))
  },
})

files('Web', 'portal', portal)

/** Pages of the portal and of the desk, and no others, may send photos. */
new aws.s3.BucketCorsConfiguration('PhotosCors', {
  bucket: photos.name,
  corsRules: [
    {
      allowedOrigins: [
        // Names of tenants' own come without a deployment (D-PLATFORM-18).
        ...(hasOwnNames ? ['https://*'] : []),
        ...(hosts.length > 0 ? hosts.map((host) => `https://${host}`) : [portal.url]),
        ...(deskHost === undefined ? [] : [`https://${deskHost}`]),
      ],
      allowedMethods: ['PUT'],
      allowedHeaders: ['content-type', 'if-none-match'],
      maxAgeSeconds: 3600,
    },
  ],
})
