import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { WATCHED } from '../capacity.ts'
import told from '../metrics.json' with { type: 'json' }
import workersJson from '../workers.json' with { type: 'json' }
import { preview, production } from './deployment.ts'

/** All but the one that takes a version back, which releases.test.ts looks at. */
const alarms = production.all('aws:cloudwatch/metricAlarm:MetricAlarm').filter(({ name }) => name !== 'NewVersion')
const worker = readFileSync(
  path.resolve(import.meta.dirname, '../../functions/workers/src/webhook_deliveries.rs'),
  'utf8',
)
const runs = readFileSync(path.resolve(import.meta.dirname, '../../functions/workers/src/runs.rs'), 'utf8')
const logLine = readFileSync(path.resolve(import.meta.dirname, '../../functions/runtime/src/log.rs'), 'utf8')
const login = readFileSync(path.resolve(import.meta.dirname, '../../functions/api/src/handlers/auth_token.rs'), 'utf8')
const REGION = 'eu-central-1'
const DEAD = ['FailedWorkers', 'MailEventsDeadLetters', 'RunDeadLetters', 'UnstartedWorkers']
/** Alarms that only together are one. */
const IN_PARTS = /\d+Minutes$/
/** Of what reports from us-east-1. */
const GLOBAL = ['DeskCertificate', 'Firewall', 'Flood', 'PortalCertificate', 'PortalErrors', 'Unreachable']
const composites = production.all('aws:cloudwatch/compositeAlarm:CompositeAlarm')
const manual = readFileSync(path.resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8')

interface Query {
  id: string
  metric?: { namespace: string; metricName: string; stat: string; period: number; dimensions?: object }
  expression?: string
  returnData?: boolean
}

describe('alarms', () => {
  it('watch errors, time, concurrency, table, workers, webhooks, mails, distribution and silence', () => {
    const watched = alarms
      .filter(({ name }) => !IN_PARTS.test(name))
      .map(({ name, inputs }) => [
        name,
        inputs['metricQueries'].flatMap(({ id, metric }: Query) =>
          metric === undefined ? [] : `${id} = ${metric.namespace} ${metric.metricName} ${metric.stat}`,
        ),
        inputs['metricQueries'].flatMap(({ expression }: Query) => expression ?? []).join(),
        inputs['threshold'],
        inputs['evaluationPeriods'],
        inputs['metricQueries'][0].metric.period,
        inputs['treatMissingData'],
      ])
    const letters = ['letters = AWS/SQS ApproximateNumberOfMessagesVisible Maximum']
    const throttles = ['reads', 'writes', 'indexReads', 'indexWrites']
    const quarters = ['AccountExpiry', 'Erasure', 'ExportClock', 'OrphanPhotos', 'Reminders', 'Retention']
    const minutes = ['RunClock', 'Tallies', 'WebhookDeliveries']
    // Silence is no fault where a request has to come, and one where the clock asks; what is told now and then stays.
    const [none, lasts, fault] = ['notBreaching', 'ignore', 'breaching']
    const starts = ['runs = AWS/Lambda Invocations Sum']
    const ends = ['ends = zaehlwerk-production PassesFinished Sum']
    const capital = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1)}`
    const days = ['days = AWS/CertificateManager DaysToExpiry Minimum']
    expect(watched.sort()).toEqual(
      [
        [
          'ApiErrors',
          ['errors = AWS/ApiGateway 5xx Sum', 'requests = AWS/ApiGateway Count Sum'],
          ...['100 * errors / IF(requests > 500, requests, 500)', 1, 1, 300, none],
        ],
        ['ApiLatency', ['latency = AWS/ApiGateway Latency p99'], 'latency', 3_000, 3, 300, none],
        [
          'BackupsFailed',
          ['failed', 'aborted', 'expired']
            .map((id) => `${id} = AWS/Backup NumberOfBackupJobs${capital(id)} Sum`)
            .concat('copies = AWS/Backup NumberOfCopyJobsFailed Sum'),
          ...['FILL(failed, 0) + FILL(aborted, 0) + FILL(expired, 0) + FILL(copies, 0)', 1, 1, 3_600, none],
        ],
        [
          'BackupsMissing',
          ['backups = AWS/Backup NumberOfBackupJobsCompleted Sum', 'copies = AWS/Backup NumberOfCopyJobsCompleted Sum'],
          ...['IF(FILL(backups, 0) < 2 OR FILL(copies, 0) < 2, 1, 0)', 1, 2, 86_400, fault],
        ],
        [
          'BrowserErrors',
          ['errors = zaehlwerk-production BrowserErrors Sum', 'requests = AWS/ApiGateway Count Sum'],
          ...['100 * errors / IF(requests > 1000, requests, 1000)', 1, 2, 300, none],
        ],
        [
          'Concurrency',
          ['used = AWS/Lambda ConcurrentExecutions Maximum'],
          ...['100 * used / SERVICE_QUOTA(used)', 80, 1, 300, none],
        ],
        ['DeskCertificate', days, '30 - days', 0, 1, 86_400, lasts],
        ['FailedWorkers', letters, 'letters', 1, 1, 300, none],
        ['Firewall', ['blocked = AWS/WAFV2 BlockedRequests Sum'], 'blocked', 300, 3, 300, none],
        [
          'Flood',
          ['portal = AWS/CloudFront Requests Sum', 'desk = AWS/CloudFront Requests Sum'],
          ...['FILL(portal, 0) + FILL(desk, 0)', 173_611, 2, 300, none],
        ],
        ['FunctionErrors', ['lines = zaehlwerk-production FailedInvocations Sum'], 'lines', 1, 1, 300, none],
        ['FunctionThrottles', ['throttles = AWS/Lambda Throttles Sum'], 'throttles', 1, 1, 300, none],
        ['Guessing', ['lines = zaehlwerk-production Guesses Sum'], 'lines', 500, 3, 300, none],
        ['MailBounces', ['rate = AWS/SES Reputation.BounceRate Average'], '100 * rate', 2, 1, 300, lasts],
        ['MailComplaints', ['rate = AWS/SES Reputation.ComplaintRate Average'], '100 * rate', 0.05, 1, 300, lasts],
        ['MailDay', ['lines = zaehlwerk-production MailsOfNearlyFullDays Sum'], 'lines', 1, 1, 300, none],
        ['MailEventsDeadLetters', letters, 'letters', 1, 1, 300, none],
        [
          'NoReadings',
          ['logins = zaehlwerk-production Logins Sum', 'readings = zaehlwerk-production AcceptedReadings Sum'],
          ...['IF(logins >= 50 AND readings < 1, 1, 0)', 1, 1, 3_600, none],
        ],
        ['PortalCertificate', days, '30 - days', 0, 1, 86_400, lasts],
        [
          'PortalErrors',
          ['portal = AWS/CloudFront 5xxErrorRate Average', 'desk = AWS/CloudFront 5xxErrorRate Average'],
          ...['MAX([FILL(portal, 0), FILL(desk, 0)])', 5, 3, 300, none],
        ],
        ['RunDeadLetters', letters, 'letters', 1, 1, 300, none],
        ['Runs', ['lines = zaehlwerk-production RunsGivenUp Sum'], 'lines', 1, 1, 300, none],
        ...quarters.map((name) => [`Stopped${name}`, starts, 'IF(runs < 1, 1, 0)', 1, 2, 1_800, fault]),
        ...minutes.map((name) => [`Stopped${name}`, starts, 'IF(runs < 1, 1, 0)', 1, 2, 300, fault]),
        [
          'TableThrottles',
          throttles.map((id) => `${id} = AWS/DynamoDB ${/read/i.test(id) ? 'Read' : 'Write'}ThrottleEvents Sum`),
          ...[throttles.map((id) => `FILL(${id}, 0)`).join(' + '), 1, 1, 300, none],
        ],
        ...['AccountExpiry', 'OrphanPhotos', 'Retention'].map((name) => [
          ...[`Unfinished${name}`, ends, 'IF(ends < 1, 1, 0)', 1, 7, 86_400, fault],
        ]),
        ['Unreachable', ['status = AWS/Route53 HealthCheckStatus Minimum'], '1 - status', 1, 2, 60, fault],
        ['UnstartedWorkers', letters, 'letters', 1, 1, 300, none],
        ['Webhooks', ['lines = zaehlwerk-production WebhooksToLookAt Maximum'], 'lines', 1, 1, 300, none],
      ].sort(),
    )
    for (const { name, inputs } of alarms) {
      expect(inputs['comparisonOperator'], name).toBe('GreaterThanOrEqualToThreshold')
      expect(inputs['datapointsToAlarm'], name).toBe(inputs['evaluationPeriods'])
      const [first] = inputs['metricQueries'] as Query[]
      for (const { metric, returnData } of inputs['metricQueries'] as Query[]) {
        const expected = metric === undefined ? [undefined, true] : [first?.metric?.period, undefined]
        expect([metric?.period, returnData], name).toEqual(expected)
      }
      // CloudWatch looks back a day, and a week if a period is an hour at least.
      const { period = 0 } = first?.metric ?? {}
      expect(period * inputs['evaluationPeriods'], name).toBeLessThanOrEqual((period < 3_600 ? 1 : 7) * 86_400)
    }
  })

  it('watch what is deployed', () => {
    const dimensions = alarms.flatMap(({ inputs }) =>
      inputs['metricQueries'].flatMap(({ metric }: { metric?: { dimensions?: object } }) => metric?.dimensions ?? []),
    )
    expect(dimensions).toContainEqual({ ApiId: 'ApiApi-id' })
    expect(dimensions).toContainEqual({ TableName: 'TableTable' })
    expect(dimensions).toContainEqual({ TableName: 'TableTable', GlobalSecondaryIndexName: 'gsi1' })
    expect(dimensions).toContainEqual({ BackupVaultName: 'Backups' })
    expect(dimensions).toContainEqual({ DistributionId: 'PortalCdnDistribution-id', Region: 'Global' })
  })

  it('say which of the dead letters it is', () => {
    for (const name of DEAD) {
      const inputs = alarms.find((alarm) => alarm.name === name)?.inputs
      expect(inputs?.['metricQueries'][0].metric.dimensions).toEqual({ QueueName: name })
    }
  })

  // What another stage of the account does is no alarm of this one, as far as AWS can tell them apart.
  it('watch their own stage, but for the concurrency that all stages share', () => {
    const shared = alarms.filter(({ inputs }) =>
      inputs['metricQueries'].some(
        ({ metric }: Query) => metric && !metric.dimensions && metric.namespace !== 'zaehlwerk-production',
      ),
    )
    expect(shared.map(({ name }) => name).sort()).toEqual(['Concurrency', 'FunctionThrottles'])
    for (const name of ['MailBounces', 'MailComplaints']) {
      const [{ metric }] = alarms.find((alarm) => alarm.name === name)?.inputs['metricQueries'] ?? []
      expect(metric.dimensions, name).toEqual({ 'ses:configuration-set': 'zaehlwerk-production' })
    }
    for (const { name, inputs } of alarms) expect(inputs['name']).toBe(`zaehlwerk-production-${name}`)
  })

  it('count the functions that failed in the lines that Lambda writes of them', () => {
    const filters = production
      .all('aws:cloudwatch/logMetricFilter:LogMetricFilter')
      .map(({ inputs }) => inputs)
      .filter((inputs) => inputs['metricTransformation'].name === 'FailedInvocations')
    const logs = [...production.functions().values()].map(({ inputs }) => inputs['loggingConfig'].logGroup)
    expect(filters.map((inputs) => inputs['logGroupName']).sort()).toEqual([...new Set(logs)].sort())
    for (const { pattern, metricTransformation } of filters) {
      expect(pattern).toBe('{ $.type = "platform.report" && $.record.status != "success" }')
      expect(metricTransformation).toEqual({
        name: 'FailedInvocations',
        namespace: 'zaehlwerk-production',
        value: '1',
      })
    }
  })

  it('count the webhooks to look at from the line of the worker that serves them', () => {
    const { logGroupName, pattern, metricTransformation } = production.one(
      'aws:cloudwatch/logMetricFilter:LogMetricFilter',
      'WebhooksToLookAt',
    ).inputs
    expect(logGroupName).toBe(production.functions().get('webhook_deliveries')?.inputs['loggingConfig'].logGroup)
    const field = /^\{ \$\.operation = "webhook_deliveries" && \$\.counts\.(\w+) >= 0 \}$/.exec(pattern)?.[1]
    expect(worker).toContain(`const NEEDS_CLERK: &str = "${field}";`)
    expect(metricTransformation.value).toBe(`$.counts.${field}`)
    const [query] = alarms.find(({ name }) => name === 'Webhooks')?.inputs['metricQueries'] ?? []
    expect(query.metric).toMatchObject({
      namespace: metricTransformation.namespace,
      metricName: metricTransformation.name,
      stat: 'Maximum',
    })
  })

  it('count the runs given up from the words of the worker that gives them up', () => {
    const { logGroupName, pattern } = production.one(
      'aws:cloudwatch/logMetricFilter:LogMetricFilter',
      'RunsGivenUp',
    ).inputs
    expect(logGroupName).toBe(production.functions().get('runs')?.inputs['loggingConfig'].logGroup)
    const [, words] = /^\{ \$\.operation = "runs" && \$\.causes\[0\] = "(.+)" \}$/.exec(pattern) ?? []
    expect(runs).toContain(`Worked::Failed => Err("${words}".into())`)
    // The only cause of its line, because the worker takes one message at a time.
    expect(workersJson.find(({ name }) => name === 'runs')?.trigger.queue?.batch).toBe(1)
  })

  it('count the mails of nearly full days from the line of the endpoints that ask for them', () => {
    const { logGroupName, pattern, metricTransformation } = production.one(
      'aws:cloudwatch/logMetricFilter:LogMetricFilter',
      'MailsOfNearlyFullDays',
    ).inputs
    expect(logGroupName).toBe(production.functions().get('share_mail')?.inputs['loggingConfig'].logGroup)
    expect(pattern).toBe('{ $.mailDayNearlyFull = "*" }')
    expect(logLine).toContain('pub mail_day_nearly_full: Option<String>,')
    const [query] = alarms.find(({ name }) => name === 'MailDay')?.inputs['metricQueries'] ?? []
    expect(query.metric).toMatchObject({
      namespace: metricTransformation.namespace,
      metricName: metricTransformation.name,
      stat: 'Sum',
    })
  })

  it('count guesses by the events that the login writes into the security log', () => {
    const { logGroupName, pattern, metricTransformation } = production.one(
      'aws:cloudwatch/logMetricFilter:LogMetricFilter',
      'Guesses',
    ).inputs
    expect(logGroupName).toBe(production.functions().get('auth_token')?.inputs['loggingConfig'].logGroup)
    const events = [...pattern.matchAll(/\$\.event = "([\w-]+)"/g)].map(([, event]) => event)
    expect(events).toEqual(['login-failed', 'login-blocked'])
    for (const event of events) expect(login).toContain(`"${event}"`)
    expect(metricTransformation.value).toBe('1')
  })

  it('count the errors that pages tell by the field that the API writes into its line', () => {
    const { pattern } = production.one('aws:cloudwatch/logMetricFilter:LogMetricFilter', 'BrowserErrors').inputs
    const [, field, part] = /^\{ \$\.(\w+)\.(\w+) = "\*" \}$/.exec(pattern) ?? []
    const source = (file: string) =>
      readFileSync(path.resolve(import.meta.dirname, '../../functions/api/src', file), 'utf8')
    expect(source('handlers/browser_error_create.rs')).toContain(`.with_note("${field}", `)
    expect(source('view/browser_error.rs')).toContain(`pub ${part}: `)
    expect(manual).toContain(`ispresent(${field}.kind)`)
  })

  it('of the distribution lie in the region that CloudFront reports from', () => {
    const regions = production.all('pulumi:providers:aws').map(({ name, inputs }) => [name, inputs['region']])
    expect(regions).toContainEqual(['UsEast1', 'us-east-1'])
    for (const { name, options } of [...alarms, ...production.all('aws:sns/topic:Topic')]) {
      expect(options.provider, name).toBe([...GLOBAL, 'GlobalAlarms'].includes(name) ? 'UsEast1' : undefined)
    }
  })

  it('are heard: each tells a topic of its region, and somebody gets its mail', () => {
    const listeners = production
      .all('aws:sns/topicSubscription:TopicSubscription')
      .filter(({ inputs }) => inputs['protocol'] === 'email')
      .map(({ inputs }) => [inputs['topic'].replace(/^.*:/, ''), inputs['protocol'], inputs['endpoint']])
    expect(listeners.sort()).toEqual([
      ['Alarms', 'email', 'betrieb@example.de'],
      ['GlobalAlarms', 'email', 'betrieb@example.de'],
    ])
    for (const { name, inputs } of [...alarms.filter(({ name }) => !IN_PARTS.test(name)), ...composites]) {
      const topic = GLOBAL.includes(name) ? 'GlobalAlarms' : 'Alarms'
      for (const told of [inputs['alarmActions'], inputs['okActions']]) {
        expect(
          told.map((arn: string) => arn.replace(/^.*:/, '')),
          name,
        ).toEqual([topic])
      }
    }
  })

  it('are those that the manual explains', () => {
    const section = manual.split('\n## Alarms\n')[1]?.split('\n## ')[0] ?? ''
    const explained = [...section.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    const named = [...alarms, ...composites].map(
      ({ inputs }) => /\(docs\/operations\.md, "(\w+)"\)$/.exec(inputs['alarmDescription'])?.[1],
    )
    expect(explained.sort()).toEqual([...new Set(named)].sort())
  })

  // A part of each is without a fee.
  it('watch as many metrics as the arithmetic of docs/capacity.md has', () => {
    const metrics = production
      .all('aws:cloudwatch/metricAlarm:MetricAlarm')
      .flatMap(({ inputs }) => inputs['metricQueries'].filter((query: object) => 'metric' in query))
    const own = new Set(
      metrics
        .filter(({ metric }) => metric.namespace === 'zaehlwerk-production')
        .map(({ metric }) => JSON.stringify([metric.metricName, metric.dimensions])),
    )
    expect({
      alarmMetrics: metrics.length,
      composites: composites.length,
      // The stage has a second name.
      checks: production.all('aws:route53/healthCheck:HealthCheck').length - 1,
      lineMetrics: own.size,
    }).toEqual(WATCHED)
  })
})

describe('budget', () => {
  it('warns before the month’s limit and when it is in sight', () => {
    const budget = production.one('aws:budgets/budget:Budget', 'Budget').inputs
    expect(budget).toMatchObject({ limitAmount: '200', limitUnit: 'USD', timeUnit: 'MONTHLY', budgetType: 'COST' })
    const told = {
      comparisonOperator: 'GREATER_THAN',
      thresholdType: 'PERCENTAGE',
      subscriberEmailAddresses: ['betrieb@example.de'],
    }
    expect(budget['notifications']).toEqual([
      { ...told, notificationType: 'ACTUAL', threshold: 80 },
      { ...told, notificationType: 'FORECASTED', threshold: 100 },
    ])
    expect(preview.all('aws:budgets/budget:Budget')).toEqual([])
  })
})

describe('dashboard', () => {
  const widgetsOf = (name: string) =>
    JSON.parse(production.one('aws:cloudwatch/dashboard:Dashboard', name).inputs['dashboardBody']).widgets
  const widgets = widgetsOf('Dashboard')
  const promises = widgetsOf('Promises')
  const tenants = widgetsOf('Tenants')

  it('is one, and two more where readers were promised something', () => {
    const names = (stage: typeof production) =>
      stage
        .all('aws:cloudwatch/dashboard:Dashboard')
        .map(({ inputs }) => inputs['dashboardName'])
        .sort()
    expect(names(production)).toEqual([
      'zaehlwerk-production',
      'zaehlwerk-production-promises',
      'zaehlwerk-production-tenants',
    ])
    expect(names(preview)).toEqual(['zaehlwerk-pr-7'])
  })

  it('asks the logs of every function, and shows the failures of every worker', () => {
    const queries: string[] = widgets.flatMap(
      ({ properties }: { properties: { query?: string } }) => properties.query ?? [],
    )
    expect(queries).toHaveLength(3)
    for (const [binary, { inputs }] of production.functions()) {
      for (const query of queries) expect(query, binary).toContain(`SOURCE '${inputs['loggingConfig'].logGroup}' |`)
    }
    for (const { name } of workersJson) {
      expect(JSON.stringify(widgets), name).toContain(
        `"Errors","FunctionName","${production.functions().get(name)?.name}"`,
      )
    }
  })

  it('shows what is deployed, and asks the region that knows it', () => {
    const api = ['ApiId', 'ApiApi-id']
    const table = ['TableName', 'TableTable']
    const distribution = ['DistributionId', 'PortalCdnDistribution-id', 'Region', 'Global']
    const shown = widgets.flatMap(
      ({ properties }: { properties: { title: string; region: string; metrics?: unknown[] } }) =>
        properties.metrics === undefined ? [] : [[properties.title, properties.region, properties.metrics]],
    )
    expect(shown).toEqual([
      ['Answers of the API', REGION, ['Count', '4xx', '5xx'].map((metric) => ['AWS/ApiGateway', metric, ...api])],
      [
        'Time to the answer, ms',
        REGION,
        ['p50', 'p95', 'p99'].map((stat) => ['AWS/ApiGateway', 'Latency', ...api, { stat, label: stat }]),
      ],
      ['Time in the ten slowest functions, ms', REGION, [[expect.objectContaining({ region: REGION })]]],
      ['Answers with a fault of ours, by operation', REGION, [[expect.objectContaining({ region: REGION })]]],
      [
        'All functions of the account',
        REGION,
        [
          ['AWS/Lambda', 'ConcurrentExecutions', { stat: 'Maximum' }],
          ['AWS/Lambda', 'Errors'],
          ['AWS/Lambda', 'Throttles'],
        ],
      ],
      [
        'Table: units',
        REGION,
        [
          ['AWS/DynamoDB', 'ConsumedReadCapacityUnits', ...table],
          ['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', ...table],
          ['AWS/DynamoDB', 'ConsumedWriteCapacityUnits', ...table, 'GlobalSecondaryIndexName', 'gsi1'],
        ],
      ],
      [
        'Workers: failed runs, dead letters',
        REGION,
        [
          ...workersJson.map(({ name }) => [
            ...['AWS/Lambda', 'Errors', 'FunctionName', production.functions().get(name)?.name],
            { label: name },
          ]),
          ...['MailEventsDeadLetters', 'RunDeadLetters', 'FailedWorkers', 'UnstartedWorkers'].map((name) => [
            ...['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName', name],
            { label: name },
          ]),
        ],
      ],
      ['Mails', REGION, ['Send', 'Bounce', 'Complaint'].map((metric) => ['AWS/SES', metric])],
      ['Requests to CloudFront', 'us-east-1', [['AWS/CloudFront', 'Requests', ...distribution]]],
      [
        'CloudFront: share of errors, %',
        'us-east-1',
        ['4xxErrorRate', '5xxErrorRate'].map((rate) => ['AWS/CloudFront', rate, ...distribution, { stat: 'Average' }]),
      ],
    ])
    const [[slowest]] = shown[2][2]
    expect(slowest.expression).toMatch(
      /^SELECT AVG\(Duration\) FROM SCHEMA\("AWS\/Lambda", FunctionName\) GROUP BY FunctionName /,
    )
  })

  it('shows what was promised, what is seen from outside, who is refused, and how much is logged', () => {
    const shown = promises.map(
      ({
        properties: { title, region, metrics },
      }: {
        properties: { title: string; region: string; metrics: unknown[] }
      }) => [title, region, metrics],
    )
    const own = (metric: string, stat: string, label: string) => ['zaehlwerk-production', metric, { stat, label }]
    const checks = ['Application', 'PortalPage', 'Api', 'Application1', 'DeskPage']
    const firewall = production.one('aws:wafv2/webAcl:WebAcl', 'PortalWaf').inputs
    const metricName = (rule: string) =>
      firewall['rules'].find(({ name }: { name: string }) => name === rule)?.visibilityConfig.metricName
    const logs = production.all('aws:cloudwatch/logGroup:LogGroup').map(({ inputs }) => inputs['name'])
    expect(shown).toEqual([
      [
        'Readings: sent, not answered well, slow',
        REGION,
        [own('SendingMs', 'SampleCount', 'sent'), own('FailedSends', 'Sum', 'failed'), own('SlowSends', 'Sum', 'slow')],
      ],
      [
        'Time until a reading is answered, ms',
        REGION,
        ['p50', 'p95', 'p99'].map((stat) => own('SendingMs', stat, stat)),
      ],
      [
        'Logins, and readings that were accepted',
        REGION,
        [own('Logins', 'Sum', 'logins'), own('AcceptedReadings', 'Sum', 'accepted')],
      ],
      [
        'Seen from outside, % of the checkers',
        'us-east-1',
        checks.map((label) => [
          ...['AWS/Route53', 'HealthCheckPercentageHealthy', 'HealthCheckId', `${label}-id`],
          { stat: 'Average', label },
        ]),
      ],
      [
        'Refused by the firewall’s rules',
        'us-east-1',
        ['RateLimitListed', 'RateLimitSessions', 'RateLimitPerIP'].map((label) => [
          ...['AWS/WAFV2', 'BlockedRequests', 'WebACL', firewall['name'], 'Rule', metricName(label)],
          { label },
        ]),
      ],
      ['Logs taken in, bytes', REGION, expect.any(Array)],
    ])
    const logged = shown[5][2].map(([, , , name]: string[]) => name)
    expect(logged.sort()).toEqual(logs.sort())
  })

  it('shows of our own metrics those that are told, by what they are told apart', () => {
    const lines = production
      .all('aws:cloudwatch/logMetricFilter:LogMetricFilter')
      .map(({ inputs: { metricTransformation: made } }) => [made.name, Object.keys(made.dimensions ?? {})])
    const requests = told.metrics.flatMap(({ name, dimensions }) => dimensions.map((by) => [name, by]))
    const known = new Set([...lines, ...requests].map((metric) => JSON.stringify(metric)))
    const metrics = [...widgets, ...promises, ...tenants]
      .flatMap(({ properties }: { properties: { metrics?: unknown[][] } }) => properties.metrics ?? [])
      .map((metric) => {
        const [, name, by] =
          /SELECT SUM\((\w+)\) FROM SCHEMA\("zaehlwerk-production", ([\w, ]+)\)/.exec(
            (metric[0] as { expression?: string }).expression ?? '',
          ) ?? []
        if (name !== undefined) return [name, by?.split(', ')]
        if (metric[0] !== 'zaehlwerk-production') return undefined
        const apart = metric.slice(2).filter((part) => typeof part === 'string')
        const operation = apart[apart.indexOf('operation') + 1]
        if (apart.includes('operation')) expect(told.counted).toContain(operation)
        return [metric[1], apart.filter((_, index) => index % 2 === 0)]
      })
      .filter((metric) => metric !== undefined)
    expect(metrics.length).toBeGreaterThan(20)
    for (const metric of metrics) expect([...known], JSON.stringify(metric)).toContain(JSON.stringify(metric))
    for (const [name, by] of requests) expect(JSON.stringify(metrics), name as string).toContain(JSON.stringify(by))
  })

  it('of the tenants has a choice of those that there are, which every field follows', () => {
    const body = JSON.parse(production.one('aws:cloudwatch/dashboard:Dashboard', 'Tenants').inputs['dashboardBody'])
    // "Dashboard body structure and syntax", variables: a property of metrics, filled with what a search finds.
    expect(body.variables).toEqual([
      {
        type: 'property',
        property: 'tenant',
        inputType: 'select',
        id: 'tenant',
        label: 'Tenant',
        visible: true,
        search: '{zaehlwerk-production,tenant} MetricName="durationMs"',
        populateFrom: 'tenant',
        defaultValue: '__FIRST',
      },
    ])
    const fields = tenants
      .map(({ properties }: { properties: { title: string; metrics: unknown[][] } }) => properties)
      .filter(({ title }: { title: string }) => !/tenants/.test(title))
    expect(fields.length).toBe(4)
    for (const { metrics } of fields)
      for (const metric of metrics) expect(metric.slice(-3, -1)).toEqual(['tenant', 'tenant'])
  })

  // The names of fields that the functions write into their lines.
  it('asks for what the functions log', () => {
    const files = ['serve.rs', 'run.rs', 'webhook_deliveries.rs', 'tallies.rs', 'retention.rs', 'orphan_photos.rs'].map(
      (file) => `workers/src/${file}`,
    )
    const lines = ['runtime/src/log.rs', 'edge/src/service.rs', ...files].map((file) =>
      readFileSync(path.resolve(import.meta.dirname, '../../functions', file), 'utf8'),
    )
    const logged = lines.join().replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const queries: string[] = widgets.flatMap(
      ({ properties }: { properties: { query?: string } }) => properties.query ?? [],
    )
    const asked = queries.flatMap((query) => [...query.matchAll(/(?:ispresent|pct|avg|sum)\((?:counts\.)?(\w+)/g)])
    expect(asked.length).toBeGreaterThan(8)
    for (const [, field] of asked) expect(logged, field).toMatch(new RegExp(`\\b${field}\\b`))
  })

  it('is explained in the manual, field by field', () => {
    const titles = (shown: { properties: { title: string } }[]) => shown.map(({ properties }) => properties.title)
    const section = manual.split('\n## The dashboard\n')[1]?.split('\n## ')[0] ?? ''
    expect([...section.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].map(([, field]) => field)).toEqual([
      ...['field', ...titles(widgets)],
      ...['field', ...titles(promises)],
      ...['field', ...titles(tenants)],
    ])
  })

  it('fits into the fifty metrics of a dashboard without a fee', () => {
    for (const shown of [widgets, promises, tenants]) {
      const metrics = shown.flatMap(
        ({ properties }: { properties: { metrics?: unknown[] } }) => properties.metrics ?? [],
      )
      expect(metrics.length).toBeLessThanOrEqual(50)
    }
  })
})
