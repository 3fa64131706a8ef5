/** How a version comes to answer, and what watches it meanwhile. Everything that is not a function waits for it (D-PLATFORM-15). */
import { endpointLogs } from './api.ts'
import { deployed } from './function.ts'
import { bucketName } from './release/bucket.ts'
import { isProduction } from './stage.ts'
import { versionOf } from './version.ts'
import { workerLogs } from './workers.ts'

const version = versionOf($cli.paths.root)
const namespace = `${$app.name}-${$app.stage}`
const bucket = aws.getCallerIdentityOutput().accountId.apply((account) => bucketName($app.name, $app.stage, account))

/** The last versions, each as it was deployed; the history names them. */
const releases = new sst.aws.Bucket('Releases', {
  enforceHttps: true,
  cors: false,
  transform: {
    bucket: (args) => {
      args.bucket = bucket
      args.forceDestroy = !isProduction
    },
  },
})

/** Lines in which the version that is being deployed says that it failed; those of the version before are none of its own. */
const faults = [endpointLogs, workerLogs].map(
  ({ name: logGroupName }, index) =>
    new aws.cloudwatch.LogMetricFilter(`FaultsOfNewVersion${index || ''}`, {
      logGroupName,
      pattern: `{ $.version = "${version}" && $.level = "error" }`,
      metricTransformation: { name: 'FaultsOfNewVersion', namespace, value: '1' },
    }),
)

const metric = (id: string, metricName: string) => ({
  id,
  metric: { namespace, metricName, stat: 'Sum', period: 60 },
})

/** Takes a version back. It sends no mail: the operator who deploys is there, and the other alarms tell what lasts. */
const alarm = new aws.cloudwatch.MetricAlarm('NewVersion', {
  name: `${namespace}-NewVersion`,
  alarmDescription: 'A version that is being deployed fails (docs/operations.md, "NewVersion")',
  metricQueries: [
    metric('faults', 'FaultsOfNewVersion'),
    // What does not start or is killed cannot say which version it is; `alarms.ts` counts it.
    metric('killed', 'FailedInvocations'),
    { id: 'value', expression: 'FILL(faults, 0) + FILL(killed, 0)', returnData: true },
  ],
  comparisonOperator: 'GreaterThanOrEqualToThreshold',
  threshold: 3,
  evaluationPeriods: 1,
  treatMissingData: 'notBreaching',
})

/** Only production has calls enough to learn something from a tenth of them. */
const inSteps = isProduction && process.env['ZW_SHIFT'] !== 'at-once'

const numbers = $util
  .all(deployed.map(({ fn }) => $util.all([fn.name, fn.nodes.function.version])))
  .apply((pairs) => Object.fromEntries(pairs))

/** Moves the aliases. Where there is nothing to move it costs a few seconds, and puts right what a person moved by hand. */
export const released = new command.local.Command(
  'Release',
  {
    create: 'node infra/release/cli.ts shift',
    dir: $cli.paths.root,
    stdin: $jsonStringify({ version, numbers, bucket: releases.name, alarm: inSteps ? alarm.name : undefined }),
    // Each deployment looks, also one that changes no function.
    environment: { AWS_REGION: aws.getRegionOutput().region, AT: new Date().toISOString() },
  },
  { dependsOn: [...deployed.map(({ live }) => live), ...faults, alarm] },
)
