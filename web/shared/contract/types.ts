import type { components } from './schema.d.ts'

type Schemas = components['schemas']

/** The tenant's public settings. */
export type Application = Schemas['PublicApplication']
/** An account's public data. */
export type AccountInfo = Schemas['AccountInfo']
/** A login of an account on some device that goes on. */
export type DeviceSession = Schemas['Session']
/** A reading job with its results. */
export type Job = Schemas['Job']
export type CustomerPreview = Schemas['CustomerPreview']
/** One rate (register) of a job's meter. */
export type MeterRateTask = Schemas['MeterRateTask']
/** What a meter measures. */
export type MeterType = Schemas['MeterType']
/** How a year's use is spread over its months. */
export type LoadProfile = Schemas['LoadProfile']
/** How far values may be from what is expected. */
export type Plausibility = Schemas['Plausibility']
/** Why a meter was read. */
export type ReadingReason = Schemas['ReadingReason']
/** A stored reading. */
export type ReadingResult = Schemas['ReadingResult']
/** What a reading is sent as. */
export type ResultSubmission = Schemas['ResultSubmission']
/** What the reading of a meter without a job is sent as, by an account. */
export type OwnReading = Schemas['OwnReading']
/** What a visitor's reading is sent as. */
export type VisitorReading = Schemas['VisitorReading']
/** What a page tells of an uncaught error. */
export type BrowserError = Schemas['BrowserError']
/** What the API answers when something is wrong. */
export type Problem = Schemas['Problem']
/** The fault of one field. */
export type FieldError = Schemas['FieldError']
/** What the rules can find in what was entered. */
export type FindingCode = Schemas['FindingCode']
/** What a finding means: an error is refused, a warning needs a confirmation, an info needs nothing. */
export type Severity = Schemas['Severity']
/** A sub-account. */
export type Share = Schemas['Share']
/** A share that was made just now, with its login data. */
export type CreatedShare = Schemas['CreatedShare']
/** Login data of a share. */
export type ShareLogin = Schemas['ShareLogin']
/** Jobs for the recipient of a share. */
export type ShareRequest = Schemas['ShareRequest']
/** Login data of a share for one recipient. */
export type ShareMail = Schemas['ShareMailRequest']
/** An account's part in digital communication. */
export type RegistrationInfo = Schemas['CrmRegistrationInfo']
/** What is registered under a self-service token. */
export type Registration = Schemas['CommunicationState']
/** How to reach the utility, for one language and screen. */
export type ContactItem = Schemas['ContactInformationItem']
/** How to read the meters that its filters match. */
export type MeterInstruction = Schemas['MeterReadingInstruction']
/** What the tenant asks visitors about a meter. */
export type VisitorReadingConfig = Application['unknownReading']
/** The rates that a visitor is asked for. */
export type MeterConfig = Schemas['MeterConfig']
/** How the value of a rate is asked from a visitor. */
export type RateReadingConfig = Schemas['RateReadingConfig']
/** The member who is logged in at the desk. */
export type DeskMe = Schemas['DeskMe']
/** What a member may do for a tenant. */
export type StaffRole = Schemas['Role']
