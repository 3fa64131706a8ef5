/** A key of the customer's own for all that holds persons' data (D-OPERATIONS-9); without it each service has one that AWS keeps. */
import { keyPolicy } from './key-policy.ts'
import { customerKey, isProduction } from './stage.ts'

const region = aws.getRegionOutput().region

function create(name: string, encrypts: string, more: Partial<aws.kms.KeyArgs>): $util.Output<string> {
  const key = new aws.kms.Key(
    name,
    {
      description: `${$app.name} ${$app.stage}: ${encrypts}`,
      enableKeyRotation: true,
      deletionWindowInDays: isProduction ? 30 : 7,
      ...more,
    },
    // What a key has encrypted is lost with it.
    { protect: isProduction, retainOnDelete: isProduction },
  )
  new aws.kms.Alias(`${name}Alias`, {
    name: `alias/${$app.name}-${$app.stage}`,
    targetKeyId: key.keyId,
    ...(more.region && { region: more.region }),
  })
  return key.arn
}

const account = aws.getCallerIdentityOutput().accountId
const policy = () => account.apply((account) => JSON.stringify(keyPolicy(account, $app.stage)))

function ofStage(): $util.Output<string> | undefined {
  if (customerKey === 'yes') {
    return create('CustomerKey', 'table, photos, logs, queues, topics, backups', { policy: policy() })
  }
  return customerKey === undefined ? undefined : $util.output(customerKey)
}

/** The key's ARN. */
export const key = ofStage()

/** The ARN of one for backups in another region, where `key` cannot be used; a key that was brought is in one region only. */
export function keyElsewhere(region: string): $util.Output<string> | undefined {
  return customerKey === 'yes' ? create('CustomerKeyElsewhere', 'copies of backups', { region }) : undefined
}

/** Services that encrypt with the key on behalf of their callers. */
const SERVICES = ['dynamodb', 's3', 'sqs'] as const
type Service = (typeof SERVICES)[number]

const USE = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']
const VIA = 'kms:ViaService'
const hosts = (services: Service[]) => services.map((service) => $interpolate`${service}.${region}.amazonaws.com`)

/** What a function with these permissions needs of the key: to use it by way of the same services, and never by itself. */
export function useOfKey(permissions: { actions: string[] }[]) {
  const called = new Set(permissions.flatMap(({ actions }) => actions.map((action) => action.split(':')[0])))
  const services = SERVICES.filter((service) => called.has(service))
  if (key === undefined || services.length === 0) return []
  const via = { test: 'StringEquals', variable: VIA, values: hosts(services) }
  return [{ actions: USE, resources: [key], conditions: [via] }]
}

/** The same as statements of a policy. */
export function keyStatements(...services: Service[]) {
  if (key === undefined) return []
  return [{ Effect: 'Allow', Action: USE, Resource: key, Condition: { StringEquals: { [VIA]: hosts(services) } } }]
}
