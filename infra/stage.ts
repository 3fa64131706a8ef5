/**
 * What differs from one deployment to the next: the stage, and settings that the operator gives in the environment
 * (SST reads them from `.env.<stage>` too). `docs/operations.md` has the list.
 */

/** The stage that real meters are read on; every other one may vanish with its data. */
export const isProduction = $app.stage === 'production'

function setting(name: string): string | undefined {
  return process.env[name]?.trim() || undefined
}

function countSetting(name: string): number | undefined {
  const value = setting(name)
  if (value === undefined) return undefined
  if (!/^[1-9]\d*$/.test(value)) throw new Error(`${name} must be a whole number above zero, not "${value}".`)
  return Number(value)
}

function choiceSetting(name: string, choices: string[]): string | undefined {
  const value = setting(name)
  if (value !== undefined && !choices.includes(value)) {
    throw new Error(`${name} must be ${choices.join(' or ')}, not "${value}".`)
  }
  return value
}

const HOST = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/

/** Every name with one more label in front, in a certificate, a record and a distribution. */
const WILDCARD = '*.'

function namesSetting(name: string, prefix = ''): string[] {
  const names = (setting(name) ?? '').split(/[\s,]+/).filter((host) => host !== '')
  for (const host of names) {
    const rest = host.startsWith(prefix) ? host.slice(prefix.length) : host
    if (!HOST.test(rest)) throw new Error(`${name}: "${host}" is no host name in lower case.`)
  }
  return names
}

/**
 * `ZAEHLWERK_HOSTS`: host names of the portal, those of all tenants, or `*.` and the rest of them; none: the portal is reached under
 * CloudFront's own name.
 */
export const hosts = namesSetting('ZAEHLWERK_HOSTS', WILDCARD)

/** `ZAEHLWERK_ZONE`: id of the Route 53 zone that host names are in; their records are made here, and the certificate if none is brought. */
export const zone = setting('ZAEHLWERK_ZONE')

/** `ZAEHLWERK_CERTIFICATE`: ARN of a certificate (us-east-1) for all host names; the records of those outside of the zone their owners keep. */
export const certificate = setting('ZAEHLWERK_CERTIFICATE')

const [deskName, ...moreDesks] = namesSetting('ZAEHLWERK_DESK_HOST')

if (moreDesks.length > 0) throw new Error('ZAEHLWERK_DESK_HOST must be one host name.')
if (deskName !== undefined && hosts.includes(deskName)) {
  throw new Error("ZAEHLWERK_DESK_HOST must be none of the portal's names: the desk's cookie is for its pages alone.")
}

/** `ZAEHLWERK_DESK_HOST`: host name of the desk, on which the staff of all tenants work; none: there is no desk. */
export const deskHost = deskName

if ((hosts.length > 0 || deskHost !== undefined) && zone === undefined && certificate === undefined) {
  throw new Error('Host names need ZAEHLWERK_ZONE or ZAEHLWERK_CERTIFICATE.')
}

/**
 * `ZAEHLWERK_OWN_NAMES`: `yes` makes a second distribution of the portal, to which names of tenants' own are added while it runs
 * (`own-names.ts`).
 */
export const hasOwnNames = choiceSetting('ZAEHLWERK_OWN_NAMES', ['yes', 'no']) === 'yes'

if (hasOwnNames && hosts.length === 0) {
  throw new Error('ZAEHLWERK_OWN_NAMES needs ZAEHLWERK_HOSTS: their certificate stands in until a name has its own.')
}

/**
 * `ZAEHLWERK_FIREWALL`: `none` leaves the web firewall out of production too. It costs a fee even without readers; other stages never have one.
 */
export const hasFirewall = isProduction && setting('ZAEHLWERK_FIREWALL') !== 'none'

/**
 * `ZAEHLWERK_RATE_LIMIT`: calls of the API from one address in five minutes above which the firewall answers 429. A visit makes ten
 * of them, and many households can share an address; WAF takes 10 at least.
 */
export const rateLimit = countSetting('ZAEHLWERK_RATE_LIMIT') ?? 3_000

if (rateLimit < 10) throw new Error(`ZAEHLWERK_RATE_LIMIT must be 10 at least, not ${rateLimit}.`)

/** `ZAEHLWERK_TABLE`: name of a table restored from a backup, which the functions use from then on. */
export const restoredTable = setting('ZAEHLWERK_TABLE')

