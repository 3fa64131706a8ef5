import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { peak } from '../capacity.ts'
import routesJson from '../routes.json' with { type: 'json' }
import workersJson from '../workers.json' with { type: 'json' }
import { preview, production, stages } from './deployment.ts'
import type { Statement } from './evaluate.ts'
import { VERSION } from './stages.ts'

const TABLE = 'arn:aws:dynamodb:eu-central-1:123456789012:table/TableTable'
const SIGNING_KEY = 'arn:aws:ssm:eu-central-1:123456789012:parameter/zaehlwerk/production/jwt-private-key'
const arns: Record<string, string[]> = {
  table: [TABLE],
  tableIndex: [`${TABLE}/index/gsi1`],
  uploads: ['arn:aws:s3:::photosbucket/uploads/*'],
  photos: ['arn:aws:s3:::photosbucket/photos/*'],
  photoBucket: ['arn:aws:s3:::photosbucket'],
  runFiles: ['arn:aws:s3:::photosbucket/files/*'],
  runQueue: ['arn:aws:sqs:eu-central-1:123456789012:RunQueue'],
  signingKey: [SIGNING_KEY],
  pseudonymKey: ['arn:aws:ssm:eu-central-1:123456789012:parameter/zaehlwerk/production/pseudonym-key'],
  deskClientSecret: ['arn:aws:ssm:eu-central-1:123456789012:parameter/zaehlwerk/production/desk-client-secret'],
  loginSecrets: ['arn:aws:ssm:eu-central-1:123456789012:parameter/zaehlwerk/production/login/*'],
  staffPool: ['arn:aws:cognito-idp:eu-central-1:123456789012:userpool/StaffUserPool'],
  crmKeys: ['arn:aws:ssm:eu-central-1:123456789012:parameter/zaehlwerk/production/crm/*'],
  webhookSecrets: ['arn:aws:ssm:eu-central-1:123456789012:parameter/zaehlwerk/production/webhook/*'],
  mail: [
    'arn:aws:ses:eu-central-1:123456789012:identity/example.de',
    'arn:aws:ses:eu-central-1:123456789012:identity/post.example.de',
    'arn:aws:ses:eu-central-1:123456789012:identity/stadtwerke.de',
    'arn:aws:ses:eu-central-1:123456789012:configuration-set/zaehlwerk-production',
  ],
  mailAccount: ['*'],
  textRecognition: ['*'],
}

/** What the two tables say of a binary. */
const rows = (binary: string) => [
  ...routesJson.filter((route) => route.function === binary),
  ...workersJson.filter((worker) => worker.name === binary),
]

/** What a worker needs beside its grants: the messages of its queue, or a place for a note when a run fails. */
function ofTrigger(binary: string) {
  return workersJson
    .filter((worker) => worker.name === binary)
    .map(({ trigger }) =>
      'queue' in trigger
        ? {
            Effect: 'Allow',
            Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
            Resource: `arn:aws:sqs:eu-central-1:123456789012:${binary === 'runs' ? 'RunQueue' : 'MailEventsQueue'}`,
          }
        : {
            Effect: 'Allow',
            Action: 'sqs:SendMessage',
            Resource: 'arn:aws:sqs:eu-central-1:123456789012:FailedWorkers',
          },
    )
}

/** Actions by resource, so that neither order nor the cut into statements matters. */
function allowed(statements: Statement[]): Record<string, string[]> {
  const byResource = new Map<string, Set<string>>()
  for (const statement of statements) {
    for (const resource of [statement.Resource].flat()) {
      const actions = byResource.get(resource) ?? new Set()
      for (const action of [statement.Action].flat()) actions.add(action)
      byResource.set(resource, actions)
    }
  }
  return Object.fromEntries([...byResource].map(([resource, actions]) => [resource, [...actions].sort()]))
}

/** The log that a function writes. */
const logOf = (stage: typeof production, binary: string) => {
  const isWorker = workersJson.some(({ name }) => name === binary)
  const name = stage === production ? 'zaehlwerk-production' : 'zaehlwerk-pr-7'
  return `/aws/lambda/${name}/${isWorker ? 'workers' : 'endpoints'}`
}

/** The binaries that a stage has functions of: without a desk none that only the desk asks. */
const deployed = (stage: typeof production) =>
  stage.evaluated.binaries.filter((name) => stage !== preview || !name.startsWith('desk_'))

