import routesJson from './routes.json' with { type: 'json' }

/** What a permission applies to; `grants.ts` knows the ARNs. */
export type Resource =
  | 'table'
  | 'tableIndex'
  | 'uploads'
  | 'photos'
  | 'photoBucket'
  | 'runFiles'
  | 'runQueue'
  | 'signingKey'
  | 'pseudonymKey'
  | 'deskClientSecret'
  | 'loginSecrets'
  | 'staffPool'
  | 'crmKeys'
  | 'webhookSecrets'
  | 'mail'
  | 'mailAccount'
  | 'textRecognition'

/** What a binary needs to be given. */
export interface Permissions {
  /** Exact IAM actions and what they apply to. */
  grants: { actions: string[]; resource: Resource }[]
  /** Names of the environment variables that it reads. */
  environment: string[]
}

/** A row of the API's route table, generated from `functions/api/src/routes.rs`. */
export interface Route extends Permissions {
  operation: string
  /** With `{variables}`; null for what fits no route. */
  path: string | null
  /** The binary that serves it. */
  function: string
  /** How API Gateway calls it: `GET /api/…`, or `$default` for a call that fits no other route. */
  routeKey: string
  /** Megabytes. */
  memory: number
  /** Seconds. */
  timeout: number
}

/** The route table. */
export const routes = routesJson as Route[]

/** The routes by the binary that serves them. */
export const routesByFunction = new Map<string, Route[]>()

for (const route of routes) {
  const served = routesByFunction.get(route.function)
  if (served === undefined) routesByFunction.set(route.function, [route])
  else served.push(route)
}
