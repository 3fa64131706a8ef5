import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { preview, production, restored } from './deployment.ts'
import { ACCOUNT, type Asked, arn, decide, type Policy } from './simulate.ts'

const TABLE = arn('dynamodb', 'table/TableTable')
const INDEX = `${TABLE}/index/gsi1`
const BUCKET = 'arn:aws:s3:::photosbucket'
const policyOf = (stage: typeof production): Policy =>
  JSON.parse(stage.one('aws:iam/policy:Policy', 'Operator').inputs['policy'])

/** What a clerk's role is tagged with. */
const TAGS = {
  'aws:PrincipalTag/tenant': 'stadtwerk',
  'aws:PrincipalTag/sender': 'zaehler@stadtwerke.de',
}

const keyPolicy: Policy = JSON.parse(production.one('aws:kms/key:Key', 'CustomerKey').inputs['policy'])

const asClerk = (asked: Asked, tags: Record<string, string> = TAGS) =>
  decide(
    `arn:aws:iam::${ACCOUNT}:role/zaehlwerk-operator-stadtwerk`,
    { ...asked, context: { ...tags, ...asked.context } },
    [policyOf(production)],
    asked.action.startsWith('kms:') ? keyPolicy : undefined,
  )

const ACTIONS = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem']
const WRITE = ['PutItem', 'UpdateItem', 'DeleteItem']
const items = (action: string, partitions: string[], resource = TABLE): Asked => ({
  action: `dynamodb:${action}`,
  resource,
  context: { 'dynamodb:LeadingKeys': partitions },
})

