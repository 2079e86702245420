import type { EdmType } from '@rowkey/odata'

/** Something that a type cannot hold, and what the message must say of it. */
export interface EdmRefusal {
  readonly type: EdmType
  readonly title: string
  readonly given: unknown
  readonly says: RegExp
}

const detached = new ArrayBuffer(4)
const detachedView = new Uint8Array(detached, 1)
structuredClone(detached, { transfer: [detached] })

const refusal = (type: EdmType, title: string, given: unknown, says: RegExp): EdmRefusal => ({
  type,
  title,
  given,
  says,
})

export const edmRefusals: readonly EdmRefusal[] = [
  refusal('Binary', 'a detached buffer', detached, /detached/),
  refusal('Binary', 'a view of a detached buffer', detachedView, /detached/),
  refusal('Binary', 'base64 text', 'AAAA', /a string of 4 UTF-16 units/),
  refusal('Binary', 'an array of numbers', [1, 2], /an array of 2/),
  refusal('Boolean', 'a number', 1, /the number 1: Boolean takes true or false/),
  refusal('Boolean', 'the text "true"', 'true', /a string of 4/),
  refusal('DateTime', 'an invalid Date', new Date(Number.NaN), /an invalid Date/),
  refusal('DateTime', 'the year 1600', new Date('1600-12-31T23:59:59.999Z'), /1601-01-01/),
  refusal('DateTime', 'the year 10000', new Date('+010000-01-01T00:00:00Z'), /9999-12-31/),
  refusal('DateTime', 'ISO text', '2012-11-10T03:04:05Z', /a string of 20/),
  refusal('DateTime', 'milliseconds', 0, /the number 0/),
  refusal('Double', 'a bigint', 5n, /the bigint 5: Double takes a number/),
  refusal('Double', 'numeric text', '5', /a string of 1/),
  refusal('Guid', 'braces', '{c9da6455-213d-42c9-9a79-3e9149a57833}', /without braces/),
  refusal('Guid', '32 digits alone', 'c9da6455213d42c99a793e9149a57833', /8-4-4-4-12/),
  refusal('Guid', 'a wrong digit', 'g9da6455-213d-42c9-9a79-3e9149a57833', /hexadecimal/),
  refusal('Int32', 'a fraction', 1.5, /the number 1\.5.*Double for fractions/),
  refusal('Int32', '2^31', 2 ** 31, /2147483648.*Int64 for larger ones/),
  refusal('Int32', 'NaN', Number.NaN, /the number NaN/),
  refusal('Int32', 'a bigint', 5n, /the bigint 5/),
  refusal('Int64', '2^63', 2n ** 63n, /-2\^63 to 2\^63 - 1/),
  refusal('Int64', 'an unsafe integer', 2 ** 53, /9007199254740992.*isSafeInteger/),
  refusal('Int64', 'a fraction', 0.5, /the number 0\.5/),
  refusal('Int64', 'a bigint of a hundred digits', 10n ** 100n, /a bigint of 101 digits/),
  refusal('String', 'half of a surrogate pair', 'a\ud800b', /surrogate pair.*toWellFormed/),
  refusal('String', 'a number', 5, /the number 5/),
  refusal('String', 'an object', {}, /an object/),
  refusal('String', 'a symbol', Symbol('x'), /a symbol/),
  refusal('String', 'null', null, /null/),
  refusal('String', 'undefined', undefined, /undefined/),
]

/** JSON that the service would not send for the type. */
export const edmJsonRefusals: readonly EdmRefusal[] = [
  refusal('Binary', 'no padding', 'AA', /base64/),
  refusal('Binary', 'the URL alphabet', '-_-_', /base64/),
  refusal('Binary', 'a blank within', 'AA A', /base64/),
  refusal('Binary', 'padding within', 'A=AA', /base64/),
  refusal('Binary', 'a number', 5, /base64/),
  refusal('Boolean', 'text', 'true', /true or false/),
  refusal('DateTime', 'a word', 'yesterday', /ISO 8601/),
  refusal('DateTime', 'a number', 5, /ISO 8601/),
  refusal('Double', 'a word', 'abc', /NaN/),
  refusal('Double', 'empty text', '', /NaN/),
  refusal('Double', 'hexadecimal text', '0x10', /NaN/),
  refusal('Double', 'a boolean', true, /NaN/),
  refusal('Guid', 'a word', 'abc', /8-4-4-4-12/),
  refusal('Int32', 'a fraction', 1.5, /whole numbers/),
  refusal('Int32', 'text', '5', /whole numbers/),
  refusal('Int64', 'a word', 'abc', /whole numbers/),
  refusal('Int64', 'empty text', '', /whole numbers/),
  refusal('Int64', 'hexadecimal text', '0x10', /whole numbers/),
  refusal('Int64', '2^63 as text', '9223372036854775808', /2\^63/),
  refusal('Int64', 'a million digits', '9'.repeat(1_000_000), /whole numbers/),
  refusal('String', 'a number', 5, /a string/),
  refusal('String', 'an object', {}, /a string/),
]
