/** What a user would write instead of `account_info`: checks the token, reads the account, answers with JSON. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { importJWK, jwtVerify } from 'jose'

const database = new DynamoDBClient({ maxAttempts: 3 })
const keys = Object.entries(JSON.parse(process.env.JWT_PUBLIC_KEYS)).map(([kid, x]) => [
  kid,
  importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA'),
])
const keyById = new Map(keys)

export async function handler(event) {
  const token = event.headers.authorization.replace(/^Bearer /i, '')
  const { payload } = await jwtVerify(token, ({ kid }) => keyById.get(kid), {
    issuer: 'zaehlwerk',
    audience: 'zaehlwerk-api',
    algorithms: ['EdDSA'],
  })
  const { Item: item } = await database.send(
    new GetItemCommand({
      TableName: process.env.TABLE_NAME,
      Key: { pk: { S: `T#${payload.tenant}#A#${payload.accountId}` }, sk: { S: 'ACCOUNT' } },
    }),
  )
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: item.name.S }),
  }
}