const keys = readFileSync(path.resolve(import.meta.dirname, '../../functions/store/src/keys.rs'), 'utf8')
/** All partitions of table and index, as they are made. */
const partitions = [
  ...keys.matchAll(
    /(?:key\(format!\(|-> String \{\n {4}format!\(|const (?:DIRECTORY|OPEN_RUNS): &str = )"([A-Z][^"/]*)"/g,
  ),
].map(([, text]) => text ?? '')
const OF_TENANT = /^T#\{(t|tenant)\}/
/** Those of a tenant. */
const partitionsOf = (tenant: string) =>
  partitions
    .filter((text) => OF_TENANT.test(text))
    .map((text) => text.replace(OF_TENANT, `T#${tenant}`).replaceAll(/\{[^}]*\}/g, 'x'))

describe('the command line for a tenant', () => {
  it('may do what it does with each kind of the tenant’s items, and nothing with those of another tenant', async () => {
    const own = partitionsOf('stadtwerk')
    expect(own.length).toBeGreaterThan(40)
    const below = own.filter((partition) => partition !== 'T#stadtwerk')
    expect(below).toHaveLength(own.length - 1)
    // Of several keys each one has to fit.
    for (const action of ACTIONS) {
      expect(await asClerk(items(action, WRITE.includes(action) ? below : own)), action).toBe('Allowed')
    }
    const wrong: string[] = []
    for (const tenant of ['stadtwerk-a', 'stadt', '*']) {
      for (const partition of [`T#${tenant}`, `T#${tenant}#A#k-1`]) {
        for (const asked of [
          items('GetItem', [partition]),
          items('PutItem', [partition]),
          items('Query', [partition], INDEX),
        ]) {
          if ((await asClerk(asked)) !== 'ImplicitlyDenied') wrong.push(`${asked.action} ${partition}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('reads the settings, and puts none into effect', async () => {
    for (const action of ACTIONS) {
      const wanted = WRITE.includes(action) ? 'ImplicitlyDenied' : 'Allowed'
      expect(await asClerk(items(action, ['T#stadtwerk'])), action).toBe(wanted)
      expect(await asClerk(items(action, ['T#stadtwerk', 'T#stadtwerk#SEASONS'])), action).toBe(wanted)
    }
  })

  it('finds what is the tenant’s in the index', async () => {
    for (const partition of ['T#stadtwerk#R#2026-110', 'T#stadtwerk#ACCOUNTS#3']) {
      expect(await asClerk(items('Query', [partition], INDEX))).toBe('Allowed')
    }
    expect(await asClerk(items('Query', ['RUNS'], INDEX))).toBe('ImplicitlyDenied')
  })

  it('gets nothing where one of several items is another tenant’s, or where no key is said', async () => {
    expect(await asClerk(items('BatchGetItem', ['T#stadtwerk', 'T#netze']))).toBe('ImplicitlyDenied')
    for (const action of ['GetItem', 'Query', 'PutItem']) {
      expect(await asClerk({ action: `dynamodb:${action}`, resource: TABLE }), action).toBe('ImplicitlyDenied')
    }
    for (const action of ['Scan', 'PartiQLSelect', 'BatchWriteItem', 'ExportTableToPointInTime', 'DeleteTable']) {
      expect(await asClerk({ action: `dynamodb:${action}`, resource: TABLE }), action).toBe('ImplicitlyDenied')
    }
  })

  it('shares with all tenants the second of reminders and the names of members, and no more', async () => {
    // Every key that begins with no tenant is named here, and what the command may do with it.
    const shared: Record<string, string[]> = {
      'H#{host}': [],
      TENANTS: [],
      'REMINDERS#{second}': ['UpdateItem'],
      'M#{member}': ['GetItem', 'BatchGetItem'],
      'IDENTITY#{}': [],
      RUNS: [],
    }
    expect(partitions.filter((text) => !OF_TENANT.test(text)).sort()).toEqual(Object.keys(shared).sort())
    for (const [partition, allowed] of Object.entries(shared)) {
      for (const action of ACTIONS) {
        const wanted = allowed.includes(action) ? 'Allowed' : 'ImplicitlyDenied'
        expect(await asClerk(items(action, [partition.replace(/\{.*\}/, 'x')])), `${action} ${partition}`).toBe(wanted)
      }
    }
  })

  it('sees the tenant’s photos, and erases them and what was sent ahead', async () => {
    const object = (action: string, name: string) => ({ action: `s3:${action}`, resource: `${BUCKET}/${name}` })
    const list = (prefix: string) => ({
      action: 's3:ListBucketVersions',
      resource: BUCKET,
      context: { 's3:prefix': prefix },
    })
    for (const [asked, other] of [
      [object('GetObject', 'photos/stadtwerk/job-1/a'), object('GetObject', 'photos/stadtwerk-a/job-1/a')],
      [object('DeleteObjectVersion', 'photos/stadtwerk/a/b'), object('DeleteObjectVersion', 'photos/stadt/a/b')],
      [object('DeleteObjectVersion', 'uploads/stadtwerk/a/b'), object('DeleteObjectVersion', 'uploads/netze/a/b')],
      [list('photos/stadtwerk/job-1/'), list('photos/')],
      [list('uploads/stadtwerk/k-1/'), list('uploads/stadtwerk-a/k-1/')],
    ] as const) {
      expect(await asClerk(asked), JSON.stringify(asked)).toBe('Allowed')
      expect(await asClerk(other), JSON.stringify(other)).toBe('ImplicitlyDenied')
    }
    for (const asked of [
      object('GetObject', 'uploads/stadtwerk/a/b'),
      object('GetObject', 'files/stadtwerk/a/b'),
      object('PutObject', 'photos/stadtwerk/a/b'),
    ]) {
      expect(await asClerk(asked), JSON.stringify(asked)).toBe('ImplicitlyDenied')
    }
  })

  it('writes by the tenant’s sender, and asks how much may be sent', async () => {
    const send = (from: string, named: string) => ({
      action: 'ses:SendEmail',
      resource: arn('ses', named),
      context: { 'ses:FromAddress': from },
    })
    for (const named of ['identity/stadtwerke.de', 'configuration-set/zaehlwerk-production']) {
      expect(await asClerk(send('zaehler@stadtwerke.de', named))).toBe('Allowed')
      expect(await asClerk(send('info@example.de', named))).toBe('ImplicitlyDenied')
    }
    expect(await asClerk({ action: 'ses:GetAccount', resource: '*' })).toBe('Allowed')
  })

  it('reads the signing secrets of the tenant’s webhook', async () => {
    const parameter = (name: string) => ({
      action: 'ssm:GetParameter',
      resource: arn('ssm', `parameter/zaehlwerk/production/${name}`),
    })
    expect(await asClerk(parameter('webhook/stadtwerk/secret'))).toBe('Allowed')
    for (const name of ['webhook/netze/secret', 'crm/stadtwerk/key', 'login/stadtwerk/secret', 'jwt-private-key']) {
      expect(await asClerk(parameter(name)), name).toBe('ImplicitlyDenied')
    }
  })

  it('may do nothing by a role without a tenant', async () => {
    for (const asked of [
      ...ACTIONS.map((action) => items(action, ['T#stadtwerk#A#k-1'])),
      items('GetItem', ['T#']),
      { action: 's3:GetObject', resource: `${BUCKET}/photos/stadtwerk/a/b` },
      {
        action: 'ses:SendEmail',
        resource: arn('ses', 'identity/stadtwerke.de'),
        context: { 'ses:FromAddress': 'zaehler@stadtwerke.de' },
      },
    ]) {
      expect(await asClerk(asked, {}), JSON.stringify(asked)).toBe('ImplicitlyDenied')
    }
  })

  it('uses the customer’s key by way of table and photos, and never by itself', async () => {
    const by = (service?: string) =>
      asClerk({
        action: 'kms:Decrypt',
        resource: arn('kms', 'key/CustomerKey'),
        context: service === undefined ? {} : { 'kms:ViaService': `${service}.eu-central-1.amazonaws.com` },
      })
    expect([await by('dynamodb'), await by('s3')]).toEqual(['Allowed', 'Allowed'])
    expect([await by('sqs'), await by()]).toEqual(['ImplicitlyDenied', 'ImplicitlyDenied'])
    expect(JSON.stringify(policyOf(preview))).not.toContain('kms:')
  })

  it('has a restored table in place of the original', () => {
    expect(JSON.stringify(policyOf(restored))).not.toContain('TableTable')
    expect(JSON.stringify(policyOf(restored))).toContain(arn('dynamodb', 'table/zaehlwerk-restored'))
  })

  it('is an output of the deployment, and no longer than IAM takes', () => {
    for (const stage of [production, restored, preview])
      expect(JSON.stringify(policyOf(stage)).length).toBeLessThan(6_144)
    expect(production.one('aws:iam/policy:Policy', 'Operator').inputs['name']).toBe('zaehlwerk-production-operator')
    expect(production.evaluated.outputs['operatorPolicy']).toBe(arn('mock', 'Operator'))
  })
})
