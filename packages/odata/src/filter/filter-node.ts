import type { EdmType, EdmValue } from '../edm/edm-type.ts'
import { checkPropertyName } from '../entity/property-name.ts'
import { odataInputError } from '../errors/codes.ts'

/** The six comparison operators of a `$filter`. */
export const COMPARISON_OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const

/** One of the six comparison operators of a `$filter`. */
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number]

/** A typed constant in a filter. */
export interface FilterLiteral<Type extends EdmType = EdmType> {
  /** The constant's Edm type; the service compares values of the same type. */
  readonly type: Type
  /** The constant. */
  readonly value: EdmValue<Type>
}

/** `name op literal`: one property, by its stored name, compared with one constant. */
export interface ComparisonNode {
  /** The kind of node. */
  readonly kind: 'comparison'
  /** The stored property name, such as `PartitionKey`. */
  readonly property: string
  /** The operator between the property and the constant. */
  readonly operator: ComparisonOperator
  /** The constant. */
  readonly literal: FilterLiteral
}

/** A Boolean property by itself: true when it is stored and true. */
export interface PropertyNode {
  /** The kind of node. */
  readonly kind: 'property'
  /** The stored property name. */
  readonly property: string
}

/** The constants `true` and `false` by themselves. */
export interface ConstantNode {
  /** The kind of node. */
  readonly kind: 'constant'
  /** Which of the two. */
  readonly value: boolean
}

/** `a and b and …`, `a or b or …`: two operands or more. */
export interface LogicalNode {
  /** The kind of node. */
  readonly kind: 'and' | 'or'
  /** The operands, from left to right. */
  readonly operands: readonly FilterNode[]
}

/** `not a`. */
export interface NotNode {
  /** The kind of node. */
  readonly kind: 'not'
  /** The condition that must not hold. */
  readonly operand: FilterNode
}

/** Text that goes to the service as it is: see `rawFilter`. */
export interface RawNode {
  /** The kind of node. */
  readonly kind: 'raw'
  /** The text. */
  readonly text: string
  /** The tree of the text; `undefined` when `parseFilter` cannot parse it. */
  readonly meaning: FilterNode | undefined
}

/** A `$filter` as a tree of frozen plain objects; `printFilter` makes the text. */
export type FilterNode =
  | ComparisonNode
  | PropertyNode
  | ConstantNode
  | LogicalNode
  | NotNode
  | RawNode

const OPERATORS: ReadonlySet<unknown> = new Set(COMPARISON_OPERATORS)

/** Tells whether a word is one of the six comparison operators. */
export function isComparisonOperator(word: unknown): word is ComparisonOperator {
  return OPERATORS.has(word)
}

/** The most comparisons that the service guarantees to take in one filter. */
export const MAX_COMPARISONS = 15

/**
 * Counts the comparisons of a filter; the service guarantees to take up to {@link MAX_COMPARISONS}.
 *
 * @param node - the tree; raw text that cannot be parsed counts as 0
 */
export function countComparisons(node: FilterNode): number {
  switch (node.kind) {
    case 'comparison':
      return 1
    case 'not':
      return countComparisons(node.operand)
    case 'and':
    case 'or':
      return node.operands.reduce((count, operand) => count + countComparisons(operand), 0)
    case 'raw':
      return node.meaning === undefined ? 0 : countComparisons(node.meaning)
    default:
      return 0
  }
}

/** Words with another meaning in a filter. */
const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'and',
  'or',
  'not',
  'NaN',
  'INF',
])

/**
 * Rejects a name that cannot name a property in a filter.
 *
 * @param name - the stored name; system properties are fine
 * @throws `InputError` (`InvalidPropertyName`) for an invalid name, and for a word of the filter
 * language
 */
export function checkFilterName(name: string): void {
  checkPropertyName(name)
  if (RESERVED.has(name)) {
    const message = `"${name}" has another meaning in a $filter, so a filter cannot use a property of this name.`
    throw odataInputError('InvalidPropertyName', message, { property: name })
  }
}

/** Tells whether a word has another meaning in a filter than a property. */
export function isReservedWord(word: string): boolean {
  return RESERVED.has(word)
}

/** Returns the type of a system property, which the service knows before it reads any entity. */
export function systemTypeOf(name: string): EdmType | undefined {
  if (name === 'PartitionKey' || name === 'RowKey') return 'String'
  return name === 'Timestamp' ? 'DateTime' : undefined
}
