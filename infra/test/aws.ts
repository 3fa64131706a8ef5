/** What AWS would answer, as far as the deployment reads it. */

const ACCOUNT = '123456789012'
const REGION = 'eu-central-1'
const arn = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`

type Values = Record<string, unknown>

/** Attributes of a resource that its provider makes up. */
export function attributes(type: string, name: string, inputs: Values): Values {
  switch (type) {
    case 'aws:dynamodb/table:Table':
      return { arn: arn('dynamodb', `table/${name}`), name }
    case 'aws:s3/bucket:Bucket': {
      // Names that SST makes up are others each time.
      const given = String(inputs['bucket'])
      const bucket = given.endsWith(ACCOUNT) ? given : name.toLowerCase()
      const bucketRegionalDomainName = `${bucket}.s3.${REGION}.amazonaws.com`
      return { arn: `arn:aws:s3:::${bucket}`, bucket, bucketRegionalDomainName }
    }
    case 'aws:iam/role:Role':
      return { arn: `arn:aws:iam::${ACCOUNT}:role/${name}`, name }
    case 'aws:cloudwatch/logGroup:LogGroup':
      return { arn: arn('logs', `log-group:${String(inputs['name'])}`) }
    case 'aws:lambda/function:Function':
      return { arn: arn('lambda', `function:${name}`), name, version: '7' }
    case 'aws:lambda/alias:Alias':
      return { arn: arn('lambda', `function:${String(inputs['functionName'])}:${String(inputs['name'])}`) }
    case 'aws:backup/vault:Vault':
      return {
        arn: `arn:aws:backup:${String(inputs['region'] ?? REGION)}:${ACCOUNT}:backup-vault:${name}`,
        name,
      }
    case 'aws:kms/key:Key':
      return { arn: arn('kms', `key/${name}`).replace(REGION, String(inputs['region'] ?? REGION)), keyId: name }
    case 'aws:sns/topic:Topic':
      return { arn: arn('sns', name) }
    case 'aws:sqs/queue:Queue':
      return { arn: arn('sqs', name), name, url: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name}` }
    case 'aws:sesv2/emailIdentity:EmailIdentity':
      return {
        arn: arn('ses', `identity/${String(inputs['emailIdentity'])}`),
        dkimSigningAttributes: { tokens: ['a', 'b', 'c'] },
      }
    case 'aws:sesv2/configurationSet:ConfigurationSet':
      return { arn: arn('ses', `configuration-set/${String(inputs['configurationSetName'])}`) }
    case 'aws:apigatewayv2/api:Api':
      return {
        arn: arn('apigateway', '/apis/abc'),
        apiEndpoint: `https://abc.execute-api.${REGION}.amazonaws.com`,
        executionArn: arn('execute-api', 'abc'),
      }
    case 'aws:cloudfront/distribution:Distribution':
      return { arn: `arn:aws:cloudfront::${ACCOUNT}:distribution/E1`, domainName: 'd1.cloudfront.net', tagsAll: {} }
    case 'aws:cloudfront/connectionGroup:ConnectionGroup':
      return { routingEndpoint: 'd2.cloudfront.net' }
    case 'aws:acm/certificate:Certificate': {
      const names = [inputs['domainName'], ...((inputs['subjectAlternativeNames'] as string[] | undefined) ?? [])]
      return {
        arn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/${name}`,
        domainValidationOptions: names.map((domainName) => ({
          domainName,
          resourceRecordName: `_acme.${String(domainName)}.`,
          resourceRecordType: 'CNAME',
          resourceRecordValue: 'acme.acm-validations.aws.',
        })),
      }
    }
    case 'aws:cognito/userPool:UserPool':
      return { arn: arn('cognito-idp', `userpool/${name}`) }
    case 'aws:cognito/userPoolClient:UserPoolClient':
      return { clientSecret: 'client-secret' }
    case 'aws:ssm/parameter:Parameter':
      return { arn: arn('ssm', `parameter${String(inputs['name'])}`) }
    case 'random:index/randomPassword:RandomPassword':
      return { result: 'r'.repeat(Number(inputs['length'])) }
    case 'random:index/randomBytes:RandomBytes':
      return { base64: Buffer.alloc(Number(inputs['length'])).toString('base64') }
    default:
      return { arn: arn('mock', name) }
  }
}

interface Statement {
  effect?: string
  actions?: string[]
  resources?: string[]
  principals?: { type: string; identifiers: string[] }[]
  conditions?: { test: string; variable: string; values: string[] }[]
}

/** Everybody is a word, as the provider writes it; others are by their kind. */
function principalOf(principals: { type: string; identifiers: string[] }[]) {
  if (principals.some(({ type }) => type === '*')) return '*'
  return Object.fromEntries(principals.map(({ type, identifiers }) => [type, identifiers]))
}

/** `aws.iam.getPolicyDocument`. */
function policyDocument(statements: Statement[]): Values {
  const document = {
    Version: '2012-10-17',
    Statement: statements.map(({ effect = 'Allow', actions, resources, principals, conditions }) => ({
      Effect: effect,
      Principal: principals && principalOf(principals),
      Action: actions,
      Resource: resources,
      Condition: conditions?.reduce<Record<string, Values>>(
        (all, { test, variable, values }) => ({ ...all, [test]: { ...all[test], [variable]: values } }),
        {},
      ),
    })),
  }
  return { json: JSON.stringify(document), statements: statements.length > 0 ? statements : undefined }
}

/** Answers of the provider's functions. */
export function answer(token: string, inputs: Values): Values {
  switch (token) {
    case 'aws:index/getRegion:getRegion':
      return { region: REGION, id: REGION }
    case 'aws:index/getPartition:getPartition':
      return { partition: 'aws' }
    case 'aws:index/getCallerIdentity:getCallerIdentity':
      return { accountId: ACCOUNT }
    case 'aws:route53/getZone:getZone':
      return { zoneId: inputs['zoneId'], name: 'example.de' }
    case 'aws:route53/getRecords:getRecords': {
      const set = (name: string, value: string) => ({ name, type: 'TXT', resourceRecords: [{ value: `"${value}"` }] })
      return {
        resourceRecordSets: [
          set('_dmarc.example.de.', 'v=DMARC1; p=none'),
          set('_dmarc.post.example.de.', 'v=DMARC1; p=quarantine; adkim=s; aspf=r'),
        ],
      }
    }
    case 'aws:iam/getPolicyDocument:getPolicyDocument':
      return policyDocument((inputs['statements'] as Statement[] | undefined) ?? [])
    default:
      throw new Error(`The stand-in of the provider does not know ${token}.`)
  }
}
