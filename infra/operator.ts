/**
 * What the command line may do for one tenant. One policy serves all of them: the role of the clerk says in its tag `tenant`
 * which one it is, and in `sender` by which address that tenant writes (D-PLATFORM-22).
 */
import { configurationSet, senders } from './email.ts'
import { keyStatements } from './key.ts'
import { webhookSecretPrefix } from './secrets.ts'
import { photos, table } from './storage.ts'

const region = aws.getRegionOutput().region
const account = aws.getCallerIdentityOutput().accountId

/** What IAM puts in; where the role has no such tag, nothing fits. */
const TENANT = '${aws:PrincipalTag/tenant}'
const SENDER = '${aws:PrincipalTag/sender}'

/** A statement on items whose partition, in the table or in its index, begins so. */
const items = (actions: string[], resources: $util.Input<string>[], ...partitions: string[]) => ({
  Effect: 'Allow',
  Action: actions.map((action) => `dynamodb:${action}`),
  Resource: resources,
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
    // Of no key at all the condition above would be true.
    Null: { 'dynamodb:LeadingKeys': 'false' },
  },
})

/** As `functions/store/src/keys.rs` makes them; a tenant's id may be the beginning of another one's. */
const BELOW = `T#${TENANT}#*`
const OWN = [`T#${TENANT}`, BELOW]

const READ = ['GetItem', 'BatchGetItem']

const statements = [
  items([...READ, 'Query', 'ConditionCheckItem'], [table.arn], ...OWN),
  // Not the settings, in the tenant's partition itself: they name the sender, and are checked where they are put into effect (D-SETTINGS-3).
  items(['PutItem', 'UpdateItem', 'DeleteItem'], [table.arn], BELOW),
  items(['Query'], [$interpolate`${table.arn}/index/gsi1`], ...OWN),
  // Name and address of a member whose random id the tenant's own list of members has.
  items(READ, [table.arn], 'M#*'),
  // All tenants' reminders share a second.
  items(['UpdateItem'], [table.arn], 'REMINDERS#*'),
  { Effect: 'Allow', Action: 's3:GetObject', Resource: $interpolate`${photos.arn}/photos/${TENANT}/*` },
  {
    Effect: 'Allow',
    Action: 's3:DeleteObjectVersion',
    Resource: ['photos', 'uploads'].map((kind) => $interpolate`${photos.arn}/${kind}/${TENANT}/*`),
  },
  {
    Effect: 'Allow',
    Action: 's3:ListBucketVersions',
    Resource: photos.arn,
    Condition: { StringLike: { 's3:prefix': [`photos/${TENANT}/*`, `uploads/${TENANT}/*`] } },
  },
  ...(senders.length === 0
    ? []
    : [
        {
          Effect: 'Allow',
          Action: ['ses:SendEmail', 'ses:SendRawEmail'],
          // One for each domain would not fit into a policy that has many tenants.
          Resource: [$interpolate`arn:aws:ses:${region}:${account}:identity/*`, configurationSet.arn],
          Condition: { StringEquals: { 'ses:FromAddress': SENDER } },
        },
        { Effect: 'Allow', Action: 'ses:GetAccount', Resource: '*' },
      ]),
  {
    Effect: 'Allow',
    Action: 'ssm:GetParameter',
    Resource: $interpolate`arn:aws:ssm:${region}:${account}:parameter${webhookSecretPrefix}${TENANT}/*`,
  },
  ...keyStatements('dynamodb', 's3'),
]

/** The policy's ARN, for the roles of a tenant's clerks, which are made outside of the deployment. */
export const operatorPolicy = new aws.iam.Policy('Operator', {
  name: `${$app.name}-${$app.stage}-operator`,
  description: 'The command line zaehlwerk, for the tenant that the tag of its role names',
  policy: $jsonStringify({ Version: '2012-10-17', Statement: statements }),
}).arn
