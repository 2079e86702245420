import type { EdmType } from '../edm/edm-type.ts'
import { MAX_NAME_UNITS } from '../entity/entity-property.ts'
import { compareConstants, isComparable } from './evaluate-filter.ts'
import {
  booleanProperty,
  type ComparisonOperator,
  constant,
  type FilterNode,
  holds,
  isComparisonOperator,
  isReservedWord,
  type OperandTypes,
  systemTypeOf,
} from './filter-node.ts'
import { not } from './logical-node.ts'
import {
  type FilterToken,
  type LiteralToken,
  syntaxError,
  tokenizeFilter,
} from './tokenize-filter.ts'

/** One side of an operator, before the parser knows which operator it is. */
export type FilterOperand =
  | { readonly kind: 'property'; readonly property: string; readonly position: number }
  | LiteralToken
  | { readonly kind: 'condition'; readonly node: FilterNode; readonly position: number }

/** The operator that means the same with its sides exchanged. */
const EXCHANGED: { readonly [Operator in ComparisonOperator]: ComparisonOperator } = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
}

/** Returns the type of an operand; `undefined` where it depends on the stored entities. */
export function typeOf(operand: FilterOperand): EdmType | undefined {
  if (operand.kind === 'condition') return 'Boolean'
  return operand.kind === 'literal' ? operand.literal.type : systemTypeOf(operand.property)
}

/**
 * Makes a condition of an operand: a Boolean property, `true` or `false`, or a condition.
 *
 * @param operands - the operator it belongs to, if any, for the error
 * @throws `FilterSyntaxError` when it is not Boolean
 */
export function toCondition(
  text: string,
  operand: FilterOperand,
  operands?: OperandTypes,
): FilterNode {
  if (operand.kind === 'condition') return operand.node
  if (operand.kind === 'property' && systemTypeOf(operand.property) === undefined) {
    return booleanProperty(operand.property)
  }
  if (operand.kind === 'literal' && operand.literal.type === 'Boolean') {
    return constant(operand.literal.value === true)
  }
  const reason = 'expected a Boolean or a comparison'
  throw syntaxError(text, operand.position, reason, { operands })
}

/**
 * Makes conditions of the operands of `and` or `or`, two or more.
 *
 * @throws `FilterSyntaxError` when one is not Boolean
 */
export function toConditions(
  text: string,
  operator: 'and' | 'or',
  operands: readonly FilterOperand[],
): readonly FilterNode[] {
  const types = operands.map(typeOf)
  return operands.map((operand, index) => {
    // What precedes the second operator is joined already, and so is Boolean.
    const left = index > 1 ? 'Boolean' : types[0]
    return toCondition(text, operand, { operator, types: [left, types[Math.max(index, 1)]] })
  })
}

/**
 * Makes the comparison of two operands.
 *
 * @throws `FilterSyntaxError` when they are not a property and a constant that fits it
 */
export function toComparison(
  text: string,
  left: FilterOperand,
  operator: ComparisonOperator,
  right: FilterOperand,
): FilterNode {
  const operands = wrongTypes(left, operator, right)
  if (left.kind === 'literal' && right.kind === 'literal') {
    return decideConstants(text, left, right, { operator, operands })
  }
  const isExchanged = left.kind === 'literal'
  const [subject, constant] = isExchanged ? [right, left] : [left, right]
  if (subject.kind !== 'property' || constant.kind !== 'literal') {
    const { position } = right.kind === 'literal' ? left : right
    const reason = 'a property can only be compared with a constant'
    throw syntaxError(text, position, reason, { operands })
  }
  const { property } = subject
  const { literal, position } = constant
  if (operands !== undefined) {
    const reason = `${property} has the type ${systemTypeOf(property)}, but this constant has the type ${literal.type}`
    throw syntaxError(text, position, reason, { operands })
  }
  const operatorOfProperty = isExchanged ? EXCHANGED[operator] : operator
  return Object.freeze({ kind: 'comparison', property, operator: operatorOfProperty, literal })
}

/** Returns the types of two operands that are known not to compare. */
function wrongTypes(
  left: FilterOperand,
  operator: ComparisonOperator,
  right: FilterOperand,
): OperandTypes | undefined {
  const types = [typeOf(left), typeOf(right)] as const
  const [a, b] = types
  if (a === undefined || b === undefined || isComparable(a, b)) return undefined
  return { operator, types }
}

function decideConstants(
  text: string,
  left: LiteralToken,
  right: LiteralToken,
  { operator, operands }: { operator: ComparisonOperator; operands: OperandTypes | undefined },
): FilterNode {
  if (left.isOperand === true || right.isOperand === true) {
    const reason = 'an operand is a value, never a name; write the name of the property in the text'
    throw syntaxError(text, left.position, reason)
  }
  const order = compareConstants(left.literal, right.literal)
  if (order !== undefined) return constant(holds(operator, order))
  const reason = `${left.literal.type} and ${right.literal.type} cannot be compared`
  throw syntaxError(text, right.position, reason, { operands })
}

