import { describe, expect, it } from 'vitest'
import routesJson from '../routes.json' with { type: 'json' }
import workersJson from '../workers.json' with { type: 'json' }
import { production } from './deployment.ts'
import { ACCOUNT, type Asked, arn, decide, type Policy } from './simulate.ts'

const TABLE = arn('dynamodb', 'table/TableTable')
const BUCKET = 'arn:aws:s3:::photosbucket'
const STAFF_POOL = arn('cognito-idp', 'userpool/StaffUserPool')
const parameter = (name: string) => arn('ssm', `parameter/zaehlwerk/production/${name}`)

/** A request that the code makes: of which call it is a part, and which grant of the two tables it needs. */
interface Call extends Asked {
  call: string
  /** The resource in the tables; `queue of …`, `note` and `log of …` come with the trigger and with every function. */
  grant: string
}

const called = (call: string, grant: string, action: string, resource: string, context?: Asked['context']): Call => ({
  call,
  grant,
  action,
  resource,
  ...(context && { context }),
})

const key = (call: string, action: string) => called(call, 'table', `dynamodb:${action}`, TABLE)
const photo = 'stadtwerke/job-4711/0190f3c2-4e5a-7b6c-8d9e-0f1a2b3c4d5e.jpg'

/** What the functions ask AWS for, call by call, as `store`, `aws`, `mail` and `outbound` make them. */
const CALLS: Call[] = [
  key('GetItem', 'GetItem'),
  key('BatchGetItem', 'BatchGetItem'),
  key('Query', 'Query'),
  called('Query by the index', 'tableIndex', 'dynamodb:Query', `${TABLE}/index/gsi1`),
  key('PutItem, or Put in TransactWriteItems', 'PutItem'),
  key('UpdateItem, or Update in TransactWriteItems', 'UpdateItem'),
  key('DeleteItem, or Delete in TransactWriteItems', 'DeleteItem'),
  key('ConditionCheck in TransactWriteItems', 'ConditionCheckItem'),
  key('DescribeTable', 'DescribeTable'),
  called('PUT of a photo sent ahead, presigned', 'uploads', 's3:PutObject', `${BUCKET}/uploads/${photo}`),
  called('GET or HEAD of a photo sent ahead', 'uploads', 's3:GetObject', `${BUCKET}/uploads/${photo}`),
  called('DELETE of its versions', 'uploads', 's3:DeleteObjectVersion', `${BUCKET}/uploads/${photo}`),
  called('PUT of a photo', 'photos', 's3:PutObject', `${BUCKET}/photos/${photo}`),
  called('GET of a photo, presigned or not', 'photos', 's3:GetObject', `${BUCKET}/photos/${photo}`),
  called('DELETE of a photo that no reading names', 'photos', 's3:DeleteObject', `${BUCKET}/photos/${photo}`),
  called('DELETE of its versions', 'photos', 's3:DeleteObjectVersion', `${BUCKET}/photos/${photo}`),
  called('404 instead of 403 for what is missing', 'photoBucket', 's3:ListBucket', BUCKET, {
    's3:prefix': 'photos/a/',
  }),
  called('GET ?versions', 'photoBucket', 's3:ListBucketVersions', BUCKET, { 's3:prefix': 'photos/a/job-1/' }),
  called('PUT of a file of a run', 'runFiles', 's3:PutObject', `${BUCKET}/files/stadtwerke/run-1/readings.csv`),
  called('GET of a file of a run', 'runFiles', 's3:GetObject', `${BUCKET}/files/stadtwerke/run-1/readings.csv`),
  called('SendMessage to the queue of runs', 'runQueue', 'sqs:SendMessage', arn('sqs', 'RunQueue')),
  called('GetParameter', 'signingKey', 'ssm:GetParameter', parameter('jwt-private-key')),
  called('GetParameter', 'pseudonymKey', 'ssm:GetParameter', parameter('pseudonym-key')),
  called('GetParameter', 'deskClientSecret', 'ssm:GetParameter', parameter('desk-client-secret')),
  called('GetParameter', 'loginSecrets', 'ssm:GetParameter', parameter('login/stadtwerke/login')),
  called('AdminCreateUser', 'staffPool', 'cognito-idp:AdminCreateUser', STAFF_POOL),
  called('GetParameter', 'crmKeys', 'ssm:GetParameter', parameter('crm/stadtwerke/key')),
  called('GetParameter', 'webhookSecrets', 'ssm:GetParameter', parameter('webhook/stadtwerke/secret')),
  called('PutParameter', 'webhookSecrets', 'ssm:PutParameter', parameter('webhook/stadtwerke/secret')),
  // SES asks for each of the two that a mail names, and for raw ones by the older action, too.
  ...['identity/example.de', 'identity/post.example.de', 'configuration-set/zaehlwerk-production'].flatMap((named) =>
    ['ses:SendEmail', 'ses:SendRawEmail'].map((action) => called('SendEmail', 'mail', action, arn('ses', named))),
  ),
  called('GetAccount', 'mailAccount', 'ses:GetAccount', '*'),
  called('DeleteSuppressedDestination', 'mailAccount', 'ses:DeleteSuppressedDestination', '*'),
  called('DetectDocumentText', 'textRecognition', 'textract:DetectDocumentText', '*'),
  // What Lambda does with the function's rights.
  ...['RunQueue', 'MailEventsQueue'].flatMap((queue) =>
    ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) =>
      called(`${action} before a start`, `queue ${queue}`, `sqs:${action}`, arn('sqs', queue)),
    ),
  ),
  called('SendMessage after a failure', 'note', 'sqs:SendMessage', arn('sqs', 'FailedWorkers')),
  ...['endpoints', 'workers'].flatMap((log) =>
    ['CreateLogStream', 'PutLogEvents'].map((action) =>
      called(
        action,
        `log ${log}`,
        `logs:${action}`,
        arn('logs', `log-group:/aws/lambda/zaehlwerk-production/${log}:log-stream:2026/11/25/JobList[7]abc`),
      ),
    ),
  ),
]

