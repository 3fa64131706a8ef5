/** What a season may be like. */
import { assumed, nothing, type Preparation } from './inputs.ts'

/** What is different in a season. */
export interface Scenario {
  name: string
  /** Days on which letters go out. */
  letterDays: number
  preparation: Preparation
  /** Meters of a tenant that is larger than all others. */
  giant?: number
  /** No edge answers anything by itself, as in docs/capacity.md's strongest minute. */
  withoutEdge?: true
  /** Public addresses of a network that has a share of all visits. */
  network?: { share: number; addresses: number }
}

/** Set and raised as docs/capacity.md and docs/scale.md say for 50 million meters. */
export const prepared: Preparation = { ...nothing, writes: 20_000, reads: 24_000, mails: 150 }

const asPlanned = { letterDays: assumed['Days on which letters go out'], preparation: prepared }
const share = assumed['Share of the visits behind a carrier’s network']

export const planned: Scenario = { name: 'as planned', ...asPlanned }

export const scenarios: readonly Scenario[] = [
  planned,
  { name: 'nothing raised', ...asPlanned, preparation: nothing },
  { name: 'all letters on one day', ...asPlanned, letterDays: 1 },
  { name: 'one giant tenant', ...asPlanned, giant: assumed['Meters of the giant'] },
  { name: 'a carrier’s network', ...asPlanned, network: { share, addresses: assumed['Addresses of that network'] } },
  { name: 'the same by one address', ...asPlanned, network: { share, addresses: 1 } },
]
