/** The settings of tenant.json that have a field of their own; the others are in the files. */
export const GROUPS = {
  portal: [
    'name',
    'defaultLanguage',
    'features.multipleAccountsLoginEnabled',
    'features.helpEnabled',
    'features.evaluationEnabled',
  ],
  reading: [
    'config.meterReading.readingDateMaxDaysInPast',
    'config.meterReading.readingDateMaxDaysInFuture',
    'config.meterReading.queryPostDecimals',
    'config.meterReading.maskPostDecimals',
    'features.unknownReadingsAllowed',
    'config.unknownUserReading.unknownUserReadingAllowed',
    'features.xlsxExportEnabled',
  ],
  sharing: ['features.reshareAllowed', 'features.emailSharingEnabled'],
  mails: [
    'communicationSettings.senderName',
    'communicationSettings.accountRecipientsPerHour',
    'communicationSettings.tenantRecipientsPerDay',
    'crmSettings.showModalAfterLastJobCompleted',
    'crmSettings.unknownUserReceiptAllowed',
  ],
  reminders: [
    'desk.reminders.automatic',
    'desk.reminders.daysBefore',
    'desk.reminders.daysAfterOpening',
    'desk.reminders.daysBetween',
    'desk.reminders.atMost',
  ],
  letters: [
    'desk.letter.senderLine',
    'desk.letter.footer',
    'desk.limits.lettersPerDay',
    'desk.limits.invitationsPerDay',
  ],
  legal: [
    'config.legal.imprint.url',
    'config.legal.imprint.enabled',
    'config.legal.privacy.url',
    'config.legal.privacy.enabled',
    'config.legal.accessibility.url',
    'config.legal.accessibility.enabled',
  ],
  desk: ['desk.imports.closedUnaskedPercent', 'desk.erasure.needsSecondMember'],
  retention: [
    'retention.photoDays',
    'retention.commentDays',
    'retention.personalDataDays',
    'retention.auditDays',
    'retention.legalHold',
  ],
} as const

export type Path = (typeof GROUPS)[keyof typeof GROUPS][number]
