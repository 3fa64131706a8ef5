import { inject } from 'vitest'
import { Deployment } from './evaluate.ts'

/** The stage with everything set: two host names, a desk and senders' domains in a zone, a mail address, a warm table. */
export const production = new Deployment(inject('production'))

/** A stage with nothing set. */
export const preview = new Deployment(inject('preview'))

/** Production with a table from a backup, with names whose records their owners make, with names of tenants' own, and with a vault in another account. */
export const restored = new Deployment(inject('restored'))

export const stages = { production, preview }
