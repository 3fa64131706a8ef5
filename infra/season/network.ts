/** What the bounds of one address leave of the visits that share it: the firewall's, and the failed logins that a tenant takes from it. */
import { visit } from '../capacity.ts'
import { assumed, limit, rustConstant } from './inputs.ts'

/** Seconds in which the firewall counts, and in which failed logins are counted. */
const WINDOW = 300
const QUARTER = 900
/** Failed logins of an address at a tenant in a quarter of an hour. */
const FAILURES = rustConstant('store/src/login_attempts.rs', 'NETWORK_LIMIT')

/** What visits a second from one address ask within the windows of its bounds, of which the last two are of one tenant. */
const asked = (visits: number, ofTenant: number) => ({
  calls: visits * visit.requests * WINDOW,
  logins: ofTenant * WINDOW,
  failures: ofTenant * QUARTER * assumed['Share of logins that fail'],
})

const bounds = {
  calls: limit['Firewall: calls of an address in five minutes'],
  logins: limit['Firewall: logins of an address at a tenant in five minutes'],
  failures: FAILURES,
}

/**
 * The shares that are let through of all calls, of all logins, and of logins after those that failed, when there are so many visits a second,
 * of these so many at the largest tenant.
 */
export function leftByNetwork(
  network: { share: number; addresses: number } | undefined,
  visits: number,
  ofLargest: number,
): Record<keyof typeof bounds, number> {
  if (network === undefined) return { calls: 1, logins: 1, failures: 1 }
  const here = asked((visits * network.share) / network.addresses, (ofLargest * network.share) / network.addresses)
  const left = (bound: keyof typeof bounds) => 1 - network.share * Math.max(0, 1 - bounds[bound] / here[bound])
  return { calls: left('calls'), logins: left('logins'), failures: left('failures') }
}

/** Addresses that a network with this share of the visits needs so that no bound refuses anybody. */
export function addressesNeeded(share: number, visits: number, ofLargest: number): number {
  const here = asked(visits * share, ofLargest * share)
  return Math.ceil(Math.max(here.calls / bounds.calls, here.logins / bounds.logins, here.failures / bounds.failures))
}
