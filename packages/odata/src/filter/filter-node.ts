import type { EdmType, EdmValue } from '../edm/edm-type.ts'
import { checkPropertyName, EntityProperty } from '../entity/entity-property.ts'
import { brand } from '../errors/brand.ts'
import { odataInputError } from '../errors/codes.ts'
import { InputError } from '../errors/input-error.ts'
import type { RowkeyErrorOptions } from '../errors/rowkey-error.ts'

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

/**
 * Tells whether a comparison holds for two values that compare like this.
 *
 * @param operator - the operator between them
 * @param order - negative, zero, positive, or NaN, for which only `ne` holds
 */
export function holds(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case 'eq':
      return order === 0
    case 'ne':
      return order !== 0
    case 'gt':
      return order > 0
    case 'ge':
      return order >= 0
    case 'lt':
      return order < 0
    case 'le':
      return order <= 0
  }
}

/** The most comparisons that the service guarantees to take in one filter. */
export const MAX_COMPARISONS = 15

/**
 * Counts the comparisons of a filter; the service guarantees to take up to {@link MAX_COMPARISONS}.
 *
 * @param node - the tree; raw text that cannot be parsed counts as 0
 */
export function countComparisons(node: FilterNode): number {
  return Array.from(usesIn(node)).filter(({ test }) => test?.kind === 'comparison').length
}

/**
 * Lists the properties that a filter names, each as often as it does.
 *
 * @param node - the tree; raw text that cannot be parsed names none
 *
 * @example
 * ```ts
 * propertiesIn(parseFilter("a eq 1 and not (b eq 2 or c)")) // ['a', 'b', 'c']
 * ```
 */
export function propertiesIn(node: FilterNode): readonly string[] {
  return Array.from(usesIn(node)).flatMap(({ test }) => test?.property ?? [])
}

/** A test of one property in a filter, or a text that may test any. */
export interface FilterUse {
  /** The test; absent for raw text that cannot be parsed. */
  readonly test?: ComparisonNode | PropertyNode
  /** What the test is under or does, as far as it matters for a key. */
  readonly under?: 'or' | 'not' | 'ne' | undefined
  /** Whether it is part of a raw filter. */
  readonly isRaw: boolean
}

/**
 * Lists the tests of single properties in a filter, in order.
 *
 * @param node - the tree; nothing without one
 * @param under - what the tree is under
 * @param isRaw - whether the tree is part of a raw filter
 */
