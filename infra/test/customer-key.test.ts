import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { preview, production, restored } from './deployment.ts'
import type { Deployment } from './evaluate.ts'
import { ACCOUNT, arn, decide, type Policy } from './simulate.ts'
import { BROUGHT_KEY } from './stages.ts'

const KEY = arn('kms', 'key/CustomerKey')
const key = production.one('aws:kms/key:Key', 'CustomerKey')
const LAMBDA_LOGS = 'log-group:/aws/lambda/zaehlwerk-production/*'
const API_LOGS = 'log-group:/aws/vendedlogs/apis/zaehlwerk-production-*'
const keyPolicy: Policy = JSON.parse(key.inputs['policy'])

/** What holds persons' data, by the property that names its key; undefined is a key of AWS. */
const encrypted = (stage: Deployment) => {
  const bucket = (name: string) =>
    stage
      .all('aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration')
      .find(({ inputs }) => inputs['bucket'] === name)?.inputs['rules'][0]
  const rows = [
    ...stage
      .all('aws:dynamodb/table:Table')
      .map(({ name, inputs }) => [name, inputs['serverSideEncryption']?.kmsKeyArn]),
    ...stage.all('aws:cloudwatch/logGroup:LogGroup').map(({ name, inputs }) => [name, inputs['kmsKeyId']]),
    ...stage.all('aws:sqs/queue:Queue').map(({ name, inputs }) => [name, inputs['kmsMasterKeyId']]),
    ...stage
      .all('aws:sns/topic:Topic')
      .filter(({ name }) => name !== 'GlobalAlarms')
      .map(({ name, inputs }) => [name, inputs['kmsMasterKeyId']]),
    ['photos', bucket('photosbucket')?.applyServerSideEncryptionByDefault.kmsMasterKeyId],
  ] as [string, string | undefined][]
  return { names: rows.map(([name]) => name), keys: new Set(rows.map(([, used]) => used)) }
}

describe('the customer’s key', () => {
  it('encrypts the backups, and a key that was made for it those in the other region', async () => {
    const vaults = (stage: Deployment) =>
      Object.fromEntries(stage.all('aws:backup/vault:Vault').map(({ name, inputs }) => [name, inputs['kmsKeyArn']]))
    const elsewhere = `arn:aws:kms:eu-west-1:${ACCOUNT}:key/CustomerKeyElsewhere`
    expect(vaults(production)).toEqual({ Backups: KEY, BackupsElsewhere: elsewhere })
    expect(vaults(restored)).toEqual({ Backups: BROUGHT_KEY, BackupsElsewhere: undefined })
    // With another key a vault would be another one, which its protection refuses.
    for (const { options } of production.all('aws:backup/vault:Vault')) {
      expect(options.ignoreChanges).toEqual(['kmsKeyArn'])
    }
    expect(production.one('aws:kms/key:Key', 'CustomerKeyElsewhere').inputs).toMatchObject({
      region: 'eu-west-1',
      enableKeyRotation: true,
    })

    const role = `arn:aws:iam::${ACCOUNT}:role/BackupRole`
    const may = (stage: Deployment, action: string, resource: string, context = {}) =>
      decide(
        role,
        { action: `kms:${action}`, resource, context },
        stage
          .one('aws:iam/role:Role', 'BackupRole')
          .inputs['inlinePolicies'].map(({ policy }: { policy: string }) => JSON.parse(policy)),
        keyPolicy,
      )
    for (const [stage, used] of [
      [production, KEY],
      [production, elsewhere],
      [restored, BROUGHT_KEY],
    ] as const) {
      for (const action of ['Decrypt', 'GenerateDataKeyWithoutPlaintext', 'ReEncryptFrom', 'DescribeKey']) {
        expect(await may(stage, action, used), `${action} with ${used}`).toBe('Allowed')
      }
      expect(await may(stage, 'CreateGrant', used, { 'kms:GrantIsForAWSResource': 'true' })).toBe('Allowed')
      expect(await may(stage, 'CreateGrant', used, { 'kms:GrantIsForAWSResource': 'false' })).toBe('ImplicitlyDenied')
    }
    expect(await may(production, 'Decrypt', BROUGHT_KEY)).toBe('ImplicitlyDenied')
  })

  it('encrypts table, photos, logs, queues and topics, or none of them', () => {
    expect(encrypted(production).keys).toEqual(new Set([KEY]))
    expect(encrypted(restored).keys).toEqual(new Set([BROUGHT_KEY]))
    expect(encrypted(preview).keys).toEqual(new Set([undefined]))
    expect(encrypted(production).names.length).toBeGreaterThan(10)
    // A queue has one of both.
    for (const [stage, managed] of [
      [production, undefined],
      [preview, true],
    ] as const) {
      for (const { name, inputs } of stage.all('aws:sqs/queue:Queue')) {
        expect(inputs['sqsManagedSseEnabled'], name).toBe(managed)
      }
    }
  })

  it('is asked for seldom by bucket and queues', () => {
    for (const { inputs } of production.all(
      'aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration',
    )) {
      expect(inputs['rules'][0]).toMatchObject({
        bucketKeyEnabled: true,
        applyServerSideEncryptionByDefault: { sseAlgorithm: 'aws:kms' },
      })
    }
    for (const { inputs } of production.all('aws:sqs/queue:Queue')) {
      expect(inputs['kmsDataKeyReusePeriodSeconds']).toBe(3_600)
    }
  })

  it('is kept, and renewed each year; one that is brought is neither made nor touched', () => {
    expect(key.inputs).toMatchObject({ enableKeyRotation: true, deletionWindowInDays: 30 })
    expect(key.options).toMatchObject({ protect: true, retainOnDelete: true })
    expect(restored.all('aws:kms/key:Key')).toEqual([])
    expect(preview.all('aws:kms/key:Key')).toEqual([])
  })

  it('has the policy that whoever brings one is told', () => {
    const script = path.resolve(import.meta.dirname, '../print-key-policy.ts')
    const told = execFileSync(process.execPath, [script, ACCOUNT, 'production'], { encoding: 'utf8' })
    expect(JSON.parse(told)).toEqual(keyPolicy)
  })
})

