import { zone } from './stage.ts'

/** Name of the zone that is ours, such as `example.de`. */
const zoneName = zone === undefined ? undefined : (await aws.route53.getZone({ zoneId: zone })).name

/** Whether a name is in the zone: Route 53 would take a record for any other one, too, under a name that ends in the zone's. */
export function isInZone(name: string): boolean {
  return zoneName !== undefined && (name === zoneName || name.endsWith(`.${zoneName}`))
}
