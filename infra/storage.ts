import { key } from './key.ts'
import { isProduction, mostThroughput, NEW_TABLE, restoredTable, warmThroughput } from './stage.ts'

/** A resource that holds data: Pulumi refuses to delete or replace it, even where a change of these files means that. */
function keep(options: $util.CustomResourceOptions): void {
  if (isProduction) options.protect = true
}

/** The one table, as `functions/store/src/table.rs` names it; a test holds both together. DynamoDB encrypts it and keeps what restores it. */
const original = new sst.aws.Dynamo('Table', {
  fields: { pk: 'string', sk: 'string', gsi1pk: 'string', gsi1sk: 'string' },
  primaryIndex: { hashKey: 'pk', rangeKey: 'sk' },
  globalIndexes: { gsi1: { hashKey: 'gsi1pk', rangeKey: 'gsi1sk', projection: 'all' } },
  ttl: 'expiresAt',
  stream: 'new-and-old-images',
  deletionProtection: isProduction,
  transform: {
    table: (args, options) => {
      keep(options)
      if (key !== undefined) args.serverSideEncryption = { enabled: true, kmsKeyArn: key }
      const most = { maxReadRequestUnits: mostThroughput.reads, maxWriteRequestUnits: mostThroughput.writes }
      args.onDemandThroughput = most
      const { reads, writes } = warmThroughput
      const warm = { readUnitsPerSecond: mostThroughput.reads, writeUnitsPerSecond: mostThroughput.writes }
      const isWarm = reads !== undefined || writes !== undefined
      if (isWarm) args.warmThroughput = warm
      // A write that the index cannot take is a write that the table refuses.
      const ofIndex = {
        onDemandThroughput: most,
        ...(isWarm ? { warmThroughput: { ...warm, readUnitsPerSecond: NEW_TABLE.reads } } : {}),
      }
      args.globalSecondaryIndexes = $util
        .output(args.globalSecondaryIndexes ?? [])
        .apply((indexes) => indexes.map((index) => ({ ...index, ...ofIndex })))
    },
  },
})

/** The table that the functions use. The original stays in the deployment beside a restored one. */
export const table = restoredTable === undefined ? original : sst.aws.Dynamo.get('RestoredTable', restoredTable)

/** How long a photo that was sent ahead waits for its reading, in days. */
const UPLOAD_DAYS = 2
/** How long a file that a run made can be fetched, in days, as `RunFiles::DAYS` says. */
const FILE_DAYS = 30
/** How long an overwritten or deleted photo can be brought back, in days. */
const UNDELETE_DAYS = isProduction ? 30 : 1

/** Photos: private, over TLS only, encrypted. Which pages may send photos is said in `web.ts`. */
export const photos = new sst.aws.Bucket('Photos', {
  versioning: true,
  cors: false,
  enforceHttps: true,
  lifecycle: [
    { id: 'uploads', prefix: 'uploads/', expiresIn: `${UPLOAD_DAYS} days` },
    { id: 'files', prefix: 'files/', expiresIn: `${FILE_DAYS} days` },
  ],
  transform: {
    bucket: (args, options) => {
      keep(options)
      args.forceDestroy = !isProduction
    },
    lifecycle: (args) => {
      args.rules = $util.output(args.rules).apply((rules) => [
        ...(rules ?? []),
        {
          // What was sent ahead has its place and camera in it still: once it is gone, it cannot be brought back.
          id: 'old-uploads',
          status: 'Enabled',
          filter: { prefix: 'uploads/' },
          noncurrentVersionExpiration: { noncurrentDays: 1 },
        },
        {
          // A file has persons' data and can be made again: once it is gone, it cannot be brought back.
          id: 'old-files',
          status: 'Enabled',
          filter: { prefix: 'files/' },
          noncurrentVersionExpiration: { noncurrentDays: 1 },
        },
        {
          id: 'old-versions',
          status: 'Enabled',
          filter: { prefix: '' },
          noncurrentVersionExpiration: { noncurrentDays: UNDELETE_DAYS },
          expiration: { expiredObjectDeleteMarker: true },
          abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
        },
      ])
    },
  },
})

/** Has a bucket encrypt what it gets with the customer's key, if there is one, and ask for that key seldom. */
export function encrypt(name: string, bucket: sst.aws.Bucket): void {
  if (key === undefined) return
  new aws.s3.BucketServerSideEncryptionConfiguration(`${name}Encryption`, {
    bucket: bucket.name,
    rules: [
      {
        applyServerSideEncryptionByDefault: { sseAlgorithm: 'aws:kms', kmsMasterKeyId: key },
        bucketKeyEnabled: true,
      },
    ],
  })
}

encrypt('Photos', photos)
