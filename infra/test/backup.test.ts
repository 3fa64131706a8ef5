import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import workersJson from '../workers.json' with { type: 'json' }
import { preview, production, restored } from './deployment.ts'
import type { Deployment, Registered } from './evaluate.ts'

const SECOND = 'arn:aws:backup:eu-west-1:123456789012:backup-vault:BackupsElsewhere'
const ELSEWHERE = 'arn:aws:backup:eu-central-1:210987654321:backup-vault:zaehlwerk'
const rule = (stage: Deployment) => {
  const { rules } = stage.one('aws:backup/plan:Plan', 'BackupPlan').inputs
  expect(rules).toHaveLength(1)
  return rules[0]
}
/** By the vault: which comes first depends on what is known first. */
const sorted = (stage: Deployment, type: string) => {
  const vault = ({ name, inputs }: Registered): string => inputs['backupVaultName'] ?? name
  return stage.all(type).toSorted((one, other) => vault(one).localeCompare(vault(other)))
}
const vaults = (stage: Deployment) => sorted(stage, 'aws:backup/vault:Vault')
const locks = (stage: Deployment) => sorted(stage, 'aws:backup/vaultLockConfiguration:VaultLockConfiguration')

describe('backups of production', () => {
  it('are of the table that is used, and of the photos', () => {
    const resources = (stage: Deployment) => stage.one('aws:backup/selection:Selection', 'BackedUp').inputs['resources']
    const photos = 'arn:aws:s3:::photosbucket'
    expect(resources(production)).toEqual(['arn:aws:dynamodb:eu-central-1:123456789012:table/TableTable', photos])
    expect(resources(restored)).toEqual([expect.stringMatching(/:table\/zaehlwerk-restored$/), photos])
    for (const stage of [production, restored]) {
      const { planId, iamRoleArn } = stage.one('aws:backup/selection:Selection', 'BackedUp').inputs
      expect([planId, iamRoleArn]).toEqual(['BackupPlan-id', 'arn:aws:iam::123456789012:role/BackupRole'])
    }
  })

  it('come each night, of photos continuously, and are kept as long as the manual promises', () => {
    for (const stage of [production, restored]) {
      expect(rule(stage)).toMatchObject({
        targetVaultName: 'Backups',
        schedule: 'cron(0 1 * * ? *)',
        enableContinuousBackup: true,
        lifecycle: { deleteAfter: 35 },
      })
    }
  })

  it('have a copy in another region, and one in another account where it was named', () => {
    const lifecycle = { deleteAfter: 35 }
    const second = { destinationVaultArn: SECOND, lifecycle }
    expect(rule(production)['copyActions']).toEqual([second])
    expect(rule(restored)['copyActions']).toEqual([second, { destinationVaultArn: ELSEWHERE, lifecycle }])
    expect(vaults(production).map(({ name, inputs }) => [name, inputs['region']])).toEqual([
      ['Backups', undefined],
      ['BackupsElsewhere', 'eu-west-1'],
    ])
  })

  it('cannot be deleted before their time, by a lock that can be taken off unless it is to be for good', () => {
    const kept = { minRetentionDays: 35, maxRetentionDays: 35 }
    for (const [stage, grace] of [[production, {}] as const, [restored, { changeableForDays: 3 }] as const]) {
      expect(locks(stage).map(({ inputs }) => inputs)).toEqual([
        { backupVaultName: 'Backups', ...kept, ...grace },
        { backupVaultName: 'BackupsElsewhere', region: 'eu-west-1', ...kept, ...grace },
      ])
    }
    for (const { inputs, options } of vaults(production)) {
      expect(options).toMatchObject({ protect: true, retainOnDelete: true })
      expect(inputs['forceDestroy']).not.toBe(true)
    }
  })

  it('are made and restored by a role that only the service takes', () => {
    const { assumeRolePolicy, managedPolicyArns } = production.one('aws:iam/role:Role', 'BackupRole').inputs
    expect(assumeRolePolicy.Statement).toMatchObject([
      { Action: 'sts:AssumeRole', Principal: { Service: 'backup.amazonaws.com' } },
    ])
    expect(managedPolicyArns.map((arn: string) => arn.replace(/^.*AWSBackupServiceRolePolicyFor/, '')).sort()).toEqual([
      ...['Backup', 'Restores', 'S3Backup', 'S3Restore'],
    ])
  })

  it('are missed if one of the copies is', () => {
    const [one, both] = [production, restored].map(
      (stage) =>
        stage
          .one('aws:cloudwatch/metricAlarm:MetricAlarm', 'BackupsMissing')
          .inputs['metricQueries'].find(({ id }: { id: string }) => id === 'value').expression,
    )
    expect(one).toBe('IF(FILL(backups, 0) < 2 OR FILL(copies, 0) < 2, 1, 0)')
    expect(both).toBe('IF(FILL(backups, 0) < 2 OR FILL(copies, 0) < 4, 1, 0)')
  })
})

describe('other stages', () => {
  it('have no backups', () => {
    expect(preview.evaluated.resources.filter(({ type }) => type.startsWith('aws:backup/'))).toEqual([])
    expect(preview.all('aws:cloudwatch/metricAlarm:MetricAlarm').filter(({ name }) => /Backup/.test(name))).toEqual([])
  })
})

describe('the commands of a restore', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const script = readFileSync(path.join(root, 'scripts/restore.py'), 'utf8')
  const manual = readFileSync(path.join(root, 'docs/operations.md'), 'utf8')
  const [, list = ''] = /^WORKERS = \[(.*?)\]/ms.exec(script) ?? []
  const order = [...list.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)

  it('know every worker by the name of its function, and start last what could take a photo away', () => {
    expect([...order].sort()).toEqual(workersJson.map(({ name }) => name).sort())
    expect(order.at(-1)).toBe('orphan_photos')
    for (const worker of order) {
      const resource = worker.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
      const name: string = production.functions().get(worker)?.inputs['name']
      expect(name).toMatch(new RegExp(`^zaehlwerk-production-${resource}Function-`))
      // A share of its own would be gone once it was held.
      expect(production.functions().get(worker)?.inputs['reservedConcurrentExecutions']).toBeUndefined()
    }
  })

  it('start the workers in the order that the manual has', () => {
    expect(manual).toContain(order.map((name) => `\`${name}\``).join(', '))
  })

  it('bound a table as the deployment does', () => {
    const { inputs } = preview.one('aws:dynamodb/table:Table', 'TableTable')
    const most = (name: string) => inputs['onDemandThroughput'][name].toLocaleString('en').replace(',', '_')
    expect(script).toContain(`READS, WRITES = ${most('maxReadRequestUnits')}, ${most('maxWriteRequestUnits')}\n`)
  })
})
