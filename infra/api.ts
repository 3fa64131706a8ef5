import { NAMESPACE } from './alarm.ts'
import { type Deployed, logGroup, rustFunction } from './function.ts'
import { given } from './grants.ts'
import { key } from './key.ts'
import { type Route, routesByFunction } from './routes.ts'
import { deskHost, loginConcurrency, logRetention } from './stage.ts'

/** Requests a second, and at once, that the API lets through: above any season's peak, and a bound on the bill. */
const THROTTLE = { throttlingRateLimit: 5_000, throttlingBurstLimit: 5_000 }

/** Logins and renewals of all tenants together: twice what 50 million meters need, and a fifth of the API, so that they leave it to readings. */
const SESSION_THROTTLE = { throttlingRateLimit: 500, throttlingBurstLimit: 500 }
const SESSION_ROUTE = 'POST /auth/token'

/** Known once the route is there: a stage is refused that names one which is not, and the routes are made after the stage's component. */
let routeIsThere!: (route: $util.Input<string>) => void
const sessionRoute = new Promise<$util.Input<string>>((resolve) => {
  routeIsThere = resolve
})

/** What each line of the access log has as a number, so that metrics can compare it. */
const NUMBERS = /"(\$context\.(?:status|responseLatency))"/g

/** The access log: nothing that tells who it was, and no path, because ids and the stage's name are in it. */
const accessLog = {
  time: '$context.requestTimeEpoch',
  // The function's, by which its own line and the answer name the request; only the gateway knows its own.
  requestId: '$context.integration.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  bytes: '$context.responseLength',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
}

/**
 * The name of the API's stage is a secret that only the distribution knows: a request that does not begin with it is
 * answered 404 by API Gateway and reaches no function, so the execute-api address is of no use beside CloudFront (D-PLATFORM-5).
 */
export const stageName = new random.RandomPassword('ApiStageName', { length: 40, special: false }).result

export const api = new sst.aws.ApiGatewayV2('Api', {
  // The portal and the API share the distribution's origin.
  cors: false,
  transform: {
    stage: (args) => {
      args.name = stageName
      args.defaultRouteSettings = THROTTLE
      args.routeSettings = [{ routeKey: $util.output(sessionRoute), ...SESSION_THROTTLE }]
      args.accessLogSettings = $util.output(args.accessLogSettings).apply((settings) => ({
        destinationArn: settings?.destinationArn ?? '',
        format: JSON.stringify(accessLog).replaceAll(NUMBERS, '$1'),
      }))
    },
    logGroup: { retentionInDays: logRetention, kmsKeyId: key },
  },
})

/** The binary that checks passwords. */
const LOGIN = 'auth_token'

/** What the endpoints log. */
export const endpointLogs = logGroup('endpoints')

/** Lambda's longest description. */
const LONGEST = 256

/** The routes, as far as a description has room for them. */
function description(served: Route[]): string {
  const routes = served.map((route) => route.routeKey).join(', ')
  return routes.length <= LONGEST ? routes : `${routes.slice(0, LONGEST - 1)}…`
}

/** A function for all routes that one binary serves. */
function serve(binary: string, served: Route[]): Deployed {
  const { environment, permissions } = given(binary, served)
  return rustFunction({
    binary,
    description: description(served),
    memory: Math.max(...served.map((route) => route.memory)),
    timeout: Math.max(...served.map((route) => route.timeout)),
    storage: undefined,
    // Under which CloudWatch keeps the metrics of its log lines.
    environment: { ...environment, METRICS: NAMESPACE },
    permissions,
    logs: endpointLogs,
    concurrency: binary === LOGIN ? loginConcurrency : undefined,
  })
}

/** Paths that only the desk's pages ask for. */
const OF_DESK = /^(\/api)?\/desk\//

for (const [binary, served] of routesByFunction) {
  // Without a desk they could not be called.
  if (deskHost === undefined && served.every(({ path }) => OF_DESK.test(path ?? ''))) continue
  const { live } = serve(binary, served)
  for (const { routeKey, operation } of served) {
    const { route } = api.route(routeKey, live.arn, { name: operation }).nodes
    if (routeKey === SESSION_ROUTE) routeIsThere(route.routeKey)
  }
}
