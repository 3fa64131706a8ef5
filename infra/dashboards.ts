/** What is looked at: how the stage works, and whether it keeps what was promised. */
import { NAMESPACE } from './alarm.ts'
import { deadLetters } from './alarms.ts'
import { api, endpointLogs } from './api.ts'
import metrics from './metrics.json' with { type: 'json' }
import { checks } from './outside.ts'
import { table } from './storage.ts'
import { firewallName, firewallRules, portal } from './web.ts'
import { workerFunctions, workerLogs } from './workers.ts'

const region = aws.getRegionOutput().region

/** A field of the dashboard: a title, and metrics as CloudWatch writes them. */
function graph(title: string, metrics: unknown[], where: $util.Input<string> = region) {
  return {
    type: 'metric',
    width: 12,
    height: 6,
    properties: { title, metrics, region: where, period: 300, stat: 'Sum' },
  }
}

/** A field of the dashboard: a question to the functions' logs. */
function question(title: string, query: string) {
  const sources = [endpointLogs, workerLogs].map(({ name }) => $interpolate`SOURCE '${name}'`)
  return {
    type: 'log',
    width: 12,
    height: 6,
    properties: { title, region, view: 'table', query: $interpolate`${sources[0]} | ${sources[1]} | ${query}` },
  }
}

const apiId = api.nodes.api.id
const tableName = table.name
const SLOWEST =
  'SELECT AVG(Duration) FROM SCHEMA("AWS/Lambda", FunctionName) GROUP BY FunctionName ORDER BY AVG() DESC LIMIT 10'
/** The ten of which the metric is the most. */
const mostOf = (metric: string, by: string) => ({
  expression: `SELECT SUM(${metric}) FROM SCHEMA("${NAMESPACE}", ${by}) GROUP BY ${by} ORDER BY SUM() DESC LIMIT 10`,
  label: '',
  id: metric,
  region,
})
const distribution = ['DistributionId', portal.distributionID, 'Region', 'Global']

new aws.cloudwatch.Dashboard('Dashboard', {
  dashboardName: NAMESPACE,
  dashboardBody: $jsonStringify({
    widgets: [
      graph('Answers of the API', [
        ['AWS/ApiGateway', 'Count', 'ApiId', apiId],
        ['AWS/ApiGateway', '4xx', 'ApiId', apiId],
        ['AWS/ApiGateway', '5xx', 'ApiId', apiId],
      ]),
      graph(
        'Time to the answer, ms',
        ['p50', 'p95', 'p99'].map((stat) => ['AWS/ApiGateway', 'Latency', 'ApiId', apiId, { stat, label: stat }]),
      ),
      // One for each function would be more metrics than a dashboard shows without a fee.
      graph('Time in the ten slowest functions, ms', [[{ expression: SLOWEST, label: '', id: 'slowest', region }]]),
      graph('Answers with a fault of ours, by operation', [[mostOf('faults', 'operation')]]),
      graph('All functions of the account', [
        ['AWS/Lambda', 'ConcurrentExecutions', { stat: 'Maximum' }],
        ['AWS/Lambda', 'Errors'],
        ['AWS/Lambda', 'Throttles'],
      ]),
      graph('Table: units', [
        ['AWS/DynamoDB', 'ConsumedReadCapacityUnits', 'TableName', tableName],
        ['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', 'TableName', tableName],
        ['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', 'TableName', tableName, 'GlobalSecondaryIndexName', 'gsi1'],
      ]),
      graph('Workers: failed runs, dead letters', [
        ...[...workerFunctions].map(([label, fn]) => ['AWS/Lambda', 'Errors', 'FunctionName', fn.name, { label }]),
        ...deadLetters.map(([label, , queue]) => [
          ...['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName', queue.name],
          { label },
        ]),
      ]),
      graph('Mails', [
        ['AWS/SES', 'Send'],
        ['AWS/SES', 'Bounce'],
        ['AWS/SES', 'Complaint'],
      ]),
      graph('Requests to CloudFront', [['AWS/CloudFront', 'Requests', ...distribution]], 'us-east-1'),
      graph(
        'CloudFront: share of errors, %',
        ['4xxErrorRate', '5xxErrorRate'].map((rate) => ['AWS/CloudFront', rate, ...distribution, { stat: 'Average' }]),
        'us-east-1',
      ),
      question('Problems', 'filter ispresent(code) | stats count(*) as answers by operation, code | sort answers desc'),
      question(
        'What workers did',
        // Every minute three of them look whether there is something to send, to count or to go on with.
        'filter ispresent(counts.seen) or ispresent(finished) | filter operation not in ["webhook_deliveries", "tallies", "run_clock"] or ispresent(counts.delivered) or ispresent(counts.failed) or ispresent(counts.changes) or counts.woken > 0 | display @timestamp, operation, finished, durationMs',
      ),
      question(
        'What operations cost',
        'filter ispresent(operation) | stats count(*) as requests, pct(durationMs, 95) as p95, avg(roundTrips) as trips, sum(readUnits) as reads, sum(writeUnits) as writes by operation',
      ),
    ],
  }),
})