/** What is near to that, and what would harm most: no function may do any of it. */
const NEVER: Asked[] = [
  ...['Scan', 'DeleteTable', 'UpdateTable', 'BatchWriteItem', 'PartiQLSelect', 'ExportTableToPointInTime'].map(
    (action) => ({
      action: `dynamodb:${action}`,
      resource: TABLE,
    }),
  ),
  { action: 'dynamodb:Scan', resource: `${TABLE}/index/gsi1` },
  { action: 'dynamodb:Query', resource: `${TABLE}/index/gsi2` },
  ...['GetItem', 'PutItem', 'Query'].flatMap((action) =>
    ['table/TableTable2', 'table/zaehlwerk-staging-TableTable', 'table/sst'].map((table) => ({
      action: `dynamodb:${action}`,
      resource: arn('dynamodb', table),
    })),
  ),
  ...['GetObject', 'PutObject', 'DeleteObject'].flatMap((action) =>
    [`${BUCKET}/a`, `${BUCKET}/photosx/${photo}`, `${BUCKET}2/photos/${photo}`, `${BUCKET}/filesystem/a`].map(
      (resource) => ({
        action: `s3:${action}`,
        resource,
      }),
    ),
  ),
  ...[
    'webassetsbucket/index.html',
    'deskwebassetsbucket/index.html',
    `zaehlwerk-production-releases-${ACCOUNT}/a`,
  ].flatMap((object) =>
    ['s3:PutObject', 's3:GetObject'].map((action) => ({ action, resource: `arn:aws:s3:::${object}` })),
  ),
  ...['GetObjectVersion', 'PutObjectAcl', 'BypassGovernanceRetention'].map((action) => ({
    action: `s3:${action}`,
    resource: `${BUCKET}/photos/${photo}`,
  })),
  { action: 's3:DeleteObject', resource: `${BUCKET}/uploads/${photo}` },
  ...['PutBucketPolicy', 'PutLifecycleConfiguration', 'PutBucketVersioning'].map((action) => ({
    action: `s3:${action}`,
    resource: BUCKET,
  })),
  ...['GetParameter', 'PutParameter'].flatMap((action) =>
    [parameter('crmx/key'), parameter('web'), arn('ssm', 'parameter/zaehlwerk/staging/jwt-private-key')].map(
      (resource) => ({
        action: `ssm:${action}`,
        resource,
      }),
    ),
  ),
  { action: 'ssm:PutParameter', resource: parameter('jwt-private-key') },
  { action: 'ssm:GetParametersByPath', resource: parameter('crm') },
  ...['identity/amazon.de', 'identity/mail.example.de', 'configuration-set/zaehlwerk-staging'].map((named) => ({
    action: 'ses:SendEmail',
    resource: arn('ses', named),
  })),
  { action: 'ses:PutAccountSendingAttributes', resource: '*' },
  ...[
    'AdminSetUserPassword',
    'AdminUpdateUserAttributes',
    'AdminDeleteUser',
    'AdminSetUserMFAPreference',
    'ListUsers',
  ].map((action) => ({ action: `cognito-idp:${action}`, resource: STAFF_POOL })),
  { action: 'cognito-idp:AdminCreateUser', resource: arn('cognito-idp', 'userpool/eu-central-1_another') },
  { action: 'sqs:PurgeQueue', resource: arn('sqs', 'RunQueue') },
  { action: 'sqs:SendMessage', resource: arn('sqs', 'MailEventsQueue') },
  { action: 'sqs:ReceiveMessage', resource: arn('sqs', 'RunDeadLetters') },
  { action: 'lambda:InvokeFunction', resource: arn('lambda', 'function:AuthTokenFunction:live') },
  { action: 'lambda:UpdateFunctionCode', resource: arn('lambda', 'function:AuthTokenFunction') },
  { action: 'kms:Decrypt', resource: arn('kms', 'key/0190f3c2-4e5a-7b6c-8d9e-0f1a2b3c4d5e') },
  { action: 'iam:PassRole', resource: `arn:aws:iam::${ACCOUNT}:role/AuthTokenRole` },
  { action: 'sts:AssumeRole', resource: `arn:aws:iam::${ACCOUNT}:role/AuthTokenRole` },
  { action: 'logs:PutLogEvents', resource: arn('logs', 'log-group:/aws/lambda/other:log-stream:a') },
  {
    action: 'logs:GetLogEvents',
    resource: arn('logs', 'log-group:/aws/lambda/zaehlwerk-production/endpoints:log-stream:a'),
  },
]

