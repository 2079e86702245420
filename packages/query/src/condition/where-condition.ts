import { and, booleanProperty, type EdmValue, type FilterNode, usesIn } from '@rowkey/odata'
import { invalidQuery } from '../errors/invalid-query.ts'
import {
  checkFilterable,
  columnsByName,
  type QueryColumn,
  type QueryModel,
  resolveFilterColumn,
} from '../model/query-model.ts'
import type { IsSecret } from '../model/query-shape.ts'
import { Condition, type ConditionLike, isFilterNode, nodeOf } from './condition.ts'
import { hasDefault, missingIn, withDefaults } from './missing-values.ts'
import {
  anyOf,
  missing,
  notMissing,
  type Operand,
  PropertyTest,
  propertyFilter,
  type TestOperator,
} from './property-test.ts'

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
 * The values that one property can be matched with; a secret matches nothing.
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
  const names = new Set<string>()
  for (const { test } of usesIn(filter)) {
    if (test === undefined) {
      throw invalidQuery(
        'Only the service can read this raw filter, so it cannot test rows here. Use a function instead.',
      )
    }
    names.add(test.property)
  }
  return names
}

/**
 * Rejects a condition on a missing property for Cosmos DB: there, `not` does not match an entity that lacks the property, so the
 * query would silently find nothing.
 *
 * @throws InputError with the code `InvalidQuery` with the way out
 */
export function checkFindsMissing(model: QueryModel, filter: FilterNode): void {
  const [property] = missingIn(model, filter)
  if (property === undefined) return
  const column = columnsByName(model).get(property)
  throw invalidQuery(
    column !== undefined && hasDefault(column)
      ? `The condition on ${model.name} also asks for entities without '${property}', which show its default and which Cosmos DB cannot select. Use .filterLocally with the same condition, or filter\`${property} eq …\` for stored values only.`
      : `The condition on ${model.name} asks for entities without '${property}', which Cosmos DB cannot select. Use .filterLocally with the same condition, or store a value that says so.`,
    { model: model.name, property },
  )
}

function toFilter<Shape>(model: QueryModel, condition: WhereCondition<Shape>): FilterNode {
  if (typeof condition === 'function') return calledFilter(model, condition)
  if (isFilterNode(condition)) return condition
  if (typeof condition === 'object' && condition !== null) return matchFilter(model, condition)
  throw invalidQuery(
    `The condition on ${model.name} must be a callback, an object of properties or a filter node, such as (c) => c.age.gt(30), { age: gt(30) } or filter\`age gt 30\`.`,
    { model: model.name },
  )
}

/**
 * Calls a callback, and rejects a result that lacks a condition which the callback made: `a && b` is only `b`. (`a || b` never makes
 * `b`.)
 */
