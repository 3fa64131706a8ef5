import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pseudonymSecret, publicKeysJson, signingPem } from '../keys.ts'

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const pem = () => pemOf(generateKeyPairSync('ed25519').privateKey)
const half = (text: string) => createPublicKey(createPrivateKey(text)).export({ format: 'jwk' }).x

describe('keys for access tokens', () => {
  it('sign with the first and are checked with all', () => {
    const [old, next] = [pem(), pem()]
    expect(signingPem(`${next}\n${old}`)).toBe(next)
    expect(Object.values(JSON.parse(publicKeysJson(`${next}\n${old}`)))).toEqual([half(next), half(old)])
  })

  it('keep their ids when they change places', () => {
    const [old, next] = [pem(), pem()]
    expect(JSON.parse(publicKeysJson(old + next))).toEqual(JSON.parse(publicKeysJson(next + old)))
    expect(publicKeysJson(old + next)).not.toBe(publicKeysJson(next + old))
  })

  it('give the security log a secret that follows from the one that signs', () => {
    const [old, next] = [pem(), pem()]
    expect(pseudonymSecret(`${next}\n${old}`)).toBe(pseudonymSecret(next))
    expect(pseudonymSecret(next)).toMatch(/^[0-9a-f]{64}$/)
    expect(pseudonymSecret(next)).not.toBe(pseudonymSecret(old))
  })

  it.each([
    ['no key', 'secret', 'holds no private key'],
    ['an RSA key', pem() + pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey), 'Key 2'],
  ])('are refused when there is %s', (_, text, message) => {
    expect(() => publicKeysJson(text)).toThrow(message)
  })
})
