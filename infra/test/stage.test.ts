import { beforeEach, describe, expect, it, vi } from 'vitest'

const zone = vi.fn((options: { zone: string }) => ({
  provider: 'aws',
  ...options,
  createAlias: (_: string, { name }: { name: string }) => [name],
}))

/** The settings as a deployment of the stage reads them. */
function read(stage: string, settings: Record<string, string>) {
  vi.resetModules()
  vi.stubGlobal('$app', { name: 'zaehlwerk', stage })
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  return import('../stage.ts')
}

/** The names as a deployment reads them, whose zone is `example.de`. */
async function names(settings: Record<string, string>) {
  await read('pr-7', { ZAEHLWERK_MAIL_DOMAINS: 'example.de', ...settings })
  vi.stubGlobal('sst', { aws: { dns: zone } })
  vi.stubGlobal('aws', { route53: { getZone: () => Promise.resolve({ name: 'example.de' }) } })
  return import('../domains.ts')
}
/** The names among these that records are made of. */
async function recorded(settings: Record<string, string>): Promise<string[]> {
  const { domain } = await names(settings)
  const dns = domain?.dns
  if (domain === undefined || !dns) return []
  return [domain.name, ...domain.aliases].flatMap(
    (name) =>
      dns.createAlias('Portal', { name, aliasName: 'd1.cloudfront.net', aliasZone: 'Z2' }, {}) as unknown as string[],
  )
}

beforeEach(() => {
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (name.startsWith('ZAEHLWERK_')) vi.stubEnv(name, undefined)
})

const mail = { ZAEHLWERK_ALARM_EMAIL: 'betrieb@example.de' }
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/1'

