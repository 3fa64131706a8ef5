/**
 * The portal under names of the tenants' own: one more distribution whose names, each with a certificate that CloudFront has made and
 * renews, are added by a command (`names/cli.ts`) and are no part of a deployment. None of the others is touched by it.
 */
import { groupName, TENANT } from './names/group.ts'
import { hasOwnNames } from './stage.ts'
import { portal } from './web.ts'

type Behavior = Omit<
  aws.types.output.cloudfront.DistributionOrderedCacheBehavior,
  'pathPattern' | 'forwardedValues' | 'trustedKeyGroups' | 'trustedSigners'
>

const name = groupName($app.name, $app.stage)

/** Where records of these names point. */
const group = hasOwnNames ? new aws.cloudfront.ConnectionGroup('OwnNames', { name, ipv6Enabled: true }) : undefined

/** What such names get: the portal, as its own distribution has it. */
function distribution() {
  const like = portal.nodes.cdn.nodes.distribution
  const behavior = (given: Behavior) => ({
    targetOriginId: given.targetOriginId,
    viewerProtocolPolicy: given.viewerProtocolPolicy,
    allowedMethods: { items: given.allowedMethods, cachedMethods: given.cachedMethods },
    compress: given.compress ?? false,
    cachePolicyId: given.cachePolicyId ?? '',
    originRequestPolicyId: given.originRequestPolicyId ?? '',
    responseHeadersPolicyId: given.responseHeadersPolicyId ?? '',
    functionAssociations: given.functionAssociations ?? [],
  })
  return new aws.cloudfront.MultitenantDistribution('OwnNamesDistribution', {
    comment: name,
    enabled: true,
    httpVersion: 'http2and3',
    origins: like.origins.apply((origins) =>
      origins.map(({ originId, domainName, customOriginConfig }) => ({
        id: originId,
        domainName,
        customOriginConfigs: customOriginConfig === undefined ? [] : [customOriginConfig],
      })),
    ),
    defaultCacheBehavior: like.defaultCacheBehavior.apply(behavior),
    cacheBehaviors: like.orderedCacheBehaviors.apply((behaviors) =>
      (behaviors ?? []).map((given) => ({ ...behavior(given), pathPattern: given.pathPattern })),
    ),
    customErrorResponses: like.customErrorResponses.apply((responses) =>
      (responses ?? []).map(({ errorCode, errorCachingMinTtl }) => ({ errorCode, errorCachingMinTtl })),
    ),
    // Whose a name is, for people; nothing depends on it.
    tenantConfig: {
      parameterDefinitions: [
        { name: TENANT, definitions: [{ stringSchemas: [{ required: false, comment: 'Whose name it is' }] }] },
      ],
    },
    restrictions: { geoRestriction: { restrictionType: 'none' } },
    // Until a name has its own, and for the protocols that all of them allow.
    viewerCertificate: like.viewerCertificate.apply(
      ({ acmCertificateArn, sslSupportMethod, minimumProtocolVersion }) => ({
        acmCertificateArn,
        sslSupportMethod,
        minimumProtocolVersion,
      }),
    ),
    webAclId: like.webAclId.apply((id) => id ?? ''),
  })
}

/** None: there are no such names. */
export const ownNames = hasOwnNames ? distribution() : undefined

/** The name that a tenant's record points to; none: there are no such names. */
export const ownNamesTarget = group?.routingEndpoint
