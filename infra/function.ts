import { bundle } from './build.ts'
import { key, useOfKey } from './key.ts'
import { logRetention } from './stage.ts'
import { versionOf } from './version.ts'

/** The alias of what answers. */
const LIVE = 'live'

const VERSION = versionOf($cli.paths.root)

/** One binary as one Lambda function. */
export interface FunctionSettings {
  /** The binary's name, such as `job_list`. */
  binary: string
  description: string
  /** Megabytes; computing power grows with it. */
  memory: number
  /** Seconds. */
  timeout: number
  /** Megabytes of disk, if 512 are not enough. */
  storage: number | undefined
  environment: Record<string, $util.Input<string>>
  permissions: { actions: string[]; resources: $util.Input<string>[] }[]
  /** Where its log lines go. */
  logs: aws.cloudwatch.LogGroup
  /** How many requests it may work on at once; these are taken from the account's concurrency, used or not. */
  concurrency: number | undefined
}

/** `job_list` is `JobList` among the deployment's resources. */
export function resourceName(binary: string): string {
  return binary.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** One log for many functions, whose lines name the function: a question to the dashboard reaches 50 logs at most. */
export function logGroup(name: string): aws.cloudwatch.LogGroup {
  return new aws.cloudwatch.LogGroup(`${resourceName(name)}Logs`, {
    name: `/aws/lambda/${$app.name}-${$app.stage}/${name}`,
    retentionInDays: logRetention,
    kmsKeyId: key,
  })
}

/** A function, and the alias that everything calls it by. */
export interface Deployed {
  fn: sst.aws.Function
  live: aws.lambda.Alias
}

/** All of them, as they are made. */
export const deployed: Deployed[] = []

/**
 * A function with exactly the permissions and the environment that it was given, and the version. A deployment publishes what
 * changed under a number and leaves the alias where it is; `shift.ts` moves it (D-PLATFORM-15).
 */
export function rustFunction(settings: FunctionSettings): Deployed {
  const name = resourceName(settings.binary)
  const writeLogs = {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [$interpolate`${settings.logs.arn}:log-stream:*`],
  }
  const fn = new sst.aws.Function(name, {
    description: settings.description,
    bundle: bundle(settings.binary),
    handler: 'bootstrap',
    runtime: 'provided.al2023',
    architecture: 'arm64',
    memory: `${settings.memory} MB`,
    timeout: `${settings.timeout} seconds`,
    versioning: true,
    logging: { format: 'json', logGroup: settings.logs.name },
    permissions: [...settings.permissions, ...useOfKey(settings.permissions), writeLogs],
    ...(settings.storage === undefined ? {} : { storage: `${settings.storage} MB` }),
    ...(settings.concurrency === undefined ? {} : { concurrency: { reserved: settings.concurrency } }),
    transform: {
      role: (role) => {
        // SST 4.17.1 compares an output with `!`, and so lets the account's root principal assume every function's role.
        role.assumeRolePolicy = aws.iam.assumeRolePolicyForPrincipal({ Service: 'lambda.amazonaws.com' })
        // The managed policy for logs covers every log of the account.
        role.managedPolicyArns = []
      },
      function: (args) => {
        // SST adds a key for its own links, of which there are none.
        args.environment = { variables: { ...settings.environment, VERSION } }
        // Lambda's own two lines for each request say nothing that ours do not; those for a run that failed or was killed stay.
        args.loggingConfig = { logFormat: 'JSON', logGroup: settings.logs.name, systemLogLevel: 'WARN' }
      },
    },
  })
  const live = new aws.lambda.Alias(
    `${name}Live`,
    { name: LIVE, functionName: fn.name, functionVersion: fn.nodes.function.version },
    { ignoreChanges: ['functionVersion', 'routingConfig'] },
  )
  const made = { fn, live }
  deployed.push(made)
  return made
}
