import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { preview, production, restored, stages } from './deployment.ts'

const functions = path.resolve(import.meta.dirname, '../../functions')

/** The string constants of the store's table definition. */
const definition = Object.fromEntries(
  [
    ...readFileSync(path.join(functions, 'store/src/table.rs'), 'utf8').matchAll(/pub const (\w+): &str = "([^"]*)"/g),
  ].map(([, name, value]) => [name, value]),
)

describe.each(Object.entries(stages))('table of %s', (_, stage) => {
  const { inputs } = stage.one('aws:dynamodb/table:Table', 'TableTable')

  it('is the one that the store was written for', () => {
    const { PARTITION_KEY, SORT_KEY, RESULTS_INDEX, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY, EXPIRES_AT, STREAM_VIEW } =
      definition
    expect(Object.keys(definition)).toHaveLength(7)
    expect(inputs['attributes']).toEqual(
      [PARTITION_KEY, SORT_KEY, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY].map((name) => ({ name, type: 'S' })),
    )
    expect(inputs).toMatchObject({
      billingMode: 'PAY_PER_REQUEST',
      hashKey: PARTITION_KEY,
      rangeKey: SORT_KEY,
      localSecondaryIndexes: [],
      streamEnabled: true,
      streamViewType: STREAM_VIEW,
      ttl: { attributeName: EXPIRES_AT, enabled: true },
    })
    expect(inputs['globalSecondaryIndexes']).toHaveLength(1)
    expect(inputs['globalSecondaryIndexes'][0]).toMatchObject({
      name: RESULTS_INDEX,
      hashKey: RESULTS_PARTITION_KEY,
      rangeKey: RESULTS_SORT_KEY,
      projectionType: 'ALL',
    })
  })

  it('can be restored to any second', () => {
    expect(inputs['pointInTimeRecovery']).toEqual({ enabled: true })
  })
})

