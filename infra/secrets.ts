import { pseudonymSecret, publicKeysJson, signingPem } from './keys.ts'

/**
 * Private keys for access tokens: one or several Ed25519 keys (PKCS #8, PEM) one after another. The first one signs; the
 * others are known to the functions too, so that keys can be exchanged without a login being lost.
 */
const keys = new sst.Secret('JwtKeys')

/** Where the key that signs is. Only the login function may read it. */
export const signingKey = new aws.ssm.Parameter('SigningKey', {
  name: `/${$app.name}/${$app.stage}/jwt-private-key`,
  description: 'Signs access tokens',
  type: 'SecureString',
  value: keys.value.apply(signingPem),
})

/** The secret of the security log's pseudonyms: it follows from the key that signs, so that there is none more to keep. */
export const pseudonymKey = new aws.ssm.Parameter('PseudonymKey', {
  name: `/${$app.name}/${$app.stage}/pseudonym-key`,
  description: 'Names accounts and networks in the security log',
  type: 'SecureString',
  value: keys.value.apply(pseudonymSecret),
})

/**
 * `JWT_PUBLIC_KEYS`. The key that signs comes first: so the environment changes with it, and a changed environment is
 * what makes running functions start anew and read the new key.
 */
export const publicKeys = $util.unsecret(keys.value.apply(publicKeysJson))

/**
 * What the names of the parameters with the access keys of the tenants' CRMs begin with; a tenant's id comes next. The
 * operator who brings a tenant in writes them, so that a deployment neither knows nor overwrites them.
 */
export const crmKeyPrefix = `/${$app.name}/${$app.stage}/crm/`

/** The same for the desk's secrets at the tenants' own identity providers. */
export const loginSecretPrefix = `/${$app.name}/${$app.stage}/login/`

/** The same for the signing secrets of the tenants' webhooks. */
export const webhookSecretPrefix = `/${$app.name}/${$app.stage}/webhook/`
