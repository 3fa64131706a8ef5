/** Who may use the key of the customer's own. It needs nothing of SST, so that the owner of a brought key can be told its policy. */
const REGION = 'eu-central-1'

const allow = (principal: object, actions: string[], condition?: object) => ({
  Effect: 'Allow',
  Principal: principal,
  Action: actions.map((action) => `kms:${action}`),
  Resource: '*',
  ...(condition && { Condition: condition }),
})

/** The key's policy: the account's own policies decide about persons and functions, and each service is bound to what it encrypts. */
export function keyPolicy(account: string, stage: string) {
  const arn = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${account}:${rest}`
  /** What a service says that it encrypts: KMS compares it with what is to be decrypted. */
  const of = (service: string, ...arns: string[]) => ({
    ArnLike: { [`kms:EncryptionContext:aws:${service}`]: arns },
  })
  const byTrail = { StringEquals: { 'aws:SourceArn': arn('cloudtrail', `trail/zaehlwerk-${stage}`) } }
  return {
    Version: '2012-10-17',
    Statement: [
      allow({ AWS: `arn:aws:iam::${account}:root` }, ['*']),
      allow(
        { Service: `logs.${REGION}.amazonaws.com` },
        ['Encrypt', 'Decrypt', 'ReEncrypt*', 'GenerateDataKey*', 'DescribeKey'],
        of(
          'logs:arn',
          arn('logs', `log-group:/aws/lambda/zaehlwerk-${stage}/*`),
          arn('logs', `log-group:/aws/vendedlogs/apis/zaehlwerk-${stage}-*`),
        ),
      ),
      // SES tells what became of a mail, and CloudWatch that an alarm is on.
      allow(
        { Service: ['ses.amazonaws.com', 'cloudwatch.amazonaws.com'] },
        ['Decrypt', 'GenerateDataKey*'],
        of('sns:topicArn', arn('sns', '*')),
      ),
      allow({ Service: 'sns.amazonaws.com' }, ['Decrypt', 'GenerateDataKey*'], of('sqs:arn', arn('sqs', '*'))),
      allow({ Service: 'cloudtrail.amazonaws.com' }, ['GenerateDataKey*'], {
        ...byTrail,
        ...of('cloudtrail:arn', arn('cloudtrail', `trail/zaehlwerk-${stage}`)),
      }),
      // Neither has that context: it looks whether there is such a key, and whether it can read what it wrote, as the bucket's own key makes it.
      allow({ Service: 'cloudtrail.amazonaws.com' }, ['DescribeKey', 'Decrypt'], byTrail),
    ],
  }
}
