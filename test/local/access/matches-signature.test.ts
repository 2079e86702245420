import { createSecretKey } from 'node:crypto'
import { DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { matchesSignature } from '../../../packages/local/src/access/matches-signature.ts'
import { tableSignatures } from '../../vectors/sas-signatures.ts'

const key = createSecretKey(DEVELOPMENT_KEY, 'base64')

describe('matchesSignature', () => {
  it.each(tableSignatures)('knows the signature of $title', ({ text, signature }) => {
    expect(matchesSignature(key, text, signature)).toBe(true)
    expect(matchesSignature(key, `${text}\n`, signature)).toBe(false)
    expect(matchesSignature(createSecretKey('AAAA', 'base64'), text, signature)).toBe(false)
  })

  it('refuses a signature that is too short or too long', () => {
    const [{ text, signature } = { text: '', signature: '' }] = tableSignatures
    expect(matchesSignature(key, text, signature.slice(0, 8))).toBe(false)
    expect(matchesSignature(key, text, '')).toBe(false)
    expect(matchesSignature(key, text, `AAAA${signature}`)).toBe(false)
  })
})
