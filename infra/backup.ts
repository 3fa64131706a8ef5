/**
 * Copies of table and photos that a fault of the account's own cannot reach: a vault that refuses to delete a backup before its time, and
 * copies of them in another region and, if there is one, in another account. Of production only (D-OPERATIONS-7).
 */
import { alarm, SILENCE } from './alarm.ts'
import { key, keyElsewhere } from './key.ts'
import { backupVault, isProduction, locksForGood } from './stage.ts'
import { photos, table } from './storage.ts'

/** Where the copy lies that outlives the region; in the European Union, as the first. */
const SECOND_REGION = 'eu-west-1'
/** How long each backup is kept, in days: neither shorter, nor longer than docs/data-protection.md promises. */
const BACKUP_DAYS = 35
/** Days in which a lock that is to be for good can still be taken back. */
const GRACE_DAYS = 3
/** Backups of a night: one of the table, one of the photos. */
const EACH_NIGHT = 2

/** What the role does with the key of a vault; without these rights a job ends well and has nothing in it. */
const USE_OF_VAULT_KEY = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey*', 'ReEncrypt*'].map(
  (action) => `kms:${action}`,
)

/** A vault that survives the stage, and refuses to delete a backup before its time. */
function lockedVault(name: string, kmsKeyArn?: $util.Output<string>, region?: string): aws.backup.Vault {
  const vault = new aws.backup.Vault(
    name,
    { ...(kmsKeyArn && { kmsKeyArn }), ...(region && { region }) },
    // A vault has the key that it began with; with another one it would be another vault.
    { protect: true, retainOnDelete: true, ignoreChanges: ['kmsKeyArn'] },
  )
  new aws.backup.VaultLockConfiguration(`${name}Lock`, {
    backupVaultName: vault.name,
    minRetentionDays: BACKUP_DAYS,
    maxRetentionDays: BACKUP_DAYS,
    ...(locksForGood && { changeableForDays: GRACE_DAYS }),
    ...(region && { region }),
  })
  return vault
}

if (isProduction) {
  const secondKey = keyElsewhere(SECOND_REGION)
  const vault = lockedVault('Backups', key)
  const second = lockedVault('BackupsElsewhere', secondKey, SECOND_REGION)
  const keys = [key, secondKey].filter((used) => used !== undefined)
  const role = new aws.iam.Role('BackupRole', {
    assumeRolePolicy: aws.iam.assumeRolePolicyForPrincipal({ Service: 'backup.amazonaws.com' }),
    // AWS keeps them in step with what its service calls; it restores with the same role.
    managedPolicyArns: [
      'arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup',
      'arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForRestores',
      'arn:aws:iam::aws:policy/AWSBackupServiceRolePolicyForS3Backup',
      'arn:aws:iam::aws:policy/AWSBackupServiceRolePolicyForS3Restore',
    ],
    ...(keys.length > 0 && {
      inlinePolicies: [
        {
          name: 'keys',
          policy: $jsonStringify({
            Version: '2012-10-17',
            Statement: [
              { Effect: 'Allow', Action: USE_OF_VAULT_KEY, Resource: keys },
              {
                Effect: 'Allow',
                Action: 'kms:CreateGrant',
                Resource: keys,
                Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
              },
            ],
          }),
        },
      ],
    }),
  })
  const lifecycle = { deleteAfter: BACKUP_DAYS }
  const copies = [second.arn, ...(backupVault === undefined ? [] : [backupVault])]
  const plan = new aws.backup.Plan('BackupPlan', {
    rules: [
      {
        ruleName: 'daily',
        targetVaultName: vault.name,
        // At night in Germany, and through before anybody reads.
        schedule: 'cron(0 1 * * ? *)',
        startWindow: 60,
        completionWindow: 720,
        // Photos to any second; the table has that by itself, and gets a backup a day.
        enableContinuousBackup: true,
        lifecycle,
        copyActions: copies.map((destinationVaultArn) => ({ destinationVaultArn, lifecycle })),
      },
    ],
  })
  new aws.backup.Selection('BackedUp', {
    planId: plan.id,
    iamRoleArn: role.arn,
    resources: [table.arn, photos.arn],
  })

  const ofVault = (metricName: string) => ({
    namespace: 'AWS/Backup',
    metricName,
    stat: 'Sum',
    dimensions: { BackupVaultName: vault.name },
  })
  alarm('BackupsFailed', {
    description: 'A backup or a copy of one failed, or was not begun in time',
    manual: 'Backups',
    metrics: {
      failed: ofVault('NumberOfBackupJobsFailed'),
      aborted: ofVault('NumberOfBackupJobsAborted'),
      expired: ofVault('NumberOfBackupJobsExpired'),
      copies: ofVault('NumberOfCopyJobsFailed'),
    },
    expression: 'FILL(failed, 0) + FILL(aborted, 0) + FILL(expired, 0) + FILL(copies, 0)',
    threshold: 1,
    periods: 1,
    period: 3_600,
    silence: SILENCE.isNone,
  })
  alarm('BackupsMissing', {
    description: 'For two days there was no backup of both table and photos, or no copy of each elsewhere',
    manual: 'Backups',
    metrics: {
      backups: ofVault('NumberOfBackupJobsCompleted'),
      copies: ofVault('NumberOfCopyJobsCompleted'),
    },
    expression: `IF(FILL(backups, 0) < ${EACH_NIGHT} OR FILL(copies, 0) < ${EACH_NIGHT * copies.length}, 1, 0)`,
    threshold: 1,
    periods: 2,
    period: 86_400,
    // The plan's clock has both told each night.
    silence: SILENCE.isFault,
  })
}
