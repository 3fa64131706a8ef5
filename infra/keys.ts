import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

/** The Ed25519 keys in a text of PEM blocks (PKCS #8), in its order. */
function parse(pem: string): KeyObject[] {
  const blocks = pem.match(/-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/g) ?? []
  if (blocks.length === 0) throw new Error('The secret JwtKeys holds no private key in PEM.')
  return blocks.map((block, index) => {
    const key = createPrivateKey(block)
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`Key ${index + 1} of the secret JwtKeys is not Ed25519.`)
    return key
  })
}

/** The key that signs: the first one, as PEM. */
export function signingPem(pem: string): string {
  const [first] = parse(pem)
  return first.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** The secret of the security log's pseudonyms: another one with each key that signs, and no way back to that. */
export function pseudonymSecret(pem: string): string {
  return createHmac('sha256', signingPem(pem)).update('pseudonyms of the security log').digest('hex')
}

/** The raw public halves in base64url by their ids, as JSON: what checks a token that any of the keys has signed. */
export function publicKeysJson(pem: string): string {
  const halves = parse(pem).map((key) => String(createPublicKey(key).export({ format: 'jwk' }).x))
  return JSON.stringify(Object.fromEntries(halves.map((half) => [half.slice(0, 16), half])))
}
