import { queue } from './queues.ts'
import { mailDomain, zone } from './stage.ts'

/** Seconds that the worker of the mails' events may take. */
const EVENTS_TIMEOUT = 30

/** How mails are sent: by TLS only, not to addresses that refused mail before, and with a report of what becomes of each. */
export const configurationSet = new aws.sesv2.ConfigurationSet('MailConfiguration', {
  configurationSetName: `${$app.name}-${$app.stage}`,
  deliveryOptions: { tlsPolicy: 'REQUIRE' },
  reputationOptions: { reputationMetricsEnabled: true },
  suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
})

const account = aws.getCallerIdentityOutput().accountId

const events = new aws.sns.Topic('MailEvents')
new aws.sns.TopicPolicy('MailEventsPolicy', {
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

new aws.sesv2.ConfigurationSetEventDestination('MailEventDestination', {
  configurationSetName: configurationSet.configurationSetName,
  eventDestinationName: 'events',
  eventDestination: {
    enabled: true,
    matchingEventTypes: ['DELIVERY', 'BOUNCE', 'COMPLAINT', 'REJECT'],
    snsDestination: { topicArn: events.arn },
  },
})

/** What became of mails, for the worker `mail_events`. */
export const mailEvents = queue('MailEventsQueue', EVENTS_TIMEOUT)
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

/** What mails may be sent from. */
export const senders: $util.Output<string>[] = []

if (mailDomain !== undefined) {
  const identity = new aws.sesv2.EmailIdentity('MailIdentity', {
    emailIdentity: mailDomain,
    configurationSetName: configurationSet.configurationSetName,
    dkimSigningAttributes: { nextSigningKeyLength: 'RSA_2048_BIT' },
  })
  senders.push(identity.arn)
  // Bounces come to a name of the tenant's own, so that SPF is aligned with the sender.
  const mailFromDomain = `bounce.${mailDomain}`
  new aws.sesv2.EmailIdentityMailFromAttributes('MailFrom', {
    emailIdentity: identity.emailIdentity,
    mailFromDomain,
    behaviorOnMxFailure: 'USE_DEFAULT_VALUE',
  })
  if (zone !== undefined) {
    const zoneId = zone
    const record = (name: string, type: string, host: $util.Input<string>, value: $util.Input<string>) =>
      new aws.route53.Record(name, { zoneId, name: host, type, ttl: 3600, records: [value] })
    for (const index of [0, 1, 2]) {
      const token = identity.dkimSigningAttributes.apply((signing) => signing.tokens?.[index] ?? '')
      record(
        `MailDkim${index}`,
        'CNAME',
        $interpolate`${token}._domainkey.${mailDomain}`,
        $interpolate`${token}.dkim.amazonses.com`,
      )
    }
    record('MailDmarc', 'TXT', `_dmarc.${mailDomain}`, 'v=DMARC1; p=quarantine; adkim=s; aspf=r')
    const region = aws.getRegionOutput().region
    record('MailFromMx', 'MX', mailFromDomain, $interpolate`10 feedback-smtp.${region}.amazonses.com`)
    record('MailFromSpf', 'TXT', mailFromDomain, 'v=spf1 include:amazonses.com -all')
  }
}
