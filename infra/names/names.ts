/** Names of the tenants' own at CloudFront: added and removed one by one, while the portal runs. */
import {
  type CloudFrontClient,
  CNAMEAlreadyExists,
  type ConnectionGroup,
  CreateDistributionTenantCommand,
  DeleteDistributionTenantCommand,
  EntityAlreadyExists,
  EntityNotFound,
  GetConnectionGroupCommand,
  GetDistributionTenantByDomainCommand,
  GetManagedCertificateDetailsCommand,
  ListDistributionsByConnectionModeCommand,
  ListDistributionTenantsCommand,
  UpdateDistributionTenantCommand,
} from '@aws-sdk/client-cloudfront'
import { TENANT } from './group.ts'

/** How far a name is. */
export interface OwnName {
  host: string
  tenant: string
  /** Where its DNS record has to point, as a CNAME. */
  target: string
  /** `active`: CloudFront answers by it. */
  status: string
  /** `issued`: browsers can trust it; `pending-validation` until the record points there. */
  certificate: string
}

/** The group of a stage. */
async function groupOf(client: CloudFrontClient, name: string): Promise<ConnectionGroup> {
  try {
    const { ConnectionGroup } = await client.send(new GetConnectionGroupCommand({ Identifier: name }))
    if (ConnectionGroup !== undefined) return ConnectionGroup
  } catch (error) {
    if (!(error instanceof EntityNotFound)) throw error
  }
  throw new Error(`${name} takes no names of tenants' own: deploy it with ZAEHLWERK_OWN_NAMES=yes.`)
}

/** Id of the distribution of a stage for such names. */
async function distributionOf(client: CloudFrontClient, name: string): Promise<string> {
  let Marker: string | undefined
  do {
    const page = await client.send(
      new ListDistributionsByConnectionModeCommand({ ConnectionMode: 'tenant-only', Marker }),
    )
    const found = page.DistributionList?.Items?.find(({ Comment }) => Comment === name)?.Id
    if (found !== undefined) return found
    Marker = page.DistributionList?.NextMarker || undefined
  } while (Marker !== undefined)
  throw new Error(`${name} has no distribution for names of tenants' own.`)
}

/** Adds a name, unless it is there, and says how far it is. */
export async function add(client: CloudFrontClient, group: string, host: string, tenant: string): Promise<OwnName> {
  const { Id: ConnectionGroupId } = await groupOf(client, group)
  try {
    await client.send(
      new CreateDistributionTenantCommand({
        Name: host,
        DistributionId: await distributionOf(client, group),
        ConnectionGroupId,
        Domains: [{ Domain: host }],
        Parameters: [{ Name: TENANT, Value: tenant }],
        // CloudFront shows the authority what it asks for, as soon as the record points here; and so again at each renewal.
        ManagedCertificateRequest: { ValidationTokenHost: 'cloudfront', PrimaryDomainName: host },
        Enabled: true,
      }),
    )
  } catch (error) {
    if (!(error instanceof EntityAlreadyExists || error instanceof CNAMEAlreadyExists)) throw error
    // Ours already, or another owner's.
    return await look(client, group, host).catch(() => {
      throw error
    })
  }
  return await look(client, group, host)
}

async function tenantOf(client: CloudFrontClient, group: ConnectionGroup, host: string) {
  try {
    const found = await client.send(new GetDistributionTenantByDomainCommand({ Domain: host }))
    if (found.DistributionTenant?.ConnectionGroupId === group.Id) return found
  } catch (error) {
    if (!(error instanceof EntityNotFound)) throw error
  }
  throw new Error(`${host} is no name of ${group.Name}.`)
}

/** How far a name is. */
export async function look(client: CloudFrontClient, group: string, host: string): Promise<OwnName> {
  const known = await groupOf(client, group)
  const { DistributionTenant: found } = await tenantOf(client, known, host)
  const details = await client.send(new GetManagedCertificateDetailsCommand({ Identifier: found?.Id }))
  return {
    host,
    tenant: found?.Parameters?.find(({ Name }) => Name === TENANT)?.Value ?? '',
    target: known.RoutingEndpoint ?? '',
    status: found?.Domains?.find(({ Domain }) => Domain === host)?.Status ?? 'inactive',
    certificate: details.ManagedCertificateDetails?.CertificateStatus ?? '',
  }
}

/** All names of a stage. */
export async function list(client: CloudFrontClient, group: string): Promise<string[]> {
  const { Id: ConnectionGroupId } = await groupOf(client, group)
  const hosts: string[] = []
  let Marker: string | undefined
  do {
    const AssociationFilter = { ConnectionGroupId }
    const page = await client.send(new ListDistributionTenantsCommand({ AssociationFilter, Marker }))
    for (const { Domains } of page.DistributionTenantList ?? [])
      hosts.push(...(Domains ?? []).flatMap(({ Domain }) => Domain ?? []))
    Marker = page.NextMarker || undefined
  } while (Marker !== undefined)
  return hosts.sort()
}

/** Removes a name: CloudFront answers by it no more. */
export async function remove(client: CloudFrontClient, group: string, host: string): Promise<void> {
  const { DistributionTenant: found, ETag } = await tenantOf(client, await groupOf(client, group), host)
  // It deletes none that is switched on.
  const off = await client.send(
    new UpdateDistributionTenantCommand({
      Id: found?.Id,
      IfMatch: ETag,
      DistributionId: found?.DistributionId,
      Enabled: false,
    }),
  )
  await client.send(new DeleteDistributionTenantCommand({ Id: found?.Id, IfMatch: off.ETag }))
}
