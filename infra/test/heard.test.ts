/** Alarms on what makes no noise of its own: an outage, a clock that stopped, readers who come and leave without sending. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import routesJson from '../routes.json' with { type: 'json' }
import workersJson from '../workers.json' with { type: 'json' }
import { preview, production, restored } from './deployment.ts'
import { forward } from './edge.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const alarm = (name: string) => production.one('aws:cloudwatch/metricAlarm:MetricAlarm', name).inputs
const alarmsOf = (stage: typeof production) =>
  [
    ...stage.all('aws:cloudwatch/metricAlarm:MetricAlarm'),
    ...stage.all('aws:cloudwatch/compositeAlarm:CompositeAlarm'),
  ].map(({ name }) => name)
const filter = (name: string) => production.one('aws:cloudwatch/logMetricFilter:LogMetricFilter', name).inputs

/** Whether CloudWatch's pattern counts a line, as far as our patterns go. */
function counts(name: string, line: Record<string, unknown>): boolean {
  const condition = /^\{ (.+) \}$/
    .exec(filter(name)['pattern'])?.[1]
    ?.replaceAll(/\$\.(\w+)/g, 'line.$1')
    .replaceAll(' = ', ' === ')
    .replaceAll(' IS TRUE', ' === true')
  return new Function('line', `return ${condition}`)(line)
}

describe('from outside', () => {
  const checks = production.all('aws:route53/healthCheck:HealthCheck')
  const [together, ...others] = [...checks].sort((a) => (a.name === 'Outside' ? -1 : 1))

  it('the portal, each name’s application and the desk are asked for, twice a minute from three places', () => {
    const asked = others.map(({ name, inputs }) => [name, inputs['fqdn'], inputs['resourcePath']])
    expect(asked.sort()).toEqual([
      ['Api', 'portal.example.de', '/api/public/preview'],
      ['Application', 'portal.example.de', '/api/public/application'],
      ['Application1', 'zaehler.example.de', '/api/public/application'],
      ['DeskPage', 'desk.example.de', '/login'],
      ['PortalPage', 'portal.example.de', '/'],
    ])
    for (const { name, inputs } of others) {
      const type = name === 'Api' ? 'HTTPS' : 'HTTPS_STR_MATCH'
      expect(inputs, name).toMatchObject({ type, port: 443, enableSni: true })
      expect(inputs, name).toMatchObject({ requestInterval: 30, failureThreshold: 3 })
      expect(new Set(inputs['regions']).size, name).toBe(3)
      expect(inputs['tags'], name).toEqual({ Name: `zaehlwerk-production ${name}` })
    }
  })

  it('words are wanted that the pages and the answer have in their first lines', () => {
    const words = (name: string) => others.find((check) => check.name === name)?.inputs['searchString']
    expect(read('web/portal/index.html').slice(0, 200)).toContain(words('PortalPage'))
    expect(read('web/desk/index.html').slice(0, 200)).toContain(words('DeskPage'))
    const answer = read('functions/api/src/view/application.rs')
    // The second field of the answer.
    expect(answer).toMatch(
      /pub struct PublicApplication \{\n[^}]*?pub version: String,\n[^}]*?\n {4}pub application_id:/,
    )
    expect(words('Application')).toBe('"applicationId":')
  })

  it('one of them is answered by a function each time, and by no edge', async () => {
    const { resourcePath } = others.find(({ name }) => name === 'Api')?.inputs ?? {}
    const { cachePolicy, origin } = await forward(production, resourcePath)
    expect([cachePolicy, origin]).toEqual([
      '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      expect.stringMatching(/execute-api/),
    ])
  })

  it('one of them that fails is an alarm, and so is not to hear of them', () => {
    expect(together?.inputs).toMatchObject({ type: 'CALCULATED', childHealthThreshold: others.length })
    expect(together?.inputs['childHealthchecks'].sort()).toEqual(others.map(({ name }) => `${name}-id`).sort())
    const { metricQueries, treatMissingData } = alarm('Unreachable')
    expect(metricQueries[0].metric.dimensions).toEqual({ HealthCheckId: 'Outside-id' })
    expect(treatMissingData).toBe('breaching')
  })

  it('a stage without readers is not looked at', () => {
    expect(preview.all('aws:route53/healthCheck:HealthCheck')).toEqual([])
    expect(alarmsOf(preview)).not.toContain('Unreachable')
  })
})

