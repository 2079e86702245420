import { DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { redact, shownCause } from '../../../packages/rest/src/http/redact.ts'

/** One whose pieces between what must be encoded are short. */
const SIGNATURE = '+/Ab+cDe/fGhIj+Kl/MnOp+QrSt/UvWx+Yz01/2345+='

const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')

describe('redact', () => {
  it.each([
    ['https://a/t?sv=1&sig=c2VjcmV0%3D&se=2', 'https://a/t?sv=1&sig=<redacted>&se=2'],
    ['SIG=c2VjcmV0', 'SIG=<redacted>'],
    ["'sig=c2VjcmV0'", "'sig=<redacted>'"],
    [`key ${DEVELOPMENT_KEY}.`, 'key <redacted>.'],
    ['SharedKeyLite a:RFdy7SPWcx+MACQMlCUgvdZC8R+k0dsPzmOyr/Nox5U=', 'SharedKeyLite a:<redacted>'],
    [
      'Authorization: Bearer c2Vj-cmV0.x_y~z.c2VjcmV0==, sent',
      'Authorization: Bearer <redacted>, sent',
    ],
    ['token eyJhbGciOi-J9.eyJzdWIi_Q.c2Vj-cmV0.', 'token <redacted>.'],
    [
      'https%3A%2F%2Fa%2Ft%3Fsv%3D1%26sig%3Dc2VjcmV0%253D',
      'https%3A%2F%2Fa%2Ft%3Fsv%3D1%26sig%3D<redacted>',
    ],
    ['a%253Fsig%253Dc2VjcmV0', 'a%253Fsig%253D<redacted>'],
    ['{"sig":"c2VjcmV0"}', '{"sig":"<redacted>"}'],
    [String.raw`{\"sig\": \"c2VjcmV0\"}`, String.raw`{\"sig\": \"<redacted>\"}`],
    [`key ${encodeURIComponent(DEVELOPMENT_KEY)}.`, 'key <redacted>.'],
    [`key ${encodeURIComponent(encodeURIComponent(DEVELOPMENT_KEY))}.`, 'key <redacted>.'],
    [SIGNATURE, '<redacted>'],
    [`key ${toUrlSafe(DEVELOPMENT_KEY)}.`, 'key <redacted>.'],
    [`key ${toUrlSafe(DEVELOPMENT_KEY).replaceAll('=', '')}.`, 'key <redacted>.'],
    [toUrlSafe(SIGNATURE), '<redacted>'],
    [encodeURIComponent(toUrlSafe(SIGNATURE)), '<redacted>'],
    [encodeURIComponent(SIGNATURE), '<redacted>'],
  ])('removes the secret from %s', (text, shown) => {
    expect(redact(text)).toBe(shown)
  })

  it('keeps words, ids and times', () => {
    const text =
      'The design=1 of 7944c5e8-0002-0079-7bcd-59ca30000000_7944C5E8-0002-0079-7bcd-59ca30000000 at 2021-01-06T01:01:30.9536883Z, one-of-those-long-names-with-hyphens-in-it.'
    expect(redact(text)).toBe(text)
  })

  it('hides a signature that crosses the end of the shown text', () => {
    const text = `${'x '.repeat(2040)}${SIGNATURE}`
    expect(redact(text)).toBe(`${'x '.repeat(2040)}<redacted>`)
  })

  it('shortens a long text', () => {
    expect(redact('a b '.repeat(1_000_000))).toHaveLength(4096)
    expect(redact('A'.repeat(4_000_000))).toBe('<redacted>')
  })

  it.each([
    '-eyJ',
    '-eyJ ',
    'sig=',
    'bearer ',
    '%25',
    '"sig"',
    '"sig\\\\',
    'a-',
    '%252525 ',
    '+/A%2B',
  ])('needs little time for 16 MiB of %j', (part) => {
    expect(redact(part.repeat(2 ** 24 / part.length)).length).toBeLessThanOrEqual(4096)
  })

  it('hides every signature of a text that is cut, wherever it is cut', () => {
    for (let offset = 0; offset < 100; offset += 1) {
      const shown = redact(`${'.'.repeat(offset)} ${`${DEVELOPMENT_KEY} `.repeat(400)}`)
      expect(shown.replace(/<[a-z]*>?/g, '').trim()).toBe('.'.repeat(offset))
    }
  })
})

describe('shownCause', () => {
  it('keeps name and code of the failure, and no other member', () => {
    const cause = Object.assign(new TypeError('socket hang up', { cause: new Error('below') }), {
      code: 'ECONNRESET',
      headers: { authorization: 'SharedKey contoso:c2VjcmV0' },
    })
    const shown = shownCause(cause)
    expect(shown).toMatchObject({
      name: 'TypeError',
      message: 'socket hang up',
      code: 'ECONNRESET',
    })
    expect(Object.keys(shown).sort()).toEqual(['code', 'name'])
    expect(shown).not.toHaveProperty('cause')
  })

  it('removes secrets from the message', () => {
    expect(shownCause(new Error('GET /people?sig=c2VjcmV0')).message).toBe(
      'GET /people?sig=<redacted>',
    )
  })

  it.each([
    [undefined, ''],
    [null, ''],
    ['boom', 'boom'],
    [7, '7'],
    [{}, ''],
    [Object.create(null), ''],
    [{ message: {} }, ''],
  ])('makes an error from %j, which is not one', (thrown, message) => {
    expect(shownCause(thrown)).toMatchObject({ name: 'Error', message })
    expect(shownCause(thrown)).toBeInstanceOf(Error)
  })
})
