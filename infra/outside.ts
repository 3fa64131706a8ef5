/** What only a check from outside notices: that nothing answers, and that a certificate is about to end. */
import { alarm, NAMESPACE, SILENCE } from './alarm.ts'
import { desk } from './desk.ts'
import { deskHost, hosts, isProduction } from './stage.ts'
import { portal } from './web.ts'

/** Three places, the fewest that Route 53 takes: where the distribution's edges are. */
const REGIONS = ['eu-west-1', 'us-east-1', 'us-west-2']

/** What is in the head of each page of ours, and of no page of another owner who has the name in the meantime. */
const OUR_PAGE = 'data-amplify-theme="zaehlwerk"'
/** What the API answers only with a tenant that it knows. */
const A_TENANT = '"applicationId":'

/** The checks by their names. */
export const checks = new Map<string, aws.route53.HealthCheck>()

/** Asks for something from outside, twice a minute and place, and looks for words in its first 5 kilobytes, if it has any. It looks at no certificate's age. */
function check(name: string, host: $util.Input<string>, resourcePath: string, searchString?: string): void {
  const asked = new aws.route53.HealthCheck(
    name,
    {
      type: searchString === undefined ? 'HTTPS' : 'HTTPS_STR_MATCH',
      fqdn: host,
      port: 443,
      // CloudFront knows by the name in the handshake which certificate is wanted.
      enableSni: true,
      resourcePath,
      searchString,
      requestInterval: 30,
      failureThreshold: 3,
      regions: REGIONS,
      tags: { Name: `${NAMESPACE} ${name}` },
    },
    { dependsOn: desk ? [portal, desk] : [portal] },
  )
  checks.set(name, asked)
}

/** Whether all that readers and staff begin with is there. */
function watchFromOutside(): void {
  // A pattern has no address: where nothing else is named, its tenants are watched by the desk's page alone.
  const named = hosts.filter((host) => !host.startsWith('*'))
  const names: $util.Input<string>[] = hosts.length > 0 ? named : [portal.nodes.cdn.nodes.distribution.domainName]
  for (const [index, host] of names.entries()) {
    // Each name can be lost by itself: its record, its certificate, its tenant.
    check(`Application${index || ''}`, host, '/api/public/application', A_TENANT)
    if (index > 0) continue
    check('PortalPage', host, '/', OUR_PAGE)
    // What an edge has kept it goes on to give while nothing answers behind it; it never keeps this redirection.
    check('Api', host, '/api/public/preview')
  }
  if (deskHost !== undefined) check('DeskPage', deskHost, '/login', OUR_PAGE)
  const together = new aws.route53.HealthCheck('Outside', {
    type: 'CALCULATED',
    childHealthchecks: [...checks.values()].map(({ id }) => id),
    childHealthThreshold: checks.size,
    tags: { Name: `${NAMESPACE} Outside` },
  })
  alarm('Unreachable', {
    description: 'Seen from outside, the portal, a tenant’s application or the desk does not answer',
    metrics: {
      status: {
        namespace: 'AWS/Route53',
        metricName: 'HealthCheckStatus',
        stat: 'Minimum',
        dimensions: { HealthCheckId: together.id },
      },
    },
    expression: '1 - status',
    threshold: 1,
    periods: 2,
    period: 60,
    silence: SILENCE.isFault,
    isGlobal: true,
  })
}

// A stage that may vanish has no readers to miss it, and each check is paid for.
if (isProduction) watchFromOutside()

/** Days before its end at which ACM has tried for two weeks at least to renew a certificate. */
const DAYS_LEFT = 30

/** The checks above take a certificate that has ended for a good one, and readers' browsers do not. */
function watchCertificate(name: string, router: sst.aws.Router): void {
  const { viewerCertificate } = router.nodes.cdn.nodes.distribution
  alarm(`${name}Certificate`, {
    description: `A certificate ends in less than ${DAYS_LEFT} days: it was not renewed`,
    manual: 'Certificate',
    metrics: {
      days: {
        namespace: 'AWS/CertificateManager',
        metricName: 'DaysToExpiry',
        stat: 'Minimum',
        dimensions: { CertificateArn: viewerCertificate.apply(({ acmCertificateArn }) => acmCertificateArn ?? '') },
      },
    },
    expression: `${DAYS_LEFT} - days`,
    threshold: 0,
    periods: 1,
    period: 86_400,
    // ACM tells the days twice a day and stops when none is left: an alarm that is on by then stays on.
    silence: SILENCE.lasts,
    isGlobal: true,
  })
}

if (hosts.length > 0) watchCertificate('Portal', portal)
if (desk) watchCertificate('Desk', desk)
