import {
  comparison,
  type EdmType,
  type EdmValue,
  EntityProperty,
  evaluateFilter,
  type FilterLiteral,
  type FilterNode,
  not,
  or,
  parseDateTime,
} from '@rowkey/odata'
import { invalidProperty } from '../errors/invalid-query.ts'
import {
  columnsByName,
  type QueryColumn,
  type QueryModel,
  storedOperand,
} from '../model/query-model.ts'

/** Any value of each type: a stored value equals it or does not, and a missing one does neither. */
const ANY_VALUE: { readonly [Type in EdmType]: EdmValue<Type> } = {
  Binary: new Uint8Array(0),
  Boolean: false,
  DateTime: parseDateTime('1601-01-01T00:00:00Z'),
  Double: 0,
  Guid: '00000000-0000-0000-0000-000000000000',
  Int32: 0,
  Int64: 0n,
  String: '',
}

const ALWAYS_STORED: readonly string[] = ['PartitionKey', 'RowKey', 'Timestamp']

/** A condition that every stored value meets, of any type, NaN among them. */
export function storedFilter(model: QueryModel, column: QueryColumn): FilterNode {
  const { name, type = 'String', inKey } = column
  if (inKey || ALWAYS_STORED.includes(name)) {
    throw invalidProperty(model, column, 'is stored with every entity, so it is never missing.')
  }
  const literal: FilterLiteral = { type, value: ANY_VALUE[type] }
  return or(comparison(name, 'eq', literal), comparison(name, 'ne', literal))
}

/**
 * Adds the entities that do not store a property to a test of it, when their default meets the test: a condition finds what
 * reads show.
 *
 * @param filter - tests only this property
 * @throws InputError with the code `InvalidQuery` when the defaults of only some types of a union meet it
 */
export function withDefaults(
  model: QueryModel,
  column: QueryColumn,
  filter: FilterNode,
): FilterNode {
  const defaults = column.defaults?.() ?? []
  const met = defaults.filter((value) => meets(column, value, filter))
  if (met.length === 0) return filter
  if (met.length < defaults.length) {
    throw invalidProperty(
      model,
      column,
      'has different defaults in the types of the union, so one condition cannot find what each of them shows. Query each type with ofType.',
    )
  }
  // A stored value of another type is another value, and a missing one has no value.
  if (filter.kind === 'property') return not(comparison(column.name, 'ne', TRUE))
  if (filter.kind === 'comparison' && filter.operator === 'eq') {
    return not(comparison(column.name, 'ne', filter.literal))
  }
  return or(filter, not(storedFilter(model, column)))
}

const TRUE: FilterLiteral = Object.freeze({ type: 'Boolean', value: true })

/** Whether entities that do not store a property show a value. */
export function hasDefault({ defaults }: QueryColumn): boolean {
  return defaults?.().some((value) => value !== undefined) ?? false
}

function meets(column: QueryColumn, value: unknown, filter: FilterNode): boolean {
  if (value === undefined) return false
  const stored = EntityProperty.of(storedOperand(column, value), column.type, column.name)
  return evaluateFilter(filter, () => stored)
}

/** Finds the properties whose absence a filter asks for, by `missing` or because of their default. */
export function missingIn(model: QueryModel, filter: FilterNode | undefined): readonly string[] {
  return filter === undefined ? [] : absentIn(filter, columnsByName(model))
}

function absentIn(
  filter: FilterNode,
  columns: ReadonlyMap<string, QueryColumn>,
): readonly string[] {
  switch (filter.kind) {
    case 'not': {
      const name = comparedAnyway(filter.operand) ?? otherThanDefault(filter.operand, columns)
      return name === undefined ? absentIn(filter.operand, columns) : [name]
    }
    case 'and':
    case 'or':
      return filter.operands.flatMap((operand) => absentIn(operand, columns))
    case 'raw':
      return filter.meaning === undefined ? [] : absentIn(filter.meaning, columns)
    default:
      return []
  }
}

/** The property that an `or` compares by `eq` and by `ne`, so that every stored value meets it. */
function comparedAnyway(filter: FilterNode): string | undefined {
  const [one, other] = filter.kind === 'or' && filter.operands.length === 2 ? filter.operands : []
  if (one?.kind !== 'comparison' || other?.kind !== 'comparison') return undefined
  const isEither =
    one.property === other.property && one.operator === 'eq' && other.operator === 'ne'
  return isEither ? one.property : undefined
}

/** The property that a condition requires to be stored with another value than its default. */
function otherThanDefault(
  filter: FilterNode,
  columns: ReadonlyMap<string, QueryColumn>,
): string | undefined {
  if (filter.kind !== 'comparison' || filter.operator !== 'ne') return undefined
  const column = columns.get(filter.property)
  const equal = comparison(filter.property, 'eq', filter.literal)
  return column?.defaults?.().some((value) => meets(column, value, equal))
    ? filter.property
    : undefined
}
