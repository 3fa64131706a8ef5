import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALARM_METRICS } from '../capacity.ts'
import workersJson from '../workers.json' with { type: 'json' }
import { preview, production } from './deployment.ts'

const alarms = production.all('aws:cloudwatch/metricAlarm:MetricAlarm')
const worker = readFileSync(path.resolve(import.meta.dirname, '../../functions/workers/src/push.rs'), 'utf8')
const manual = readFileSync(path.resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8')

describe('alarms', () => {
  it('watch errors, time, concurrency, table, workers, webhooks, mails and distribution', () => {
    const watched = alarms.map(({ name, inputs }) => [
      name,
      inputs['metricQueries'].flatMap(({ metric }: { metric?: { metricName: string } }) => metric?.metricName ?? []),
      inputs['threshold'],
    ])
    expect(watched.sort()).toEqual([
      ['ApiErrors', ['5xx', 'Count'], 1],
      ['ApiLatency', ['Latency'], 3_000],
      ['Concurrency', ['ConcurrentExecutions'], 80],
      ['DeadLetters', ['ApproximateNumberOfMessagesVisible'], 1],
      ['FunctionErrors', ['Errors'], 1],
      ['FunctionThrottles', ['Throttles'], 1],
      ['MailBounces', ['Reputation.BounceRate'], 2],
      ['MailComplaints', ['Reputation.ComplaintRate'], 0.05],
      ['PortalErrors', ['5xxErrorRate'], 5],
      ['TableThrottles', ['ReadThrottleEvents', 'WriteThrottleEvents', 'ReadThrottleEvents', 'WriteThrottleEvents'], 1],
      ['Webhooks', ['WebhooksToLookAt'], 1],
    ])
  })

  it('watch what is deployed', () => {
    const dimensions = alarms.flatMap(({ inputs }) =>
      inputs['metricQueries'].flatMap(({ metric }: { metric?: { dimensions?: object } }) => metric?.dimensions ?? []),
    )
    expect(dimensions).toContainEqual({ ApiId: 'ApiApi-id' })
    expect(dimensions).toContainEqual({ QueueName: 'DeadLetters' })
    expect(dimensions).toContainEqual({ TableName: 'TableTable' })
    expect(dimensions).toContainEqual({ TableName: 'TableTable', GlobalSecondaryIndexName: 'gsi1' })
    expect(dimensions).toContainEqual({ DistributionId: 'PortalCdnDistribution-id', Region: 'Global' })
  })

  it('count the webhooks to look at from the line of the worker that serves them', () => {
    const { logGroupName, pattern, metricTransformation } = production.one(
      'aws:cloudwatch/logMetricFilter:LogMetricFilter',
      'WebhooksToLookAt',
    ).inputs
    expect(logGroupName).toBe(production.functions().get('push')?.inputs['loggingConfig'].logGroup)
    const field = /^\{ \$\.operation = "push" && \$\.counts\.(\w+) >= 0 \}$/.exec(pattern)?.[1]
    expect(worker).toContain(`const NEEDS_CLERK: &str = "${field}";`)
    expect(metricTransformation.value).toBe(`$.counts.${field}`)
    const [query] = alarms.find(({ name }) => name === 'Webhooks')?.inputs['metricQueries'] ?? []
    expect(query.metric).toMatchObject({
      namespace: metricTransformation.namespace,
      metricName: metricTransformation.name,
      stat: 'Maximum',
    })
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
    for (const { name, inputs } of alarms) {
      const topic = name === 'PortalErrors' ? 'GlobalAlarms' : 'Alarms'
      for (const told of [inputs['alarmActions'], inputs['okActions']]) {
        expect(
          told.map((arn: string) => arn.replace(/^.*:/, '')),
          name,
        ).toEqual([topic])
      }
      expect(inputs['treatMissingData'], name).toBe(name.startsWith('Mail') ? 'ignore' : 'notBreaching')
    }
  })

  it.each(alarms.map(({ name }) => name))('of the name %s are explained in the manual', (name) => {
    expect(manual).toContain(`\n### ${name}\n`)
  })

  // Ten are without a fee; each further one is ten cents a month.
  it('watch as many metrics as the arithmetic of docs/capacity.md has', () => {
    const metrics = alarms.flatMap(({ inputs }) => inputs['metricQueries'].filter((query: object) => 'metric' in query))
    expect(metrics).toHaveLength(ALARM_METRICS)
  })
})

describe('budget', () => {
  it('warns before the month’s limit and when it is in sight', () => {
    const budget = production.one('aws:budgets/budget:Budget', 'Budget').inputs
    expect(budget).toMatchObject({ limitAmount: '200', limitUnit: 'USD', timeUnit: 'MONTHLY', budgetType: 'COST' })
    expect(budget['notifications']).toMatchObject([
      { notificationType: 'ACTUAL', threshold: 80, subscriberEmailAddresses: ['betrieb@example.de'] },
      { notificationType: 'FORECASTED', threshold: 100, subscriberEmailAddresses: ['betrieb@example.de'] },
    ])
    expect(preview.all('aws:budgets/budget:Budget')).toEqual([])
  })
})

describe('dashboard', () => {
  const dashboards = production.all('aws:cloudwatch/dashboard:Dashboard')
  const { widgets } = JSON.parse(dashboards[0]?.inputs['dashboardBody'])

  it('is one, asks the logs of every function, and shows the failures of every worker', () => {
    expect(dashboards.map(({ inputs }) => inputs['dashboardName'])).toEqual(['zaehlwerk-production'])
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

  it('is explained in the manual, field by field', () => {
    const titles: string[] = widgets.map(({ properties }: { properties: { title: string } }) => properties.title)
    const section = manual.split('\n## The dashboard\n')[1]?.split('\n## ')[0] ?? ''
    expect([...section.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].map(([, field]) => field)).toEqual([
      'field',
      ...titles,
    ])
  })

  it('fits into the fifty metrics of a dashboard without a fee', () => {
    const metrics = widgets.flatMap(
      ({ properties }: { properties: { metrics?: unknown[] } }) => properties.metrics ?? [],
    )
    expect(metrics.length).toBeLessThanOrEqual(50)
  })
})
