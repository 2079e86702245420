import { booleanProperty, type EdmValue, type FilterNode } from '@rowkey/odata'
import { QueryError } from '../errors/query-error.ts'
import type { QueryColumn, QueryModel } from '../query-model.ts'
import { Condition } from './condition.ts'
import { propertyFilter } from './property-filter.ts'
import { anyOf, PropertyTest, type TestOperator } from './property-test.ts'
import type { AnyField } from './query-field.ts'

/** One property in a callback of `.where`. The compiler shows only what the property's type allows. */
export class PropertyField extends Condition implements AnyField<unknown> {
  readonly #model: QueryModel
  readonly #column: QueryColumn

  constructor(model: QueryModel, column: QueryColumn) {
    super(booleanProperty(column.name))
    this.#model = model
    this.#column = column
  }

  override get node(): FilterNode {
    const { property, type } = this.#column
    if (type === undefined || type === 'Boolean') return super.node
    throw new QueryError({
      model: this.#model.name,
      property,
      message: `${this.#model.name}.${property} is stored as ${type}, and only a Boolean is a condition by itself. Compare it, as in c.${property}.eq(…).`,
    })
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
    // What they are is looked at next, one by one.
    const test = anyOf(values as readonly EdmValue[])
    return new Condition(propertyFilter(this.#model, this.#column, test))
  }

  #test(operator: TestOperator, ...operands: readonly unknown[]): Condition {
    const test = new PropertyTest(operator, ...operands)
    return new Condition(propertyFilter(this.#model, this.#column, test))
  }
}
