/**
 * Who touched persons' data otherwise than by the product, which keeps an audit trail of its own: a person with rights in the account
 * who reads the table or opens a photo is in CloudTrail, and so is one who changes something in the account (D-OPERATIONS-8).
 */
import './api.ts'
import { deployed } from './function.ts'
import { key } from './key.ts'
import { hasTrail, isProduction } from './stage.ts'
import { encrypt, photos, table } from './storage.ts'
import './workers.ts'

/** How long the trail is kept, in days; in production it cannot be deleted before. */
const DAYS = isProduction ? 365 : 7

const name = `${$app.name}-${$app.stage}`
const account = aws.getCallerIdentityOutput().accountId
const region = aws.getRegionOutput().region
const trailArn = $interpolate`arn:aws:cloudtrail:${region}:${account}:trail/${name}`

function create(): void {
  const writer = { principals: [{ type: 'service' as const, identifiers: ['cloudtrail.amazonaws.com'] }] }
  const byTrail = { test: 'StringEquals', variable: 'aws:SourceArn', values: [trailArn] }
  const bucket = new sst.aws.Bucket('Trail', {
    enforceHttps: true,
    cors: false,
    versioning: true,
    lifecycle: [{ id: 'trail', expiresIn: `${DAYS} days` }],
    policy: [
      { ...writer, actions: ['s3:GetBucketAcl'], paths: [''], conditions: [byTrail] },
      {
        ...writer,
        actions: ['s3:PutObject'],
        paths: [$interpolate`AWSLogs/${account}/*`],
        conditions: [
          byTrail,
          // CloudTrail says so of each file, and a file of anybody else's could not be read.
          { test: 'StringEquals', variable: 's3:x-amz-acl', values: ['bucket-owner-full-control'] },
        ],
      },
    ],
    transform: {
      bucket: (args, options) => {
        options.protect = isProduction
        args.objectLockEnabled = isProduction
        args.forceDestroy = !isProduction
      },
      lifecycle: (args) => {
        args.rules = $util.output(args.rules).apply((rules) => [
          ...(rules ?? []),
          {
            id: 'old-versions',
            status: 'Enabled',
            filter: { prefix: '' },
            noncurrentVersionExpiration: { noncurrentDays: 1 },
            expiration: { expiredObjectDeleteMarker: true },
          },
        ])
      },
    },
  })
  encrypt('Trail', bucket)
  if (isProduction) {
    new aws.s3.BucketObjectLockConfiguration('TrailLock', {
      bucket: bucket.name,
      rule: { defaultRetention: { mode: 'COMPLIANCE', days: DAYS } },
    })
  }
  const functions = deployed.map(({ fn }) =>
    $util.output(fn.nodes.role).apply((role) => $interpolate`arn:aws:sts::${account}:assumed-role/${role?.name}/`),
  )
  const is = (field: string, ...equals: string[]) => ({ field, equals })
  /** Everything that is done with such a resource, and not by a function. */
  const touched = (what: string, type: string, arn: $util.Input<string>) => ({
    name: what,
    fieldSelectors: [
      is('eventCategory', 'Data'),
      is('resources.type', type),
      { field: 'resources.ARN', startsWiths: [arn] },
      { field: 'userIdentity.arn', notStartsWiths: functions },
    ],
  })
  new aws.cloudtrail.Trail(
    'Trail',
    {
      name,
      s3BucketName: bucket.name,
      kmsKeyId: key,
      isMultiRegionTrail: true,
      includeGlobalServiceEvents: true,
      enableLogFileValidation: true,
      advancedEventSelectors: [
        touched('Table', 'AWS::DynamoDB::Table', table.arn),
        touched('Photos', 'AWS::S3::Object', $interpolate`${photos.arn}/`),
        // A backup that is restored elsewhere, a role that may more, a key's policy: the first copy of these costs nothing.
        { name: 'Changes', fieldSelectors: [is('eventCategory', 'Management'), is('readOnly', 'false')] },
      ],
    },
    // CloudTrail refuses a bucket into which it may not write.
    { dependsOn: [bucket] },
  )
}

if (hasTrail) create()
