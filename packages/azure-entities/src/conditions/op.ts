import type { ComparisonOperator } from '@rowkey/odata'
import type { Operator } from '../types/base-type.ts'

/** A comparison of a condition: made by a function of {@link Operators}. */
export class Op<Value = unknown> implements Operator<Value> {
  /** The operator as OData spells it. */
  readonly operator: ComparisonOperator
  /** The value that the property is compared with. */
  readonly operand: Value

  /** @internal Use the functions of `Entity.op`. */
  constructor(operator: ComparisonOperator, operand: Value) {
    this.operator = operator
    this.operand = operand
  }
}

/** Makes a comparison with a value. */
export type Comparison = <Value>(operand: Value) => Op<Value>

const NAMES = {
  eq: ['equal', '=='],
  ne: ['notEqual', '!='],
  lt: ['lessThan', '<'],
  le: ['lessThanOrEqual', '<='],
  gt: ['greaterThan', '>'],
  ge: ['greaterThanOrEqual', '>='],
} as const satisfies Record<ComparisonOperator, readonly OperatorName[]>

/** The name of an operator: the long one, the one of OData or the one of JavaScript. */
export type OperatorName =
  | 'equal'
  | 'notEqual'
  | 'lessThan'
  | 'lessThanOrEqual'
  | 'greaterThan'
  | 'greaterThanOrEqual'
  | ComparisonOperator
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='

/** The operators of conditions: `Entity.op`, each under three names. */
export type Operators = { readonly [Name in OperatorName]: Comparison }

/** The operators of conditions: see {@link Operators}. */
export const op: Operators = Object.freeze(
  Object.fromEntries(
    Object.entries(NAMES).flatMap(([operator, names]) => {
      const compare: Comparison = (operand) => new Op(operator as ComparisonOperator, operand)
      return [operator, ...names].map((name) => [name, compare])
    }),
  ) as Record<OperatorName, Comparison>,
)

/** Returns a condition as an operator: a bare value must be equal. */
export function toOperator(condition: unknown): Operator {
  return condition instanceof Op ? condition : new Op('eq', condition)
}
