import type { MailSample } from '@/data/types.ts'

/** Each kind of mail with the name that its texts have. */
export const MAIL_KINDS = {
  INVITATION: 'invitation',
  REMINDER: 'reminder',
  RECEIPT: 'receipt',
  VISITOR_RECEIPT: 'visitorReceipt',
  REJECTION: 'rejection',
  CONFIRMATION: 'confirmation',
  ACCESS: 'access',
  ADDRESS_CHANGED: 'addressChanged',
} as const satisfies Record<MailSample, string>
