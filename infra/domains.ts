/** The names of the distributions, with what makes them reachable. */
import { certificate, deskHost, hasOwnNames, hosts, zone } from './stage.ts'
import { isInZone } from './zone.ts'

/** What makes records: of names in the zone, and with a brought certificate of no others, whose records their owners keep. */
function records(zone: string) {
  const aws = sst.aws.dns({ zone })
  const createAlias: typeof aws.createAlias = (prefix, record, options) =>
    // SST names it when it is known.
    isInZone(String(record.name)) ? aws.createAlias(prefix, record, options) : []
  return { ...aws, createAlias }
}

/** A distribution's names. */
function named([name, ...aliases]: string[]) {
  if (name === undefined) return undefined
  if (zone === undefined) return { name, aliases, dns: false as const, cert: certificate }
  const [elsewhere] = [name, ...aliases].filter((host) => !isInZone(host))
  if (elsewhere !== undefined && certificate === undefined) {
    throw new Error(`${elsewhere} is not in ZAEHLWERK_ZONE: it needs ZAEHLWERK_CERTIFICATE, or ZAEHLWERK_OWN_NAMES.`)
  }
  return { name, aliases, dns: records(zone), ...(certificate === undefined ? {} : { cert: certificate }) }
}

/** Names of a distribution, with their certificate or the zone that it is made in. */
export type Domain = NonNullable<ReturnType<typeof named>>

/** The portal's names. One that is no pattern comes first, because the deployment prints it. */
export const domain = named(hosts.toSorted((a, b) => Number(a.startsWith('*')) - Number(b.startsWith('*'))))

/** The desk's. */
export const deskDomain = deskHost === undefined ? undefined : named([deskHost])

/** Whether all names are in our own zone, so that we know what is below them (D-SECURITY-7). */
export const areAllOurs = zone !== undefined && certificate === undefined && !hasOwnNames