describe('the local product', () => {
  const local = readFileSync(path.join(functions, 'emulators/src/resources.rs'), 'utf8')

  it('makes its table from the same constants, and projects the same into the index', () => {
    // No function listens to the stream yet.
    const { STREAM_VIEW: _, ...used } = definition
    for (const name of Object.keys(used)) expect(local).toContain(`table::${name}`)
    expect(local.match(/ProjectionType::\w+/g)).toEqual(['ProjectionType::All'])
  })

  it('lets pages send photos as the deployed bucket does', () => {
    const { allowedMethods, allowedHeaders } = stageCors(production)['corsRules'][0]
    expect([...local.matchAll(/\.allowed_methods\("([^"]*)"\)/g)].map(([, method]) => method)).toEqual(allowedMethods)
    expect([...local.matchAll(/\.allowed_headers\("([^"]*)"\)/g)].map(([, header]) => header)).toEqual(allowedHeaders)
  })
})

describe('data', () => {
  it('of production outlives mistakes', () => {
    expect(production.evaluated.app).toMatchObject({ removal: 'retain', protect: true })
    const table = production.one('aws:dynamodb/table:Table', 'TableTable')
    const bucket = production.one('aws:s3/bucket:Bucket', 'PhotosBucket')
    expect(table.inputs['deletionProtectionEnabled']).toBe(true)
    expect(bucket.inputs['forceDestroy']).toBe(false)
    for (const { options } of [table, bucket]) expect(options).toMatchObject({ protect: true, retainOnDelete: true })
  })

  it('of any other stage goes with it', () => {
    expect(preview.evaluated.app).toMatchObject({ removal: 'remove', protect: false })
    const table = preview.one('aws:dynamodb/table:Table', 'TableTable')
    const bucket = preview.one('aws:s3/bucket:Bucket', 'PhotosBucket')
    expect(table.inputs['deletionProtectionEnabled']).toBe(false)
    expect(bucket.inputs['forceDestroy']).toBe(true)
    for (const { options } of [table, bucket]) {
      expect([options.protect, options.retainOnDelete]).toEqual([undefined, undefined])
    }
  })

  it('gets a warm table when the season asks for it, and its index with it', () => {
    const warm = { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 20_000 }
    const { inputs } = production.one('aws:dynamodb/table:Table', 'TableTable')
    expect(inputs['warmThroughput']).toEqual(warm)
    expect(inputs['globalSecondaryIndexes'][0].warmThroughput).toEqual(warm)
    expect(preview.one('aws:dynamodb/table:Table', 'TableTable').inputs).not.toHaveProperty('warmThroughput')
  })

  it('has a table that takes no more than it was warmed to, or than a new one takes, and its index with it', () => {
    for (const [stage, maxWriteRequestUnits] of [
      [production, 20_000],
      [preview, 4_000],
    ] as const) {
      const { inputs } = stage.one('aws:dynamodb/table:Table', 'TableTable')
      const most = { maxReadRequestUnits: 12_000, maxWriteRequestUnits }
      expect(inputs['onDemandThroughput']).toEqual(most)
      expect(inputs['globalSecondaryIndexes'][0].onDemandThroughput).toEqual(most)
    }
  })
})

describe('a restored table', () => {
  const name = 'zaehlwerk-restored'

  it('is what the functions may use and are told to, and what is watched', () => {
    for (const [binary, fn] of restored.functions()) {
      const told = fn.inputs['environment'].variables.TABLE_NAME
      if (told !== undefined) expect(told, binary).toBe(name)
      expect(JSON.stringify(restored.statements(fn)), binary).not.toContain('TableTable')
    }
    const throttles = restored.one('aws:cloudwatch/metricAlarm:MetricAlarm', 'TableThrottles').inputs
    expect(JSON.stringify(throttles)).not.toContain('TableTable')
    expect(JSON.stringify(throttles)).toContain(name)
  })

  it('does not end the original', () => {
    const original = restored.one('aws:dynamodb/table:Table', 'TableTable')
    expect(original.options).toMatchObject({ protect: true, retainOnDelete: true })
  })
})

describe.each(Object.entries(stages))('buckets of %s', (_, stage) => {
  it('are private and speak TLS only', () => {
    const made = stage.all('aws:s3/bucket:Bucket').map(({ name }) => name.toLowerCase())
    const sites = stage === preview ? ['webassetsbucket'] : ['deskwebassetsbucket', 'trailbucket', 'webassetsbucket']
    expect(made.sort()).toEqual(['photosbucket', 'releasesbucket', ...sites].sort())
    // The only one whose name is not made up.
    const releases = stage.one('aws:s3/bucket:Bucket', 'ReleasesBucket').inputs['bucket']
    const names = made.map((name) => (name === 'releasesbucket' ? releases : name)).sort()
    const blocks = stage.all('aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock')
    expect(blocks.map(({ inputs }) => inputs['bucket']).sort()).toEqual(names)
    for (const { inputs } of blocks) {
      expect(inputs).toMatchObject({
        blockPublicAcls: true,
        blockPublicPolicy: true,
        ignorePublicAcls: true,
        restrictPublicBuckets: true,
      })
    }
    const policies = stage.all('aws:s3/bucketPolicy:BucketPolicy')
    expect(policies.map(({ inputs }) => inputs['bucket']).sort()).toEqual(names)
    for (const { inputs } of policies) {
      expect(JSON.parse(inputs['policy']).Statement).toContainEqual({
        Effect: 'Deny',
        Principal: '*',
        Action: ['s3:*'],
        Resource: [`arn:aws:s3:::${inputs['bucket']}`, `arn:aws:s3:::${inputs['bucket']}/*`],
        Condition: { Bool: { 'aws:SecureTransport': ['false'] } },
      })
    }
  })

  it('let nobody at photos but the functions', () => {
    const policy = stage.one('aws:s3/bucketPolicy:BucketPolicy', 'PhotosPolicy').inputs['policy']
    expect(JSON.parse(policy).Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow')).toEqual([])
  })
})

describe('photos', () => {
  it('are kept when overwritten, for a while; what was sent ahead goes after two days, and for good after another', () => {
    const rules = (stage: typeof production) =>
      stage.one('aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration', 'PhotosLifecycle').inputs['rules']
    for (const [stage, days] of [[production, 30] as const, [preview, 1] as const]) {
      const versioning = stage.one('aws:s3/bucketVersioning:BucketVersioning', 'PhotosVersioning').inputs
      expect(versioning['versioningConfiguration']).toEqual({ status: 'Enabled' })
      expect(rules(stage)).toEqual([
        { id: 'uploads', status: 'Enabled', filter: { prefix: 'uploads/' }, expiration: { days: 2 } },
        { id: 'files', status: 'Enabled', filter: { prefix: 'files/' }, expiration: { days: 30 } },
        {
          id: 'old-uploads',
          status: 'Enabled',
          filter: { prefix: 'uploads/' },
          noncurrentVersionExpiration: { noncurrentDays: 1 },
        },
        {
          id: 'old-files',
          status: 'Enabled',
          filter: { prefix: 'files/' },
          noncurrentVersionExpiration: { noncurrentDays: 1 },
        },
        {
          id: 'old-versions',
          status: 'Enabled',
          filter: { prefix: '' },
          noncurrentVersionExpiration: { noncurrentDays: days },
          expiration: { expiredObjectDeleteMarker: true },
          abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
        },
      ])
    }
  })

  it('lie where the permissions and the rules expect them', () => {
    const keys = readFileSync(path.join(functions, 'store/src/keys.rs'), 'utf8')
    expect(keys).toContain('"uploads/{t}/')
    expect(keys).toContain('"photos/{t}/')
    expect(keys).toContain('"files/{t}/')
    const files = readFileSync(path.join(functions, 'store/src/run_files.rs'), 'utf8')
    expect(files).toContain('DAYS: u16 = 30')
  })

  it('are sent by pages of the portal and of the desk, and by no others', () => {
    const cors = stageCors(production)
    expect(cors['bucket']).toBe('photosbucket')
    expect(cors['corsRules']).toEqual([
      {
        allowedOrigins: [
          ...['https://*.zaehler.example.de', 'https://portal.example.de', 'https://zaehler.example.de'],
          'https://desk.example.de',
        ],
        allowedMethods: ['PUT'],
        allowedHeaders: ['content-type', 'if-none-match'],
        maxAgeSeconds: 3600,
      },
    ])
    expect(stageCors(preview)['corsRules'][0].allowedOrigins).toEqual(['https://d1.cloudfront.net'])
  })
})

function stageCors(stage: typeof production) {
  const all = stage.all('aws:s3/bucketCorsConfiguration:BucketCorsConfiguration')
  expect(all).toHaveLength(1)
  return stage.one('aws:s3/bucketCorsConfiguration:BucketCorsConfiguration', 'PhotosCors').inputs
}
