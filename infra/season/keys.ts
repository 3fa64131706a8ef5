/** Where in the table and in its index the counted units of an operation go: by the partition keys of `functions/store/src/keys.rs`. */
import { counted, countedOfWorkers, FATE, kept, operations, reminder } from '../capacity.ts'
import { assumed, rustConstant } from './inputs.ts'

const KEYS = 'store/src/keys.rs'

/**
 * How what is written under a partition key lies there: at many sort keys, so that DynamoDB can part it where it is hot; always behind what
 * came last, so that parting does not help; or in one item.
 */
export type Lie = 'apart' | 'behind' | 'item'

/** A partition key that a whole tenant meets, or everybody. */
export interface HotKey {
  /** The function of `keys.rs` that makes it. */
  made: string
  /** Over how many partition keys it is spread. */
  shards: number
  lie: Lie
  /** In the index, which has partitions of its own. */
  ofIndex?: true
  /** One for all tenants. */
  ofAll?: true
  /** Written in transactions on one item, which takes one after the other. */
  oneAfterTheOther?: true
  /** What is asked for most is reading. */
  isRead?: true
}

const shards = (name: string) => rustConstant(KEYS, name)

export const hotKeys = {
  'the tenant’s documents and logo': { made: 'logo', shards: 1, lie: 'item', isRead: true },
  'failed logins of a network': { made: 'failures_of_network', shards: 1, lie: 'item' },
  'what waits for a clerk': { made: 'waiting_reading', shards: 1, lie: 'behind' },
  'changes of the counts': { made: 'change', shards: shards('CHANGE_SHARDS'), lie: 'apart' },
  'the tally': { made: 'tally', shards: 1, lie: 'item' },
  'mails of the day': { made: 'recipients_of_tenant', shards: 1, lie: 'item', oneAfterTheOther: true },
  'mails of the day, by kind': { made: 'recipients_of_kind', shards: 1, lie: 'item', oneAfterTheOther: true },
  'reminders of a second': { made: 'reminders_of_second', shards: 1, lie: 'item', ofAll: true },
  'index: readings of the month': {
    made: 'result_index',
    shards: shards('RESULT_SHARDS'),
    lie: 'behind',
    ofIndex: true,
  },
  'index: open jobs': { made: 'open_jobs', shards: 1, lie: 'apart', ofIndex: true },
  'index: mails of a kind': { made: 'mails_of_kind', shards: 1, lie: 'behind', ofIndex: true },
  'index: list of accounts': {
    made: 'account_index',
    shards: shards('ACCOUNT_SHARDS'),
    lie: 'apart',
    ofIndex: true,
    isRead: true,
  },
} satisfies Record<string, HotKey>

export type KeyName = keyof typeof hotKeys

/** The names of all hot keys, and each key. */
export const keyNames = Object.keys(hotKeys) as KeyName[]
export const hotKey = (name: KeyName): HotKey => hotKeys[name]

/** Units of one operation. */
export interface Placement {
  /** Under keys that only one account, job, name, link or address has. */
  apart: { reads: number; writes: number }
  /** Under keys that many meet. */
  reads?: Partial<Record<KeyName, number>>
  writes?: Partial<Record<KeyName, number>>
}

const met = new WeakMap<Placement, readonly KeyName[]>()

/** The hot keys that an operation meets. */
export function hotKeysOf(placement: Placement): readonly KeyName[] {
  const known = met.get(placement)
  if (known !== undefined) return known
  const { reads = {}, writes = {} } = placement
  const keys = keyNames.filter((name) => (reads[name] ?? 0) + (writes[name] ?? 0) > 0)
  met.set(placement, keys)
  return keys
}

/** A transaction writes twice what it stores. */
const TWICE = 2

/** What each mail writes for all of its tenant: its counts and its place in the list of its kind, when it is claimed and when it is sent. */
const ofMail = {
  'mails of the day': TWICE,
  'changes of the counts': TWICE,
  'index: mails of a kind': 1 + 1,
} as const

