/** The codes of problems that only the desk meets. Their texts are the desk's, so that the portal does not carry them. */
export const DESK_CODES = [
  'session-missing',
  'cross-site',
  'decided-already',
  'decision-sent',
  'read-already',
  'entered-before',
  'run-under-way',
  'newer-version',
  'list-too-long',
  'legal-hold',
  'second-member-needed',
  'letter-refused',
  'own-membership',
  'too-few-leads',
  'too-many-invitations',
  'role-beyond-own',
] as const

export type DeskCode = (typeof DESK_CODES)[number]

export const isOfDesk = (code: string): code is DeskCode => DESK_CODES.some((known) => known === code)
