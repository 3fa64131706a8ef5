/** What the desk's part of the API answers and takes. */
import type { FindingCode, Job, MeterType, Plausibility } from '@shared/contract/types.ts'

export type { MeterType }

export const CHANNELS = ['PHONE', 'CARD', 'EMAIL', 'TECHNICIAN'] as const
/** How a reading comes to staff. */
export type EntryChannel = (typeof CHANNELS)[number]

/** Why a clerk has to look at a reading. */
export const DOUBTS = [
  'METER_CHANGE',
  'ROLLOVER',
  'OUTSIDE_RANGE',
  'EXPECTED_LOW',
  'EXPECTED_HIGH',
  'LOWER_UNEXPLAINED',
] as const
export type Doubt = (typeof DOUBTS)[number]

export const METER_TYPES = [
  'ELECTRIC_METER',
  'GAS_METER',
  'WATER_METER',
  'WATER_WARM_METER',
  'HEAT_METER',
  'GENERIC_METER',
] as const satisfies readonly MeterType[]

export interface Place {
  readonly street?: string | null
  readonly houseNumber?: string | null
  readonly postcode?: string | null
  readonly city?: string | null
  readonly district?: string | null
}

/** A decision as it was made. */
export interface Made {
  readonly kind: 'release' | 'exchange' | 'reject' | 'correct'
  readonly by?: string | null
  readonly at: string
  readonly reason?: string | null
  readonly exchange?: Exchange | null
  readonly correctedBy?: string | null
  /** By what it can no longer be taken back. */
  readonly taken?: { readonly destination: string; readonly export?: number | null } | null
}

export interface Exchange {
  readonly day: string
  readonly newNumber?: string | null
  readonly finalValue: string
  readonly initialValue: string
}

/** A reading of the ledger with what became of it. */
export interface Reading {
  readonly id: string
  readonly taskId: string
  readonly obis: string
  readonly meterNumber?: string | null
  readonly readingValue: string
  readonly readingDate: string
  readonly created: string
  readonly channel: 'PORTAL' | 'IMPORT' | EntryChannel
  readonly loginKind?: string | null
  readonly enteredBy?: string | null
  readonly confirmedReason?: string | null
  readonly lateReason?: string | null
  readonly comment?: string | null
  readonly lowerReason?: 'METER_CHANGE' | 'ROLLOVER' | null
  readonly confirmed: readonly FindingCode[]
  readonly doubts: readonly Doubt[]
  readonly images: readonly string[]
  readonly state: 'counts' | 'waits' | 'replaced' | 'rejected' | 'corrected'
  readonly decision?: Made | null
  readonly aside?: { readonly note: string; readonly by: string; readonly at: string } | null
  readonly version: string
}

/** What a register is expected to show today; amounts are decimal numbers. */
export interface Expected {
  readonly since: string
  readonly from: string
  readonly annual: string
  readonly consumption: string
  readonly least: string
  readonly most: string
}

/** A job with every reading of it. */
export interface JobFile {
  readonly job: Job
  readonly season: string
  readonly state: 'open' | 'done' | 'closed'
  readonly place: Place
  readonly readings: readonly Reading[]
  readonly expected: Readonly<Record<string, Expected>>
}

/** A job with what it takes to judge a reading of it before it is sent. */
export interface DeskJob {
  readonly account: string
  readonly name: string
  readonly file: JobFile
  readonly rules: { readonly today: string; readonly plausibility: Plausibility }
}

interface Mail {
  readonly kind:
    | 'access'
    | 'confirmation'
    | 'receipt'
    | 'unknown-receipt'
    | 'reminder'
    | 'invitation'
    | 'address-changed'
    | 'rejection'
  readonly state: 'claimed' | 'sent' | 'delivered' | 'bounced' | 'complained'
  readonly at: string
}

/** A customer with everything that staff need while they talk to them. */
export interface Customer {
  readonly account: string
  readonly name: string
  readonly username?: string | null
  readonly language?: string | null
  readonly validUntil?: string | null
  readonly email?: string | null
  readonly registeredEmail?: string | null
  readonly pendingEmail?: string | null
  readonly noReminders: boolean
  readonly invitedAt?: string | null
  readonly remindedAt?: string | null
  readonly link?: { readonly until: string; readonly hasFurtherLinks: boolean } | null
  readonly loginTries: { readonly failed: number; readonly last?: string | null }
  readonly sessions: readonly { readonly login: string; readonly device: string; readonly usedAt: string }[]
  readonly shares: readonly {
    readonly account: string
    readonly name: string
    readonly jobCount: number
    readonly created: string
  }[]
  readonly mails: readonly Mail[]
  readonly withoutJob: number
  readonly isCut: boolean
  readonly jobs: readonly JobFile[]
  readonly nextCursor: string | null
}

/** A reading that waits. */
export interface WaitingItem {
  readonly job: string
  readonly account?: string | null
  readonly name?: string | null
  readonly season: string
  readonly meterType: MeterType
  readonly district?: string | null
  readonly reading: Reading
}

export interface WaitingList {
  readonly items: readonly WaitingItem[]
  readonly count: number
  readonly nextCursor: string | null
}

/** The next reading to decide about; without `reading` there is none. */
export interface Next {
  readonly reading: string | null
  readonly place?: string | null
  readonly job?: DeskJob | null
  readonly email?: string | null
}

/** What a clerk decides, on the version that they saw. */
export type Decision = { readonly version: string } & (
  | { readonly kind: 'release' }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'correct'; readonly value: string; readonly reason?: string; readonly confirmed?: boolean }
  | { readonly kind: 'aside'; readonly note: string | null }
)

export interface Decided {
  readonly job: string
  readonly account?: string | null
  readonly reading: Reading
  readonly decision: Made
}

/** What became of a reading that was entered. */
export interface Entered {
  readonly outcome: 'stored' | 'tried' | 'unchanged'
  readonly job: string
  readonly done: boolean
  readonly doubts: readonly Doubt[]
}

interface SeasonName {
  readonly id: string
  readonly name: string
  readonly firstDay: string
  readonly lastDay: string
}

interface Share {
  readonly jobs: number
  readonly done: number
}

export interface Figures {
  readonly today: string
  readonly asOf: string
  readonly jobs: number
  readonly done: number
  readonly byDay: Readonly<Record<string, number>>
  readonly byChannel: Readonly<Record<string, number>>
  readonly byMeterType: Readonly<Record<string, Share>>
  readonly byDistrict: Readonly<Record<string, Share>>
  readonly nearDeadline: Readonly<Record<string, number>>
  readonly overdue: number
  readonly waitingForClearing: number
}

/** A season at a glance, beside the one of the year before. */
export interface Season {
  readonly seasons: readonly SeasonName[]
  readonly season?: SeasonName | null
  readonly figures: Figures
  readonly before?: { readonly season: SeasonName; readonly figures: Figures } | null
}

/** An open job and whom to ask. */
export interface OpenRow {
  readonly job: string
  readonly account: string
  readonly name: string
  readonly season: string
  readonly meterNumber: string
  readonly meterType: MeterType
  readonly place: Place
  readonly deadline?: string | null
  readonly overdue: boolean
  readonly email: boolean
}

export interface OpenList {
  readonly count: number
  readonly rows: readonly OpenRow[]
  readonly nextCursor: string | null
}
