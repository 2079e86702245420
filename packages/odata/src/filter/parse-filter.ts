import type { FilterNode } from './filter-node.ts'
import { FilterParser } from './filter-parser.ts'

/**
 * Reads the text of a `$filter`, as the service reads it.
 *
 * A constant on the left of a comparison changes sides with the property; two constants are
 * compared at once. Parentheses that are not needed leave no trace, others keep their grouping.
 *
 * @param text - the text, decoded from the URL
 * @returns `undefined` when the text is blank, which is no filter
 * @throws {@link FilterSyntaxError} with the position, for anything the service has no meaning for:
 * functions, arithmetic, `null`, two properties compared, PartitionKey against a number; and for
 * more than 64 levels of parentheses and `not`
 *
 * @example
 * ```ts
 * parseFilter('100 lt points') // the same tree as of 'points gt 100'
 * ```
 */
export function parseFilter(text: string): FilterNode | undefined {
  return text.trim() === '' ? undefined : new FilterParser(text).parse()
}
