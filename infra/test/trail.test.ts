import { describe, expect, it } from 'vitest'
import { preview, production } from './deployment.ts'
import { ACCOUNT, arn, decide, type Policy } from './simulate.ts'

const trail = production.one('aws:cloudtrail/trail:Trail', 'Trail')
const TRAIL = arn('cloudtrail', 'trail/zaehlwerk-production')
type Field = { field: string; equals?: string[]; startsWiths?: string[]; notStartsWiths?: string[] }
const selectors: { name: string; fieldSelectors: Field[] }[] = trail.inputs['advancedEventSelectors']

/** Whether the trail keeps an event, as CloudTrail selects: one selector of which every field fits. */
const keeps = (event: Record<string, string>) =>
  selectors.some(({ fieldSelectors }) =>
    fieldSelectors.every(({ field, equals, startsWiths, notStartsWiths }) => {
      const value = event[field] ?? ''
      if (equals) return equals.includes(value)
      if (startsWiths) return startsWiths.some((start) => value.startsWith(start))
      return !notStartsWiths?.some((start) => value.startsWith(start))
    }),
  )

const PERSON = `arn:aws:sts::${ACCOUNT}:assumed-role/AWSReservedSSO_Administrator_1/a.person`
const data = (type: string, resource: string, who: string) => ({
  eventCategory: 'Data',
  'resources.type': type,
  'resources.ARN': resource,
  'userIdentity.arn': who,
})
const TABLE = arn('dynamodb', 'table/TableTable')
const photo = 'arn:aws:s3:::photosbucket/photos/stadtwerk/job-1/a'

describe('the trail', () => {
  it('keeps who read the table or opened a photo, and leaves what functions do to the audit trail', () => {
    for (const [type, resource] of [
      ['AWS::DynamoDB::Table', TABLE],
      ['AWS::S3::Object', photo],
    ] as const) {
      expect(keeps(data(type, resource, PERSON)), type).toBe(true)
      for (const { inputs } of production.functions().values()) {
        const role = inputs['role'].replace(/^.*:role\//, '')
        const asFunction = `arn:aws:sts::${ACCOUNT}:assumed-role/${role}/some-function`
        expect(keeps(data(type, resource, asFunction)), role).toBe(false)
        // A caller whose role has nearly the same name is kept.
        expect(keeps(data(type, resource, asFunction.replace(role, `${role}2`))), role).toBe(true)
      }
    }
    expect(keeps(data('AWS::DynamoDB::Table', arn('dynamodb', 'table/other'), PERSON))).toBe(false)
    expect(keeps(data('AWS::S3::Object', 'arn:aws:s3:::webassetsbucket/index.html', PERSON))).toBe(false)
  })

  it('keeps who changed something in the account, such as a restore elsewhere or a role that may more', () => {
    expect(keeps({ eventCategory: 'Management', readOnly: 'false', 'userIdentity.arn': PERSON })).toBe(true)
    expect(keeps({ eventCategory: 'Management', readOnly: 'true', 'userIdentity.arn': PERSON })).toBe(false)
    expect(trail.inputs).toMatchObject({ isMultiRegionTrail: true, includeGlobalServiceEvents: true })
  })

  it('has no more values than CloudTrail takes', () => {
    const values = selectors.flatMap(({ fieldSelectors }) =>
      fieldSelectors.flatMap(
        ({ equals, startsWiths, notStartsWiths }) => equals ?? startsWiths ?? notStartsWiths ?? [],
      ),
    )
    expect(values.length).toBeLessThanOrEqual(500)
  })

  it('lies for a year in a bucket of its own in which nobody can delete or change anything', () => {
    const bucket = production.one('aws:s3/bucket:Bucket', 'TrailBucket')
    expect(bucket.inputs).toMatchObject({ objectLockEnabled: true, forceDestroy: false })
    expect(bucket.options).toMatchObject({ protect: true, retainOnDelete: true })
    const lock = production.one('aws:s3/bucketObjectLockConfiguration:BucketObjectLockConfiguration', 'TrailLock')
    expect(lock.inputs).toMatchObject({
      bucket: 'trailbucket',
      rule: { defaultRetention: { mode: 'COMPLIANCE', days: 365 } },
    })
    const lifecycle = production.one(
      'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration',
      'TrailLifecycle',
    )
    expect(lifecycle.inputs['rules']).toEqual([
      { id: 'trail', status: 'Enabled', expiration: { days: 365 } },
      {
        id: 'old-versions',
        status: 'Enabled',
        filter: { prefix: '' },
        noncurrentVersionExpiration: { noncurrentDays: 1 },
        expiration: { expiredObjectDeleteMarker: true },
      },
    ])
    expect(trail.inputs).toMatchObject({
      name: 'zaehlwerk-production',
      s3BucketName: 'trailbucket',
      enableLogFileValidation: true,
      kmsKeyId: arn('kms', 'key/CustomerKey'),
    })
  })

  it('is written by CloudTrail, for this trail alone, and read by nobody by the bucket’s own policy', async () => {
    const policy: Policy = JSON.parse(
      production.one('aws:s3/bucketPolicy:BucketPolicy', 'TrailPolicy').inputs['policy'],
    )
    const may = (action: string, resource: string, source: string, acl = 'bucket-owner-full-control') =>
      decide(
        'cloudtrail.amazonaws.com',
        {
          action,
          resource,
          context: { 'aws:SourceArn': source, ...(action === 's3:PutObject' && { 's3:x-amz-acl': acl }) },
        },
        [],
        policy,
      )
    const file = `arn:aws:s3:::trailbucket/AWSLogs/${ACCOUNT}/CloudTrail/eu-central-1/2026/11/25/a.json.gz`
    expect(await may('s3:PutObject', file, TRAIL)).toBe('Allowed')
    expect(await may('s3:GetBucketAcl', 'arn:aws:s3:::trailbucket', TRAIL)).toBe('Allowed')
    expect(await may('s3:PutObject', file, TRAIL.replace(ACCOUNT, '210987654321'))).not.toBe('Allowed')
    expect(await may('s3:PutObject', file.replace(ACCOUNT, '210987654321'), TRAIL)).not.toBe('Allowed')
    expect(await may('s3:PutObject', file, TRAIL, 'private')).not.toBe('Allowed')
    expect(await may('s3:GetObject', file, TRAIL)).not.toBe('Allowed')
  })

  it('is there only where somebody wants it', () => {
    expect(preview.all('aws:cloudtrail/trail:Trail')).toEqual([])
    expect(preview.all('aws:s3/bucket:Bucket').map(({ name }) => name)).not.toContain('TrailBucket')
  })
})
