import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import workersJson from '../workers.json' with { type: 'json' }
import { preview, production, restored, stages } from './deployment.ts'

const arn = (service: string, rest: string) => `arn:aws:${service}:eu-central-1:123456789012:${rest}`

/** What workers know the clock by. */
const BY_CLOCK = /BY_CLOCK: &str = r#"(.*)"#;/.exec(
  readFileSync(path.resolve(import.meta.dirname, '../../functions/workers/src/serve.rs'), 'utf8'),
)?.[1]

const scheduled = workersJson.filter(({ trigger }) => 'schedule' in trigger)
const fed = workersJson.filter(({ trigger }) => 'queue' in trigger)

describe.each(Object.entries(stages))('workers of %s', (_, stage) => {
  it('are started by their schedules, and no two by the same', () => {
    const schedules = stage.all('aws:scheduler/schedule:Schedule').map(({ inputs }) => inputs)
    const started = schedules.map((inputs) => [
      inputs['target'].arn,
      inputs['scheduleExpression'],
      inputs['flexibleTimeWindow'].mode,
      inputs['target'].input,
    ])
    const wanted = scheduled.map(({ name, trigger }) => [
      arn('lambda', `function:${stage.functions().get(name)?.name}:live`),
      trigger.schedule,
      'OFF',
      BY_CLOCK,
    ])
    expect(started.sort()).toEqual(wanted.sort())
    expect(started.length).toBeGreaterThan(0)
  })

  it('leave a note when they cannot be started or fail', () => {
    for (const { inputs } of stage.all('aws:scheduler/schedule:Schedule')) {
      expect(inputs['target'].deadLetterConfig).toEqual({ arn: arn('sqs', 'UnstartedWorkers') })
      // Later than that the next runs have done it.
      expect(inputs['target'].retryPolicy).toEqual({ maximumRetryAttempts: 3, maximumEventAgeInSeconds: 3_600 })
    }
    const retries = stage
      .all('aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig')
      .map(({ inputs }) => inputs)
    expect(retries.map((inputs) => inputs['functionName']).sort()).toEqual(
      scheduled.map(({ name }) => stage.functions().get(name)?.name).sort(),
    )
    for (const inputs of retries) {
      expect(inputs).toMatchObject({ qualifier: 'live', maximumRetryAttempts: 1, maximumEventAgeInSeconds: 3_600 })
      expect(inputs['destinationConfig'].onFailure.destination).toBe(arn('sqs', 'FailedWorkers'))
    }
  })

  it('can be started by their own schedule only', () => {
    const roles = stage.all('aws:iam/role:Role').filter(({ name }) => name.endsWith('ScheduleRole'))
    expect(roles).toHaveLength(scheduled.length)
    for (const { inputs } of stage.all('aws:scheduler/schedule:Schedule')) {
      const role = roles.find(({ name }) => inputs['target'].roleArn.endsWith(`:role/${name}`))
      expect(JSON.parse(role?.inputs['assumeRolePolicy']).Statement).toEqual([
        {
          Effect: 'Allow',
          Principal: { Service: 'scheduler.amazonaws.com' },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'aws:SourceAccount': '123456789012' } },
        },
      ])
      const policies = role?.inputs['inlinePolicies'].map(
        // What is needed of the customer's key is seen where that is.
        ({ policy }: { policy: string }) =>
          (JSON.parse(policy).Statement as { Action: string | string[] }[]).filter(
            ({ Action }) => !Action.includes('kms:Decrypt'),
          ),
      )
      expect(policies).toEqual([
        [
          { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: inputs['target'].arn },
          { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: arn('sqs', 'UnstartedWorkers') },
        ],
      ])
    }
  })

  it('take messages in batches of which only the failed ones come back', () => {
    const sources = stage.all('aws:lambda/eventSourceMapping:EventSourceMapping').map(({ inputs }) => inputs)
    expect(sources.map((inputs) => inputs['functionName']).sort()).toEqual(
      fed.map(({ name }) => arn('lambda', `function:${stage.functions().get(name)?.name}:live`)).sort(),
    )
    for (const inputs of sources) {
      const worker = fed.find(({ name }) =>
        inputs['functionName'].endsWith(`:${stage.functions().get(name)?.name}:live`),
      )
      expect(inputs['batchSize']).toBe(worker?.trigger.queue?.batch)
      expect(inputs['eventSourceArn']).toBe(arn('sqs', worker?.name === 'runs' ? 'RunQueue' : 'MailEventsQueue'))
      expect(inputs['functionResponseTypes']).toEqual(['ReportBatchItemFailures'])
      expect(inputs['scalingConfig']).toEqual({ maximumConcurrency: worker?.name === 'runs' ? 20 : 5 })
    }
  })

  it('have a disk for files that are imported', () => {
    const disk = (name: string) => stage.functions().get(name)?.inputs['ephemeralStorage']
    expect([disk('runs'), disk('tallies')]).toEqual([{ size: 2048 }, { size: 512 }])
  })

  // What can only be deleted must not lie among what can be moved back.
  it('have queues, each with dead letters of its own', () => {
    const queues = new Map(stage.all('aws:sqs/queue:Queue').map(({ name, inputs }) => [name, inputs]))
    const dead = ['FailedWorkers', 'MailEventsDeadLetters', 'RunDeadLetters', 'UnstartedWorkers']
    expect([...queues.keys()].sort()).toEqual([...dead, 'MailEventsQueue', 'RunQueue'].sort())
    for (const worker of fed) {
      const source = worker.name === 'runs' ? 'Run' : 'MailEvents'
      const fedBy = queues.get(`${source}Queue`)
      expect(JSON.parse(fedBy?.['redrivePolicy'])).toEqual({
        deadLetterTargetArn: arn('sqs', `${source}DeadLetters`),
        maxReceiveCount: source === 'Run' ? 5 : 25,
      })
      expect(fedBy?.['messageRetentionSeconds']).toBe(4 * 86_400)
      expect(fedBy?.['visibilityTimeoutSeconds']).toBeGreaterThanOrEqual(6 * worker.timeout)
      // An event of a mail that is not known yet comes back for an hour (D-MAILS-16).
      if (source === 'MailEvents') expect(25 * fedBy?.['visibilityTimeoutSeconds']).toBeGreaterThan(3600)
    }
    for (const name of dead) expect(queues.get(name)?.['messageRetentionSeconds'], name).toBe(14 * 86_400)
  })
})

