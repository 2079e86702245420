import type { EdmType, EdmValue } from '../edm/edm-type.ts'

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

/** `name op literal`: one property, by its stored name, against one constant. */
export interface ComparisonNode {
  /** Tells the kinds of node apart. */
  readonly kind: 'comparison'
  /** The stored property name, such as `PartitionKey`. */
  readonly property: string
  /** The operator between the property and the constant. */
  readonly operator: ComparisonOperator
  /** The constant. */
  readonly literal: FilterLiteral
}

/** A Boolean property standing alone: true when it is stored and true. */
export interface PropertyNode {
  /** Tells the kinds of node apart. */
  readonly kind: 'property'
  /** The stored property name. */
  readonly property: string
}

/** The constants `true` and `false` standing alone. */
export interface ConstantNode {
  /** Tells the kinds of node apart. */
  readonly kind: 'constant'
  /** Which of the two. */
  readonly value: boolean
}

/** `a and b and …`, `a or b or …`: two operands or more. */
export interface LogicalNode {
  /** Tells the kinds of node apart, and `and` from `or`. */
  readonly kind: 'and' | 'or'
  /** What it joins, from left to right. */
  readonly operands: readonly FilterNode[]
}

/** `not a`. */
export interface NotNode {
  /** Tells the kinds of node apart. */
  readonly kind: 'not'
  /** What must not hold. */
  readonly operand: FilterNode
}

/** Text that goes to the service as it is: see {@link rawFilter}. */
export interface RawNode {
  /** Tells the kinds of node apart. */
  readonly kind: 'raw'
  /** The text. */
  readonly text: string
  /** What the text means; `undefined` when {@link parseFilter} cannot read it. */
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
