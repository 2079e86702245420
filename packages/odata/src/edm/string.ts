import { type EdmCodec, invalidValue, unreadableValue } from './edm-codec.ts'

/**
 * String: UTF-16 text, compared unit by unit. The service limits one property to 64 KiB; that is checked
 * where a request is made.
 */
export const stringCodec: EdmCodec<'String'> = {
  type: 'String',
  accept: acceptString,
  annotates: () => false,
  writeJson: writeJsonText,
  // The service may hold text that Rowkey would not send, so only the kind is checked.
  readJson(json, name) {
    if (typeof json === 'string') return json
    throw unreadableValue('String', name, json, 'a string')
  },
  printLiteral: (value) => `'${value.replaceAll("'", "''")}'`,
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
}

function acceptString(given: unknown, name: string): string {
  if (typeof given !== 'string') throw invalidValue('String', name, given, 'a string')
  if (isWellFormed(given)) return given
  const use =
    'text without half of a surrogate pair, which UTF-8 cannot carry; String.prototype.toWellFormed replaces it'
  throw invalidValue('String', name, given, use)
}

/** What JSON must escape, and halves of surrogate pairs; most texts have neither. */
const SPECIAL = /["\\\p{Cc}\p{Surrogate}]/u
const LONE_SURROGATE = /\p{Surrogate}/u

/** Writes a text as a JSON string. */
export function writeJsonText(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Tells whether UTF-8 can carry a text: it has no half of a surrogate pair.
 *
 * @param text - any text
 */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}