export function* usesIn(
  node: FilterNode | undefined,
  under?: FilterUse['under'],
  isRaw = false,
): Generator<FilterUse> {
  switch (node?.kind) {
    case 'comparison':
      yield { test: node, under: under ?? (node.operator === 'ne' ? 'ne' : undefined), isRaw }
      return
    case 'property':
      yield { test: node, under, isRaw }
      return
    case 'not':
      yield* usesIn(node.operand, 'not', isRaw)
      return
    case 'and':
    case 'or':
      for (const operand of node.operands) {
        yield* usesIn(operand, node.kind === 'or' ? (under ?? 'or') : under, isRaw)
      }
      return
    case 'raw':
      if (node.meaning === undefined) yield { isRaw: true }
      else yield* usesIn(node.meaning, under, true)
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

/** An operator of a `$filter`, and the types of its operands, which it does not support. */
export interface OperandTypes {
  /** The operator. */
  readonly operator: ComparisonOperator | 'and' | 'or' | 'not'
  /** One type or two, from left to right; `undefined` where it depends on the stored entities. */
  readonly types: readonly (EdmType | undefined)[]
}

/** The options of a `FilterSyntaxError`. */
export interface FilterSyntaxErrorOptions extends RowkeyErrorOptions {
  /** The place in the text, in UTF-16 units from 0; 0 for a tree. */
  readonly position: number
  /** The operator and the types, when the types are the mistake. */
  readonly operands?: OperandTypes | undefined
  /** The name of the function that the text calls, when that is the mistake. */
  readonly calledFunction?: string | undefined
}

/** Thrown when the text of a `$filter` cannot be parsed, or a tree contains what no filter has. */
export class FilterSyntaxError extends InputError {
  static {
    brand(FilterSyntaxError, 'rowkey.filterSyntaxError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'FilterSyntaxError'
  /** `InvalidFilter`. */
  override readonly code = 'InvalidFilter'
  /** The place in the text, in UTF-16 units from 0; 0 for a tree. */
  readonly position: number
  /** The operator and the types, when the types are the mistake. */
  readonly operands: OperandTypes | undefined
  /** The name of the function that the text calls, when that is the mistake. */
  readonly calledFunction: string | undefined

  constructor(options: FilterSyntaxErrorOptions) {
    super(options)
    this.position = options.position
    this.operands = options.operands
    this.calledFunction = options.calledFunction
  }
}

/**
 * Makes a typed constant for a filter.
 *
 * @param value - the constant, or a property whose type and value it takes
 * @param type - the type it is compared as; without it `inferEdmType` decides, so a whole Double or a Guid
 * needs it
 * @throws `InputError` (`InvalidPropertyValue`) when the type cannot hold the value
 *
 * @example
 * ```ts
 * literalOf(5, 'Double') // { type: 'Double', value: 5 }
 * ```
 */
export function literalOf(value: EdmValue | EntityProperty, type?: EdmType): FilterLiteral {
  const property = EntityProperty.of(value, type)
  return Object.freeze({ type: property.type, value: property.value })
}

/**
 * Makes `property op literal`.
 *
 * @param property - the stored property name
 * @param operator - `eq`, `ne`, `gt`, `ge`, `lt` or `le`
 * @param literal - the constant: see {@link literalOf}
 * @throws `InputError` (`InvalidPropertyName`) for an invalid name. `InputError` (`InvalidPropertyValue`)
 * when the literal is not a value of its type. PartitionKey and RowKey are compared only with a String, and
 * Timestamp only with a DateTime
 *
 * @example
 * ```ts
 * printFilter(comparison('points', 'gt', literalOf(100n))) // 'points gt 100L'
 * ```
 */
export function comparison(
  property: string,
  operator: ComparisonOperator,
  literal: FilterLiteral,
): ComparisonNode {
  checkFilterName(property)
  checkOperator(operator)
  const type = systemTypeOf(property)
  if (type !== undefined && literal.type !== type) {
    const message = `${property} has the type ${type}, but this constant has the type ${literal.type}.`
    throw odataInputError('InvalidPropertyValue', message, { property, type })
  }
  const checked = literalOf(literal.value, literal.type)
  return Object.freeze({ kind: 'comparison', property, operator, literal: checked })
}

/**
 * Rejects a word that is not a comparison operator.
 *
 * @throws `FilterSyntaxError`
 */
export function checkOperator(operator: unknown): asserts operator is ComparisonOperator {
  if (isComparisonOperator(operator)) return
  const message = `"${String(operator)}" is not a comparison operator. Use one of ${COMPARISON_OPERATORS.join(', ')}.`
  throw new FilterSyntaxError({ message, position: 0 })
}

/**
 * Makes the condition of a Boolean property by itself: true when it is stored and true.
 *
 * @param property - the stored property name
 * @throws `InputError` (`InvalidPropertyName`) for an invalid name
 *
 * @example
 * ```ts
 * printFilter(not(booleanProperty('active'))) // 'not (active)'
 * ```
 */
export function booleanProperty(property: string): PropertyNode {
  checkFilterName(property)
  return Object.freeze({ kind: 'property', property })
}

/** Makes the condition `true` or `false`. */
export function constant(value: boolean): ConstantNode {
  return Object.freeze({ kind: 'constant', value: value === true })
}

/** Marks the nodes that {@link rawNode} of any copy of the package made: a record from outside must not pass for raw text. */
const RAW: unique symbol = Symbol.for('rowkey.rawFilter') as never

/**
 * Makes the node of raw text.
 *
 * @param text - the text
 * @param meaning - its tree; `undefined` when it cannot be parsed
 */
export function rawNode(text: string, meaning: FilterNode | undefined): RawNode {
  const node: RawNode = { kind: 'raw', text, meaning }
  return Object.freeze(Object.defineProperty(node, RAW, { value: true }))
}

/**
 * Rejects a node that {@link rawNode} did not make.
 *
 * @throws `FilterSyntaxError`
 */
export function checkRawNode(node: RawNode): void {
  if (Object.hasOwn(node, RAW)) return
  const message = 'Invalid raw filter at position 0: make it with rawFilter(text).'
  throw new FilterSyntaxError({ message, position: 0 })
}
