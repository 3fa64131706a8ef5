import type { Job } from '@shared/contract/types.ts'

type Meter = Job['meter']

type Sample = Partial<Omit<Job, 'meter' | 'customer' | 'partner'>> & {
  meter?: Partial<Omit<Meter, 'meterAddress'>> & { meterAddress?: Partial<Meter['meterAddress']> }
  customer?: Partial<Job['customer']>
  partner?: Partial<Job['partner']>
}

const ADDRESS: Meter['meterAddress'] = {
  street: null,
  houseNumber: null,
  zip: null,
  city: null,
  cityDistrict: null,
  company: null,
  firstname: null,
  lastname: null,
  objectKey: null,
  locationDescription: null,
  hint: null,
}

const CUSTOMER = { customerNumber: null, company: null, firstname: null, lastname: null, mailingAddress: null }
const PARTNER = { identifier: null, company: null, firstname: null, lastname: null }

/** A job of one electricity meter for tests, with the given parts in the place of its own. */
export function sampleJob({ meter, customer, partner, ...job }: Sample = {}): Job {
  return {
    id: 'job-1',
    login: 'account-1',
    slot: 0,
    done: false,
    jobConstraints: { earliestExecution: null, latestExecution: null },
    jobPermissions: { reShare: false },
    config: {
      features: {
        reshareAllowed: false,
        imagesForbidden: false,
        imageAlwaysRequired: false,
        hideReadingDateInput: false,
        unplausibleReadingsCommentRequired: false,
        unplausibleReadingsImageRequired: false,
        historicReadingsValidationRequired: true,
        continuousReadingsValidationRequired: true,
        expectedReadingsValidationRequired: true,
        durationSendingReadingValuesBasedOnEarliestExecutionIsAllowed: 0,
        durationSendingReadingValuesBasedOnLatestExecutionIsAllowed: 0,
        showReadingImagesAllowed: true,
        showReadingCommentAllowed: true,
        aiReadingEnabled: true,
      },
      meterReading: {
        queryPostDecimals: true,
        maskPostDecimals: false,
        defaultComments: [],
        readingDateMaxDaysInPast: 30,
        readingDateMaxDaysInFuture: 0,
        validationFeedbackDelay: 1500,
      },
    },
    ...job,
    customer: { ...CUSTOMER, ...customer },
    partner: { ...PARTNER, ...partner },
    meter: {
      meterNumber: '1EBZ0100000619',
      meterType: 'ELECTRIC_METER',
      meterRateTasks: [{ taskId: 'task-1', obis: '1-0:1.8.0', readingEvents: [], readingResults: [] }],
      ...meter,
      meterAddress: { ...ADDRESS, ...meter?.meterAddress },
    },
  }
}

/** The same job, read on that day. */
export const sampleReading = (readingDate: string): Job['meter']['meterRateTasks'][number] => ({
  taskId: 'task-1',
  obis: '1-0:1.8.0',
  readingEvents: [],
  readingResults: [{ readingDate, readingValue: '1', created: `${readingDate}T10:00:00Z`, readingResultImages: [] }],
})
