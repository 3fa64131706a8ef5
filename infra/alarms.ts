import { alarm, lineMetric, logAlarm, type Metric, NAMESPACE, SILENCE } from './alarm.ts'
import { api, endpointLogs } from './api.ts'
import { desk } from './desk.ts'
import { configurationSet } from './email.ts'
import { resourceName } from './function.ts'
import { ownNames } from './own-names.ts'
import { failedWorkers, mailEventsDeadLetters, runDeadLetters, unstartedWorkers } from './queues.ts'
import { alarmEmail, budget } from './stage.ts'
import { table } from './storage.ts'
import { firewallName, portal } from './web.ts'
import { everyMinutes, workers } from './worker-list.ts'
import { workerFunctions, workerLogs } from './workers.ts'

const ofApi = (metricName: string, stat: string): Metric => ({
  namespace: 'AWS/ApiGateway',
  metricName,
  stat,
  dimensions: { ApiId: api.nodes.api.id },
})

const ofTable = (metricName: string, dimensions: Record<string, string> = {}): Metric => ({
  namespace: 'AWS/DynamoDB',
  metricName,
  stat: 'Sum',
  dimensions: { TableName: table.name, ...dimensions },
})

alarm('ApiErrors', {
  description: 'At least 1 % of the API’s answers are 5xx; below 500 requests in five minutes: at least 5 answers',
  metrics: { errors: ofApi('5xx', 'Sum'), requests: ofApi('Count', 'Sum') },
  expression: '100 * errors / IF(requests > 500, requests, 500)',
  threshold: 1,
  periods: 1,
  silence: SILENCE.isNone,
})

alarm('ApiLatency', {
  description: 'One answer in a hundred takes longer than three seconds',
  metrics: { latency: ofApi('Latency', 'p99') },
  expression: 'latency',
  threshold: 3_000,
  periods: 3,
  silence: SILENCE.isNone,
})

// Of the whole region, as the concurrency is: what another stage uses up is missing here.
alarm('FunctionThrottles', {
  description: 'Lambda refused to start a function for lack of concurrency',
  metrics: { throttles: { namespace: 'AWS/Lambda', metricName: 'Throttles', stat: 'Sum' } },
  expression: 'throttles',
  threshold: 1,
  periods: 1,
  silence: SILENCE.isNone,
})

alarm('Concurrency', {
  description: 'Four fifths of the account’s Lambda concurrency are in use',
  metrics: {
    // Of the whole region: the metric that Lambda's quota is bound to.
    used: { namespace: 'AWS/Lambda', metricName: 'ConcurrentExecutions', stat: 'Maximum' },
  },
  expression: '100 * used / SERVICE_QUOTA(used)',
  threshold: 80,
  periods: 1,
  silence: SILENCE.isNone,
})

const index = { GlobalSecondaryIndexName: 'gsi1' }
alarm('TableThrottles', {
  description: 'DynamoDB refused reads or writes of the table or its index',
  metrics: {
    reads: ofTable('ReadThrottleEvents'),
    writes: ofTable('WriteThrottleEvents'),
    indexReads: ofTable('ReadThrottleEvents', index),
    indexWrites: ofTable('WriteThrottleEvents', index),
  },
  expression: 'FILL(reads, 0) + FILL(writes, 0) + FILL(indexReads, 0) + FILL(indexWrites, 0)',
  threshold: 1,
  periods: 1,
  silence: SILENCE.isNone,
})

/** Queues that are empty while all is well: the name of the alarm, what a message in there means, and the queue. */
export const deadLetters: [name: string, meaning: string, queue: aws.sqs.Queue][] = [
  ['MailEventsDeadLetters', 'What became of a mail could not be noted', mailEventsDeadLetters],
  ['RunDeadLetters', 'A message that has a run gone on with failed five times', runDeadLetters],
  ['FailedWorkers', 'A worker that the clock started failed twice', failedWorkers],
  ['UnstartedWorkers', 'The clock could not start a worker', unstartedWorkers],
]
for (const [name, description, queue] of deadLetters) {
  alarm(name, {
    description,
    metrics: {
      letters: {
        namespace: 'AWS/SQS',
        metricName: 'ApproximateNumberOfMessagesVisible',
        stat: 'Maximum',
        dimensions: { QueueName: queue.name },
      },
    },
    expression: 'letters',
    threshold: 1,
    periods: 1,
    silence: SILENCE.isNone,
  })
}

