import { comparison, type FilterNode, literalOf } from './filter-node.ts'
import { and, or } from './logical-node.ts'

/**
 * Makes the condition that a String begins with a text.
 *
 * @param property - the stored name
 * @param text - the beginning, without lone surrogates
 *
 * @example
 * ```ts
 * printFilter(beginsWith('RowKey', '0002_')) // "RowKey ge '0002_' and RowKey lt '0002`'"
 * ```
 */
export function beginsWith(property: string, text: string): FilterNode {
  const from = bound(property, 'ge', text)
  const end = prefixEnd(text)
  return end === undefined ? from : and(from, bound(property, 'lt', end))
}

/**
 * Makes the condition that a String does not begin with a text.
 *
 * @param property - the stored name
 * @param text - the beginning, without lone surrogates
 *
 * @example
 * ```ts
 * printFilter(beginsOtherwise('RowKey', '0002_')) // "RowKey lt '0002_' or RowKey ge '0002`'"
 * ```
 */
export function beginsOtherwise(property: string, text: string): FilterNode {
  const below = bound(property, 'lt', text)
  const end = prefixEnd(text)
  return end === undefined ? below : or(below, bound(property, 'ge', end))
}

function bound(property: string, operator: 'ge' | 'lt', text: string): FilterNode {
  return comparison(property, operator, literalOf(text, 'String'))
}

/**
 * Finds the first string that sorts after every string with a prefix, so that `ge prefix and lt end`
 * matches exactly the strings that begin with the prefix.
 *
 * The service sorts by UTF-16 units, and a `$filter` cannot carry half a surrogate pair. So the last
 * code point goes up by one in the order of UTF-16, where all pairs are between U+D7FF and U+E000.
 *
 * @param prefix - text without lone surrogates
 * @returns `undefined` when no string sorts after: the prefix is empty or only U+FFFF
 *
 * @example
 * ```ts
 * prefixEnd('Sm') // 'Sn'
 * ```
 */
export function prefixEnd(prefix: string): string | undefined {
  const characters = Array.from(prefix)
  while (characters.length > 0) {
    const next = nextCodePoint(characters.pop()?.codePointAt(0) ?? 0)
    if (next !== undefined) return characters.join('') + String.fromCodePoint(next)
  }
  return undefined
}

function nextCodePoint(codePoint: number): number | undefined {
  switch (codePoint) {
    case 0xd7ff:
      return 0x10000
    case 0x10ffff:
      return 0xe000
    case 0xffff:
      return undefined
    default:
      return codePoint + 1
  }
}
