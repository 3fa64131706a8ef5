import {
  CloudFrontClient,
  CreateConnectionGroupCommand,
  CreateDistributionCommand,
  GetDistributionTenantByDomainCommand,
} from '@aws-sdk/client-cloudfront'
import { beforeAll, describe, expect, it } from 'vitest'
import { groupName, TENANT } from '../names/group.ts'
import { add, list, look, remove } from '../names/names.ts'
import { preview, production, restored } from './deployment.ts'
import { ministack } from './ministack.ts'

describe('the distribution for names of tenants’ own', () => {
  const { inputs } = restored.one(
    'aws:cloudfront/multitenantDistribution:MultitenantDistribution',
    'OwnNamesDistribution',
  )
  const portal = restored.one('aws:cloudfront/distribution:Distribution', 'PortalCdnDistribution').inputs

  it('is there where a stage wants it', () => {
    for (const stage of [production, preview]) {
      expect(stage.all('aws:cloudfront/multitenantDistribution:MultitenantDistribution')).toEqual([])
      expect(stage.all('aws:cloudfront/connectionGroup:ConnectionGroup')).toEqual([])
    }
    expect(restored.evaluated.outputs['ownNames']).toBe('d2.cloudfront.net')
    expect(production.evaluated.outputs['ownNames']).toBeUndefined()
  })

  it('is heard by the alarms of all distributions', () => {
    for (const name of ['Flood', 'PortalErrors']) {
      const { metricQueries } = restored.one('aws:cloudwatch/metricAlarm:MetricAlarm', name).inputs
      expect(metricQueries.map(({ id }: { id: string }) => id)).toContain('ownNames')
    }
  })

  it('is found by the command, and has none of the names itself', () => {
    expect(inputs['comment']).toBe(groupName('zaehlwerk', 'production'))
    expect(restored.one('aws:cloudfront/connectionGroup:ConnectionGroup', 'OwnNames').inputs).toMatchObject({
      name: groupName('zaehlwerk', 'production'),
      ipv6Enabled: true,
    })
    expect(inputs['aliases']).toBeUndefined()
    // A name that a deployment knew would be changed by it.
    expect(restored.all('aws:cloudfront/distributionTenant:DistributionTenant')).toEqual([])
    const [{ name, definitions }] = inputs['tenantConfig'].parameterDefinitions
    expect([name, definitions[0].stringSchemas[0].required]).toEqual([TENANT, false])
  })

  it('answers as the portal’s does', () => {
    const asked = [
      'targetOriginId',
      'viewerProtocolPolicy',
      'compress',
      'cachePolicyId',
      'originRequestPolicyId',
      'responseHeadersPolicyId',
      'functionAssociations',
    ]
    const [wanted, got] = [
      [portal['defaultCacheBehavior'], ...portal['orderedCacheBehaviors']],
      [inputs['defaultCacheBehavior'], ...inputs['cacheBehaviors']],
    ]
    expect(got).toHaveLength(3 + 4)
    for (const [index, behavior] of got.entries()) {
      for (const key of asked) expect(behavior[key], key).toEqual(wanted[index][key])
      expect(behavior.pathPattern).toEqual(wanted[index].pathPattern)
      expect(behavior.allowedMethods.items).toEqual(wanted[index].allowedMethods)
      expect(behavior.allowedMethods.cachedMethods).toEqual(wanted[index].cachedMethods)
    }
    expect(inputs['origins']).toMatchObject([
      { id: portal['origins'][0].originId, domainName: portal['origins'][0].domainName },
    ])
    expect(inputs['origins'][0].customOriginConfigs[0].originReadTimeout).toBe(20)
    expect(inputs['customErrorResponses']).toEqual(portal['customErrorResponses'])
    expect(inputs).toMatchObject({
      enabled: true,
      httpVersion: 'http2and3',
      restrictions: { geoRestriction: { restrictionType: 'none' } },
      viewerCertificate: {
        acmCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
        sslSupportMethod: 'sni-only',
        minimumProtocolVersion: 'TLSv1.2_2021',
      },
    })
  })

  // D-PLATFORM-18
  it('has its pages send photos, under names that the deployment does not know', () => {
    const origins = (stage: typeof production): string[] =>
      stage.one('aws:s3/bucketCorsConfiguration:BucketCorsConfiguration', 'PhotosCors').inputs['corsRules'][0]
        .allowedOrigins
    expect(origins(restored)).toContain('https://*')
    for (const stage of [production, preview]) expect(origins(stage)).not.toContain('https://*')
  })
})

