import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { LIVE, STEPS } from '../release/shift.ts'
import { production, stages } from './deployment.ts'
import { VERSION } from './stages.ts'

const runtime = readFileSync(path.resolve(import.meta.dirname, '../../functions/runtime/src/log.rs'), 'utf8')
const deployment = readFileSync(path.resolve(import.meta.dirname, '../releases.ts'), 'utf8')

/** What the deployment tells the command that moves what answers. */
const told = (stage: typeof production) => JSON.parse(stage.one('command:local:Command', 'Release').inputs['stdin'])

describe.each(Object.entries(stages))('a version of %s', (_, stage) => {
  const functions = [...stage.functions().values()]
  const aliases = stage.all('aws:lambda/alias:Alias')

  it('is published, and answers no call before it is moved there', () => {
    for (const { name, inputs } of functions) expect(inputs['publish'], name).toBe(true)
    expect(aliases.map(({ inputs }) => inputs['functionName']).sort()).toEqual(functions.map(({ name }) => name).sort())
    for (const { name, inputs, options } of aliases) {
      // Of a new function the first version there is.
      expect(inputs, name).toMatchObject({ name: LIVE, functionVersion: '7' })
      expect(options.ignoreChanges, name).toEqual(['functionVersion', 'routingConfig'])
    }
  })

  it('is called by its alias alone, and by nobody else', () => {
    const callers = [
      ...stage.all('aws:apigatewayv2/integration:Integration').map(({ inputs }) => inputs['integrationUri']),
      ...stage.all('aws:scheduler/schedule:Schedule').map(({ inputs }) => inputs['target'].arn),
      ...stage.all('aws:lambda/eventSourceMapping:EventSourceMapping').map(({ inputs }) => inputs['functionName']),
    ]
    const arns = aliases.map(
      ({ inputs }) => `arn:aws:lambda:eu-central-1:123456789012:function:${inputs['functionName']}:live`,
    )
    expect([...new Set(callers)].sort()).toEqual(arns.sort())
    const permissions = stage.all('aws:lambda/permission:Permission')
    expect(permissions).toHaveLength(stage.all('aws:apigatewayv2/route:Route').length)
    for (const { name, inputs } of permissions) {
      expect(inputs, name).toMatchObject({
        qualifier: LIVE,
        principal: 'apigateway.amazonaws.com',
        sourceArn: 'arn:aws:execute-api:eu-central-1:123456789012:abc/*',
      })
    }
  })

  it('is moved once everything is there that it needs, at each deployment', () => {
    const { inputs, options } = stage.one('command:local:Command', 'Release')
    expect(inputs).toMatchObject({
      create: 'node infra/release/cli.ts shift',
      environment: { AWS_REGION: 'eu-central-1' },
    })
    expect(Date.parse(inputs['environment'].AT)).toBeGreaterThan(Date.now() - 3_600_000)
    const before = [...aliases.map(({ name }) => name), 'FaultsOfNewVersion', 'FaultsOfNewVersion1', 'NewVersion']
    expect(options.after?.toSorted()).toEqual(before.sort())
    expect(told(stage)).toMatchObject({
      version: VERSION,
      numbers: Object.fromEntries(functions.map(({ name }) => [name, '7'])),
      bucket: stage.one('aws:s3/bucket:Bucket', 'ReleasesBucket').inputs['bucket'],
    })
  })

  it('has its pages after its functions', () => {
    const sites = stage.all('pulumi-nodejs:dynamic:Resource').filter(({ name }) => /^(Desk)?Web/.test(name))
    expect(sites.filter(({ name }) => name.includes('AssetFiles')).length).toBeGreaterThan(0)
    for (const { name, options } of sites) expect(options.after, name).toEqual(['Release'])
  })
})

describe('the versions of a stage', () => {
  it('are moved by steps in production, where an alarm takes them back, and at once elsewhere', () => {
    expect(told(production).alarm).toBe('zaehlwerk-production-NewVersion')
    expect(told(stages.preview).alarm).toBeUndefined()
    expect(deployment).toContain("process.env['ZW_SHIFT'] !== 'at-once'")
    expect(STEPS.map(({ share }) => share)).toEqual([0.1, 1])
    // A fault is a minute on its way to the metric, one is counted, and one more may go by before the alarm is looked at.
    for (const { seconds } of STEPS) expect(seconds).toBeGreaterThanOrEqual(300)
  })

  it('are kept where their commands look for them, also when a stage in production ends', () => {
    const bucket = (stage: typeof production) => stage.one('aws:s3/bucket:Bucket', 'ReleasesBucket').inputs
    expect(bucket(production)).toMatchObject({
      bucket: 'zaehlwerk-production-releases-123456789012',
      forceDestroy: false,
    })
    expect(bucket(stages.preview)).toMatchObject({ bucket: 'zaehlwerk-pr-7-releases-123456789012', forceDestroy: true })
  })
})

describe('the alarm that takes a version back', () => {
  const { inputs } = production.one('aws:cloudwatch/metricAlarm:MetricAlarm', 'NewVersion')
  const filters = production.all('aws:cloudwatch/logMetricFilter:LogMetricFilter')
  const counting = (metric: string) => filters.filter(({ inputs }) => inputs['metricTransformation'].name === metric)

  it('counts in a minute what the version itself says of its faults, and functions that were killed', () => {
    expect(inputs['metricQueries']).toEqual([
      ...[
        ['faults', 'FaultsOfNewVersion'],
        ['killed', 'FailedInvocations'],
      ].map(([id, metricName]) => ({
        id,
        metric: { namespace: 'zaehlwerk-production', metricName, stat: 'Sum', period: 60 },
      })),
      { id: 'value', expression: 'FILL(faults, 0) + FILL(killed, 0)', returnData: true },
    ])
    expect(inputs).toMatchObject({
      comparisonOperator: 'GreaterThanOrEqualToThreshold',
      threshold: 3,
      evaluationPeriods: 1,
      treatMissingData: 'notBreaching',
    })
  })

  it('tells nobody, because whoever deploys is there', () => {
    expect([inputs['alarmActions'], inputs['okActions']]).toEqual([undefined, undefined])
  })

  it('hears of this version from all functions, and of no other one', () => {
    const logs = new Set([...production.functions().values()].map((fn) => fn.inputs['loggingConfig'].logGroup))
    for (const metric of ['FaultsOfNewVersion', 'FailedInvocations']) {
      expect(new Set(counting(metric).map(({ inputs }) => inputs['logGroupName'])), metric).toEqual(logs)
      for (const { inputs } of counting(metric)) {
        expect(inputs['metricTransformation']).toMatchObject({ namespace: 'zaehlwerk-production', value: '1' })
      }
    }
    for (const { inputs } of counting('FaultsOfNewVersion')) {
      expect(inputs['pattern']).toBe(`{ $.version = "${VERSION}" && $.level = "error" }`)
    }
    // As the functions write it.
    expect(runtime).toContain("pub version: Option<&'static str>,")
    expect(runtime).toContain('#[serde(rename = "level", serialize_with = "level")]')
    expect(runtime).toMatch(/if \*failed \{ "error" \} else/)
  })
})