describe('of the key', () => {
  // The simulation knows no encryption context, so that these are read.
  it('each service may use what it encrypts with, and nothing else', () => {
    const context = (name: string, ...arns: string[]) => ({ ArnLike: { [`kms:EncryptionContext:aws:${name}`]: arns } })
    const trail = arn('cloudtrail', 'trail/zaehlwerk-production')
    const statements: { Principal: { Service?: string | string[] }; Action: string[]; Condition?: object }[] =
      JSON.parse(key.inputs['policy']).Statement
    expect(statements.map(({ Principal, Action, Condition }) => [Principal, Action, Condition])).toEqual([
      [{ AWS: `arn:aws:iam::${ACCOUNT}:root` }, ['kms:*'], undefined],
      [
        { Service: 'logs.eu-central-1.amazonaws.com' },
        ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
        context('logs:arn', arn('logs', LAMBDA_LOGS), arn('logs', API_LOGS)),
      ],
      [
        { Service: ['ses.amazonaws.com', 'cloudwatch.amazonaws.com'] },
        ['kms:Decrypt', 'kms:GenerateDataKey*'],
        context('sns:topicArn', arn('sns', '*')),
      ],
      [{ Service: 'sns.amazonaws.com' }, ['kms:Decrypt', 'kms:GenerateDataKey*'], context('sqs:arn', arn('sqs', '*'))],
      [
        { Service: 'cloudtrail.amazonaws.com' },
        ['kms:GenerateDataKey*'],
        { StringEquals: { 'aws:SourceArn': trail }, ...context('cloudtrail:arn', trail) },
      ],
      // An encryption context is part of what is encrypted, and a key that is only looked at has none.
      [
        { Service: 'cloudtrail.amazonaws.com' },
        ['kms:DescribeKey', 'kms:Decrypt'],
        { StringEquals: { 'aws:SourceArn': trail } },
      ],
    ])
  })

  it('the logs may use it whose names the deployment gives', () => {
    const patterns = [LAMBDA_LOGS, API_LOGS].map((name) => new RegExp(`^${name.replace('*', '.+')}$`))
    for (const { inputs } of production.all('aws:cloudwatch/logGroup:LogGroup')) {
      const name = `log-group:${inputs['name']}`
      expect(
        patterns.some((pattern) => pattern.test(name)),
        name,
      ).toBe(true)
    }
  })

  it('a function uses it by way of the services that it may call, and never by itself', async () => {
    const policies = (name: string): Policy[] =>
      production
        .one('aws:iam/role:Role', name)
        .inputs['inlinePolicies'].map(({ policy }: { policy: string }) => JSON.parse(policy))
    const may = (role: string, service?: string) =>
      decide(
        `arn:aws:iam::${ACCOUNT}:role/${role}`,
        {
          action: 'kms:Decrypt',
          resource: KEY,
          context: service === undefined ? {} : { 'kms:ViaService': `${service}.eu-central-1.amazonaws.com` },
        },
        policies(role),
        keyPolicy,
      )
    for (const [role, services] of [
      ['AuthTokenRole', ['dynamodb']],
      ['ResultCreateRole', ['dynamodb', 's3']],
      ['MailEventsRole', ['dynamodb', 'sqs']],
      ['RunsRole', ['dynamodb', 's3', 'sqs']],
      ['ErasureScheduleRole', ['sqs']],
    ] as const) {
      for (const service of ['dynamodb', 's3', 'sqs', 'ssm'] as const) {
        const wanted = (services as readonly string[]).includes(service) ? 'Allowed' : 'ImplicitlyDenied'
        expect(await may(role, service), `${role} ${service}`).toBe(wanted)
      }
      expect(await may(role), role).toBe('ImplicitlyDenied')
    }
  })

  it('every function that may call such a service may use it there', () => {
    for (const [binary, fn] of production.functions()) {
      const statements = production.statements(fn)
      const called = new Set(statements.flatMap(({ Action }) => [Action].flat()).map((action) => action.split(':')[0]))
      const via = statements.flatMap(({ Condition }) => Condition?.['StringEquals']?.['kms:ViaService'] ?? [])
      const wanted = ['dynamodb', 's3', 'sqs'].filter((service) => called.has(service))
      expect(via, binary).toEqual(wanted.map((service) => `${service}.eu-central-1.amazonaws.com`))
    }
    for (const { inputs } of preview.all('aws:iam/role:Role')) expect(JSON.stringify(inputs)).not.toContain('kms:')
  })
})