// Lambda's own line, because its metric of errors is told for one function or for the whole region, and nothing between.
logAlarm('FunctionErrors', {
  // An endpoint answers its own errors, so that this is a worker's run, or a function that was killed.
  description: 'A worker’s run failed, or a function was killed',
  logs: [endpointLogs, workerLogs],
  pattern: '{ $.type = "platform.report" && $.record.status != "success" }',
  metric: 'FailedInvocations',
  threshold: 1,
  periods: 1,
})

// A worker that is not started does not fail, so that no other alarm hears it.
for (const worker of workers) {
  const handler = workerFunctions.get(worker.name)
  if (!('schedule' in worker.trigger) || handler === undefined) continue
  const minutes = everyMinutes(worker.trigger.schedule)
  alarm(`Stopped${resourceName(worker.name)}`, {
    description: `The worker ${worker.name} is due every ${minutes} minutes, and was not started`,
    manual: 'Stopped',
    metrics: {
      runs: {
        namespace: 'AWS/Lambda',
        metricName: 'Invocations',
        stat: 'Sum',
        dimensions: { FunctionName: handler.name },
      },
    },
    expression: 'IF(runs < 1, 1, 0)',
    threshold: 1,
    periods: 2,
    period: 60 * Math.max(5, 2 * minutes),
    silence: SILENCE.isFault,
  })
}

/** Workers that go through everything once a week; between two passes each of their runs is finished at once. */
const WEEKLY = ['account_expiry', 'orphan_photos', 'retention']

lineMetric('PassesFinished', {
  log: workerLogs.name,
  pattern: `{ $.finished IS TRUE && (${WEEKLY.map((name) => `$.operation = "${name}"`).join(' || ')}) }`,
  by: { worker: '$.operation' },
})
for (const worker of WEEKLY) {
  alarm(`Unfinished${resourceName(worker)}`, {
    description: `The worker ${worker} has not come to an end for a week`,
    manual: 'Unfinished',
    metrics: {
      ends: { namespace: NAMESPACE, metricName: 'PassesFinished', stat: 'Sum', dimensions: { worker } },
    },
    expression: 'IF(ends < 1, 1, 0)',
    threshold: 1,
    // The longest that CloudWatch looks back.
    periods: 7,
    period: 86_400,
    // The clock starts it each quarter of an hour, and its line says how that ended.
    silence: SILENCE.isFault,
  })
}

// How many tenants' webhooks a person should look at, as the worker counts them in its log line; silent without a webhook.
logAlarm('Webhooks', {
  description: 'A tenant’s webhook has dead letters, or has taken nothing for a day',
  logs: [workerLogs],
  pattern: '{ $.operation = "webhook_deliveries" && $.counts.needsClerk >= 0 }',
  metric: 'WebhooksToLookAt',
  value: '$.counts.needsClerk',
  stat: 'Maximum',
  threshold: 1,
  periods: 1,
})

// In these words the worker of runs says that one is over without success; it takes one message at a time.
logAlarm('Runs', {
  description: 'Something that was asked for at the desk was given up',
  logs: [workerLogs],
  pattern: '{ $.operation = "runs" && $.causes[0] = "a run was given up" }',
  metric: 'RunsGivenUp',
  threshold: 1,
  periods: 1,
})

// Logins that failed or were not even tried, as the functions write them into the security log.
logAlarm('Guessing', {
  description: 'At least 500 logins with a password failed in five minutes, three times in a row',
  logs: [endpointLogs],
  pattern: '{ $.event = "login-failed" || $.event = "login-blocked" }',
  metric: 'Guesses',
  threshold: 500,
  periods: 3,
})

const own = (metricName: string): Metric => ({ namespace: NAMESPACE, metricName, stat: 'Sum' })

