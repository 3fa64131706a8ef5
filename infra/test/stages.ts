import { generateKeyPairSync } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { type Evaluated, evaluate } from './evaluate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    production: Evaluated
    preview: Evaluated
    restored: Evaluated
    /** The secret `JwtKeys` of both: two keys. */
    keys: string[]
  }
}

/** The version of all of them; their checkout has no git. */
export const VERSION = '0123456789ab'

/** The key that the customer of the last one brings. */
export const BROUGHT_KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0190f3c2-4e5a-7b6c-8d9e-0f1a2b3c4d5e'

/** Evaluates a stage with everything set, one with nothing set, and one after a disaster, with a vault elsewhere, once for all tests. */
export default async function setup(project: TestProject): Promise<void> {
  const keys = [1, 2].map(() =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  const secrets = { SST_SECRET_JwtKeys: keys.join(''), ZW_VERSION: VERSION }
  const settings = {
    ...secrets,
    ZAEHLWERK_HOSTS: '*.zaehler.example.de, portal.example.de, zaehler.example.de',
    ZAEHLWERK_DESK_HOST: 'desk.example.de',
    ZAEHLWERK_ZONE: 'Z1',
    ZAEHLWERK_ALARM_EMAIL: 'betrieb@example.de',
    ZAEHLWERK_BUDGET: '200',
    ZAEHLWERK_MAIL_DOMAINS: 'example.de, post.example.de, stadtwerke.de',
    ZAEHLWERK_WARM_WRITES: '20000',
    ZAEHLWERK_PHOTO_READING: 'textract',
    ZAEHLWERK_RATE_LIMIT: '4000',
    ZAEHLWERK_CUSTOMER_KEY: 'yes',
    ZAEHLWERK_TRAIL: 'yes',
  }
  const { ZAEHLWERK_ZONE: _, ...elsewhere } = {
    ...settings,
    ZAEHLWERK_HOSTS: 'zaehler.stadtwerke.de',
    ZAEHLWERK_DESK_HOST: 'desk.stadtwerke.de',
    ZAEHLWERK_CERTIFICATE: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
    ZAEHLWERK_MAIL_DOMAINS: 'stadtwerke.de',
    ZAEHLWERK_TABLE: 'zaehlwerk-restored',
    ZAEHLWERK_OWN_NAMES: 'yes',
    ZAEHLWERK_BACKUP_VAULT: 'arn:aws:backup:eu-central-1:210987654321:backup-vault:zaehlwerk',
    ZAEHLWERK_BACKUP_LOCK: 'compliance',
    ZAEHLWERK_CUSTOMER_KEY: BROUGHT_KEY,
  }
  const [production, preview, restored] = await Promise.all([
    evaluate('production', settings),
    evaluate('pr-7', secrets),
    evaluate('production', elsewhere),
  ])
  project.provide('production', production)
  project.provide('preview', preview)
  project.provide('restored', restored)
  project.provide('keys', keys)
}