/** `ZAEHLWERK_BACKUP_VAULT`: ARN of a vault in another account, which gets a copy of each backup. */
export const backupVault = setting('ZAEHLWERK_BACKUP_VAULT')

if (backupVault !== undefined && !/^arn:aws:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/.test(backupVault)) {
  throw new Error(`ZAEHLWERK_BACKUP_VAULT must be the ARN of a backup vault, not "${backupVault}".`)
}

/**
 * `ZAEHLWERK_BACKUP_LOCK`: `compliance` locks the vaults so that nobody, root and Amazon included, ever takes the lock off; with
 * `governance` who has the right to can.
 */
export const locksForGood = choiceSetting('ZAEHLWERK_BACKUP_LOCK', ['governance', 'compliance']) === 'compliance'

/** `ZAEHLWERK_ALARM_EMAIL`: who hears alarms. */
export const alarmEmail = setting('ZAEHLWERK_ALARM_EMAIL')

if (isProduction && alarmEmail === undefined) {
  throw new Error('Production needs ZAEHLWERK_ALARM_EMAIL: an alarm that nobody hears is none.')
}

/**
 * `ZAEHLWERK_MAIL_DOMAINS`: the domains of the tenants' senders. With `ZAEHLWERK_ZONE` their records are made in that zone, so
 * they must be names of it; otherwise the deployment prints them. None: no mail is sent.
 */
export const mailDomains = namesSetting('ZAEHLWERK_MAIL_DOMAINS')

if (deskHost !== undefined && mailDomains.length === 0) {
  throw new Error(
    'A desk needs ZAEHLWERK_MAIL_DOMAINS: its members get their first password by mail, from the first of them.',
  )
}

/** `ZAEHLWERK_BUDGET`: US dollars a month above which the account's costs raise an alarm. */
export const budget = countSetting('ZAEHLWERK_BUDGET') ?? 50

/**
 * `ZAEHLWERK_LOGIN_CONCURRENCY`: how many logins are checked at once; `none`: as many as the account allows. A password
 * check keeps a processor busy on purpose, so a burst of logins must not take the concurrency that readings need.
 */
export const loginConcurrency =
  setting('ZAEHLWERK_LOGIN_CONCURRENCY') === 'none'
    ? undefined
    : (countSetting('ZAEHLWERK_LOGIN_CONCURRENCY') ?? (isProduction ? 100 : undefined))

/**
 * `ZAEHLWERK_WARM_READS` and `ZAEHLWERK_WARM_WRITES`: units a second that the table takes at once, for a season's first
 * hour, and the most that it ever takes. Once raised they stay: a lower value would mean a new table, which the table's protection refuses.
 */
export const warmThroughput = {
  reads: countSetting('ZAEHLWERK_WARM_READS'),
  writes: countSetting('ZAEHLWERK_WARM_WRITES'),
}

/** Units a second that DynamoDB's new tables take at once. */
export const NEW_TABLE = { reads: 12_000, writes: 4_000 }

/** Units a second above which the table refuses, as the last bound of a flood's bill: what it was warmed to for a season. */
export const mostThroughput = {
  reads: warmThroughput.reads ?? NEW_TABLE.reads,
  writes: warmThroughput.writes ?? NEW_TABLE.writes,
}

/**
 * `ZAEHLWERK_PHOTO_READING`: `textract` has Amazon Textract read the counter in photos, for tenants that want it. Photos then go to
 * a further service, and each costs a fee.
 */
export const readsPhotos = choiceSetting('ZAEHLWERK_PHOTO_READING', ['textract', 'none']) === 'textract'

/**
 * `ZAEHLWERK_TRAIL`: `yes` keeps who touched table and photos otherwise than by the functions, and who changed what in the account
 * (`trail.ts`).
 */
export const hasTrail = choiceSetting('ZAEHLWERK_TRAIL', ['yes', 'no']) === 'yes'

const KEY = /^arn:aws:kms:eu-central-1:\d{12}:key\/[\w-]+$/

/** `ZAEHLWERK_CUSTOMER_KEY`: what holds persons' data is encrypted by a key that the deployment makes (`yes`), or by the one of this ARN. */
export const customerKey = setting('ZAEHLWERK_CUSTOMER_KEY')

if (customerKey !== undefined && customerKey !== 'yes' && !KEY.test(customerKey)) {
  throw new Error(`ZAEHLWERK_CUSTOMER_KEY must be yes or the ARN of a key in eu-central-1, not "${customerKey}".`)
}

/** How long logs are kept, in days. */
export const logRetention = isProduction ? 90 : 7
