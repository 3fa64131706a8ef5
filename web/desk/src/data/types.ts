/** What the desk's part of the API answers and takes. */
import type { components } from '@shared/contract/schema.d.ts'
import type { MeterType } from '@shared/contract/types.ts'

type Schemas = components['schemas']

export type { MeterType }

/** How a reading comes to staff. */
export type EntryChannel = Schemas['DeskChannel']
export const CHANNELS = ['PHONE', 'CARD', 'EMAIL', 'TECHNICIAN'] as const satisfies readonly EntryChannel[]

/** How a reading came. */
export type Channel = Schemas['Channel']
export const READING_CHANNELS = ['PORTAL', ...CHANNELS, 'IMPORT'] as const satisfies readonly Channel[]
/** A reading as it came. */
export type ListedReading = Schemas['DeskListedReading']

/** An export that begins by itself. */
export type ScheduledExport = Schemas['ScheduledExport']

/** A kind of mail. */
export type MailSample = Schemas['DeskMailSample']
/** A text of mails or letters that a tenant may write itself. */
export type OwnText = Schemas['DeskOwnText']

/** Why a clerk has to look at a reading. */
export type Doubt = Schemas['Doubt']
export const DOUBTS = [
  'METER_CHANGE',
  'ROLLOVER',
  'OUTSIDE_RANGE',
  'EXPECTED_LOW',
  'EXPECTED_HIGH',
  'LOWER_UNEXPLAINED',
  'WITHOUT_JOB',
] as const satisfies readonly Doubt[]

export const METER_TYPES = [
  'ELECTRIC_METER',
  'GAS_METER',
  'WATER_METER',
  'WATER_WARM_METER',
  'HEAT_METER',
  'GENERIC_METER',
] as const satisfies readonly MeterType[]