describe('certificates', () => {
  it('are watched, those of the zone and one that was brought along', () => {
    const watched = (stage: typeof production) =>
      stage
        .all('aws:cloudwatch/metricAlarm:MetricAlarm')
        .filter(({ name }) => name.endsWith('Certificate'))
        .map(({ name, inputs }) => [name, inputs['metricQueries'][0].metric.dimensions])
    const made = (name: string) => ({
      CertificateArn: production.one('aws:cloudfront/distribution:Distribution', `${name}CdnDistribution`).inputs[
        'viewerCertificate'
      ].acmCertificateArn,
    })
    expect(made('Portal')).not.toEqual(made('Desk'))
    expect(made('Portal').CertificateArn).toMatch(/^arn:aws:acm:us-east-1:/)
    expect(watched(production)).toEqual([
      ['PortalCertificate', made('Portal')],
      ['DeskCertificate', made('Desk')],
    ])
    const brought = { CertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1' }
    expect(watched(restored)).toEqual([
      ['PortalCertificate', brought],
      ['DeskCertificate', brought],
    ])
    expect(watched(preview)).toEqual([])
  })
})

describe('the firewall', () => {
  it('is watched under the name that it has and tells', () => {
    const { name, visibilityConfig } = production.one('aws:wafv2/webAcl:WebAcl', 'PortalWaf').inputs
    expect([name, visibilityConfig.metricName]).toEqual(['zaehlwerk-production', 'zaehlwerk-production'])
    expect(alarm('Firewall')['metricQueries'][0].metric.dimensions).toEqual({ WebACL: name, Rule: 'ALL' })
    expect(alarmsOf(preview)).not.toContain('Firewall')
  })
})

describe('the clock', () => {
  const scheduled = workersJson.filter(({ trigger }) => 'schedule' in trigger)

  it('is missed by an alarm for each worker that it starts, in every stage', () => {
    const watched = production
      .all('aws:cloudwatch/metricAlarm:MetricAlarm')
      .filter(({ name }) => name.startsWith('Stopped'))
      .map(({ inputs }) => inputs['metricQueries'][0].metric.dimensions.FunctionName)
    const functions = scheduled.map(({ name }) => production.functions().get(name)?.name)
    expect(functions).not.toContain(undefined)
    expect(watched.sort()).toEqual(functions.sort())
    expect(alarmsOf(preview).filter((name) => name.startsWith('Stopped'))).toHaveLength(scheduled.length)
  })

  it('has time for two starts before it is missed', () => {
    for (const { name, trigger } of scheduled) {
      const minutes = Number(
        /(\d+) min|0\/(\d+) /
          .exec(trigger.schedule ?? '')
          ?.slice(1)
          .find(Boolean),
      )
      const [found] = production
        .all('aws:cloudwatch/metricAlarm:MetricAlarm')
        .filter(({ inputs }) => inputs['alarmDescription'].startsWith(`The worker ${name} is due every ${minutes} min`))
      expect(found?.inputs['metricQueries'][0].metric.period, name).toBeGreaterThanOrEqual(2 * 60 * minutes)
    }
  })

  it('and the end of a weekly pass is read from the worker’s line', () => {
    const { logGroupName, metricTransformation } = filter('PassesFinished')
    expect(logGroupName).toBe(production.functions().get('retention')?.inputs['loggingConfig'].logGroup)
    expect(metricTransformation).toMatchObject({ value: '1', dimensions: { worker: '$.operation' } })
    expect(read('functions/workers/src/serve.rs')).toContain('finished: Option<bool>,')
    // The workers that rest for a week once they are through.
    const weekly = scheduled
      .map(({ name }) => name)
      .filter((name) => read(`functions/workers/src/${name}.rs`).includes('tenants::WEEK'))
    expect(weekly.length).toBeGreaterThan(2)
    for (const operation of weekly) {
      expect(counts('PassesFinished', { operation, finished: true }), operation).toBe(true)
      expect(counts('PassesFinished', { operation, finished: false }), operation).toBe(false)
    }
    expect(counts('PassesFinished', { operation: 'tallies', finished: true })).toBe(false)
    const watched = production
      .all('aws:cloudwatch/metricAlarm:MetricAlarm')
      .filter(({ name }) => name.startsWith('Unfinished'))
      .map(({ inputs }) => inputs['metricQueries'][0].metric.dimensions.worker)
    expect(watched.sort()).toEqual(weekly.sort())
  })
})

describe('sending a reading', () => {
  const routes = ['result_create', 'visitor_reading_create', 'own_reading_create'].map(
    (operation) => routesJson.find((route) => route.operation === operation)?.routeKey,
  )
  const sent = { status: 200, latencyMs: 80, error: '-' }
  const METRICS = ['SendingMs', 'FailedSends', 'SlowSends', 'AcceptedReadings']
  const counted = (line: object) => METRICS.filter((metric) => counts(metric, { ...sent, ...line } as never))

  it('is counted in the gateway’s log, under the names of its fields', () => {
    const { format, destinationArn } = production.one('aws:apigatewayv2/stage:Stage', 'ApiStage').inputs[
      'accessLogSettings'
    ]
    for (const metric of METRICS) {
      const { logGroupName, pattern } = filter(metric)
      expect(destinationArn, metric).toContain(`log-group:${logGroupName}`)
      for (const [, field] of pattern.matchAll(/\$\.(\w+)/g)) expect(format, metric).toContain(`"${field}":`)
    }
    expect(filter('SendingMs')['metricTransformation'].value).toBe('$.latencyMs')
  })

  it.each(routes)('%s counts as accepted, failed or slow', (route) => {
    expect(route).toMatch(/^POST \/api\//)
    expect(counted({ route })).toEqual(['SendingMs', 'AcceptedReadings'])
    expect(counted({ route, status: 201 })).toEqual(['SendingMs', 'AcceptedReadings'])
    expect(counted({ route, status: 422 })).toEqual(['SendingMs'])
    // Too many readings of this account, which the function says, and too many requests, which the gateway says.
    expect(counted({ route, status: 429 })).toEqual(['SendingMs'])
    expect(counted({ route, status: 429, error: 'Too Many Requests' })).toEqual(['SendingMs', 'FailedSends'])
    expect(counted({ route, status: 500 })).toEqual(['SendingMs', 'FailedSends'])
    expect(counted({ route, status: 503, latencyMs: 14_900 })).toEqual(['SendingMs', 'FailedSends', 'SlowSends'])
    expect(counted({ route, latencyMs: 1_000 })).toEqual(['SendingMs', 'SlowSends', 'AcceptedReadings'])
    expect(counted({ route, latencyMs: 999 })).toEqual(['SendingMs', 'AcceptedReadings'])
  })

  it('is nothing else that the API answers', () => {
    expect(counted({ route: 'GET /api/pro/job', status: 500, latencyMs: 5_000 })).toEqual([])
  })

  it.each([
    ['SendingErrors', 'FailedSends', [0.72, 0.3]],
    ['SendingTime', 'SlowSends', [14.4, 6]],
  ])(
    '%s goes off while a budget is used up 14.4 or 6 times too fast, over a long time and still',
    (name, metric, shares) => {
      const windows = [
        [shares[0], 60, 5],
        [shares[0], 5, 1],
        [shares[1], 360, 5],
        [shares[1], 30, 1],
      ] as const
      for (const [share, minutes, fewest] of windows) {
        const { metricQueries, threshold, treatMissingData, alarmActions } = alarm(`${name}${minutes}Minutes`)
        const [bad, sends, value] = metricQueries
        expect(bad.metric).toEqual({
          namespace: 'zaehlwerk-production',
          metricName: metric,
          stat: 'Sum',
          period: 60 * minutes,
        })
        expect(sends.metric).toMatchObject({ metricName: 'SendingMs', stat: 'SampleCount', period: 60 * minutes })
        expect([threshold, treatMissingData, alarmActions]).toEqual([share, 'notBreaching', undefined])
        const answers = Number(/IF\(sends > (\d+), sends, \1\)/.exec(value.expression)?.[1])
        // With hardly anybody there it takes so many bad answers.
        expect(Math.ceil((answers * share) / 100)).toBe(fewest)
        // Without a bad answer there is a nought, and not nothing.
        expect(filter(metric)['metricTransformation'].defaultValue).toBe('0')
      }
      const rule: string = production.one('aws:cloudwatch/compositeAlarm:CompositeAlarm', name).inputs['alarmRule']
      const isOn = (...on: number[]) =>
        new Function('ALARM', `return ${rule.replaceAll(' AND ', ' && ').replaceAll(' OR ', ' || ')}`)((part: string) =>
          on.some((minutes) => part === `zaehlwerk-production-${name}${minutes}Minutes`),
        )
      expect([isOn(60, 5), isOn(360, 30)]).toEqual([true, true])
      expect([isOn(60), isOn(5), isOn(360), isOn(30), isOn(60, 360), isOn(5, 30), isOn()]).not.toContain(true)
    },
  )

  it('is promised to real readers, as the manual says', () => {
    expect(alarmsOf(preview).filter((name) => name.startsWith('Sending'))).toEqual([])
    const promised = read('docs/operations.md').split('\n## What is promised\n')[1]?.split('\n## ')[0] ?? ''
    for (const words of ['99.95 %', '99 %', 'one second', 'SendingErrors', 'SendingTime'])
      expect(promised).toContain(words)
  })
})

describe('business', () => {
  it('that is silent is an alarm when many log in and nothing is accepted', () => {
    const [logins, readings] = alarm('NoReadings')['metricQueries']
    expect([logins.metric.metricName, readings.metric.metricName]).toEqual(['Logins', 'AcceptedReadings'])
    expect(filter('Logins')['logGroupName']).toBe(
      production.functions().get('auth_token')?.inputs['loggingConfig'].logGroup,
    )
    expect(read('functions/api/src/handlers/auth_token.rs')).toContain('call.event("login", ')
    expect(counts('Logins', { event: 'login' })).toBe(true)
    expect(counts('Logins', { event: 'login-failed' })).toBe(false)
    // An hour without a reading has to be a nought.
    expect(filter('AcceptedReadings')['metricTransformation'].defaultValue).toBe('0')
  })
})
