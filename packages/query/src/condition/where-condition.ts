import { and, type FilterNode, type RawNode } from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'
import { checkFilterable, columnsByName, resolveFilterColumn } from '../model/columns.ts'
import type { QueryColumn, QueryModel } from '../model/query-model.ts'
import type { IsSecret } from '../model/query-shape.ts'
import { type ConditionLike, isFilterNode, nodeOf } from './condition.ts'
import { propertyFilter } from './property-filter.ts'
import { type Operand, PropertyTest } from './property-test.ts'
import { type QueryFields, queryFields, type SecretField } from './query-fields.ts'

/** The callback form of `.where`: it receives the fields and returns one condition. */
export type WhereCallback<Shape> = (fields: QueryFields<Shape>) => ConditionLike

/**
 * The object form of `.where`: each property with a value it must equal, or with a test such as
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
 * What one property can be matched with; a secret matches nothing.
 *
 * @example
 * ```ts
 * type A = MatchOf<number>         // number, a typed value, or a test such as gt(…)
 * type B = MatchOf<Secret<number>> // SecretField, which no value is
 * ```
 */
export type MatchOf<Value> =
  IsSecret<Value> extends true ? SecretField : Operand<Value> | PropertyTest<Operand<Value>>

/**
 * The forms of a condition: a callback, an object of properties, or a filter node, as the `filter`
 * tag, `parseFilter` and `rawFilter` make one.
 */
export type WhereCondition<Shape> = WhereCallback<Shape> | QueryMatch<Shape> | FilterNode

/**
 * Makes the filter of a condition.
 *
 * @throws InputError with the code `InvalidQuery` when it has none of these forms, names an unknown or
 * encrypted property, or has a `null` operand
 */
export function conditionFilter<Shape>(
  model: QueryModel,
  condition: WhereCondition<Shape>,
): FilterNode {
  const filter = toFilter(model, condition)
  checkNames(model, filter)
  return filter
}

/**
 * Lists the stored names that a filter uses, each once.
 *
 * @throws InputError with the code `InvalidQuery` for raw text that only the service can read
 */
export function filterNames(filter: FilterNode): ReadonlySet<string> {
  return new Set(namesRead(filter))
}

function toFilter<Shape>(model: QueryModel, condition: WhereCondition<Shape>): FilterNode {
  if (typeof condition === 'function') return nodeOf(condition(queryFields<Shape>(model)))
  if (isFilterNode(condition)) return condition
  if (typeof condition === 'object' && condition !== null) return matchFilter(model, condition)
  throw invalidQuery(
    `The condition on ${model.name} must be a callback, an object of properties or a filter node, such as (c) => c.age.gt(30), { age: gt(30) } or filter\`age gt 30\`.`,
    { model: model.name },
  )
}

function matchFilter(model: QueryModel, match: object): FilterNode {
  const filters = Object.entries(match).map(([property, given]: [string, unknown]) => {
    const test = given instanceof PropertyTest ? given : new PropertyTest('eq', given)
    return propertyFilter(model, resolveFilterColumn(model, property), test)
  })
  if (filters.length > 0) return and(...filters)
  throw invalidQuery(
    `The condition on ${model.name} is an object without properties. Name one, or leave .where out.`,
    { model: model.name },
  )
}

const unfilterable = new WeakMap<QueryModel, ReadonlyMap<string, QueryColumn>>()

/**
 * Rejects a filter of stored names that uses an encrypted property: its operand would go to the service as
 * plain text. Raw text is not checked: it is the caller's own.
 */
function checkNames(model: QueryModel, filter: FilterNode): void {
  const columns = unfilterableOf(model)
  if (columns.size === 0) return
  for (const name of namesIn(filter)) {
    const column = typeof name === 'string' ? columns.get(name) : undefined
    if (column !== undefined) checkFilterable(model, column)
  }
}

/** The columns that filters cannot compare, by their stored names. */
function unfilterableOf(model: QueryModel): ReadonlyMap<string, QueryColumn> {
  let columns = unfilterable.get(model)
  if (columns === undefined) {
    const all = [...columnsByName(model)]
    columns = new Map(all.filter(([, column]) => column.unfilterable !== undefined))
    unfilterable.set(model, columns)
  }
  return columns
}

/** The stored names in a filter, and its raw texts as they are. */
function* namesIn(node: FilterNode): Generator<string | RawNode> {
  switch (node.kind) {
    case 'comparison':
    case 'property':
      yield node.property
      return
    case 'not':
      yield* namesIn(node.operand)
      return
    case 'and':
    case 'or':
      for (const operand of node.operands) yield* namesIn(operand)
      return
    case 'raw':
      yield node
  }
}

function* namesRead(filter: FilterNode): Generator<string> {
  for (const part of namesIn(filter)) {
    if (typeof part === 'string') yield part
    else if (part.meaning !== undefined) yield* namesRead(part.meaning)
    else {
      throw invalidQuery(
        'Only the service can read this raw filter, so it cannot test rows here. Use a function instead.',
      )
    }
  }
}