const role = (name: string) => production.one('aws:iam/role:Role', name)
const policiesOf = (name: string): Policy[] =>
  role(name).inputs['inlinePolicies'].map(({ policy }: { policy: string }) => JSON.parse(policy))
const policyOf = (type: string, name: string): Policy => JSON.parse(production.one(type, name).inputs['policy'])
const principal = (name: string) => `arn:aws:iam::${ACCOUNT}:role/${name}`
const photosPolicy = policyOf('aws:s3/bucketPolicy:BucketPolicy', 'PhotosPolicy')

/** The rights of a function, for a request. */
const mayFunction = (binary: string, asked: Asked): Promise<string> => {
  const name: string = production
    .functions()
    .get(binary)
    ?.inputs['role'].replace(/^.*:role\//, '')
  const isOfPhotos = asked.resource === BUCKET || asked.resource.startsWith(`${BUCKET}/`)
  return decide(principal(name), asked, policiesOf(name), isOfPhotos ? photosPolicy : undefined)
}

/**
 * What a binary calls, as `action resource`; with its trigger and its log. The two tables are what the tests' proxies record: each
 * function and each worker uses exactly its grants there (`functions/api/tests/contract/grants.rs`, `functions/workers/tests`).
 */
function granted(binary: string): Set<string> {
  const worker = workersJson.find(({ name }) => name === binary)
  const rows = [...routesJson.filter((route) => route.function === binary), ...(worker ? [worker] : [])]
  const grants = rows.flatMap((row) =>
    row.grants.flatMap((grant) => grant.actions.map((action) => `${action} ${grant.resource}`)),
  )
  const log = worker ? 'workers' : 'endpoints'
  const queue = binary === 'runs' ? 'RunQueue' : 'MailEventsQueue'
  const trigger =
    worker === undefined
      ? []
      : 'queue' in worker.trigger
        ? ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => `sqs:${action} queue ${queue}`)
        : ['sqs:SendMessage note']
  return new Set([
    ...grants,
    ...trigger,
    ...['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} log ${log}`),
  ])
}

describe('what a function may do', () => {
  it('is asked for here, each right of it, and nothing else is', () => {
    const asked = new Set(CALLS.map(({ action, grant }) => `${action} ${grant}`))
    const all = new Set(production.evaluated.binaries.flatMap((binary) => [...granted(binary)]))
    expect([...asked].sort()).toEqual([...all].sort())
  })

  it.each(production.evaluated.binaries)('by %s is what its own calls need, and no others', async (binary) => {
    const rights = granted(binary)
    const wrong: string[] = []
    for (const call of CALLS) {
      const wanted = rights.has(`${call.action} ${call.grant}`) ? 'Allowed' : 'ImplicitlyDenied'
      const decision = await mayFunction(binary, call)
      if (decision !== wanted) wrong.push(`${call.call}: ${call.action} on ${call.resource} is ${decision}`)
    }
    expect(wrong).toEqual([])
  })

  it('is never what no call needs, by all their rights together', async () => {
    const all = new Map(
      [...production.functions().values()].flatMap(({ inputs }) =>
        policiesOf(inputs['role'].replace(/^.*:role\//, '')).map((policy) => [JSON.stringify(policy), policy]),
      ),
    )
    const decisions = NEVER.map(
      async (asked) => [asked, await decide(principal('All'), asked, [...all.values()])] as const,
    )
    const allowed = (await Promise.all(decisions)).filter(([, decision]) => decision !== 'ImplicitlyDenied')
    expect(allowed).toEqual([])
  })

  // Whole journeys through a call, from the code and not from the tables.
  it.each<[string, [action: string, resource: string][]]>([
    [
      'result_create',
      [
        ['dynamodb:Query', TABLE],
        ['s3:GetObject', `${BUCKET}/uploads/${photo}`],
        ['s3:PutObject', `${BUCKET}/photos/${photo}`],
        ['dynamodb:PutItem', TABLE],
        ['dynamodb:UpdateItem', TABLE],
      ],
    ],
    ['auth_token', [['ssm:GetParameter', parameter('jwt-private-key')]]],
    ['upload_create', [['s3:PutObject', `${BUCKET}/uploads/${photo}`]]],
    [
      'share_mail',
      [
        ['ses:SendEmail', arn('ses', 'identity/post.example.de')],
        ['ses:SendRawEmail', arn('ses', 'configuration-set/zaehlwerk-production')],
      ],
    ],
    [
      'erasure',
      [
        ['dynamodb:Query', `${TABLE}/index/gsi1`],
        ['s3:ListBucketVersions', BUCKET],
        ['s3:DeleteObjectVersion', `${BUCKET}/photos/${photo}`],
        ['s3:DeleteObjectVersion', `${BUCKET}/uploads/${photo}`],
      ],
    ],
  ])('by %s lets it come to its end', async (binary, journey) => {
    for (const [action, resource] of journey) {
      expect(await mayFunction(binary, { action, resource }), action).toBe('Allowed')
    }
  })

  it('is refused without TLS', async () => {
    const asked = { action: 's3:GetObject', resource: `${BUCKET}/photos/${photo}` }
    expect(await mayFunction('result_image_get', asked)).toBe('Allowed')
    const plain = { ...asked, context: { 'aws:SecureTransport': 'false' } }
    expect(await mayFunction('result_image_get', plain)).toBe('ExplicitlyDenied')
  })
})

describe('what a schedule may do', () => {
  const schedules = production.all('aws:scheduler/schedule:Schedule')
  const roles = production.all('aws:iam/role:Role').map(({ name }) => name)

  it('is to start its own worker by the alias, and to leave a note', async () => {
    expect(schedules.length).toBeGreaterThan(5)
    for (const { inputs } of schedules) {
      const own: string = inputs['target'].arn
      const name = inputs['target'].roleArn.replace(/^.*:role\//, '')
      const decisions = [own, own.replace(/:live$/, ''), own.replace(/live$/, '7')].map((resource) =>
        decide(principal(name), { action: 'lambda:InvokeFunction', resource }, policiesOf(name)),
      )
      expect(await Promise.all(decisions), name).toEqual(['Allowed', 'ImplicitlyDenied', 'ImplicitlyDenied'])
      for (const other of schedules.map((schedule) => schedule.inputs['target'].arn).filter((other) => other !== own)) {
        const asked = { action: 'lambda:InvokeFunction', resource: other }
        expect(await decide(principal(name), asked, policiesOf(name)), other).toBe('ImplicitlyDenied')
      }
      for (const [queue, wanted] of [
        ['UnstartedWorkers', 'Allowed'],
        ['FailedWorkers', 'ImplicitlyDenied'],
      ]) {
        const asked = { action: 'sqs:SendMessage', resource: arn('sqs', queue ?? '') }
        expect(await decide(principal(name), asked, policiesOf(name)), queue).toBe(wanted)
      }
    }
  })

  it('is had by the scheduler of this account alone', async () => {
    for (const name of roles.filter((name) => name.endsWith('ScheduleRole'))) {
      const trust: Policy = JSON.parse(role(name).inputs['assumeRolePolicy'])
      const by = (service: string, account: string) =>
        decide(
          service,
          { action: 'sts:AssumeRole', resource: principal(name), context: { 'aws:SourceAccount': account } },
          [],
          trust,
        )
      expect(await by('scheduler.amazonaws.com', ACCOUNT)).toBe('Allowed')
      expect(await by('scheduler.amazonaws.com', '210987654321')).not.toBe('Allowed')
      expect(await by('lambda.amazonaws.com', ACCOUNT)).not.toBe('Allowed')
    }
  })
})

describe('what becomes of a mail', () => {
  const topic = production.one('aws:sns/topicSubscription:TopicSubscription', 'MailEventsSubscription').inputs['topic']

  it('is published by SES, for this stage’s mails', async () => {
    const policy = policyOf('aws:sns/topicPolicy:TopicPolicy', 'MailEventsPolicy')
    const by = (service: string, account: string, set: string) =>
      decide(
        service,
        {
          action: 'sns:Publish',
          resource: topic,
          context: { 'aws:SourceAccount': account, 'aws:SourceArn': arn('ses', `configuration-set/${set}`) },
        },
        [],
        policy,
      )
    expect(await by('ses.amazonaws.com', ACCOUNT, 'zaehlwerk-production')).toBe('Allowed')
    expect(await by('ses.amazonaws.com', ACCOUNT, 'zaehlwerk-staging')).not.toBe('Allowed')
    expect(await by('ses.amazonaws.com', '210987654321', 'zaehlwerk-production')).not.toBe('Allowed')
    expect(await by('s3.amazonaws.com', ACCOUNT, 'zaehlwerk-production')).not.toBe('Allowed')
  })

  it('comes into the queue from that topic', async () => {
    const policy = policyOf('aws:sqs/queuePolicy:QueuePolicy', 'MailEventsQueuePolicy')
    const from = (source: string) =>
      decide(
        'sns.amazonaws.com',
        { action: 'sqs:SendMessage', resource: arn('sqs', 'MailEventsQueue'), context: { 'aws:SourceArn': source } },
        [],
        policy,
      )
    expect(await from(topic)).toBe('Allowed')
    expect(await from(arn('sns', 'other'))).not.toBe('Allowed')
  })
})
