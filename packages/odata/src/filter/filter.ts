import type { EdmValue } from '../edm/edm-type.ts'
import type { EntityProperty } from '../entity/entity-property.ts'
import { FilterSyntaxError } from '../errors/filter-syntax-error.ts'
import { RowkeyError } from '../errors/rowkey-error.ts'
import { literalOf } from './filter-literal.ts'
import type { FilterNode } from './filter-node.ts'
import { FilterParser } from './filter-parser.ts'
import { type FilterToken, syntaxError } from './filter-token.ts'
import { readTokens } from './tokenize-filter.ts'

/** How an operand shows in messages, which never hold its value. */
const PLACE = '\u0024{…}'

/**
 * A filter as text with values in it. A value stands where a constant may and is never read as text,
 * so nothing in it can break out: not a quote, not a parenthesis. Properties are called by their
 * stored names.
 *
 * A whole number is an Int32 here and a string a String; say `EntityProperty.double(5)` or
 * `EntityProperty.guid('…')` for another type.
 *
 * @param strings - the text around the values
 * @param operands - the values: any Edm value, or an {@link EntityProperty} that says its type
 * @throws {@link FilterSyntaxError} with the position, where the text is no filter, and for an operand
 * that is `null`, `undefined` or no Edm value, or stands where no constant may
 *
 * @example
 * ```ts
 * const name = "O'Neil"
 * people.query().where(filter`PartitionKey eq ${name} and age gt ${30}`)
 * // PartitionKey eq 'O''Neil' and age gt 30
 * ```
 */
export function filter(
  strings: TemplateStringsArray,
  ...operands: readonly (EdmValue | EntityProperty)[]
): FilterNode {
  checkTemplate(strings)
  const text = strings.join(PLACE)
  const tokens: FilterToken[] = []
  let position = 0
  for (const [index, part] of strings.entries()) {
    const end = position + part.length
    // Up to here and no further, so that a string that is open at an operand is seen to be.
    tokens.push(...readTokens(text.slice(0, end), position))
    if (index < operands.length) tokens.push(operandToken(text, end, operands[index]))
    position = end + PLACE.length
  }
  tokens.push({ kind: 'end', position: text.length })
  return new FilterParser(text, tokens).parse()
}

/** A call with a text that somebody put together would be what the tag is there to prevent. */
function checkTemplate(strings: TemplateStringsArray): void {
  const { raw }: Partial<TemplateStringsArray> = strings ?? {}
  const isArrays = Array.isArray(strings) && Array.isArray(raw)
  if (isArrays && strings.findIndex((text: unknown) => text === undefined) < 0) return
  throw new FilterSyntaxError({
    message:
      'filter is a tag: write filter`age gt 30`, with values in braces. Use parseFilter for a text, or rawFilter for one that only the service can read.',
    position: 0,
  })
}

function operandToken(text: string, position: number, operand: unknown): FilterToken {
  if (operand === null || operand === undefined) {
    const reason = `this operand is ${operand}, which is never stored, and every comparison with an absent property is false`
    throw syntaxError(text, position, reason)
  }
  try {
    // A literal of what is no Edm value is refused below.
    const literal = literalOf(operand as EdmValue | EntityProperty)
    return { kind: 'literal', literal, position, isOperand: true }
  } catch (error) {
    if (!(error instanceof RowkeyError)) throw error
    throw syntaxError(text, position, `this operand is no Edm value: ${error.message}`)
  }
}
