import { key } from './key.ts'
import { mailEvents } from './queues.ts'
import { mailDomains, zone } from './stage.ts'
import { isInZone } from './zone.ts'

/** How mails are sent: by TLS only, not to addresses that refused mail before, and with a report of what becomes of each. */
export const configurationSet = new aws.sesv2.ConfigurationSet('MailConfiguration', {
  configurationSetName: `${$app.name}-${$app.stage}`,
  deliveryOptions: { tlsPolicy: 'REQUIRE' },
  reputationOptions: { reputationMetricsEnabled: true },
  suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
})

const account = aws.getCallerIdentityOutput().accountId

const events = new aws.sns.Topic('MailEvents', { kmsMasterKeyId: key })
const mayReport = new aws.sns.TopicPolicy('MailEventsPolicy', {
  arn: events.arn,
  policy: $jsonStringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'ses.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: events.arn,
        Condition: { StringEquals: { 'aws:SourceAccount': account, 'aws:SourceArn': configurationSet.arn } },
      },
    ],
  }),
})

new aws.sesv2.ConfigurationSetEventDestination(
  'MailEventDestination',
  {
    configurationSetName: configurationSet.configurationSetName,
    eventDestinationName: 'events',
    eventDestination: {
      enabled: true,
      matchingEventTypes: ['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT'],
      snsDestination: { topicArn: events.arn },
    },
  },
  // SES refuses a topic to which it may not publish.
  { dependsOn: mayReport },
)

new aws.sqs.QueuePolicy('MailEventsQueuePolicy', {
  queueUrl: mailEvents.url,
  policy: $jsonStringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: mailEvents.arn,
        Condition: { ArnEquals: { 'aws:SourceArn': events.arn } },
      },
    ],
  }),
})
new aws.sns.TopicSubscription('MailEventsSubscription', {
  topic: events.arn,
  protocol: 'sqs',
  endpoint: mailEvents.arn,
  rawMessageDelivery: true,
})

/** A DNS record: name, type and value. */
type Row = [name: $util.Input<string>, type: string, value: $util.Input<string>]

const region = aws.getRegionOutput().region

/** What is to become of mail that is not signed, in a domain that does not say so yet. */
const DMARC = 'v=DMARC1; p=quarantine; adkim=s; aspf=r'

/** Names in the zone whose owner has said something else. */
const ownDmarc = new Set<string>()
if (zone !== undefined && mailDomains.length > 0) {
  const { resourceRecordSets } = await aws.route53.getRecords({ zoneId: zone, nameRegex: '^_dmarc\\.' })
  for (const { name, resourceRecords } of resourceRecordSets) {
    if (resourceRecords.some(({ value }) => value !== `"${DMARC}"`)) ownDmarc.add(name.replace(/\.$/, ''))
  }
}

interface Sender {
  arn: $util.Output<string>
  /** The records that it needs are made here. */
  isOurs: boolean
  records: Record<string, Row>
}

/** Makes a domain one that mails may be sent from. */
function sender(domain: string): Sender {
  const suffix = domain.replaceAll(/(?:^|[.-])(.)/g, (_, letter: string) => letter.toUpperCase())
  const identity = new aws.sesv2.EmailIdentity(`MailIdentity${suffix}`, {
    emailIdentity: domain,
    configurationSetName: configurationSet.configurationSetName,
    dkimSigningAttributes: { nextSigningKeyLength: 'RSA_2048_BIT' },
  })
  // Bounces come to a name of the sender's own, so that SPF is aligned with the sender.
  const mailFromDomain = `bounce.${domain}`
  new aws.sesv2.EmailIdentityMailFromAttributes(`MailFrom${suffix}`, {
    emailIdentity: identity.emailIdentity,
    mailFromDomain,
    behaviorOnMxFailure: 'USE_DEFAULT_VALUE',
  })
  const dkim = (index: number): Row => {
    const token = identity.dkimSigningAttributes.apply((signing) => signing.tokens?.[index] ?? '')
    return [$interpolate`${token}._domainkey.${domain}`, 'CNAME', $interpolate`${token}.dkim.amazonses.com`]
  }
  return {
    arn: identity.arn,
    isOurs: isInZone(domain),
    records: {
      [`MailDkim0${suffix}`]: dkim(0),
      [`MailDkim1${suffix}`]: dkim(1),
      [`MailDkim2${suffix}`]: dkim(2),
      ...(ownDmarc.has(`_dmarc.${domain}`) ? {} : { [`MailDmarc${suffix}`]: [`_dmarc.${domain}`, 'TXT', DMARC] }),
      [`MailFromMx${suffix}`]: [mailFromDomain, 'MX', $interpolate`10 feedback-smtp.${region}.amazonses.com`],
      [`MailFromSpf${suffix}`]: [mailFromDomain, 'TXT', 'v=spf1 include:amazonses.com -all'],
    },
  }
}

const domains = mailDomains.map(sender)

/** What mails may be sent from. */
export const senders = domains.map(({ arn }) => arn)

/** The records that have to be made elsewhere, as lines of text; none of those in our zone. */
export const mailRecords: $util.Output<string>[] = []

for (const { isOurs, records } of domains) {
  for (const [resource, [name, type, value]] of Object.entries(records)) {
    if (zone === undefined || !isOurs) mailRecords.push($interpolate`${name} ${type} ${value}`)
    else new aws.route53.Record(resource, { zoneId: zone, name, type, ttl: 3600, records: [value] })
  }
}
