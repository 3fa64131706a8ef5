import { beforeEach, describe, expect, it, vi } from 'vitest'

const zone = vi.fn((options: { zone: string }) => ({ provider: 'aws', ...options }))

/** The settings as a deployment of the stage reads them. */
function read(stage: string, settings: Record<string, string>) {
  vi.resetModules()
  vi.stubGlobal('$app', { name: 'zaehlwerk', stage })
  vi.stubGlobal('sst', { aws: { dns: zone } })
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  return import('../stage.ts')
}

beforeEach(() => {
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (name.startsWith('ZAEHLWERK_')) vi.stubEnv(name, undefined)
})

const mail = { ZAEHLWERK_ALARM_EMAIL: 'betrieb@example.de' }
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/1'

describe('settings', () => {
  it('may all be absent but in production', async () => {
    expect(await read('pr-7', {})).toMatchObject({ domain: undefined, hosts: [], loginConcurrency: undefined })
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
    const more = ['DESK_HOST', 'WARM_READS', 'WARM_WRITES', 'PHOTO_READING', 'FIREWALL', 'RATE_LIMIT']
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
      warmThroughput: { reads: undefined, writes: undefined },
    })
    // Production is a name, and no other one is.
    expect(await read('staging', {})).toMatchObject({ isProduction: false, hasFirewall: false, logRetention: 7 })
  })

  it('warm the table for reads and for writes', async () => {
    const settings = { ZAEHLWERK_WARM_READS: '30000', ZAEHLWERK_WARM_WRITES: '20000' }
    expect((await read('pr-7', settings)).warmThroughput).toEqual({ reads: 30_000, writes: 20_000 })
  })

  it.each([
    ['textract', true],
    ['none', false],
  ])('have photos read, or not: %s', async (choice, is) => {
    expect((await read('pr-7', { ZAEHLWERK_PHOTO_READING: choice })).readsPhotos).toBe(is)
  })

  it('take host names of a zone', async () => {
    const settings = await read('production', {
      ...mail,
      ZAEHLWERK_HOSTS: 'a.example.de b.example.de',
      ZAEHLWERK_ZONE: 'Z1',
    })
    expect(settings.domain).toEqual({
      name: 'a.example.de',
      aliases: ['b.example.de'],
      dns: { provider: 'aws', zone: 'Z1' },
    })
  })

  it('take host names of others, with a certificate', async () => {
    const hosts = { ZAEHLWERK_HOSTS: 'zaehler.stadtwerke-a.de,zaehler.stadtwerke-b.de' }
    const settings = await read('production', { ...mail, ...hosts, ZAEHLWERK_CERTIFICATE: certificate })
    expect(settings.domain).toEqual({
      name: 'zaehler.stadtwerke-a.de',
      aliases: ['zaehler.stadtwerke-b.de'],
      dns: false,
      cert: certificate,
    })
  })

  it.each([
    [{ ZAEHLWERK_HOSTS: 'a.example.de' }, 'either ZAEHLWERK_ZONE or ZAEHLWERK_CERTIFICATE'],
    [
      { ZAEHLWERK_HOSTS: 'a.example.de', ZAEHLWERK_ZONE: 'Z1', ZAEHLWERK_CERTIFICATE: certificate },
      'either ZAEHLWERK_ZONE or ZAEHLWERK_CERTIFICATE',
    ],
    [{ ZAEHLWERK_HOSTS: 'https://a.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'is no host name'],
    [{ ZAEHLWERK_DESK_HOST: 'desk.example.de' }, 'either ZAEHLWERK_ZONE or ZAEHLWERK_CERTIFICATE'],
    [{ ZAEHLWERK_DESK_HOST: 'desk.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'A desk needs ZAEHLWERK_MAIL_DOMAINS'],
    [{ ZAEHLWERK_DESK_HOST: 'a.example.de b.example.de', ZAEHLWERK_ZONE: 'Z1' }, 'must be one host name'],
    [
      { ZAEHLWERK_DESK_HOST: 'a.example.de', ZAEHLWERK_HOSTS: 'a.example.de', ZAEHLWERK_ZONE: 'Z1' },
      "must be none of the portal's names",
    ],
    [{ ZAEHLWERK_MAIL_DOMAINS: 'service@example.de' }, 'is no host name'],
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
