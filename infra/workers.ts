import { type Deployed, logGroup, resourceName, rustFunction } from './function.ts'
import { given } from './grants.ts'
import { keyStatements } from './key.ts'
import { failedWorkers, mailEvents, runQueue, unstartedWorkers } from './queues.ts'
import { type Worker, workers } from './worker-list.ts'

/** The queues, by the worker that takes their messages. */
const queues: Record<string, aws.sqs.Queue> = { mail_events: mailEvents, runs: runQueue }

/** How many Lambdas take messages of a queue at once: mails of a season have as many fates a second, and a run may take minutes. */
const CONCURRENCY: Record<string, number> = { mail_events: 5, runs: 20 }

/** Megabytes of disk, for what an import reads and writes: a file of 200 MB, or 400 out of a workbook, and the list of its faults. */
const STORAGE: Record<string, number> = { runs: 2048 }

const account = aws.getCallerIdentityOutput().accountId

/** What a run that failed needs to leave a note. */
const leaveNote = { actions: ['sqs:SendMessage'], resources: [failedWorkers.arn] }

/** Starts the worker by the clock; only this schedule may, and a start or a run that fails leaves a note. */
function schedule(worker: Worker, expression: string, { fn, live }: Deployed): void {
  const name = resourceName(worker.name)
  // A run goes on where the last one was, so one more try is enough.
  new aws.lambda.FunctionEventInvokeConfig(`${name}Retry`, {
    functionName: fn.name,
    qualifier: live.name,
    maximumRetryAttempts: 1,
    maximumEventAgeInSeconds: 3600,
    destinationConfig: { onFailure: { destination: failedWorkers.arn } },
  })
  const role = new aws.iam.Role(`${name}ScheduleRole`, {
    assumeRolePolicy: $jsonStringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'scheduler.amazonaws.com' },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'aws:SourceAccount': account } },
        },
      ],
    }),
    inlinePolicies: [
      {
        name: 'invoke',
        policy: $jsonStringify({
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: live.arn },
            { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: unstartedWorkers.arn },
            ...keyStatements('sqs'),
          ],
        }),
      },
    ],
  })
  new aws.scheduler.Schedule(`${name}Schedule`, {
    scheduleExpression: expression,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: live.arn,
      // A worker that a person starts goes through everything at once, and one that the clock starts does it when it is due.
      input: '{"byClock":true}',
      roleArn: role.arn,
      deadLetterConfig: { arn: unstartedWorkers.arn },
      retryPolicy: { maximumRetryAttempts: 3, maximumEventAgeInSeconds: 3600 },
    },
  })
}

/** Hands the worker its queue's messages; those that it names as failed come back, the others do not. */
function consume(worker: Worker, batch: number, source: aws.sqs.Queue, { live }: Deployed): void {
  new aws.lambda.EventSourceMapping(`${resourceName(worker.name)}Source`, {
    eventSourceArn: source.arn,
    functionName: live.arn,
    batchSize: batch,
    functionResponseTypes: ['ReportBatchItemFailures'],
    scalingConfig: { maximumConcurrency: CONCURRENCY[worker.name] },
  })
}

/** What the workers log. */
export const workerLogs = logGroup('workers')

/** The functions that no request calls, by binary. */
export const workerFunctions = new Map<string, sst.aws.Function>()

for (const worker of workers) {
  const { environment, permissions } = given(worker.name, [worker])
  const source = 'queue' in worker.trigger ? queues[worker.name] : undefined
  if ('queue' in worker.trigger && source === undefined) throw new Error(`${worker.name} has no queue.`)
  const takeMessages =
    source === undefined
      ? leaveNote
      : { actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], resources: [source.arn] }
  const handler = rustFunction({
    binary: worker.name,
    description: worker.description,
    memory: worker.memory,
    timeout: worker.timeout,
    storage: STORAGE[worker.name],
    environment,
    permissions: [...permissions, takeMessages],
    logs: workerLogs,
    concurrency: undefined,
  })
  workerFunctions.set(worker.name, handler.fn)
  if ('schedule' in worker.trigger) schedule(worker, worker.trigger.schedule, handler)
  else if (source !== undefined) consume(worker, worker.trigger.queue.batch, source, handler)
}