/** Where a meter is. */
export type Place = Schemas['DeskPlace']
/** A decision as it was made. */
export type Made = Schemas['DeskMade']
/** A reading of the ledger with what became of it. */
export type Reading = Schemas['DeskReading']
export type Proposal = Schemas['DeskProposal']
/** A job with every reading of it. */
export type JobFile = Schemas['DeskJobFile']
/** A job with what it takes to judge a reading of it before it is sent. */
export type DeskJob = Schemas['DeskJob']
/** A customer with everything that staff need while they talk to them. */
export type Customer = Schemas['DeskCustomer']
/** In which the server says things itself. */
export type StaffLanguage = Schemas['Lang']
/** A customer who was found, with the meter that matched. */
export type FoundCustomer = Schemas['DeskFoundCustomer']
/** A reading that waits. */
export type WaitingItem = Schemas['DeskWaitingItem']
/** What can be done about several at once. */
export type SeveralKind = Schemas['DeskSeveralKind']
/** What became of one of several. */
export type OutcomeOfOne = Schemas['DeskOutcomeOfOne']
/** A reading of a meter that has no job. */
export type ReadingWithoutJob = Schemas['DeskReadingWithoutJob']
/** A job that it may belong to, and why. */
export type Suggestion = Schemas['DeskSuggestion']
/** What a clerk decides, on the version that they saw. */
export type Decision = Schemas['DeskDecision']
/** A reading that staff enter. */
export type Entry = Schemas['DeskEntry']
/** What became of it. */
export type Entered = Schemas['DeskEntered']
/** A season at a glance, beside the one of the year before. */
export type Season = Schemas['DeskSeason']
/** An open job and whom to ask. */
export type OpenRow = Schemas['DeskOpenRow']
/** The customers who have not answered. */
export type OpenList = Schemas['DeskOpenList']
/** Some of what staff looked at and changed. */
export type Audit = Schemas['DeskAudit']
export type AuditEntry = Schemas['DeskAuditEntry']
/** A utility, as the platform's staff sees it. */
export type Tenant = Schemas['DeskTenant']
export type NewTenant = Schemas['DeskTenantRequest']
/** Where a tenant is reached and what it sends mail from. */
export type Reached = Schemas['DeskTenantReached']
export type SettingsFault = Schemas['DeskSettingsFault']
export type MailKind = Schemas['DeskMailKind']
/** Something that is in the audit trail. */
export type Action = Schemas['Action']
/** All of them, in the order in which a filter offers them; one that is missing here is a fault of types. */
const ALL_ACTIONS: Record<Action, true> = {
  'desk login': true,
  'desk logout': true,
  'desk tenant': true,
  'desk tenant changed': true,
  'desk access asked': true,
  'desk access granted': true,
  'desk access refused': true,
  'desk access ended': true,
  'desk invitation accepted': true,
  'desk customer': true,
  'desk customer preview': true,
  'desk mails': true,
  'desk readings': true,
  'desk job': true,
  'desk waiting': true,
  'desk open': true,
  'desk audit': true,
  'desk reading': true,
  'desk communication': true,
  'desk communication ended': true,
  'desk release': true,
  'desk exchange': true,
  'desk correct': true,
  'desk reject': true,
  'desk aside': true,
  'desk propose': true,
  'desk agree': true,
  'desk undo': true,
  'desk disclosure': true,
  'desk erasure': true,
  'desk erasure confirmed': true,
  'desk erasure withdrawn': true,
  'desk hold': true,
  'desk hold ended': true,
  'desk search': true,
  'desk waiting list': true,
  'desk photo': true,
  'desk session ended': true,
  'desk sessions ended': true,
  'desk assign': true,
  'desk export': true,
  'desk import file': true,
  'desk import rehearsed': true,
  'desk import': true,
  'desk import resumed': true,
  'desk import undone': true,
  'desk mapping kept': true,
  'desk mapping deleted': true,
  'desk season': true,
  'desk season changed': true,
  'desk season deleted': true,
  'desk letters listed': true,
  'desk letters drawn': true,
  'desk letters handed over': true,
  'desk letters called back': true,
  'desk letter returned': true,
  'desk suppression lifted': true,
  'desk letter not returned': true,
  'desk invitations listed': true,
  'desk invitations': true,
  'desk settings': true,
  'desk reminders': true,
  'desk reminders listed': true,
  'desk run cancelled': true,
  'desk file': true,
  'desk new login': true,
  'accounts import': true,
  'accounts list': true,
  'accounts show': true,
  'jobs import': true,
  'jobs list': true,
  'jobs show': true,
  'jobs open': true,
  'readings list': true,
  'readings enter': true,
  'readings import': true,
  'readings export': true,
  'readings mscons': true,
  'market resend': true,
  'letters print': true,
  'letters reprint': true,
  'invitations send': true,
  'invitations listed': true,
  'reminders send': true,
  'reminders listed': true,
  'imports undo': true,
  'members invite': true,
  'members reinvite': true,
  'members change': true,
  'members withdraw': true,
  'members remove': true,
  'webhook retry': true,
  'webhook discard': true,
  'webhook test': true,
  'webhook secret': true,
  'webhook secret ended': true,
  'subject show': true,
  'subject erase': true,
  'subject holds': true,
  'subject replay': true,
  'clearing list': true,
  'clearing photos': true,
  'clearing release': true,
  'clearing reject': true,
  'clearing undo': true,
}
export const ACTIONS = Object.keys(ALL_ACTIONS) as Action[]
/** An export of readings. */
export type Export = Schemas['DeskExport']
/** What went out, what was asked for here, and what a new export can be. */
export type Exports = Schemas['DeskExports']
/** Which export is wanted. */
export type ExportRequest = Schemas['DeskExportRequest']
/** An export that was asked for here. */
export type Run = Schemas['DeskRun']
/** Which open jobs are wanted. */
export type OpenFilter = Schemas['OpenFilter']
/** Letters and invitations. */
export type Letters = Schemas['DeskLetters']
/** The customers who are to get a letter. */
export type LettersRequest = Schemas['DeskLettersRequest']
/** A customer whose letter came back. */
export type Returned = Schemas['DeskReturned']
/** The customers who are to be invited by mail. */
export type InvitationsRequest = Schemas['DeskInvitationsRequest']
/** When customers are reminded, and what was asked for here. */
export type Reminders = Schemas['DeskReminders']
/** The customers who are to be reminded now. */
export type RemindersRequest = Schemas['DeskReminderRequest']
/** A season as it is to be. */
export type SeasonRequest = Schemas['DeskSeasonRequest']
/** A season. */
export type SeasonName = Schemas['DeskSeasonName']
/** Imports of files. */
export type Imports = Schemas['DeskImports']
/** An import. */
export type Import = Schemas['DeskImport']
/** What a file that is imported has. */
export type ImportKind = Schemas['DeskImportKind']
export const IMPORT_KINDS = ['ACCOUNTS', 'JOBS', 'READINGS'] as const satisfies readonly ImportKind[]
/** A file that was sent, and how it can be imported. */
export type ImportFile = Schemas['DeskImportFile']
/** A column of its table. */
export type Column = Schemas['DeskColumn']
/** What a line of it can have. */
export type Field = Schemas['DeskField']
/** What an import did, would do, or took back. */
export type Imported = Schemas['DeskImported']
/** What an import is to be rehearsed with. */
export type RehearsalRequest = Schemas['DeskRehearsalRequest']
/** What it says, in each language. */
export type RunWords = Schemas['DeskRunText']
/** The members of a tenant, and the invitations. */
export type Members = Schemas['DeskMembers']
/** How it stands with the receiver of readings. */
export type Webhook = Schemas['DeskWebhook']
export type WebhookSecret = Schemas['DeskGoodSecret']
/** What a member may do. */
export type Role = Schemas['Role']
/** Erasures of persons' data. */
export type Erasures = Schemas['DeskErasures']
export type Hold = Schemas['DeskHold']
/** Why a person's data is erased. */
export type ErasureGround = Schemas['ErasureGround']
export const ERASURE_GROUNDS = [
  'NOT_NEEDED',
  'CONSENT_WITHDRAWN',
  'OBJECTION',
  'UNLAWFUL',
  'LEGAL_OBLIGATION',
] as const satisfies readonly ErasureGround[]
/** What a tenant may set itself. */
export type Settings = Schemas['DeskSettings']
export type SettingsFile = Schemas['DeskSettingsFile']
export type SettingsVersion = Schemas['DeskSettingsVersion']