it('a distribution for names of tenants’ own is behind the portal’s firewall', () => {
  const [{ webAclId: portal }, { webAclId }] = [
    restored.one('aws:cloudfront/distribution:Distribution', 'PortalCdnDistribution').inputs,
    restored.one('aws:cloudfront/multitenantDistribution:MultitenantDistribution', 'OwnNamesDistribution').inputs,
  ]
  expect(webAclId).toContain('PortalWaf')
  expect(webAclId).toBe(portal)
})

describe('a name of a tenant’s own', () => {
  const client = ministack()
  let cloudfront: CloudFrontClient
  const stage = groupName('zaehlwerk', 'production')

  const distribute = (comment: string, ConnectionMode: 'direct' | 'tenant-only') =>
    cloudfront.send(
      new CreateDistributionCommand({
        DistributionConfig: {
          CallerReference: `${comment} ${ConnectionMode}`,
          Comment: comment,
          Enabled: true,
          ConnectionMode,
          Origins: {
            Quantity: 1,
            Items: [{ Id: 'default', DomainName: 'placeholder.sst.dev', S3OriginConfig: { OriginAccessIdentity: '' } }],
          },
          DefaultCacheBehavior: {
            TargetOriginId: 'default',
            ViewerProtocolPolicy: 'redirect-to-https',
            CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          },
        },
      }),
    )

  beforeAll(async () => {
    cloudfront = new CloudFrontClient(client)
    for (const name of ['zaehlwerk-staging', stage]) {
      await distribute(name, 'direct')
      await distribute(name, 'tenant-only')
      await cloudfront.send(new CreateConnectionGroupCommand({ Name: name, Ipv6Enabled: true, Enabled: true }))
    }
  })

  it('is added once, with a certificate of its own, and touches no other', async () => {
    const other = await add(cloudfront, stage, 'ablesen.stadtwerke-b.de', 'b')
    const added = await add(cloudfront, stage, 'zaehler.stadtwerke-a.de', 'a')
    expect(added).toEqual({
      host: 'zaehler.stadtwerke-a.de',
      tenant: 'a',
      target: expect.stringMatching(/\.cloudfront\.net$/),
      status: 'active',
      certificate: 'issued',
    })
    const known = { Domain: 'zaehler.stadtwerke-a.de' }
    const { DistributionTenant } = await cloudfront.send(new GetDistributionTenantByDomainCommand(known))
    expect(DistributionTenant).toMatchObject({ Enabled: true, Name: 'zaehler.stadtwerke-a.de' })
    expect(await add(cloudfront, stage, 'zaehler.stadtwerke-a.de', 'a')).toEqual(added)
    expect(await look(cloudfront, stage, 'ablesen.stadtwerke-b.de')).toEqual(other)
    expect(await list(cloudfront, stage)).toEqual(['ablesen.stadtwerke-b.de', 'zaehler.stadtwerke-a.de'])
  })

  it('is its stage’s alone', async () => {
    await add(cloudfront, 'zaehlwerk-staging', 'test.stadtwerke-c.de', 'c')
    await expect(add(cloudfront, stage, 'test.stadtwerke-c.de', 'c')).rejects.toThrow(/already/)
    await expect(look(cloudfront, stage, 'test.stadtwerke-c.de')).rejects.toThrow('is no name of zaehlwerk-production')
    await expect(remove(cloudfront, stage, 'test.stadtwerke-c.de')).rejects.toThrow(
      'is no name of zaehlwerk-production',
    )
    expect(await list(cloudfront, 'zaehlwerk-staging')).toEqual(['test.stadtwerke-c.de'])
  })

  it('is removed, and may come again', async () => {
    await add(cloudfront, stage, 'weg.stadtwerke-d.de', 'd')
    await remove(cloudfront, stage, 'weg.stadtwerke-d.de')
    expect(await list(cloudfront, stage)).not.toContain('weg.stadtwerke-d.de')
    await expect(look(cloudfront, stage, 'weg.stadtwerke-d.de')).rejects.toThrow('is no name')
    expect(await add(cloudfront, stage, 'weg.stadtwerke-d.de', 'd')).toMatchObject({ status: 'active' })
  })

  it('is refused where the stage takes none', async () => {
    await expect(add(cloudfront, 'zaehlwerk-pr-7', 'x.stadtwerke.de', 'x')).rejects.toThrow('ZAEHLWERK_OWN_NAMES=yes')
  })
})