// A page tells of five errors at most, and a network of 30 in a quarter of an hour: no single one makes an alarm of it.
lineMetric('BrowserErrors', { log: endpointLogs.name, pattern: '{ $.browserError.name = "*" }' })
alarm('BrowserErrors', {
  description:
    'Pages tell of an error for each hundred calls of the API; below 1,000 calls in five minutes: of ten; twice in a row',
  metrics: { errors: own('BrowserErrors'), requests: ofApi('Count', 'Sum') },
  expression: '100 * errors / IF(requests > 1000, requests, 1000)',
  threshold: 1,
  periods: 2,
  silence: SILENCE.isNone,
})

const ofMail = (metricName: string): Metric => ({
  namespace: 'AWS/SES',
  metricName,
  stat: 'Average',
  dimensions: { 'ses:configuration-set': configurationSet.configurationSetName },
})

alarm('MailBounces', {
  description: 'Two mails in a hundred come back; at five the mail service looks into it, at ten it stops',
  metrics: { rate: ofMail('Reputation.BounceRate') },
  expression: '100 * rate',
  threshold: 2,
  periods: 1,
  silence: SILENCE.lasts,
})

alarm('MailComplaints', {
  description: 'One recipient in two thousand calls a mail spam; at one in a thousand the mail service looks into it',
  metrics: { rate: ofMail('Reputation.ComplaintRate') },
  expression: '100 * rate',
  threshold: 0.05,
  periods: 1,
  silence: SILENCE.lasts,
})

// Requests whose mail came after four fifths of a tenant's day.
logAlarm('MailDay', {
  description: 'A tenant has used up four fifths of its mails of the day',
  logs: [endpointLogs],
  pattern: '{ $.mailDayNearlyFull = "*" }',
  metric: 'MailsOfNearlyFullDays',
  threshold: 1,
  periods: 1,
})

/** All distributions of CloudFront; one without requests has no figures. */
const distributions = {
  portal: portal.distributionID,
  ...(desk && { desk: desk.distributionID }),
  ...(ownNames && { ownNames: ownNames.id }),
}
const ofAll = (metricName: string, stat: string): Record<string, Metric> =>
  Object.fromEntries(
    Object.entries(distributions).map(([name, id]) => {
      const dimensions = { DistributionId: id, Region: 'Global' }
      return [name, { namespace: 'AWS/CloudFront', metricName, stat, dimensions }]
    }),
  )
const filled = Object.keys(distributions).map((name) => `FILL(${name}, 0)`)

/** Dollars of a million requests that go through to a function; docs/capacity.md reckons it. */
const MILLION_REQUESTS = 4
/** Periods of five minutes in a day. */
const PERIODS_OF_A_DAY = 288

alarm('Flood', {
  description: 'So many requests that in a day they cost the month’s budget',
  metrics: ofAll('Requests', 'Sum'),
  expression: filled.join(' + '),
  threshold: Math.round((budget / MILLION_REQUESTS / PERIODS_OF_A_DAY) * 1e6),
  periods: 2,
  silence: SILENCE.isNone,
  isGlobal: true,
})

alarm('PortalErrors', {
  description: 'CloudFront answers one request in twenty with 5xx, at the portal, the desk, or names of tenants’ own',
  metrics: ofAll('5xxErrorRate', 'Average'),
  expression: `MAX([${filled.join(', ')}])`,
  threshold: 5,
  periods: 3,
  silence: SILENCE.isNone,
  isGlobal: true,
})

if (firewallName !== undefined) {
  alarm('Firewall', {
    description: 'For a quarter of an hour the firewall refused a request a second',
    metrics: {
      blocked: {
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        stat: 'Sum',
        dimensions: { WebACL: firewallName, Rule: 'ALL' },
      },
    },
    expression: 'blocked',
    threshold: 300,
    periods: 3,
    silence: SILENCE.isNone,
    isGlobal: true,
  })
}

if (alarmEmail !== undefined) {
  const tell = {
    comparisonOperator: 'GREATER_THAN',
    thresholdType: 'PERCENTAGE',
    subscriberEmailAddresses: [alarmEmail],
  }
  new aws.budgets.Budget('Budget', {
    budgetType: 'COST',
    timeUnit: 'MONTHLY',
    limitAmount: String(budget),
    limitUnit: 'USD',
    notifications: [
      { ...tell, notificationType: 'ACTUAL', threshold: 80 },
      { ...tell, notificationType: 'FORECASTED', threshold: 100 },
    ],
  })
}
