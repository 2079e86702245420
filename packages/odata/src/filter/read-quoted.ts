import { findDateTime } from '../edm/date-time-value.ts'
import { isGuid } from '../edm/guid.ts'
import type { FilterLiteral } from './filter-node.ts'

const HEX = /^(?:[0-9a-fA-F]{2})*$/

/**
 * A quoted literal of a filter.
 *
 * @param prefix - what stands before the quote: nothing, `datetime`, `guid`, `X` or `binary`
 * @param text - what stands between the quotes, doubled quotes made single
 * @returns `undefined` when there is no such prefix or the text does not fit it
 */
export function readQuoted(prefix: string, text: string): FilterLiteral | undefined {
  switch (prefix) {
    case '':
      return { type: 'String', value: text }
    case 'datetime':
      return readDateTime(text)
    case 'guid':
      return isGuid(text) ? { type: 'Guid', value: text.toLowerCase() } : undefined
    case 'X':
    case 'binary':
      return HEX.test(text) ? { type: 'Binary', value: readHex(text) } : undefined
    default:
      return undefined
  }
}

function readDateTime(text: string): FilterLiteral | undefined {
  const value = findDateTime(text)
  return value && { type: 'DateTime', value }
}

function readHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16)
  }
  return bytes
}
