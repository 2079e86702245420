import {
  brand,
  type ComparisonOperator,
  comparison,
  type InputError,
  literalOf,
  printFilter,
} from '@rowkey/odata'
import type { PropertiesOf } from '../definition/configuration.ts'
import type { Definition, Properties } from '../definition/definition.ts'
import { entitiesInputError } from '../errors/codes.ts'
import type { Key, KeyConditions } from '../keys/keys.ts'
import type { BaseType, Operator } from '../types/base-type.ts'

/** A comparison of a condition: made by a function of {@link Operators}. */
export class Op<Value = unknown> implements Operator<Value> {
  static {
    brand(Op, 'rowkey.op')
  }

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

/** The operators of conditions: `Entity.op`, each under three names. `instanceof` recognizes what they return. */
export type Operators = { readonly [Name in OperatorName]: Comparison } & {
  /** Tells whether a value is what an operator returned. */
  readonly [Symbol.hasInstance]: (value: unknown) => boolean
}

/** Makes the function of an operator. */
const comparing =
  (operator: ComparisonOperator): Comparison =>
  (operand) =>
    new Op(operator, operand)

const [equal, notEqual] = [comparing('eq'), comparing('ne')]
const [lessThan, lessThanOrEqual] = [comparing('lt'), comparing('le')]
const [greaterThan, greaterThanOrEqual] = [comparing('gt'), comparing('ge')]

/** The operators of conditions: see {@link Operators}. */
export const op: Operators = Object.freeze({
  ...{ equal, eq: equal, '==': equal },
  ...{ notEqual, ne: notEqual, '!=': notEqual },
  ...{ lessThan, lt: lessThan, '<': lessThan },
  ...{ lessThanOrEqual, le: lessThanOrEqual, '<=': lessThanOrEqual },
  ...{ greaterThan, gt: greaterThan, '>': greaterThan },
  ...{ greaterThanOrEqual, ge: greaterThanOrEqual, '>=': greaterThanOrEqual },
  [Symbol.hasInstance]: (value: unknown) => value instanceof Op,
})

/** Returns a condition as an operator: a bare value must be equal. */
function toOperator(condition: unknown): Operator {
  return condition instanceof Op ? condition : new Op('eq', condition)
}

/** How much of the keys the conditions must determine. */
export interface MatchOptions {
  /**
   * `'exact'`: the conditions must determine the PartitionKey, and only that partition is read.
   *
   * @defaultValue `'none'`, and `'exact'` for `query`
   */
  readonly matchPartition?: 'exact' | 'none' | undefined
  /**
   * `'exact'`: the conditions must determine the RowKey.
   *
   * @defaultValue `'none'`
   */
  readonly matchRow?: 'exact' | 'none' | undefined
}

/**
 * Prints the `$filter` of a query. Conditions that an exact key covers are left out.
 *
 * @param definition - the class
 * @param conditions - a value or an operator of `Entity.op` for each property
 * @param match - which keys must be exact
 * @returns `undefined` without any condition
 * @throws InputError (`InvalidCondition`, `InvalidScanOption` or `MissingKeyProperty`)
 */
export function filterOf(
  definition: Definition,
  conditions: Properties,
  match: MatchOptions,
): string | undefined {
  checkMatch(match)
  const operators = operatorsOf(definition, conditions)
  const exact: [name: string, key: Key][] = []
  if (match.matchPartition === 'exact') exact.push(['PartitionKey', definition.partitionKey])
  if (match.matchRow === 'exact') exact.push(['RowKey', definition.rowKey])
  const covered = new Set(exact.flatMap(([, key]) => key.covers))
  const terms = [
    ...exact.map(([name, key]) => equalTo(name, key.exactFromConditions(operators))),
    ...[...operators].flatMap(([name, operator]) => {
      const type = covered.has(name) ? undefined : definition.mapping[name]
      return type === undefined ? [] : [termOf(type, operator)]
    }),
  ]
  return terms.length === 0 ? undefined : terms.join(' and ')
}

const equalTo = (name: string, key: string): string =>
  printFilter(comparison(name, 'eq', literalOf(key, 'String')))

/**
 * Checks the conditions of `scan` and `query`.
 *
 * @throws InputError (`InvalidCondition`) for any value that is not an object
 */
export function checkConditions(conditions: unknown): void {
  if (typeof conditions === 'object' && conditions !== null && !Array.isArray(conditions)) return
  throw entitiesInputError(
    'InvalidCondition',
    'The conditions must be an object with a value or an operator of Entity.op for each property.',
  )
}

function operatorsOf({ mapping }: Definition, conditions: Properties): KeyConditions {
  const operators = new Map<string, Operator>()
  for (const [name, condition] of Object.entries(conditions)) {
    if (mapping[name] === undefined) {
      throw invalidCondition(name, 'is not declared. Use the names of properties.')
    }
    operators.set(name, toOperator(condition))
  }
  return operators
}

function termOf(type: BaseType, operator: Operator): string {
  const isOrder = operator.operator !== 'eq' && operator.operator !== 'ne'
  if (isOrder && type.isComparable && !type.isOrdered) {
    throw invalidCondition(type.property, 'has no order. Use equal or notEqual.')
  }
  return type.filterCondition(operator)
}

function checkMatch({ matchPartition, matchRow }: MatchOptions): void {
  for (const [option, value] of Object.entries({ matchPartition, matchRow })) {
    if (value === undefined || value === 'exact' || value === 'none') continue
    throw entitiesInputError('InvalidScanOption', `${option} must be 'exact' or 'none'.`)
  }
}

const invalidCondition = (property: string, rule: string): InputError =>
  entitiesInputError('InvalidCondition', `Condition: property "${property}" ${rule}`, property)

/** The conditions of `scan` and `query`: values, which must be equal, or operators of `Entity.op`. */
export type ConditionsOf<Class> = {
  readonly [Name in keyof PropertiesOf<Class>]?:
    | PropertiesOf<Class>[Name]
    | Op<PropertiesOf<Class>[Name]>
}
