import { configurationSet, senders } from './email.ts'
import { runQueue } from './queues.ts'
import type { Permissions, Resource } from './routes.ts'
import {
  crmKeyPrefix,
  loginSecretPrefix,
  pseudonymKey,
  publicKeys,
  signingKey,
  webhookSecretPrefix,
} from './secrets.ts'
import { staff } from './staff.ts'
import { hasOwnNames, hosts, readsPhotos } from './stage.ts'
import { photos, table } from './storage.ts'

const region = aws.getRegionOutput().region
const account = aws.getCallerIdentityOutput().accountId

/**
 * What each kind of resource in the route table is. Nothing here ends in a wildcard but objects and parameters under a prefix, and
 * text recognition and the mail service's quota, of which IAM knows no single resource.
 */
const arns: Record<Resource, $util.Input<string>[]> = {
  table: [table.arn],
  tableIndex: [$interpolate`${table.arn}/index/gsi1`],
  uploads: [$interpolate`${photos.arn}/uploads/*`],
  photos: [$interpolate`${photos.arn}/photos/*`],
  photoBucket: [photos.arn],
  runFiles: [$interpolate`${photos.arn}/files/*`],
  runQueue: [runQueue.arn],
  signingKey: [signingKey.arn],
  pseudonymKey: [pseudonymKey.arn],
  deskClientSecret: staff === undefined ? [] : [staff.secret.arn],
  loginSecrets: [$interpolate`arn:aws:ssm:${region}:${account}:parameter${loginSecretPrefix}*`],
  staffPool: staff === undefined ? [] : [staff.poolArn],
  crmKeys: [$interpolate`arn:aws:ssm:${region}:${account}:parameter${crmKeyPrefix}*`],
  webhookSecrets: [$interpolate`arn:aws:ssm:${region}:${account}:parameter${webhookSecretPrefix}*`],
  mail: [...senders, configurationSet.arn],
  mailAccount: ['*'],
  textRecognition: readsPhotos ? ['*'] : [],
}

/** The value of each environment variable that a function may ask for. None is a secret. */
const variables: Record<string, $util.Input<string>> = {
  TABLE_NAME: table.name,
  // Without a name of its own the portal is reached under CloudFront's, which is not known before the functions are there; a pattern is no tenant's.
  PORTAL_HOST: hosts.find((host) => !host.startsWith('*')) ?? 'localhost',
  // What cannot be named is not compared: CloudFront's own name, and names that are added without a deployment.
  PORTAL_HOSTS: hasOwnNames ? '*' : hosts.join(',') || '*',
  PHOTO_BUCKET: photos.name,
  RUN_QUEUE_URL: runQueue.url,
  JWT_PRIVATE_KEY_PARAMETER: signingKey.name,
  JWT_PUBLIC_KEYS: publicKeys,
  PSEUDONYM_KEY_PARAMETER: pseudonymKey.name,
  CRM_PARAMETER_PREFIX: crmKeyPrefix,
  WEBHOOK_PARAMETER_PREFIX: webhookSecretPrefix,
  MAIL_CONFIGURATION_SET: configurationSet.configurationSetName,
  PHOTO_READING: readsPhotos ? 'textract' : 'off',
  ...(staff && {
    DESK_ORIGIN: staff.origin,
    DESK_ISSUER: staff.issuer,
    DESK_CLIENT_ID: staff.client,
    DESK_CLIENT_SECRET_PARAMETER: staff.secret.name,
    DESK_LOGIN_PARAMETER_PREFIX: loginSecretPrefix,
    STAFF_POOL: staff.pool,
  }),
}

/** The permissions and the environment of a binary whose rows ask for these; each once. */
export function given(binary: string, rows: Permissions[]) {
  const names = new Set(rows.flatMap((row) => row.environment))
  const environment = [...names].map((name) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`${binary} asks for ${name}, which the infrastructure does not know.`)
    return [name, value] as const
  })
  const grants = new Map(rows.flatMap((row) => row.grants).map((grant) => [JSON.stringify(grant), grant]))
  return {
    environment: Object.fromEntries(environment),
    permissions: [...grants.values()]
      .map(({ actions, resource }) => ({ actions, resources: arns[resource] }))
      .filter(({ actions, resources }) => actions.length > 0 && resources.length > 0),
  }
}