describe.each(Object.entries(stages))('functions of %s', (_, stage) => {
  it('are those of its binaries, each once, built by one call of cargo for arm64', () => {
    expect(stage.all('aws:lambda/function:Function')).toHaveLength(deployed(stage).length)
    expect([...stage.functions().keys()].sort()).toEqual(deployed(stage).toSorted())
    expect(stage.evaluated.cargo).toEqual([
      ...['lambda', 'build', '--release', '--locked', '--package', 'lambdas', '--features', 'deployed', '--arm64'],
      ...['--lambda-dir', './target/lambda'],
    ])
    for (const [binary, { name, inputs }] of stage.functions()) {
      expect(name).toBe(`${binary.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Function`)
      expect(stage.evaluated.packaged[name.replace(/Function$/, '')]).toBe(`target/lambda/${binary}`)
      expect(inputs).toMatchObject({ architectures: ['arm64'], runtime: 'provided.al2023', handler: 'bootstrap' })
    }
  })

  it('have the memory and time of their rows', () => {
    for (const [binary, { inputs }] of stage.functions()) {
      expect(inputs['timeout'], binary).toBe(Math.max(...rows(binary).map(({ timeout }) => timeout)))
      expect(inputs['memorySize'], binary).toBe(Math.max(...rows(binary).map(({ memory }) => memory)))
    }
  })

  it('trust Lambda and nobody else', () => {
    const roles = stage.all('aws:iam/role:Role').filter(({ name }) => !/(Schedule|Backup)Role$/.test(name))
    expect(roles).toHaveLength(deployed(stage).length)
    for (const role of roles) {
      expect(role.inputs['assumeRolePolicy'].Statement).toMatchObject([
        { Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
      ])
      expect(role.inputs['managedPolicyArns']).toEqual([])
    }
  })

  it('have no wildcard but objects and parameters under a prefix, streams of their log, and text recognition', () => {
    for (const [binary, fn] of stage.functions()) {
      for (const statement of stage.statements(fn)) {
        expect(statement.Effect).toBe('Allow')
        if ([statement.Resource].flat().includes('*')) {
          // IAM knows no resource of these actions: they are the only ones that may be had on everything.
          expect([
            ['desk_returns', ['ses:DeleteSuppressedDestination']],
            ['photo_reading_create', ['textract:DetectDocumentText']],
            ['reminders', ['ses:GetAccount']],
            ['runs', ['ses:GetAccount']],
          ]).toContainEqual([binary, [statement.Action].flat()])
          continue
        }
        for (const action of [statement.Action].flat()) expect(action).toMatch(/^[a-z0-9-]+:[A-Za-z]+$/)
        for (const resource of [statement.Resource].flat()) {
          expect(resource.replace(/(\/(uploads|photos|files|crm|login|webhook)\/|:log-stream:)\*$/, '')).not.toContain(
            '*',
          )
        }
      }
    }
  })

  it('log as JSON, for as long as the stage keeps logs', () => {
    const days = stage === production ? 90 : 7
    for (const [binary, { inputs }] of stage.functions()) {
      expect(inputs['loggingConfig'], binary).toEqual({
        logFormat: 'JSON',
        logGroup: logOf(stage, binary),
        systemLogLevel: 'WARN',
      })
    }
    const kept = stage
      .all('aws:cloudwatch/logGroup:LogGroup')
      .map(({ name, inputs }) => [name, inputs['retentionInDays']])
    expect(kept.sort()).toEqual([
      ['ApiAccessLog', days],
      ['EndpointsLogs', days],
      ['WorkersLogs', days],
    ])
  })
})

describe('permissions', () => {
  it.each(production.evaluated.binaries)('of %s are those of its rows and its log', (binary) => {
    const fn = production.functions().get(binary)
    if (fn === undefined) throw new Error(`${binary} is not deployed.`)
    const granted = rows(binary)
      .flatMap((row) => row.grants)
      .filter(({ actions }) => actions.length > 0)
      .map(({ actions, resource }) => ({ Effect: 'Allow', Action: actions, Resource: arns[resource] ?? resource }))
    const log = `arn:aws:logs:eu-central-1:123456789012:log-group:${logOf(production, binary)}`
    // What is needed of the customer's key is seen where that is.
    const own = production.statements(fn).filter(({ Action }) => !Action.includes('kms:Decrypt'))
    expect(allowed(own)).toEqual({
      ...allowed([...granted, ...ofTrigger(binary)]),
      [`${log}:log-stream:*`]: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    })
  })

  it('to read the private key are alone those of the functions that begin a session', () => {
    const readers = [...production.functions()].filter(([, fn]) =>
      production.statements(fn).some(({ Resource }) => [Resource].flat().includes(SIGNING_KEY)),
    )
    expect(readers.map(([binary]) => binary).toSorted()).toEqual(['auth_token', 'auth_token_visitor'])
  })

  it('to read text in photos are those of one function, where the stage has that on', () => {
    const readers = (stage: typeof production) =>
      [...stage.functions()]
        .filter(([, fn]) => JSON.stringify(stage.statements(fn)).includes('textract:'))
        .map(([binary]) => binary)
    expect(readers(production)).toEqual(['photo_reading_create'])
    expect(readers(preview)).toEqual([])
    const said = (stage: typeof production) =>
      [...stage.functions()].flatMap(([binary, { inputs }]) => {
        const by = inputs['environment'].variables['PHOTO_READING']
        return by === undefined ? [] : [[binary, by]]
      })
    expect(Object.fromEntries(said(production))).toEqual({
      application_get: 'textract',
      photo_reading_create: 'textract',
    })
    expect(Object.fromEntries(said(preview))).toEqual({ application_get: 'off', photo_reading_create: 'off' })
  })

  it('never include a scan of the table', () => {
    for (const fn of production.functions().values()) {
      expect(JSON.stringify(production.statements(fn))).not.toContain('Scan')
    }
  })
})

describe('environment', () => {
  const publicOf = (pem: string) => String(createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' }).x)
  const keys = inject('keys')

  it('has the variables of its rows, the version, and no others', () => {
    for (const [binary, fn] of production.functions()) {
      const wanted = rows(binary).flatMap((row) => row.environment)
      if (routesJson.some((route) => route.function === binary)) wanted.push('METRICS')
      expect(Object.keys(fn.inputs['environment'].variables).sort(), binary).toEqual(
        [...new Set([...wanted, 'VERSION'])].sort(),
      )
    }
  })

  it('points to what the permissions are for', () => {
    const values: Record<string, unknown> = {
      VERSION,
      METRICS: 'zaehlwerk-production',
      TABLE_NAME: 'TableTable',
      PORTAL_HOST: 'portal.example.de',
      PORTAL_HOSTS: '*.zaehler.example.de,portal.example.de,zaehler.example.de',
      DESK_ORIGIN: 'https://desk.example.de',
      DESK_ISSUER: expect.stringMatching(/^https:\/\/cognito-idp\.eu-central-1\.amazonaws\.com\/./),
      DESK_CLIENT_ID: expect.any(String),
      DESK_CLIENT_SECRET_PARAMETER: '/zaehlwerk/production/desk-client-secret',
      DESK_LOGIN_PARAMETER_PREFIX: '/zaehlwerk/production/login/',
      STAFF_POOL: 'StaffUserPool-id',
      PHOTO_BUCKET: 'photosbucket',
      RUN_QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/RunQueue',
      JWT_PRIVATE_KEY_PARAMETER: '/zaehlwerk/production/jwt-private-key',
      JWT_PUBLIC_KEYS: expect.any(String),
      PSEUDONYM_KEY_PARAMETER: '/zaehlwerk/production/pseudonym-key',
      MAIL_CONFIGURATION_SET: 'zaehlwerk-production',
      PHOTO_READING: 'textract',
      CRM_PARAMETER_PREFIX: '/zaehlwerk/production/crm/',
      WEBHOOK_PARAMETER_PREFIX: '/zaehlwerk/production/webhook/',
    }
    for (const [binary, fn] of production.functions()) {
      for (const [name, value] of Object.entries(fn.inputs['environment'].variables)) {
        expect(value, `${name} of ${binary}`).toEqual(values[name])
      }
    }
  })

  it('holds the public halves of all keys, the signing one first, and no private one', () => {
    const told: string[] = []
    for (const [binary, fn] of production.functions()) {
      const variables: Record<string, string> = fn.inputs['environment'].variables
      const text = JSON.stringify(variables)
      for (const key of keys) {
        const secret = key.split('\n')[1] ?? key
        const seed = String(createPrivateKey(key).export({ format: 'jwk' }).d)
        expect(text.includes(secret) || text.includes(seed), `${binary} is told a private key`).toBe(false)
      }
      expect(text.includes(production.one('aws:apigatewayv2/stage:Stage', 'ApiStage').inputs['name'])).toBe(false)
      if (variables['JWT_PUBLIC_KEYS'] === undefined) continue
      told.push(binary)
      expect(Object.values(JSON.parse(variables['JWT_PUBLIC_KEYS']))).toEqual(keys.map(publicOf))
    }
    const checking = routesJson.filter(({ environment }) =>
      (environment as readonly string[]).includes('JWT_PUBLIC_KEYS'),
    )
    expect(checking).not.toEqual([])
    expect(new Set(told)).toEqual(new Set(checking.map((route) => route.function)))
  })

  it('leaves the private key that signs to an encrypted parameter', () => {
    const parameter = production.one('aws:ssm/parameter:Parameter', 'SigningKey').inputs
    expect(parameter['type']).toBe('SecureString')
    // Pulumi marks secrets so in its state, where they are encrypted.
    expect(parameter['value']).toEqual({
      '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
      value: keys[0],
    })
  })
})

describe('gateway', () => {
  it('sends each route to its function, and everything else to the one that answers 404 and 405', () => {
    expect(production.routes()).toEqual(Object.fromEntries(routesJson.map((route) => [route.routeKey, route.function])))
    expect(production.routes()['$default']).toBe('fallback')
    for (const { inputs } of production.all('aws:apigatewayv2/integration:Integration')) {
      expect(inputs).toMatchObject({ integrationType: 'AWS_PROXY', payloadFormatVersion: '2.0' })
    }
  })

  // D-PLATFORM-5
  it('is of no use to who does not know the name of its stage', () => {
    const name = production.one('random:index/randomPassword:RandomPassword', 'ApiStageName')
    expect(name.inputs).toMatchObject({ length: 40, special: false })
    const stagesOfApi = production.all('aws:apigatewayv2/stage:Stage')
    expect(stagesOfApi.map(({ inputs }) => inputs['name'])).toEqual(['r'.repeat(40)])
  })

  it('limits the rate, and lets no other origin read its answers', () => {
    const { defaultRouteSettings, routeSettings } = production.one('aws:apigatewayv2/stage:Stage', 'ApiStage').inputs
    expect(defaultRouteSettings).toEqual({ throttlingRateLimit: 5_000, throttlingBurstLimit: 5_000 })
    expect(routeSettings).toEqual([
      { routeKey: 'POST /auth/token', throttlingRateLimit: 500, throttlingBurstLimit: 500 },
    ])
    // Twice what the largest season brings, and less than what would leave no room for readings.
    expect(500).toBeGreaterThan(2 * peak(50_000_000).visits)
    expect(production.one('aws:apigatewayv2/api:Api', 'ApiApi').inputs['corsConfiguration']).toEqual({})
  })

  it('writes a log in which nobody can be found', () => {
    const { format } = production.one('aws:apigatewayv2/stage:Stage', 'ApiStage').inputs['accessLogSettings']
    const variables: string[] = format.match(/\$context\.[\w.]+/g)
    // What metrics compare has to be a number in a line.
    const line = JSON.parse(format.replaceAll(/\$context\.[\w.]+/g, '503'))
    expect(Object.keys(line).filter((field) => typeof line[field] === 'number')).toEqual(['status', 'latencyMs'])
    expect(variables).toContain('$context.routeKey')
    // By the function's id its line and the answer are found.
    expect(variables).toContain('$context.integration.requestId')
    expect(variables.join()).not.toMatch(/path|identity|sourceIp|userAgent|authorizer|domainName|stage/i)
  })

  it('keeps a share of the account’s concurrency for logins, in production', () => {
    const reserved = (stage: typeof production) =>
      Object.fromEntries(
        [...stage.functions()].flatMap(([binary, { inputs }]) => {
          const concurrency = inputs['reservedConcurrentExecutions']
          return concurrency === undefined ? [] : [[binary, concurrency]]
        }),
      )
    expect(reserved(production)).toEqual({ auth_token: 100 })
    expect(reserved(preview)).toEqual({})
  })
})
