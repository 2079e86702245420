import { FilterSyntaxError } from '../errors/filter-syntax-error.ts'
import type { FilterNode, RawNode } from './filter-node.ts'
import { parseFilter } from './parse-filter.ts'

/** Raw text is nothing that a record from outside may pass for, so what is made here is remembered. */
const made = new WeakSet<object>()

/**
 * A filter of your own text, which goes to the service as it is: for what this library cannot say.
 * Nothing in it is checked or escaped, so never put a value into it that came from outside: the
 * {@link filter} tag takes values safely.
 *
 * Where the text can be read, plans and `evaluateFilter` know what it means; else a query with
 * it counts by its other conditions alone.
 *
 * @param text - a filter that stands by itself, its quotes and parentheses closed
 * @throws {@link FilterSyntaxError} when it is blank, or one of them is not closed, as then it would
 * change what the conditions beside it mean
 *
 * @example
 * ```ts
 * query.where({ lastName: 'Smith' }).where(rawFilter('age add 1 gt 30'))
 * // PartitionKey eq 'Smith' and (age add 1 gt 30)
 * ```
 */
export function rawFilter(text: string): RawNode {
  if (typeof text !== 'string' || text.trim() === '') {
    throw refusal('a raw filter is a text that says something', 0)
  }
  checkClosed(text)
  const node: RawNode = Object.freeze({ kind: 'raw', text, meaning: meaningOf(text) })
  made.add(node)
  return node
}

/**
 * Refuses a node that {@link rawFilter} did not make.
 *
 * @throws {@link FilterSyntaxError} which says so
 */
export function checkRawNode(node: RawNode): void {
  if (!made.has(node)) throw refusal('raw text must be marked as such by rawFilter(text)', 0)
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
      throw refusal('a parenthesis closes that was not open', at)
    }
  }
  if (quote >= 0) throw refusal('a string is not closed', quote)
  if (depth > 0) throw refusal('a parenthesis is not closed', text.length)
}

function refusal(reason: string, position: number): FilterSyntaxError {
  const message = `This raw filter is refused at position ${position}: ${reason}.`
  return new FilterSyntaxError({ message, position })
}