describe('mail', () => {
  it('goes by TLS, spares who refused it, and is reported to the queue', () => {
    const set = production.one('aws:sesv2/configurationSet:ConfigurationSet', 'MailConfiguration').inputs
    expect(set).toMatchObject({
      configurationSetName: 'zaehlwerk-production',
      deliveryOptions: { tlsPolicy: 'REQUIRE' },
      reputationOptions: { reputationMetricsEnabled: true },
      suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    })
    const { inputs, options } = production.one(
      'aws:sesv2/configurationSetEventDestination:ConfigurationSetEventDestination',
      'MailEventDestination',
    )
    const { eventDestination, configurationSetName } = inputs
    // SES looks at once whether it may publish.
    expect(options.after).toEqual(['MailEventsPolicy'])
    expect(configurationSetName).toBe('zaehlwerk-production')
    expect(eventDestination.enabled).toBe(true)
    const topic = eventDestination.snsDestination.topicArn
    expect(eventDestination.matchingEventTypes).toEqual(['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT'])
    const subscription = production.one('aws:sns/topicSubscription:TopicSubscription', 'MailEventsSubscription').inputs
    expect(subscription).toMatchObject({
      topic,
      protocol: 'sqs',
      endpoint: arn('sqs', 'MailEventsQueue'),
      rawMessageDelivery: true,
    })
    const publish = JSON.parse(production.one('aws:sns/topicPolicy:TopicPolicy', 'MailEventsPolicy').inputs['policy'])
    expect(publish.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'ses.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: topic,
        Condition: {
          StringEquals: {
            'aws:SourceAccount': '123456789012',
            'aws:SourceArn': arn('ses', 'configuration-set/zaehlwerk-production'),
          },
        },
      },
    ])
    const { queueUrl, policy } = production.one('aws:sqs/queuePolicy:QueuePolicy', 'MailEventsQueuePolicy').inputs
    expect(queueUrl).toMatch(/\/MailEventsQueue$/)
    expect(JSON.parse(policy).Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: arn('sqs', 'MailEventsQueue'),
        Condition: { ArnEquals: { 'aws:SourceArn': topic } },
      },
    ])
  })

  const records = (domain: string) =>
    [
      ...['a', 'b', 'c'].map((token) => [`${token}._domainkey.${domain}`, 'CNAME', `${token}.dkim.amazonses.com`]),
      [`_dmarc.${domain}`, 'TXT', 'v=DMARC1; p=quarantine; adkim=s; aspf=r'],
      [`bounce.${domain}`, 'MX', '10 feedback-smtp.eu-central-1.amazonses.com'],
      [`bounce.${domain}`, 'TXT', 'v=spf1 include:amazonses.com -all'],
    ].sort()

  it('is signed for each domain of a sender, and comes back to that domain', () => {
    const identities = production.all('aws:sesv2/emailIdentity:EmailIdentity').map(({ inputs }) => inputs)
    const settings = {
      configurationSetName: 'zaehlwerk-production',
      dkimSigningAttributes: { nextSigningKeyLength: 'RSA_2048_BIT' },
    }
    expect(identities).toMatchObject([
      { emailIdentity: 'example.de', ...settings },
      { emailIdentity: 'post.example.de', ...settings },
      { emailIdentity: 'stadtwerke.de', ...settings },
    ])
    const back = production.all('aws:sesv2/emailIdentityMailFromAttributes:EmailIdentityMailFromAttributes')
    const domains = ['example.de', 'post.example.de', 'stadtwerke.de']
    expect(back.map(({ inputs }) => [inputs['emailIdentity'], inputs['mailFromDomain']])).toEqual(
      domains.map((domain) => [domain, `bounce.${domain}`]),
    )
    for (const { inputs } of back) expect(inputs['behaviorOnMxFailure']).toBe('USE_DEFAULT_VALUE')
    expect(preview.all('aws:sesv2/emailIdentity:EmailIdentity')).toEqual([])
  })

  it('has its records in the zone, which say what is to become of mail that is not signed unless its owner did', () => {
    const made = production.all('aws:route53/record:Record').filter(({ name }) => name.startsWith('Mail'))
    expect(made.map(({ inputs }) => [inputs['name'], inputs['type'], ...inputs['records']]).sort()).toEqual(
      [...records('example.de').filter(([name]) => name !== '_dmarc.example.de'), ...records('post.example.de')].sort(),
    )
    for (const { inputs } of made) expect(inputs).toMatchObject({ zoneId: 'Z1', ttl: 3600 })
  })

  // Route 53 would take such a record without a word, under a name that ends in the zone's.
  it('has records printed that do not belong into the zone', () => {
    expect((production.evaluated.outputs['mailRecords'] as string[]).toSorted()).toEqual(
      records('stadtwerke.de').map((row) => row.join(' ')),
    )
  })

  it('has its records printed where somebody else makes them', () => {
    expect(restored.all('aws:route53/record:Record')).toEqual([])
    expect(restored.evaluated.outputs['mailRecords']).toEqual(
      expect.arrayContaining(records('stadtwerke.de').map((row) => row.join(' '))),
    )
    expect(restored.evaluated.outputs['mailRecords']).toHaveLength(6)
  })
})