const sending = (metric: string, stat: string, label: string) => [NAMESPACE, metric, { stat, label }]
const logs = [api.nodes.logGroup, endpointLogs, workerLogs]

// Three dashboards of an account are without a fee, with fifty metrics each: this is the second of the stage with readers.
if (checks.size > 0) {
  new aws.cloudwatch.Dashboard('Promises', {
    dashboardName: `${NAMESPACE}-promises`,
    dashboardBody: $jsonStringify({
      widgets: [
        graph('Readings: sent, not answered well, slow', [
          sending('SendingMs', 'SampleCount', 'sent'),
          sending('FailedSends', 'Sum', 'failed'),
          sending('SlowSends', 'Sum', 'slow'),
        ]),
        graph(
          'Time until a reading is answered, ms',
          ['p50', 'p95', 'p99'].map((stat) => sending('SendingMs', stat, stat)),
        ),
        graph('Logins, and readings that were accepted', [
          sending('Logins', 'Sum', 'logins'),
          sending('AcceptedReadings', 'Sum', 'accepted'),
        ]),
        graph(
          'Seen from outside, % of the checkers',
          [...checks].map(([label, { id }]) => [
            ...['AWS/Route53', 'HealthCheckPercentageHealthy', 'HealthCheckId', id],
            { stat: 'Average', label },
          ]),
          'us-east-1',
        ),
        ...(firewallName === undefined
          ? []
          : [
              graph(
                'Refused by the firewall’s rules',
                firewallRules.map((label) => [
                  ...['AWS/WAFV2', 'BlockedRequests', 'WebACL', firewallName, 'Rule', `${firewallName}-${label}`],
                  { label },
                ]),
                'us-east-1',
              ),
            ]),
        graph(
          'Logs taken in, bytes',
          logs.map(({ name }) => ['AWS/Logs', 'IncomingBytes', 'LogGroupName', name]),
        ),
      ],
    }),
  })
}

/** Stands for the tenant in the fields below; the variable of that name takes its place once a tenant is chosen. */
const CHOSEN = 'tenant'
const ofTenant = (metric: string, stat: string, label: string, operation?: string) => [
  ...[NAMESPACE, metric, ...(operation === undefined ? [] : ['operation', operation]), 'tenant', CHOSEN],
  { stat, label },
]
const READINGS = metrics.counted.filter((operation) => operation !== 'auth_token')

// The third of those without a fee: one for all tenants, with a choice, because each more costs three dollars a month.
if (checks.size > 0) {
  new aws.cloudwatch.Dashboard('Tenants', {
    dashboardName: `${NAMESPACE}-tenants`,
    dashboardBody: $jsonStringify({
      variables: [
        {
          type: 'property',
          property: 'tenant',
          inputType: 'select',
          id: 'tenant',
          label: 'Tenant',
          visible: true,
          search: `{${NAMESPACE},tenant} MetricName="durationMs"`,
          populateFrom: 'tenant',
          defaultValue: '__FIRST',
        },
      ],
      widgets: [
        graph('Requests, and those with a fault of ours', [
          ofTenant('durationMs', 'SampleCount', 'requests'),
          ofTenant('faults', 'Sum', 'faults'),
        ]),
        graph(
          'Time to the answer, ms',
          ['p50', 'p95', 'p99'].map((stat) => ofTenant('durationMs', stat, stat)),
        ),
        graph('Logins: tried, succeeded', [
          ofTenant('succeeded', 'SampleCount', 'tried', 'auth_token'),
          ofTenant('succeeded', 'Sum', 'succeeded', 'auth_token'),
        ]),
        graph(
          'Readings: sent, accepted',
          READINGS.flatMap((operation) => [
            ofTenant('succeeded', 'SampleCount', `${operation}: sent`, operation),
            ofTenant('succeeded', 'Sum', `${operation}: accepted`, operation),
          ]),
        ),
        graph('Faults of ours, the ten tenants with the most', [[mostOf('faults', 'tenant')]]),
        graph('Errors that pages told, all tenants', [[NAMESPACE, 'BrowserErrors']]),
      ],
    }),
  })
}