function calledFilter<Shape>(model: QueryModel, condition: WhereCallback<Shape>): FilterNode {
  const made: FilterNode[] = []
  const filter = nodeOf(condition(queryFields<Shape>(model, made)))
  const used = new Set(Array.from(usesIn(filter), ({ test }) => test))
  const dropped = made.flatMap((each) => [...usesIn(each)]).find(({ test }) => !used.has(test))
  if (dropped?.test === undefined) return filter
  const { property } = dropped.test
  throw invalidQuery(
    `The callback on ${model.name} made a condition on '${property}' and dropped it, as && does. Join conditions with .and, .or and .not: c.a.eq(1).and(c.b.gt(2)).`,
    { model: model.name, property },
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
  for (const { test, isRaw } of usesIn(filter)) {
    const column = isRaw || test === undefined ? undefined : columns.get(test.property)
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

/** A property of any Edm type in a callback of `.where`. */
export interface ComparableField<Value> {
  /** Tests for equality: `c.age.eq(30)` is `age eq 30`. */
  eq(value: Operand<Value>): Condition
  /**
   * Tests for another value: `c.age.ne(30)` is `age ne 30`, which an entity without `age` does
   * not match.
   */
  ne(value: Operand<Value>): Condition
  /** Tests for a greater value: `c.age.gt(30)` is `age gt 30`. */
  gt(value: Operand<Value>): Condition
  /** Tests for a greater or equal value: `c.age.ge(30)` is `age ge 30`. */
  ge(value: Operand<Value>): Condition
  /** Tests for a lesser value: `c.age.lt(30)` is `age lt 30`. */
  lt(value: Operand<Value>): Condition
  /** Tests for a lesser or equal value: `c.age.le(30)` is `age le 30`. */
  le(value: Operand<Value>): Condition
  /**
   * Tests for a range, both ends included: `c.age.between(18, 65)` is `age ge 18 and age le 65`.
   */
  between(low: Operand<Value>, high: Operand<Value>): Condition
  /** Tests for one of several values: `c.age.in([18, 21])` is `age eq 18 or age eq 21`. None matches no entity. */
  in(values: readonly Operand<Value>[]): Condition
  /** Tests that an entity has the property, whatever its value: `c.age.isSet()` is `age eq 0 or age ne 0`. */
  isSet(): Condition
  /** Tests that an entity does not have the property: `c.age.isMissing()` is `not (age eq 0 or age ne 0)`. */
  isMissing(): Condition
}

/** A String or Guid property in a callback of `.where`. */
export interface StringField<Value extends string = string> extends ComparableField<Value> {
  /**
   * Tests for a prefix: `c.name.startsWith('Sm')` is `name ge 'Sm' and name lt 'Sn'`. Only for Strings, not
   * for Guids; case counts.
   */
  startsWith(prefix: string): Condition
}

/**
 * A Boolean property in a callback of `.where`: a condition by itself, as in `c.active` and
 * `c.active.not()`. An entity without it matches the `not`, and no comparison.
 */
export interface BooleanField extends Condition {
  /** Tests that it is stored with this value: `c.active.eq(false)` is `active eq false`. */
  eq(value: boolean): Condition
  /** Tests that it is stored with the other value: `c.active.ne(true)` is `active ne true`. */
  ne(value: boolean): Condition
  /** Tests that an entity has the property: `c.active.isSet()` is `active eq false or active ne false`. */
  isSet(): Condition
  /** Tests that an entity does not have the property: the opposite of `isSet`. */
  isMissing(): Condition
}

/** A property whose type the compiler does not know: it offers every test. */
export interface AnyField<Value> extends ComparableField<Value>, Condition {
  /** Tests for a prefix: `c.name.startsWith('Sm')` is `name ge 'Sm' and name lt 'Sn'`. */
  startsWith(prefix: string): Condition
}

/**
 * A {@link Secret} property, which conditions cannot use: the service has only its encrypted bytes, and
 * they differ each time. Read the entities, and compare in your program.
 */
export interface SecretField {
  /** Never there at run time: using the property throws an InputError. */
  readonly cannotBeFiltered: 'it is encrypted'
}

/**
 * The field of a property, by the type of its value.
 *
 * @example
 * ```ts
 * type A = QueryField<number>  // ComparableField<number>
 * type B = QueryField<boolean> // BooleanField
 * type C = QueryField<Secret<number>> // SecretField
 * ```
 */
export type QueryField<Value> = 0 extends 1 & Value // only `any` is between 0 and 1
  ? AnyField<Value>
  : IsSecret<Value> extends true
    ? SecretField
    : ComparedField<Value>

/**
 * The field of a property that can be compared, by the type of its value.
 *
 * @example
 * ```ts
 * type A = ComparedField<string> // StringField
 * ```
 */
export type ComparedField<Value> = [Value] extends [boolean]
  ? BooleanField
  : [Value] extends [string]
    ? StringField<Value>
    : [Value] extends [number] | [bigint] | [Date] | [Uint8Array]
      ? ComparableField<Value>
      : AnyField<Value>

/** Every property of a shape as a {@link QueryField}: the argument of a callback of `.where`. */
export type QueryFields<Shape> = { readonly [Name in keyof Shape]: QueryField<Shape[Name]> }

/**
 * Makes the fields of a model for a callback of `.where`; each is made when the callback reads it.
 *
 * @param made - receives the conditions that the callback makes
 * @returns an object whose members throw an InputError with the code `InvalidQuery` when the model does
 * not store the property, or conditions cannot use it
 */
export function queryFields<Shape>(model: QueryModel, made: FilterNode[] = []): QueryFields<Shape> {
  const fields = new Proxy(
    {},
    {
      // Consoles and test runners read symbols; queries never do.
      get: (_target, property) =>
        typeof property === 'symbol'
          ? undefined
          : new PropertyField(model, resolveFilterColumn(model, property), made),
    },
  )
  // `Shape` knows the members for the compiler, the model at run time.
  return fields as QueryFields<Shape>
}

/**
 * One property in a callback of `.where`. The compiler shows only what the property's type
 * allows.
 */
class PropertyField extends Condition implements AnyField<unknown> {
  readonly #model: QueryModel
  readonly #column: QueryColumn
  readonly #made: FilterNode[]

  constructor(model: QueryModel, column: QueryColumn, made: FilterNode[]) {
    super(booleanProperty(column.name))
    this.#model = model
    this.#column = column
    this.#made = made
  }

  override get node(): FilterNode {
    const { property, type } = this.#column
    if (type === undefined || type === 'Boolean') {
      return withDefaults(this.#model, this.#column, super.node)
    }
    const { name: model } = this.#model
    throw invalidQuery(
      `${model}.${property} is stored as ${type}; only a Boolean is a condition by itself. Compare it, as in c.${property}.eq(…).`,
      { model, property },
    )
  }

  eq(value: unknown): Condition {
    return this.#test('eq', value)
  }

  ne(value: unknown): Condition {
    return this.#test('ne', value)
  }

  gt(value: unknown): Condition {
    return this.#test('gt', value)
  }

  ge(value: unknown): Condition {
    return this.#test('ge', value)
  }

  lt(value: unknown): Condition {
    return this.#test('lt', value)
  }

  le(value: unknown): Condition {
    return this.#test('le', value)
  }

  between(low: unknown, high: unknown): Condition {
    return this.#test('between', low, high)
  }

  startsWith(prefix: string): Condition {
    return this.#test('startsWith', prefix)
  }

  in(values: readonly unknown[]): Condition {
    // Each value is checked where the filter is made.
    return this.#meets(anyOf(values as readonly EdmValue[]))
  }

  isSet(): Condition {
    return this.#meets(notMissing)
  }

  isMissing(): Condition {
    return this.#meets(missing)
  }

  #test(operator: TestOperator, ...operands: readonly unknown[]): Condition {
    return this.#meets(new PropertyTest(operator, ...operands))
  }

  #meets(test: PropertyTest<unknown>): Condition {
    const filter = propertyFilter(this.#model, this.#column, test)
    this.#made.push(filter)
    return new Condition(filter)
  }
}
