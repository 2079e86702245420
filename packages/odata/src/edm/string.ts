import type { EdmCodec } from './edm-codec.ts'
import { isWellFormed, writeJsonText } from './json-text.ts'
import { valueRefused } from './value-refused.ts'

const TAKES = 'a string'
const WELL_FORMED =
  'well-formed text only, and one half of a surrogate pair stands alone in this one; UTF-8 cannot carry it (String.prototype.toWellFormed mends it)'

/**
 * String: UTF-16 text, compared unit by unit. That one property holds 64 KiB at most is a rule of the
 * service, which is checked where a request is made.
 */
export const stringCodec: EdmCodec<'String'> = {
  type: 'String',
  accept: acceptString,
  annotates: () => false,
  writeJson: writeJsonText,
  // The service may hold what we would not send it, so nothing but the kind is checked.
  readJson(json, name) {
    if (typeof json === 'string') return json
    throw valueRefused('String', name, json, 'a string')
  },
  printLiteral: (value) => `'${value.replaceAll("'", "''")}'`,
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
}

function acceptString(given: unknown, name: string): string {
  if (typeof given !== 'string') throw valueRefused('String', name, given, TAKES)
  if (!isWellFormed(given)) throw valueRefused('String', name, given, WELL_FORMED)
  return given
}
