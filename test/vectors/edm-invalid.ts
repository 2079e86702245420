import type { EdmType } from '@rowkey/odata'

/** A value that is not valid for a type, and what the message must say. */
export interface InvalidEdm {
  readonly type: EdmType
  readonly title: string
  readonly given: unknown
  readonly says: RegExp
}

const detached = new ArrayBuffer(4)
const detachedView = new Uint8Array(detached, 1)
structuredClone(detached, { transfer: [detached] })

const invalid = (type: EdmType, title: string, given: unknown, says: RegExp): InvalidEdm => ({
  type,
  title,
  given,
  says,
})

/** Values of a caller. */
export const invalidEdmValues: readonly InvalidEdm[] = [
  invalid('Binary', 'a detached buffer', detached, /detached/),
  invalid('Binary', 'a view of a detached buffer', detachedView, /detached/),
  invalid('Binary', 'base64 text', 'AAAA', /a string of 4 UTF-16 units/),
  invalid('Binary', 'an array of numbers', [1, 2], /an array of 2/),
  invalid('Boolean', 'a number', 1, /the number 1 is not a valid Boolean\. Use true or false\.$/),
  invalid('Boolean', 'the text "true"', 'true', /a string of 4/),
  invalid('DateTime', 'an invalid Date', new Date(Number.NaN), /an invalid Date/),
  invalid('DateTime', 'the year 1600', new Date('1600-12-31T23:59:59.999Z'), /1601-01-01/),
  invalid('DateTime', 'the year 10000', new Date('+010000-01-01T00:00:00Z'), /9999-12-31/),
  invalid('DateTime', 'ISO text', '2012-11-10T03:04:05Z', /a string of 20/),
  invalid('DateTime', 'milliseconds', 0, /the number 0/),
  invalid('Double', 'a bigint', 5n, /the bigint 5 is not a valid Double\. Use a number\.$/),
  invalid('Double', 'numeric text', '5', /a string of 1/),
  invalid('Guid', 'braces', '{c9da6455-213d-42c9-9a79-3e9149a57833}', /without braces/),
  invalid('Guid', '32 digits alone', 'c9da6455213d42c99a793e9149a57833', /8-4-4-4-12/),
  invalid('Guid', 'a wrong digit', 'g9da6455-213d-42c9-9a79-3e9149a57833', /hexadecimal/),
  invalid('Int32', 'a fraction', 1.5, /the number 1\.5.*Double for fractions/),
  invalid('Int32', '2^31', 2 ** 31, /2147483648.*Int64 for larger ones/),
  invalid('Int32', 'NaN', Number.NaN, /the number NaN/),
  invalid('Int32', 'a bigint', 5n, /the bigint 5/),
  invalid('Int64', '2^63', 2n ** 63n, /-2\^63 to 2\^63 - 1/),
  invalid('Int64', 'an unsafe integer', 2 ** 53, /9007199254740992.*isSafeInteger/),
  invalid('Int64', 'a fraction', 0.5, /the number 0\.5/),
  invalid('Int64', 'a bigint of a hundred digits', 10n ** 100n, /a bigint of 101 digits/),
  invalid('String', 'half of a surrogate pair', 'a\ud800b', /surrogate pair.*toWellFormed/),
  invalid('String', 'a number', 5, /the number 5/),
  invalid('String', 'an object', {}, /an object/),
  invalid('String', 'a symbol', Symbol('x'), /a symbol/),
  invalid('String', 'null', null, /null/),
  invalid('String', 'undefined', undefined, /undefined/),
]

/** JSON that the service would not send for the type. */
export const invalidEdmJson: readonly InvalidEdm[] = [
  invalid('Binary', 'no padding', 'AA', /base64/),
  invalid('Binary', 'the URL alphabet', '-_-_', /base64/),
  invalid('Binary', 'a blank within', 'AA A', /base64/),
  invalid('Binary', 'padding within', 'A=AA', /base64/),
  invalid('Binary', 'a number', 5, /base64/),
  invalid('Boolean', 'text', 'true', /true or false/),
  invalid('DateTime', 'a word', 'yesterday', /ISO 8601/),
  invalid('DateTime', 'a number', 5, /ISO 8601/),
  invalid('Double', 'a word', 'abc', /NaN/),
  invalid('Double', 'empty text', '', /NaN/),
  invalid('Double', 'hexadecimal text', '0x10', /NaN/),
  invalid('Double', 'digits beyond a Double', JSON.parse('1e400'), /a Double can hold/),
  invalid('Double', 'negative digits beyond a Double', JSON.parse('-1e309'), /a Double can hold/),
  invalid('Double', 'a text of digits beyond a Double', '1e400', /a Double can hold/),
  invalid('Double', 'a text of 400 digits', '9'.repeat(400), /a Double can hold/),
  invalid('Double', 'a boolean', true, /NaN/),
  invalid('Guid', 'a word', 'abc', /8-4-4-4-12/),
  invalid('Int32', 'a fraction', 1.5, /the number 1\.5, .* whole number/),
  invalid('Int32', 'text', '5', /a whole number/),
  invalid('Int64', 'a word', 'abc', /the digits of a whole number/),
  invalid('Int64', 'empty text', '', /the digits of a whole number/),
  invalid('Int64', 'hexadecimal text', '0x10', /the digits of a whole number/),
  invalid('Int64', '2^63 as text', '9223372036854775808', /64 bits/),
  invalid('Int64', 'a million digits', '9'.repeat(1_000_000), /the digits of a whole number/),
  invalid('String', 'a number', 5, /a string/),
  invalid('String', 'an object', {}, /a string/),
]