describe('settings', () => {
  it('may all be absent but in production', async () => {
    expect(await read('pr-7', {})).toMatchObject({ hosts: [], hasOwnNames: false, loginConcurrency: undefined })
    await expect(read('production', {})).rejects.toThrow('Production needs ZAEHLWERK_ALARM_EMAIL')
  })

  // GitHub passes a variable that an environment does not have as an empty text.
  it('are absent when they are empty', async () => {
    const names = [
      'HOSTS',
      'ZONE',
      'CERTIFICATE',
      'TABLE',
      'ALARM_EMAIL',
      'MAIL_DOMAINS',
      'BUDGET',
      'LOGIN_CONCURRENCY',
    ]
    const more = [
      'DESK_HOST',
      'WARM_READS',
      'WARM_WRITES',
      'PHOTO_READING',
      'FIREWALL',
      'RATE_LIMIT',
      'OWN_NAMES',
      'CUSTOMER_KEY',
      'TRAIL',
    ]
    const empty = Object.fromEntries([...names, ...more].map((name) => [`ZAEHLWERK_${name}`, ' ']))
    const absent = await read('pr-7', {})
    expect(await read('pr-7', empty)).toEqual(absent)
    await expect(read('production', empty)).rejects.toThrow('Production needs ZAEHLWERK_ALARM_EMAIL')
  })

  it('have these values without a word', async () => {
    expect(await read('production', mail)).toMatchObject({
      isProduction: true,
      budget: 50,
      hasFirewall: true,
      rateLimit: 3_000,
      logRetention: 90,
      readsPhotos: false,
      hasTrail: false,
      customerKey: undefined,
      warmThroughput: { reads: undefined, writes: undefined },
    })
    // Production is a name, and no other one is.
    expect(await read('staging', {})).toMatchObject({ isProduction: false, hasFirewall: false, logRetention: 7 })
  })

  it('warm the table for reads and for writes', async () => {
    const settings = { ZAEHLWERK_WARM_READS: '30000', ZAEHLWERK_WARM_WRITES: '20000' }
    expect((await read('pr-7', settings)).warmThroughput).toEqual({ reads: 30_000, writes: 20_000 })
  })

  it('leave the firewall out', async () => {
    expect((await read('production', { ...mail, ZAEHLWERK_FIREWALL: 'none' })).hasFirewall).toBe(false)
  })

  it.each([
    ['textract', true],
    ['none', false],
  ])('have photos read, or not: %s', async (choice, is) => {
    expect((await read('pr-7', { ZAEHLWERK_PHOTO_READING: choice })).readsPhotos).toBe(is)
  })

  it('take a key that the deployment makes or somebody brings, and no other word', async () => {
    const key = 'arn:aws:kms:eu-central-1:123456789012:key/0190f3c2'
    for (const choice of ['yes', key]) {
      expect((await read('pr-7', { ZAEHLWERK_CUSTOMER_KEY: choice })).customerKey).toBe(choice)
    }
    // One of another region would be refused by each service, one by one; `no` is what is not said.
    for (const choice of ['no', key.replace('eu-central-1', 'us-east-1'), 'alias/zaehlwerk']) {
      await expect(read('pr-7', { ZAEHLWERK_CUSTOMER_KEY: choice }), choice).rejects.toThrow(
        'ZAEHLWERK_CUSTOMER_KEY must be',
      )
    }
  })

  it('take host names of a zone, whole ones before those for whatever comes', async () => {
    const settings = { ZAEHLWERK_HOSTS: '*.example.de b.example.de', ZAEHLWERK_ZONE: 'Z1' }
    const { domain, areAllOurs } = await names(settings)
    expect(domain).toMatchObject({
      name: 'b.example.de',
      aliases: ['*.example.de'],
      dns: { provider: 'aws', zone: 'Z1' },
    })
    expect(domain).not.toHaveProperty('cert')
    expect(await recorded(settings)).toEqual(['b.example.de', '*.example.de'])
    expect(areAllOurs).toBe(true)
  })

  it('take host names of others, with a certificate', async () => {
    const hosts = { ZAEHLWERK_HOSTS: 'zaehler.stadtwerke-a.de,zaehler.stadtwerke-b.de' }
    const { domain, areAllOurs } = await names({ ...hosts, ZAEHLWERK_CERTIFICATE: certificate })
    expect(domain).toEqual({
      name: 'zaehler.stadtwerke-a.de',
      aliases: ['zaehler.stadtwerke-b.de'],
      dns: false,
      cert: certificate,
    })
    expect(areAllOurs).toBe(false)
  })

  // What had records keeps them when a tenant's own name comes.
  it('take both, with a certificate, and make the records of those in the zone', async () => {
    const both = { ZAEHLWERK_HOSTS: 'a.example.de,zaehler.stadtwerke.de,xexample.de', ZAEHLWERK_ZONE: 'Z1' }
    const settings = { ...both, ZAEHLWERK_CERTIFICATE: certificate }
    expect((await names(settings)).domain).toMatchObject({ cert: certificate, dns: { zone: 'Z1' } })
    expect((await names(settings)).areAllOurs).toBe(false)
    expect(await recorded(settings)).toEqual(['a.example.de'])
  })

  it('know what is below names in the zone alone', async () => {
    const settings = { ZAEHLWERK_HOSTS: 'a.example.de', ZAEHLWERK_ZONE: 'Z1' }
    expect((await names(settings)).areAllOurs).toBe(true)
    expect((await names({ ...settings, ZAEHLWERK_OWN_NAMES: 'yes' })).areAllOurs).toBe(false)
    const desk = { ZAEHLWERK_DESK_HOST: 'desk.stadtwerke.de', ZAEHLWERK_CERTIFICATE: certificate }
    expect((await names({ ...settings, ...desk })).areAllOurs).toBe(false)
  })

  it('refuse a name outside of the zone without a certificate', async () => {
    const settings = { ZAEHLWERK_HOSTS: 'a.example.de zaehler.stadtwerke.de', ZAEHLWERK_ZONE: 'Z1' }
    await expect(names(settings)).rejects.toThrow('zaehler.stadtwerke.de is not in ZAEHLWERK_ZONE')
  })

  it.each([
    [{ ZAEHLWERK_HOSTS: 'a.example.de' }, 'need ZAEHLWERK_ZONE or ZAEHLWERK_CERTIFICATE'],
    [{ ZAEHLWERK_HOSTS: 'a.*.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'is no host name'],
    [{ ZAEHLWERK_HOSTS: '*', ZAEHLWERK_ZONE: 'Z1' }, 'is no host name'],
    [{ ZAEHLWERK_DESK_HOST: '*.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'is no host name'],
    [{ ZAEHLWERK_OWN_NAMES: 'yes' }, 'ZAEHLWERK_OWN_NAMES needs ZAEHLWERK_HOSTS'],
    [{ ZAEHLWERK_OWN_NAMES: 'true' }, 'ZAEHLWERK_OWN_NAMES must be yes or no'],
    [{ ZAEHLWERK_HOSTS: 'https://a.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'is no host name'],
    [{ ZAEHLWERK_DESK_HOST: 'desk.example.de' }, 'need ZAEHLWERK_ZONE or ZAEHLWERK_CERTIFICATE'],
    [{ ZAEHLWERK_DESK_HOST: 'desk.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'A desk needs ZAEHLWERK_MAIL_DOMAINS'],
    [{ ZAEHLWERK_DESK_HOST: 'a.example.de b.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'must be one host name'],
    [
      { ZAEHLWERK_DESK_HOST: 'a.example.de', ZAEHLWERK_HOSTS: 'a.example.de', ZAEHLWERK_ZONE: 'Z1' },
      "must be none of the portal's names",
    ],
    [{ ZAEHLWERK_MAIL_DOMAINS: 'service@example.de' }, 'is no host name'],
    [{ ZAEHLWERK_BACKUP_LOCK: 'yes' }, 'ZAEHLWERK_BACKUP_LOCK must be governance or compliance'],
    [{ ZAEHLWERK_BACKUP_VAULT: 'zaehlwerk' }, 'ZAEHLWERK_BACKUP_VAULT must be the ARN of a backup vault'],
    [{ ZAEHLWERK_PHOTO_READING: 'yes' }, 'ZAEHLWERK_PHOTO_READING must be textract or none'],
    [{ ZAEHLWERK_BUDGET: '12.50' }, 'ZAEHLWERK_BUDGET must be a whole number'],
    [{ ZAEHLWERK_LOGIN_CONCURRENCY: '0' }, 'ZAEHLWERK_LOGIN_CONCURRENCY must be a whole number'],
  ])('are refused when they make no sense: %o', async (settings, message) => {
    await expect(read('pr-7', settings)).rejects.toThrow(message)
  })

  it('can leave logins without a share of the concurrency of their own', async () => {
    expect((await read('production', mail)).loginConcurrency).toBe(100)
    const settings = { ...mail, ZAEHLWERK_LOGIN_CONCURRENCY: 'none' }
    expect((await read('production', settings)).loginConcurrency).toBeUndefined()
  })
})
