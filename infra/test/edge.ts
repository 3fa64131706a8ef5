import type { Deployment } from './evaluate.ts'

/** What CloudFront does with a request before an origin sees it. */
export interface Forwarded {
  /** The path pattern of the behaviour, `default` for the last one. */
  behavior: string
  cachePolicy: string
  headersPolicy: string
  methods: string[]
  /** Host name of the origin. */
  origin: string
  /** Path at the origin. */
  uri: string
  headers: Record<string, string>
  /** The answer, if no origin is asked. */
  status?: number
}

interface CloudFrontRequest {
  method: string
  uri: string
  querystring: object
  cookies: object
  headers: Record<string, { value: string }>
}

/** Runs the deployed CloudFront function of the distribution `name` over the deployed key-value store, after CloudFront's choice of a behaviour. */
export async function forward(
  deployment: Deployment,
  uri: string,
  headers: Record<string, string> = {},
  method = 'GET',
  name = 'Portal',
  cookies: Record<string, { value: string }> = {},
): Promise<Forwarded> {
  const distribution = deployment.one('aws:cloudfront/distribution:Distribution', `${name}CdnDistribution`).inputs
  const ordered: { pathPattern: string }[] = distribution['orderedCacheBehaviors']
  const matching = ordered.find(({ pathPattern }) => new RegExp(`^${pathPattern.replaceAll('*', '.*')}$`).test(uri))
  const behavior = { pathPattern: 'default', ...(matching ?? distribution['defaultCacheBehavior']) }

  const store = new Map<string, string>()
  const routes = new Map<string, string[]>()
  for (const { name, inputs } of deployment.all('pulumi-nodejs:dynamic:Resource')) {
    if (name.endsWith('.KvKeys')) {
      for (const [key, value] of Object.entries<string>(inputs['entries']))
        store.set(`${inputs['namespace']}:${key}`, value)
    } else if (name.endsWith('.KvRoutesUpdate')) {
      const key = `${inputs['namespace']}:${inputs['key']}`
      routes.set(key, [...(routes.get(key) ?? []), inputs['entry']])
    }
  }
  for (const [key, entries] of routes) store.set(key, JSON.stringify(entries))

  let origin = distribution['origins'][0].domainName
  const cf = {
    kvs: () => ({
      get: (key: string) => {
        const value = store.get(key)
        return value === undefined ? Promise.reject(new Error('KeyNotFound')) : Promise.resolve(value)
      },
    }),
    updateRequestOrigin: (changed: { domainName: string }) => {
      origin = changed.domainName
    },
  }
  const associated: string = behavior.functionAssociations.find(
    (association: { eventType: string }) => association.eventType === 'viewer-request',
  ).functionArn
  const edge = associated.replace(/^.*:/, '')
  const code: string = deployment.one('aws:cloudfront/function:Function', edge).inputs['code']
  const handler = new Function('cf', `${code.replace('import cf from "cloudfront";', '')}; return handler`)(cf)

  const given = { host: 'portal.example.de', ...headers }
  const request: CloudFrontRequest = {
    method,
    uri,
    querystring: {},
    cookies,
    headers: Object.fromEntries(Object.entries(given).map(([header, value]) => [header, { value }])),
  }
  const result: CloudFrontRequest & { statusCode?: number } = await handler({
    version: '1.0',
    context: { eventType: 'viewer-request' },
    viewer: { ip: '192.0.2.1' },
    request,
  })
  return {
    behavior: behavior.pathPattern,
    cachePolicy: behavior.cachePolicyId,
    headersPolicy: behavior.responseHeadersPolicyId,
    methods: behavior.allowedMethods,
    origin,
    // An answer has no path.
    uri: result.uri ?? uri,
    headers: Object.fromEntries(Object.entries(result.headers ?? {}).map(([header, { value }]) => [header, value])),
    ...(result.statusCode === undefined ? {} : { status: result.statusCode }),
  }
}