/**
 * Parses the text of a `$filter`, as the service does.
 *
 * A constant on the left of a comparison changes sides with the property; two constants are compared at
 * once. Unnecessary parentheses disappear, others keep their grouping.
 *
 * @param text - the text, decoded from the URL
 * @returns `undefined` when the text is blank, which means no filter
 * @throws `FilterSyntaxError` with the position, for anything that the service does not support: functions,
 * arithmetic, `null`, a comparison of two properties, PartitionKey with a number. Also for more than 64
 * levels of parentheses and `not`
 *
 * @example
 * ```ts
 * parseFilter('100 lt points') // the same tree as of 'points gt 100'
 * ```
 */
export function parseFilter(text: string): FilterNode | undefined {
  if (typeof text !== 'string') {
    throw syntaxError('', 0, `a filter must be text, and this is of type ${typeof text}`)
  }
  return text.trim() === '' ? undefined : new FilterParser(text).parse()
}

/** Enough for every filter of 15 comparisons, and safe for every stack. */
const MAX_DEPTH = 64

/** Parses one filter, with one method per rule of the grammar: or, and, not, comparison, operand. */
export class FilterParser {
  readonly #text: string
  readonly #tokens: readonly FilterToken[]
  #at = 0
  #depth = 0

  /**
   * @param text - the whole filter, for messages
   * @param tokens - its tokens, the last one `end`; read from the text when absent
   */
  constructor(text: string, tokens: readonly FilterToken[] = tokenizeFilter(text)) {
    this.#text = text
    this.#tokens = tokens
  }

  /** Parses the whole text to a tree. */
  parse(): FilterNode {
    const operand = this.#readOr()
    // What follows comes first: a wrong operator leaves its left operand alone, and that cannot be a condition.
    const { kind, position } = this.#token
    if (kind !== 'end') throw this.#error(position, 'expected the end of the filter')
    return toCondition(this.#text, operand)
  }

  get #token(): FilterToken {
    // The last token is `end`, and nothing reads past it.
    return this.#tokens[this.#at] as FilterToken
  }

  #readOr(): FilterOperand {
    return this.#readOperands('or', () => this.#readAnd())
  }

  #readAnd(): FilterOperand {
    return this.#readOperands('and', () => this.#readNot())
  }

  /** Reads operands with `and` or `or` between them; a single operand is returned as it is. */
  #readOperands(kind: 'and' | 'or', read: () => FilterOperand): FilterOperand {
    const first = read()
    if (!this.#isWord(kind)) return first
    const operands = [first]
    while (this.#skipWord(kind)) operands.push(read())
    // Not by and() and or(), which join the operands of operands: the text may have parentheses.
    const conditions = Object.freeze(toConditions(this.#text, kind, operands))
    const node: FilterNode = Object.freeze({ kind, operands: conditions })
    return { kind: 'condition', node, position: first.position }
  }

  #readNot(): FilterOperand {
    const { position } = this.#token
    if (!this.#skipWord('not')) return this.#readComparison()
    const operand = this.#nested(() => this.#readNot())
    const operands = { operator: 'not', types: [typeOf(operand)] } as const
    return { kind: 'condition', node: not(toCondition(this.#text, operand, operands)), position }
  }

  #readComparison(): FilterOperand {
    const left = this.#readOperand()
    const token = this.#token
    if (token.kind !== 'word' || !isComparisonOperator(token.word)) return left
    this.#at++
    const node = toComparison(this.#text, left, token.word, this.#readOperand())
    return { kind: 'condition', node, position: left.position }
  }

  #readOperand(): FilterOperand {
    const token = this.#token
    if (token.kind === 'open') return this.#readGroup()
    if (token.kind !== 'word' && token.kind !== 'literal') {
      throw this.#error(token.position, 'expected a property, a constant or a parenthesis')
    }
    this.#at++
    return token.kind === 'literal' ? token : this.#toOperand(token.word, token.position)
  }

  #toOperand(word: string, position: number): FilterOperand {
    if (word === 'true' || word === 'false') {
      return { kind: 'literal', literal: { type: 'Boolean', value: word === 'true' }, position }
    }
    if (isReservedWord(word)) throw this.#error(position, `unexpected "${word}"`)
    if (word.length > MAX_NAME_UNITS) {
      throw this.#error(position, `a property name has at most ${MAX_NAME_UNITS} UTF-16 units`)
    }
    if (this.#token.kind === 'open') {
      const reason = 'the service does not support functions'
      throw syntaxError(this.#text, position, reason, { calledFunction: word })
    }
    return { kind: 'property', property: word, position }
  }

  #readGroup(): FilterOperand {
    const { position } = this.#token
    this.#at++
    const operand = this.#nested(() => this.#readOr())
    const end = this.#token
    if (end.kind !== 'close') {
      throw this.#error(end.position, 'expected a closing parenthesis')
    }
    this.#at++
    return { ...operand, position }
  }

  #nested(read: () => FilterOperand): FilterOperand {
    if (++this.#depth > MAX_DEPTH) {
      const reason = `parentheses and "not" may be nested at most ${MAX_DEPTH} levels deep`
      throw this.#error(this.#token.position, reason)
    }
    const operand = read()
    this.#depth--
    return operand
  }

  #isWord(word: string): boolean {
    const token = this.#token
    return token.kind === 'word' && token.word === word
  }

  #skipWord(word: string): boolean {
    const isThere = this.#isWord(word)
    if (isThere) this.#at++
    return isThere
  }

  #error(position: number, reason: string): Error {
    return syntaxError(this.#text, position, reason)
  }
}