const { receipt, access } = { receipt: operations['reading_receipts'], access: counted.get('share_mail') }
if (receipt === undefined || access === undefined) throw new Error('Mails are not among what is counted.')

/** What a reading puts under the keys of its tenant: it is counted, in the index, and its job off the index's list of open ones. */
const ofReading = { 'changes of the counts': TWICE, 'index: readings of the month': 1, 'index: open jobs': 1 } as const

const sum = (values: Partial<Record<KeyName, number>> = {}) =>
  Object.values(values).reduce((total, value) => total + value, 0)

/** With what is left of the counted units under keys of one account. */
function placed(
  units: { readUnits: number; writeUnits: number },
  hot: Pick<Placement, 'reads' | 'writes'> = {},
): Placement {
  const apart = { reads: units.readUnits - sum(hot.reads), writes: units.writeUnits - sum(hot.writes) }
  if (apart.reads < -1e-9 || apart.writes < -1e-9) throw new Error('More units are placed than were counted.')
  return { ...hot, apart }
}

/** All that an operation reads is the tenant's. */
const ofTenant = (name: string) => ({
  reads: { 'the tenant’s documents and logo': operations[name]?.readUnits ?? 0 },
})

/** Of each operation, what it reads and writes under hot keys; all else goes to keys of one account. */
const hotOf: Record<string, Pick<Placement, 'reads' | 'writes'>> = {
  ...Object.fromEntries(kept.operations.map((name) => [name, ofTenant(name)])),
  auth_token: { reads: { 'failed logins of a network': 1 } },
  result_create: { writes: ofReading },
  reading_receipts: { writes: ofMail },
}

/** What each operation of a visit reads and writes where. */
export const placements: Record<string, Placement> = Object.fromEntries(
  Object.entries(operations).map(([name, units]) => [name, placed(units, hotOf[name])]),
)

/** The same of a reminder: it has a turn of its second, which all tenants share, and is counted as an access that is sent by mail. */
export const reminderPlacement = placed(reminder, {
  writes: { ...ofMail, 'mails of the day, by kind': TWICE, 'reminders of a second': 1 },
})

/** What hearing of a mail's fate writes. */
export const fatePlacement = placed(
  { readUnits: 0, writeUnits: FATE.writeUnits },
  { writes: { 'index: mails of a kind': 1 } },
)

/** What a doubtful reading writes beyond any other. */
export const doubtPlacement: Placement = {
  apart: { reads: 0, writes: 0 },
  writes: { 'what waits for a clerk': TWICE },
}

/** What a login that fails writes beyond one that does not: a count of its network. */
export const failurePlacement: Placement = {
  apart: { reads: 0, writes: 0 },
  writes: { 'failed logins of a network': 1 },
}

const tallied = /^tallies \((\d+) changes\)$/
const [row, cost] = [...countedOfWorkers].find(([name]) => tallied.test(name)) ?? []
if (row === undefined || cost === undefined)
  throw new Error('functions/workers/tests/costs.md has no row of counted changes.')
const CHANGES = Number(tallied.exec(row)?.[1])
/** Changes that the worker takes in a transaction, with the tally. */
const TOGETHER = rustConstant('store/src/tallies.rs', 'SOME')

/** What the worker `tallies` writes each minute for a change, and for each transaction. */
export const tallying = {
  together: TOGETHER,
  /** The tests' tallies are small: what is left beside the changes that are deleted is one unit or two of each transaction. */
  ofChange: Math.floor(cost.writeUnits / CHANGES),
  ofTally: TWICE * Math.ceil(assumed['Bytes of a season’s tally'] / 1024),
  /** Transactions of a tenant in a second. */
  pace: rustConstant('workers/src/tallies.rs', 'PACE'),
}

/** What reminders read of each account that they look at, and how often that is, in a second. */
export const looking = { accounts: assumed['Accounts that reminders look at in a second'], reads: 2, ofIndex: 0.5 }
