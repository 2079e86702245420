import { describe, expect, it } from 'vitest'
import {
  checkSasSignature,
  checkSasToken,
  parseSasTime,
} from '../../../packages/rest/src/sas/sas-token.ts'

/** It has each character that must be percent-encoded. */
const SIGNATURE = 'c2VjcmV0+2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0/2U='
const encoded = encodeURIComponent(SIGNATURE)

describe('checkSasToken', () => {
  it.each([SIGNATURE, encoded, SIGNATURE.replace('=', '%3D'), SIGNATURE.replace('+', '%2b')])(
    'makes the signature %s one that services read',
    (signature) => {
      for (const text of [`sv=1&sig=${signature}`, `?sig=${signature}&sv=1&spk=a+b`]) {
        const token = checkSasToken(text)
        expect(new URLSearchParams(token).get('sig')).toBe(SIGNATURE)
        checkSasSignature(token)
      }
    },
  )

  it('changes no other parameter', () => {
    expect(checkSasToken(`sv=1&spk=a+b&sig=${encoded}&tsig=+`)).toBe(
      `sv=1&spk=a+b&sig=${encoded}&tsig=+`,
    )
  })
})

describe('checkSasToken of other text', () => {
  it.each([
    `sig=${encoded}`,
    'sv=1',
    `sv=1&sig=${encoded} `,
    `sv=1&sig=${encoded}\n`,
    `sv=1&sig=${encoded}&x=é`,
    '',
    undefined,
  ])('rejects %j, without the text', (text) => {
    let message = ''
    try {
      checkSasToken(text)
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain('must be a percent-encoded query string with sv and sig')
    expect(message).not.toContain(encoded)
  })
})

describe('checkSasSignature', () => {
  it.each([
    [encodeURIComponent(encoded), /percent-encoded twice/],
    [encodeURIComponent(encodeURIComponent(encoded)), /56 characters/],
    [encoded.slice(0, -3), /43 characters/],
    [encoded.slice(0, -1), /49 characters/],
    [SIGNATURE.slice(0, 20), /20 characters/],
    [SIGNATURE.replace('/', '_'), /44 characters/],
    ['', /0 characters/],
    ['%', /1 characters/],
    [`${encoded}&sig=${encoded}`, /several sig/],
  ])('rejects the signature %s without showing it', (signature, says) => {
    const token = checkSasToken(`sv=1&sig=${signature}&se=2099-01-01`)
    const check = () => checkSasSignature(token)
    expect(check).toThrow(
      expect.objectContaining({
        code: 'InvalidCredential',
        message: expect.stringMatching(says),
      }),
    )
    expect(check).not.toThrow(/2VjcmV0/)
  })
})

describe('parseSasTime', () => {
  it.each([
    ['2021-09-21', 0],
    ['2021-09-21T01:02Z', 3720_000],
    ['2021-09-21T01:02:03Z', 3723_000],
    ['2021-09-21T01:02:03.1234567Z', 3723_123],
  ])('reads %s', (text, sinceMidnight) => {
    expect(parseSasTime(text)).toBe(Date.UTC(2021, 8, 21) + sinceMidnight)
  })

  it.each([undefined, '', 'soon'])('returns undefined for %j', (text) => {
    expect(parseSasTime(text)).toBeUndefined()
  })
})
