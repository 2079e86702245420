import type { EdmValue } from '../edm/edm-type.ts'
import type { EntityProperty } from '../entity/entity-property.ts'
import { RowkeyError } from '../errors/rowkey-error.ts'
import type { FilterNode } from './filter-node.ts'
import { FilterSyntaxError, literalOf } from './filter-node.ts'
import { FilterParser } from './parse-filter.ts'
import { type FilterToken, readTokens, syntaxError } from './tokenize-filter.ts'

/** Stands for an operand in messages, which never contain its value. */
const PLACE = '\u0024{…}'

/**
 * Makes a filter of text with values in it. A value may replace any constant and is never parsed as text,
 * so it cannot become part of the filter. Properties have their stored names.
 *
 * A whole number is an Int32 here and a string a String; use `EntityProperty.double(5)` or
 * `EntityProperty.guid('…')` for another type.
 *
 * @param strings - the text around the values
 * @param operands - the values: any Edm value, or an `EntityProperty` with its type
 * @throws `FilterSyntaxError` with the position, where the text is not a filter. Also for an operand that
 * is `null`, `undefined` or not an Edm value, and for one where a constant is not allowed
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
    const isQuoted = part.endsWith("'") && strings[index + 1]?.startsWith("'") === true
    if (isQuoted) throw syntaxError(text, end - 1, WITHOUT_QUOTES)
    // Only up to here, so that a string that is not closed before an operand is an error.
    tokens.push(...readTokens(text.slice(0, end), position))
    if (index < operands.length) tokens.push(operandToken(text, end, operands[index]))
    position = end + PLACE.length
  }
  tokens.push({ kind: 'end', position: text.length })
  return new FilterParser(text, tokens).parse()
}

const WITHOUT_QUOTES = `a value is a whole constant, so write ${PLACE} without the quotes around it`

/** The tag exists to prevent a call with a concatenated text. */
function checkTemplate(strings: TemplateStringsArray): void {
  const { raw }: Partial<TemplateStringsArray> = strings ?? {}
  const isArrays = Array.isArray(strings) && Array.isArray(raw)
  if (isArrays && strings.findIndex((text: unknown) => text === undefined) < 0) return
  throw new FilterSyntaxError({
    message:
      'filter is a template tag: write filter`age gt 30`, with values as placeholders. Use parseFilter for a text, or rawFilter for a text that only the service understands.',
    position: 0,
  })
}

function operandToken(text: string, position: number, operand: unknown): FilterToken {
  if (operand === null || operand === undefined) {
    const reason = `the operand is ${operand}, which is never stored, and every comparison with an absent property is false`
    throw syntaxError(text, position, reason)
  }
  try {
    // What is not an Edm value is rejected below.
    const literal = literalOf(operand as EdmValue | EntityProperty)
    return { kind: 'literal', literal, position, isOperand: true }
  } catch (error) {
    if (!(error instanceof RowkeyError)) throw error
    throw syntaxError(text, position, `the operand is not an Edm value: ${error.message}`)
  }
}
