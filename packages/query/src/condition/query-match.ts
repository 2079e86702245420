import { and, type FilterNode } from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import type { QueryModel } from '../query-model.ts'
import { resolveFilterColumn } from '../resolve-column.ts'
import type { IsSecret } from '../secret.ts'
import type { Operand } from './operand.ts'
import { propertyFilter } from './property-filter.ts'
import { PropertyTest } from './property-test.ts'
import type { SecretField } from './query-field.ts'

/**
 * The object form of `.where`: each property with a value it must equal, or with a word such as
 * {@link PropertyTest | gt(…)}. All of them must hold.
 *
 * @example
 * ```ts
 * query.where({ lastName: 'Smith', points: gt(100n) })
 * // PartitionKey eq 'Smith' and points gt 100L
 * ```
 */
export type QueryMatch<Shape> = {
  readonly [Name in keyof Shape]?: MatchOf<Shape[Name]>
}

/**
 * What one property can be matched with: nothing, when it is a secret.
 *
 * @example
 * ```ts
 * type A = MatchOf<number>         // number, a typed value, or a word such as gt(…)
 * type B = MatchOf<Secret<number>> // SecretField, which nothing is
 * ```
 */
export type MatchOf<Value> =
  IsSecret<Value> extends true ? SecretField : Operand<Value> | PropertyTest<Operand<Value>>

/**
 * The filter that a {@link QueryMatch} comes to.
 *
 * @throws {@link QueryError} when it names no property, an unknown one, or a `null` operand
 */
export function matchFilter(model: QueryModel, match: object): FilterNode {
  const filters = Object.entries(match).map(([property, given]: [string, unknown]) => {
    const test = given instanceof PropertyTest ? given : new PropertyTest('eq', given)
    return propertyFilter(model, resolveFilterColumn(model, property), test)
  })
  if (filters.length > 0) return and(...filters)
  throw new QueryError({
    model: model.name,
    message: `The condition on ${model.name} names no property. Name one, or leave .where out.`,
  })
}
