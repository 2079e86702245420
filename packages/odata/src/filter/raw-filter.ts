import type { FilterNode, RawNode } from './filter-node.ts'
import { FilterSyntaxError, rawNode } from './filter-node.ts'
import { parseFilter } from './parse-filter.ts'

/**
 * Makes a filter of your own text, which goes to the service as it is: for conditions that this library
 * cannot express. It is not checked or escaped, so never put a value into it that came from outside: the
 * `filter` tag takes values safely.
 *
 * Where the text can be parsed, plans and `evaluateFilter` know its meaning; otherwise only the other
 * conditions of the query count for its plan.
 *
 * @param text - a complete filter, with closed quotes and parentheses
 * @throws `FilterSyntaxError` when it is blank, or a quote or parenthesis is not closed, since it
 * would then change the meaning of the conditions beside it
 *
 * @example
 * ```ts
 * query.where({ lastName: 'Smith' }).where(rawFilter('age add 1 gt 30'))
 * // PartitionKey eq 'Smith' and (age add 1 gt 30)
 * ```
 */
export function rawFilter(text: string): RawNode {
  if (typeof text !== 'string' || text.trim() === '') {
    throw invalid('it must be a text that is not blank', 0)
  }
  checkClosed(text)
  return rawNode(text, meaningOf(text))
}

function meaningOf(text: string): FilterNode | undefined {
  try {
    return parseFilter(text)
  } catch (error) {
    if (error instanceof FilterSyntaxError) return undefined
    throw error
  }
}

function checkClosed(text: string): void {
  let depth = 0
  let quote = -1
  for (let at = 0; at < text.length; at++) {
    // A doubled quote closes the string and opens it again.
    if (text[at] === "'") quote = quote < 0 ? at : -1
    if (quote < 0 && text[at] === '(') depth++
    if (quote < 0 && text[at] === ')' && --depth < 0) {
      throw invalid('this parenthesis was never opened', at)
    }
  }
  if (quote >= 0) throw invalid('the string is not closed', quote)
  if (depth > 0) throw invalid('a parenthesis is not closed', text.length)
}

function invalid(reason: string, position: number): FilterSyntaxError {
  const message = `Invalid raw filter at position ${position}: ${reason}.`
  return new FilterSyntaxError({ message, position })
}
